"""The options of `show` about models."""

from __future__ import annotations

from typing import Annotated

import typer
from msgspec import Struct


class ModelOptions(Struct, frozen=True):
    """The options for models. Every length is in millimetres."""

    all_parts: bool = False
    edge: Annotated[float | None, typer.Option(metavar="MM", show_default="20")] = None
    clearance: Annotated[float | None, typer.Option(metavar="MM", show_default="0.2")] = None
    chamfer: Annotated[float | None, typer.Option(metavar="MM", show_default="0")] = None
    thickness: Annotated[float | None, typer.Option(metavar="MM", show_default="one unit")] = None
    explode: Annotated[float | None, typer.Option(metavar="F", show_default="0")] = None
