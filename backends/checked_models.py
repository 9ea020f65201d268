"""Looks at what other people's solvers find, at once: a solver that errs ends the search, with its name."""

from __future__ import annotations

from latcover.core.cover.problem import CoverProblem, Ints
from latcover.errors import BackendFailedError


class CheckedModels:
    """The models of one solver for one problem: each is a cover, and none comes again.

    A hash of 64 bits stands for each, so of a million one is taken for repeated with a probability of 3e-8.
    """

    def __init__(self, who: str, problem: CoverProblem) -> None:
        self._who, self._problem = who, problem
        self._met: set[int] = set()

    def require(self, cover: Ints, *, is_new: bool = True) -> None:
        """Check a model.

        Args:
            cover: Its options, ascending.
            is_new: Whether it must differ from all before.

        Raises:
            BackendFailedError: it is not as it must be.
        """
        if not self._problem.is_cover(cover):
            raise self._fault("a model that is not a solution", cover)
        if is_new:
            key = hash(cover.tobytes())
            if key in self._met:
                raise self._fault("a model that was excluded, for it came before", cover)
            self._met.add(key)

    def _fault(self, what: str, cover: Ints) -> BackendFailedError:
        chosen = ", ".join(map(str, cover[:8].tolist())) + ", ..." * (len(cover) > 8)
        return BackendFailedError(
            f"{self._who} answered with {what} (the options {chosen or 'none'}); its answers cannot be trusted: choose "
            "another solver, or a backend of latcover's own, such as dlx"
        )
