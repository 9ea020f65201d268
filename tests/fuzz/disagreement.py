"""What the fuzzer finds: two answers to one question."""

from __future__ import annotations


class DisagreementError(Exception):
    """Two answers to one question; *check* names the question."""

    def __init__(self, check: str, message: str) -> None:
        super().__init__(f"{check}: {message}")
        self.check = check


def require(holds: bool, check: str, message: str) -> None:
    """Raise unless it holds."""
    if not holds:
        raise DisagreementError(check, message)
