"""The forms of rules: as data in puzzle files, as texts on the command line, as fields of forms.

They follow from the fields of a rule (`latcover.core.model.rules.rule.Rule`). A text is ``on-rim``, ``cut-at-most=2``
or, of a rule with several fields, ``separate=X,Y``, which is its first field, and ``separate-corners=X,Y``, which also
sets another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, get_args, get_origin

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, asdict, fields, replace

from latcover.core.model.puzzle import Puzzle, require_puzzle
from latcover.core.model.rules import OURS, names, rule_called
from latcover.core.model.rules.rule import Rule, rules_of
from latcover.errors import LatcoverError, PuzzleError, suggest

NAMES_OF_PUZZLES = ("parts", "colour")  # fields that name what a puzzle has


class RuleForm(Struct, frozen=True):
    """A rule for a form.

    Attributes:
        about: As `Rule.about`.
        fields: The JSON Schema of each field.
        required: The fields without a default.
        several: Whether a puzzle may have several of the rule.
    """

    name: str
    about: str
    fields: dict[str, dict[str, Any]]
    required: list[str]
    several: bool


def is_told_by_tables(kind: type[Rule]) -> bool:
    """Whether a puzzle may have several of a rule, as tables: it has several fields, or names parts or a colour."""
    own = fields(kind)
    return len(own) > 1 or any(each.name in NAMES_OF_PUZZLES for each in own)


def type_in_files(kind: type[Rule]) -> Any:
    """The type of what a puzzle file has under the rule's name."""
    if is_told_by_tables(kind):
        return list[kind]  # type: ignore[valid-type]
    own = fields(kind)
    return own[0].type if own else bool


def part_rules_as_data(rules: Iterable[Rule]) -> dict[str, Any]:
    """Rules as the table [rules] of a puzzle file has them, fields with their defaults left out."""
    data: dict[str, Any] = {}
    for rule in rules:
        own = fields(type(rule))
        values = msgspec.to_builtins(asdict(rule))
        if is_told_by_tables(type(rule)):
            table = {each.name: values[each.name] for each in own if getattr(rule, each.name) != each.default}
            data.setdefault(rule.name, []).append(table)
        else:
            data[rule.name] = values[own[0].name] if own else True
    return data


def form_of(kind: type[Rule]) -> RuleForm:
    """What a form shows of a rule."""
    schema = msgspec.json.schema(kind)["$defs"][kind.__name__]
    return RuleForm(kind.name, kind.about, schema["properties"], schema["required"], is_told_by_tables(kind))


def known_rules() -> list[type[Rule]]:
    """All rules that can be loaded."""
    found = []
    for name in names():
        try:
            found.append(rule_called(name))
        except LatcoverError:  # of another package: it says why when it is used
            continue
    return found


def _meta(each: FieldInfo) -> Meta:
    found = (meta for meta in getattr(each.type, "__metadata__", ()) if isinstance(meta, Meta))
    return next(found, Meta())


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


# ---- texts


def with_rules(puzzle: Puzzle, added: Sequence[str | Rule]) -> Puzzle:
    """*puzzle* with more rules: rules themselves, or texts as ``--rule`` takes them.

    Of a rule that a puzzle can have once only, the last one counts.

    Raises:
        PuzzleError: a text is no rule.
        UnsupportedError: a rule of another package cannot be loaded.
    """
    require_puzzle("with_rules", puzzle)
    rules = [*rules_of(puzzle)]
    for each in added:
        new = each if isinstance(each, Rule) else _rule_in(each)
        once = not is_told_by_tables(type(new))
        rules = [rule for rule in rules if rule != new and not (once and rule.name == new.name)] + [new]
    return replace(puzzle, rules=replace(puzzle.rules, of_parts=in_order(rules))) if added else puzzle


def in_order(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Rules by their names; those of one name stay as they are."""
    return tuple(sorted(rules, key=lambda rule: rule.name))


def texts_of(kind: type[Rule]) -> list[str]:
    """The texts of a rule, with words for values: ``separate=PARTS``."""
    return [f"{word}={own[0].name.upper()}" if own else word for word, own in _fields_of_texts(kind).items()]


def known_texts() -> list[str]:
    """The texts of all rules that can be loaded."""
    return [text for kind in known_rules() for text in texts_of(kind)]


def _fields_of_texts(kind: type[Rule]) -> dict[str, list[FieldInfo]]:
    """What each text of a rule begins with, and the fields that it sets: the first to its value, another to true."""
    name, own = kind.name.replace("_", "-"), fields(kind)
    found = {name: [*own[:1]]}
    for each in own[1:]:
        if _bare(each.type) is bool:
            found[f"{name}-{each.name}"] = [own[0], each]
        elif not own[0].required and each.name != "parts":  # which alone says nothing
            found[f"{name}-{each.name}"] = [each]
    return found


def _rule_in(text: str) -> Rule:
    word, equals, value = text.partition("=")
    kind = _kind_in(word)
    own = _fields_of_texts(kind)[word]
    if not own and equals:
        raise PuzzleError(f"the rule {word} takes no value: write {word} alone")
    if not own:
        return kind()
    main, *flags = own
    several = get_origin(_bare(main.type)) is tuple
    given = {main.name: [*filter(None, value.split(","))] if several else value} | {flag.name: True for flag in flags}
    try:
        if several or value:
            return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError:
        pass
    meta = _meta(main)
    takes = meta.description or f"a value for {main.name}"
    like = f", as in {word}={meta.examples[0]}" if meta.examples else ""
    raise PuzzleError(f"the rule {word} takes {takes}{like}, not {value!r:.40}")


def _kind_in(word: str) -> type[Rule]:
    """The rule that a text begins with. Other packages are only asked if it is none of ours."""
    for known in ([*OURS], None):
        for name in known or names():
            if word.startswith(name.replace("_", "-")) and word in _fields_of_texts(kind := rule_called(name)):
                return kind
    texts = [text.partition("=")[0] for text in known_texts()]
    raise PuzzleError(f"there is no rule {word!r:.40}{suggest(word, texts)}")
