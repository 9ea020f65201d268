"""Every form that the pages offer, tried on every kind of subject: a file is written, or a paragraph says why not."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from latcover.apps.web.catalogue import catalogue
from latcover.apps.web.paper import SHEETS
from latcover.apps.web.settings import Settings
from latcover.apps.web.site_export import SITE
from latcover.files.formats.forms import TOML
from tests.shipped import rest_long
from tests.web_jobs import answer_to, file_in, messages_of
from tests.web_subjects import SUBJECTS

NEEDS_SOLUTIONS = {"html", "txt", *SHEETS}


@cache
def offered() -> dict[str, list[str]]:
    """The forms of each list of a page."""
    told = catalogue(Settings())
    lists = {"forms": told.forms, "models": told.models, "pictures": told.pictures}
    return {name: [form.name for form in forms] for name, forms in lists.items()} | {"papers": [*SHEETS]}


def every_form() -> list[str]:
    return [TOML.name, SITE, *(form for forms in offered().values() for form in forms)]


def outcome(**job: Any) -> str:
    """ "" if a file was written whole; else the paragraph of the refusal."""
    sent = messages_of({"task": "export", **job})
    last = sent[-1]
    if last["event"] == "done":
        assert last["answer"]["size"] == len(file_in(sent)) > 0
        return ""
    message: str = last["fault"]["message"]
    assert message, job
    assert "defect" not in message, job
    assert "Error" not in message, job
    return message


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_form_is_written_of_a_puzzle_or_refused(name: str) -> None:
    refused = {form: words for form in every_form() if (words := outcome(form=form, subject=SUBJECTS[name]))}
    assert refused.keys() >= NEEDS_SOLUTIONS
    if name == "in space":
        assert refused.keys() == NEEDS_SOLUTIONS
    if name == "bare":
        assert refused.keys().isdisjoint({"dimacs", "dlx", "json", "lp", "minizinc", "mps", "npz", "opb", "zdd"})


@pytest.mark.parametrize("name", rest_long(["in space", "loose", "sticks", "bare"], ["in space", "bare"]))
def test_every_form_is_written_of_solutions_or_refused(name: str) -> None:
    subject = SUBJECTS[name]
    _, sent = answer_to({"task": "solve", "subject": subject, "limit": 2, "symmetry": "none"})
    found = [message for message in sent if message["event"] == "progress"]
    solutions = [solution for message in found for solution in message.get("solutions", [])]
    placements = [placement["kept"] for message in found for placement in message.get("placements", [])]
    assert solutions
    for some in (solutions[:1], solutions):
        given = {"subject": subject, "placements": placements, "solutions": some}
        refused = {form for form in every_form() if outcome(form=form, **given)}
        if name == "in space":  # forms of the whole problem hold no solution, and models and instructions hold one
            of_one = {*offered()["models"], "instructions"} if len(some) > 1 else set()
            assert refused == {TOML.name, SITE, *offered()["forms"]} | of_one


def test_a_diagram_is_of_all_solutions() -> None:
    assert "no meaning" in outcome(form="zdd", subject=SUBJECTS["shipped"], symmetry="all")
    sent = messages_of({"task": "export", "form": "zdd", "subject": SUBJECTS["shipped"]})
    assert file_in(sent).decode().count("\n.\n") == 1
    stopped = messages_of({"task": "export", "form": "zdd", "subject": SUBJECTS["shipped"]}, stopped=True)
    assert stopped[-1]["event"] == "fault"


@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.parametrize("job", [{"task": "draw"}, {"task": "draw", "what": "scene"}, {"task": "draw card"}])
def test_every_subject_is_drawn_or_refused(name: str, job: dict[str, Any]) -> None:
    last = messages_of({**job, "subject": SUBJECTS[name]})[-1]
    assert "defect" not in last.get("fault", {}).get("message", "")
    assert (last["event"] == "fault") == (name == "bare"), last


def test_every_form_is_written_of_a_design_or_refused() -> None:
    """A design is taken away as its file and its picture; opened, it is a puzzle like others."""
    wanted = {"parts": 2, "walks": 3, "threads": 1}
    _, sent = answer_to({"task": "design", "way": "cut", "subject": SUBJECTS["in space"], "wanted": wanted})
    design = next(made for message in sent for made in message.get("designs", []))
    drawn = messages_of({"task": "draw design", "toml": design["toml"]})[-1]
    assert drawn["answer"]["svg"].startswith("<svg")
    refused = {form for form in every_form() if outcome(form=form, subject={"form": "toml", "text": design["toml"]})}
    assert refused == NEEDS_SOLUTIONS


def test_a_tiling_of_the_plane_is_taken_away_as_its_picture() -> None:
    task = {"task": "plane", "lattice": "square", "cells": [[0, 0, 0], [0, 0, 1], [0, 1, 0]]}
    answer, sent = answer_to(task)
    pictures = [picture for message in sent for picture in message.get("pictures", [])]
    assert answer["text"]
    assert pictures
    assert all(picture.startswith("<svg") for picture in pictures)
