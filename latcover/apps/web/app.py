"""The web app: its routes. All work that takes long is done by child processes (`workshop`, `runs`)."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import SpooledTemporaryFile

import msgspec
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from latcover.apps.publishing.site import engine_script
from latcover.apps.web.answers import (
    DesignLine,
    PartNumbers,
    Picture,
    ProblemSolution,
    PuzzleSolution,
    SomeDesigns,
    WrittenFile,
)
from latcover.apps.web.catalogue import catalogue
from latcover.apps.web.downloads import plain
from latcover.apps.web.kept_solutions import KeptSolution
from latcover.apps.web.messages import Fault, SentDesign
from latcover.apps.web.security import Guard
from latcover.apps.web.sending import AT_ONCE, as_file, as_lines
from latcover.apps.web.settings import Settings
from latcover.apps.web.subject import CoverSubject, ShippedSubject
from latcover.apps.web.tasks import (
    BeginTask,
    CardTask,
    DesignTask,
    DrawDesignTask,
    DrawTask,
    LatticeCardTask,
    LatticeTask,
    OpenTask,
    PartsTask,
    PlayTask,
    ReadTask,
    RunTask,
    SentFile,
    Task,
)
from latcover.apps.web.web_requests import (
    HANDLERS,
    ApartRequest,
    ExportRequest,
    RegionRequest,
    as_answer,
    body_of,
    export_of,
    job_of,
    request_of,
    settings_of,
)
from latcover.apps.web.web_runs import Run, Runs
from latcover.apps.web.workshop import FaultError, Workshop
from latcover.files.formats.shelves import counts_of_parts
from latcover.files.formats.source import names
from latcover.show.drawing.space.linking import joined
from latcover.system.child_process import require_python

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
PACKAGES = ("latcover.apps.publishing", "latcover.apps.web", "latcover.show.drawing.space")
STYLES = "styles.css"  # all styles in one
STYLE = re.compile(rb'<link rel="stylesheet" href="/static/([a-z_]+\.css)">\n')
KEEP = {"Cache-Control": "private, max-age=3600"}  # of pictures that never change
FLAT_TILINGS = files("latcover.apps.web").joinpath(
    "flat_tilings.json"
)  # regular and Archimedean ones, and duals of some
LOOK = 0.5  # seconds between two checks that a waiting client is there
IN_MEMORY = 1 << 20  # bytes of an exported file; a larger one lies in an unnamed file


def make_app(settings: Settings | None = None) -> Starlette:
    """The app, ready to be served.

    Raises:
        BackendUnavailableError: no process can be started.
    """
    require_python("the web app runs every search in its own process")
    settings = settings or Settings()
    app = Starlette(
        routes=ROUTES,
        middleware=[Middleware(Guard, hosts=settings.hosts)],
        exception_handlers=HANDLERS,
        lifespan=_life,
    )
    app.state.settings = settings
    app.state.edition, app.state.static = _static_files()
    app.state.cards, app.state.parts = {}, None  # of what is shipped; made at the first request
    return app


def _static_files() -> tuple[str, dict[str, bytes]]:
    """The files of the pages, read once: no request reaches the file system. Before them their edition.

    The page asks for scripts and styles by the edition, so that browsers keep them: other files have other addresses.
    It asks for few: the modules are joined, and so are the styles.
    """
    folders = [files(package).joinpath("static") for package in PACKAGES]
    found = (file for folder in folders for file in folder.iterdir())
    read = {file.name: file.read_bytes() for file in found if Path(file.name).suffix in TYPES}
    read["engine.js"] = engine_script()
    read |= {f"{name}.js": text.encode() for name, text in joined("main", PACKAGES).items()}
    styles = STYLE.findall(read["index.html"])
    read[STYLES] = b"\n".join(read[name.decode()] for name in styles)
    read["index.html"] = STYLE.sub(b"", read["index.html"]).replace(
        b"</title>", b'</title>\n<link rel="stylesheet" href="/static/%b">' % STYLES.encode()
    )
    edition = sha256(b"".join(b"%b %d %b" % (name.encode(), len(read[name]), read[name]) for name in sorted(read)))
    short = edition.hexdigest()[:16]
    return short, {**read, "index.html": read["index.html"].replace(b'"/static/', f'"/static/{short}/'.encode())}


@asynccontextmanager
async def _life(app: Starlette) -> AsyncIterator[None]:
    """Helpers and runs, which end with the server."""
    workshop, runs = Workshop(app.state.settings), Runs(app.state.settings)
    app.state.workshop, app.state.runs = workshop, runs
    app.state.catalogue = await run_in_threadpool(catalogue, app.state.settings)
    tasks = [asyncio.create_task(work.look_after()) for work in (workshop, runs)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await runs.close()
        await workshop.close()


def _file(request: Request, name: str, kept: str = "no-cache") -> Response:
    content = request.app.state.static.get(name)
    if content is None:
        raise HTTPException(404, "there is no such page")
    return Response(content, media_type=TYPES[Path(name).suffix], headers={"Cache-Control": kept})


async def index(request: Request) -> Response:
    """The page."""
    return _file(request, "index.html")


async def icon(request: Request) -> Response:
    """The icon, at the address that browsers try by themselves."""
    return _file(request, "icon.svg")


async def static(request: Request) -> Response:
    """A script or a style. Pages of an older edition get the current one, uncached."""
    is_current = request.path_params.get("edition") == request.app.state.edition
    return _file(request, request.path_params["name"], "max-age=31536000, immutable" if is_current else "no-cache")


async def about(request: Request) -> Response:
    """All choices that a page offers."""
    return as_answer(request.app.state.catalogue)


async def _answer(request: Request, task: Task, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to a quick task."""
    answer = await request.app.state.workshop.do(task)
    if await request.is_disconnected():
        raise HTTPException(400, "the request ended early")
    return Response(bytes(answer), media_type="application/json", headers=headers)


async def _picture(request: Request, task: Task, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to a task of drawing, as SVG."""
    return _svg(await _drawn(request, task), headers)


async def _drawn(request: Request, task: Task) -> str:
    return msgspec.json.decode(await request.app.state.workshop.do(task), type=Picture).svg


def _svg(text: str, headers: Mapping[str, str] | None = None) -> Response:
    return Response(text, media_type="image/svg+xml", headers=headers)


async def open_subject(request: Request) -> Response:
    """A subject as data for the editor."""
    return await _answer(request, await request_of(request, OpenTask))


async def offer_parts(request: Request) -> Response:
    """The parts of a shipped set, or of a subject, for the editor to take into a puzzle."""
    return await _answer(request, await request_of(request, PartsTask))


async def play(request: Request) -> Response:
    """A puzzle as data for playing it in the page."""
    return await _answer(request, await request_of(request, PlayTask))


async def read_upload(request: Request) -> Response:
    """A file that the client sends; or several as JSON. The suffixes of their names give their forms."""
    if request.headers.get("content-type", "").startswith("application/json"):
        return await _answer(request, await request_of(request, ReadTask))
    query, content = request.query_params, base64.b64encode(await body_of(request)).decode()
    return await _answer(
        request, ReadTask(files=[SentFile(query.get("name", ""), content)], problem=query.get("problem"))
    )


async def well_known_tilings(request: Request) -> Response:
    """Flat tilings with which a lattice can begin."""
    return Response(FLAT_TILINGS.read_bytes(), media_type="application/json", headers=KEEP)


async def judge_lattice(request: Request) -> Response:
    """The complaints about a lattice that the client draws or sends."""
    return await _answer(request, await request_of(request, LatticeTask))


async def begin_on_lattice(request: Request) -> Response:
    """A new puzzle on a lattice of the client's own."""
    return await _answer(request, await request_of(request, BeginTask))


async def draw_region(request: Request) -> Response:
    """A puzzle's region as SVG."""
    return await _picture(request, DrawTask(subject=(await request_of(request, RegionRequest)).subject))


async def draw_card(request: Request) -> Response:
    """A small picture of a puzzle's region, as SVG."""
    return await _picture(request, replace(await request_of(request, CardTask), solved=False))


async def shipped(request: Request) -> Response:
    """The numbers of parts of all shipped puzzles, read at the first request."""
    state = request.app.state
    if state.parts is None:
        state.parts = await run_in_threadpool(counts_of_parts)
    return as_answer(PartNumbers(state.parts))


async def shipped_card(request: Request) -> Response:
    """A small picture of a shipped puzzle's solution, as SVG; it is drawn once."""
    name = request.path_params["name"]
    if name not in names("instances"):
        raise HTTPException(404, "no puzzle of that name is shipped")
    return await _drawn_once(request, name, CardTask(subject=ShippedSubject(name=name), solved=True))


async def lattice_card(request: Request) -> Response:
    """A small picture of some cells of a shipped lattice, as SVG; it is drawn once."""
    name = request.path_params["name"]
    if name not in names("lattices"):
        raise HTTPException(404, "no lattice of that name is shipped")
    return await _drawn_once(request, name, LatticeCardTask(name=name))


async def _drawn_once(request: Request, name: str, task: Task) -> Response:
    cards, key = request.app.state.cards, (type(task), name)
    if key not in cards:
        cards[key] = await _drawn(request, task)
    return _svg(cards[key], KEEP)


async def scene(request: Request) -> Response:
    """A puzzle as data for the viewer."""
    return await _answer(request, DrawTask(subject=(await request_of(request, RegionRequest)).subject, what="scene"))


async def start_run(request: Request) -> Response:
    """Start a run."""
    runs: Runs = request.app.state.runs
    asked: RunTask | ApartRequest = await request_of(request, RunTask | ApartRequest, 400)
    job = job_of(asked, runs, settings_of(request))
    await runs.make_room()
    return as_answer(runs.start(job).snapshot(), 201)


def _run(request: Request) -> Run:
    run: Run | None = request.app.state.runs.find(request.path_params["run"])
    if run is None:
        raise HTTPException(404, "there is no such run, or it was forgotten; start it again")
    return run


async def show_run(request: Request) -> Response:
    """The state of a run."""
    return as_answer(_run(request).snapshot())


async def run_answer(request: Request) -> Response:
    """The answer of a run that has ended."""
    run = _run(request)
    if run.answer is None:
        raise HTTPException(409, "the run has no answer" + (" yet" if run.state != "ended" else ""))
    return Response(bytes(run.answer), media_type="application/json")


async def run_events(request: Request) -> Response:
    """The state of a run after each change, as server-sent events."""
    run = _run(request)

    async def lines() -> AsyncIterator[bytes]:
        async for snapshot in run.snapshots():
            yield b": nothing new\n\n" if snapshot is None else b"data: %b\n\n" % msgspec.json.encode(snapshot)

    return StreamingResponse(lines(), media_type="text/event-stream")


async def change_run(request: Request) -> Response:
    """Pause, resume or stop a run."""
    run, action = _run(request), request.path_params["action"]
    await body_of(request)
    if action not in ("pause", "resume", "stop"):
        raise HTTPException(404, "a run can be asked to pause, resume or stop")
    if action == "stop":
        run.stop("you stopped it")
    elif not (run.pause() if action == "pause" else run.resume()):
        raise HTTPException(409, f"a run that is {run.state} cannot be {action}d")
    return as_answer(run.snapshot())


def _solution(request: Request) -> tuple[Run, KeptSolution]:
    run, number = _run(request), request.path_params["number"]
    if not 0 <= number < len(run.solutions):
        raise HTTPException(404, f"solution {number} is not kept; there are {len(run.solutions)}, counted from 0")
    return run, run.solutions[number]


def _as_printed(run: Run, solution: KeptSolution) -> PuzzleSolution | ProblemSolution:
    """A solution as `latcover solve --json` prints it."""
    number, image, orbit = solution.labels
    if isinstance(run.subject, CoverSubject):
        return ProblemSolution(number, [run.options[k] for k in solution.chosen])
    return PuzzleSolution(number, image, orbit, [run.placements[k].written for k in solution.chosen])


async def solution_data(request: Request) -> Response:
    """A solution as plain data."""
    return as_answer(_as_printed(*_solution(request)))


async def solution_picture(request: Request) -> Response:
    """A solution as SVG, or as data for the viewer."""
    run, solution = _solution(request)
    placements = [run.placements[k].kept for k in solution.chosen] if run.placements else []
    task = DrawTask(subject=run.subject, placements=placements, labels=solution.labels)
    if request.url.path.endswith("/scene"):
        return await _answer(request, replace(task, what="scene"), KEEP)
    return await _picture(request, task, KEEP)


async def solutions_file(request: Request) -> Response:
    """All kept solutions, one object per line."""
    run = _run(request)
    return as_lines(request, run.solutions, partial(_as_printed, run), "solutions.jsonl")


async def designs(request: Request) -> Response:
    """The facts of the next `AT_ONCE` designs of a run, from a number on."""
    run, first = _run(request), request.query_params.get("from", "0")
    if not (first.isascii() and first.isdigit() and len(first) < 10):
        raise HTTPException(400, "the number of the first must be a whole number, counted from 0")
    some = run.designs[int(first) : int(first) + AT_ONCE]
    return as_answer(SomeDesigns([design.facts for design in some]))


def _design(request: Request) -> tuple[Run, SentDesign]:
    run, number = _run(request), request.path_params["number"]
    if not 0 <= number < len(run.designs):
        raise HTTPException(404, f"puzzle {number} is not kept; there are {len(run.designs)}, counted from 0")
    return run, run.designs[number]


async def design_file(request: Request) -> Response:
    """A design as a puzzle file."""
    _, design = _design(request)
    headers = {"Content-Disposition": f'attachment; filename="{plain(design.facts.name)}.toml"'}
    return Response(design.toml, media_type="application/toml", headers=headers)


async def design_picture(request: Request) -> Response:
    """A solution of a design, as SVG."""
    run, design = _design(request)
    assert isinstance(run.job, DesignTask)
    family = run.subject if run.job.way == "sets" else None  # parts have the same colours in all pictures
    return await _picture(request, DrawDesignTask(toml=design.toml, family=family), KEEP)


async def run_picture(request: Request) -> Response:
    """A picture that a run has sent, as SVG."""
    run, number = _run(request), request.path_params["number"]
    if number >= len(run.pictures):
        raise HTTPException(404, f"picture {number} is not there; there are {len(run.pictures)}, counted from 0")
    return _svg(run.pictures[number], KEEP)


async def designs_file(request: Request) -> Response:
    """All kept designs, one object per line."""
    run = _run(request)
    return as_lines(request, run.designs, _design_line, "designs.jsonl")


def _design_line(design: SentDesign) -> DesignLine:
    return DesignLine(**msgspec.structs.asdict(design.facts), toml=design.toml)


async def export(request: Request) -> Response:
    """A file to download: the problem, a picture or a model."""
    asked = await request_of(request, ExportRequest)
    await request.app.state.runs.make_room()
    wanted = await run_in_threadpool(export_of, asked, request.app.state.runs)
    # It has no name, so nothing remains of it however the server ends. It is closed after it is sent.
    file = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115
    run: Run = request.app.state.runs.start(wanted, file)
    run.watchers += 1
    try:
        while not (await asyncio.wait({run.worker}, timeout=LOOK))[0]:
            if await request.is_disconnected():
                run.stop("its client is gone")
        if run.answer is None:
            raise FaultError(run.fault or Fault(f"not written: {run.reason}"))
    except BaseException:
        await run.end()
        file.close()
        raise
    finally:
        run.watchers -= 1
        request.app.state.runs.drop(run)
    return as_file(file, msgspec.json.decode(run.answer, type=WrittenFile))


ROUTES = [
    Route("/", index),
    Route("/favicon.ico", icon),
    Route("/static/{name}", static),
    Route("/static/{edition}/{name}", static),
    Route("/api/about", about),
    Route("/api/open", open_subject, methods=["POST"]),
    Route("/api/parts", offer_parts, methods=["POST"]),
    Route("/api/play", play, methods=["POST"]),
    Route("/api/read", read_upload, methods=["POST"]),
    Route("/api/tilings", well_known_tilings),
    Route("/api/lattice", judge_lattice, methods=["POST"]),
    Route("/api/lattice/puzzle", begin_on_lattice, methods=["POST"]),
    Route("/api/region.svg", draw_region, methods=["POST"]),
    Route("/api/card.svg", draw_card, methods=["POST"]),
    Route("/api/shipped", shipped),
    Route("/api/shipped/{name}.svg", shipped_card),
    Route("/api/lattices/{name}.svg", lattice_card),
    Route("/api/scene", scene, methods=["POST"]),
    Route("/api/export", export, methods=["POST"]),
    Route("/api/runs", start_run, methods=["POST"]),
    Route("/api/runs/{run}", show_run),
    Route("/api/runs/{run}/answer", run_answer),
    Route("/api/runs/{run}/events", run_events),
    Route("/api/runs/{run}/solutions.jsonl", solutions_file),
    Route("/api/runs/{run}/solutions/{number:int}.svg", solution_picture),
    Route("/api/runs/{run}/solutions/{number:int}/scene", solution_picture),
    Route("/api/runs/{run}/solutions/{number:int}", solution_data),
    Route("/api/runs/{run}/designs", designs),
    Route("/api/runs/{run}/designs.jsonl", designs_file),
    Route("/api/runs/{run}/designs/{number:int}.svg", design_picture),
    Route("/api/runs/{run}/designs/{number:int}.toml", design_file),
    Route("/api/runs/{run}/pictures/{number:int}.svg", run_picture),
    Route("/api/runs/{run}/{action}", change_run, methods=["POST"]),
]
