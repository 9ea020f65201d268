"""What installs latcover elsewhere says the same as pyproject.toml."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

from tests.processes import GUARD

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
OF_CONDA = {"lazy-loader": "lazy_loader", "ortools": "ortools-python"}  # names that differ there


def without_systems(requirements: list[str]) -> set[str]:
    """Requirements of every system, without blanks."""
    return {requirement.replace(" ", "") for requirement in requirements if ";" not in requirement}


def test_the_conda_recipe_needs_what_the_project_needs() -> None:
    recipe = yaml.safe_load((ROOT / "packaging" / "conda" / "recipe.yaml").read_text("utf-8"))
    wanted = without_systems(PROJECT["project"]["dependencies"])
    for ours, theirs in OF_CONDA.items():
        wanted = {re.sub(rf"^{ours}(?=[><=])", theirs, each) for each in wanted}
    assert without_systems(recipe["requirements"]["run"]) - {"python"} == wanted
    assert without_systems(recipe["requirements"]["host"]) - {"python", "pip"} == without_systems(
        PROJECT["build-system"]["requires"]
    )
    assert recipe["context"]["version"] == PROJECT["project"]["version"]


def test_the_image_runs_as_a_user_and_installs_extras_that_exist() -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    (extras,) = re.findall(r"/source\[([\w,]+)\]", text)
    assert set(extras.split(",")) <= set(PROJECT["project"]["optional-dependencies"])
    assert re.search(r"^USER (?!root)", text, re.MULTILINE)


def test_only_a_tag_publishes() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "wheels.yml").read_text("utf-8"))["jobs"]
    assert jobs["publish"]["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert set(jobs["publish"]["needs"]) == {"wheels", "source"}
    assert [name for name, job in jobs.items() if "id-token" in job.get("permissions", {})] == ["publish"]


def test_the_citation_has_the_version() -> None:
    assert f"version: {PROJECT['project']['version']}" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_a_checkout_is_imported_or_says_what_to_type(tmp_path: Path) -> None:
    """Its modules come before those installed, if Python starts beside them, but after those of an editable install."""
    (tmp_path / "latcover").mkdir()
    shutil.copy(ROOT / "latcover" / "__init__.py", tmp_path / "latcover")

    def said(*words: str) -> str:
        command = [sys.executable, *words, "-c", "import latcover; print(latcover.count('example-2x2').total)"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=GUARD)
        return (done.stdout or done.stderr).splitlines()[-1]

    count = said("-P")
    assert count.isdecimal()
    sentence = r"ImportError: .* checkout, .* `python -P`.* `pip install -e \.`"
    is_editable = any("editable" in type(finder).__module__ for finder in sys.meta_path)
    assert re.fullmatch(count if is_editable else sentence, said())


def test_the_extra_for_building_has_what_a_build_requires() -> None:
    assert set(PROJECT["project"]["optional-dependencies"]["build"]) >= set(PROJECT["build-system"]["requires"])
