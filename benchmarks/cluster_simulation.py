"""A long search on many cores, simulated: the policy is the cluster's own code, jobs and costs are measured.

Every job has a true size, which nobody knows; how it is foretold while it is searched, and what it falls into when it
is cut, is drawn from jobs of real puzzles (`cluster_measures.py`). One writer and one scheduler serve all workers, one
request after the other; workers die, and come back.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter, deque
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from benchmarks.cluster_measures import FRACTIONS, Curve, FileCosts, Piecewise, Shapes
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.subproblem import Cut, Job
from latcover.lab.runs.cluster.batches import Batches
from latcover.lab.runs.job_work import Division, Pace
from latcover.lab.runs.run_file import PendingJob

DASK = 0.005  # seconds of the scheduler for each batch
TO_COME_BACK = 60.0  # seconds, of a worker that died
BETWEEN_DEATHS = 30 * 86_400.0  # seconds of one core; of a thousand cores one dies every 43 minutes
_STEPS = 20  # in which sizes of jobs are told apart, for each factor of e
_WINDOW = 60.0  # seconds over which the most writes are looked for


class Plan(msgspec.Struct, frozen=True):
    """What is to be searched, and on what.

    Attributes:
        branches, nanoseconds: How many there are, and what each takes a core.
        cores: How many search at once.
        pace: What the run is asked for; see `Batches.pace`.
    """

    branches: float
    nanoseconds: float
    cores: int
    seed: int = 1
    pace: Pace = Pace()
    between_deaths: float = BETWEEN_DEATHS

    @property
    def core_seconds(self) -> float:
        return self.branches * self.nanoseconds * 1e-9


class Foreseen(msgspec.Struct, frozen=True):
    """What came of a simulated search; times are seconds, and parts are of all that the cores could have done.

    Attributes:
        seconds: From its start to its end.
        rows: Jobs in the file, those that were cut too.
        gigabytes: Of the file.
        writes, most_writes: Transactions a second, on average and in the busiest minute.
        writer, scheduler: Which part of the time they are at work.
        median_job: How long the job was in which half of the work was done.
        lost_to_cuts, lost_to_deaths, idle: Work that was done twice, or not done.
        last: From the first core that finds nothing to do for good to the end.
        restart: What a loss of all processes costs, on average: work of all cores that is done again, and reading.
        deaths: How many workers died.
    """

    seconds: float
    rows: int
    gigabytes: float
    writes: float
    most_writes: float
    writer: float
    scheduler: float
    median_job: float
    lost_to_cuts: float
    lost_to_deaths: float
    idle: float
    last: float
    restart: float
    deaths: int


def simulate(plan: Plan, shapes: Shapes, costs: FileCosts) -> Foreseen:
    """Simulate a search; the same plan, shapes and costs give the same result."""
    return _Simulation(plan, shapes, costs).run()


class _Worked(msgspec.Struct, frozen=True):
    """What a worker did with a job: how long; if it gave up and cut it, how long it foretold, and the pieces."""

    job: PendingJob
    seconds: float
    foretold: float = 0.0
    pieces: Piecewise = ()


class _Tally(msgspec.Struct):
    cuts: float = 0.0
    deaths: float = 0.0
    busy: float = 0.0
    died: int = 0
    rows: int = 1
    writing: float = 0.0
    scheduling: float = 0.0
    work: dict[int, float] = {}  # seconds, by the logarithm of jobs' sizes
    writes: Counter[int] = msgspec.field(default_factory=Counter)
    at_risk: float = 0.0  # seconds of work that a loss of all would have cost, times seconds
    first_idle: float = 0.0


class _Simulation:
    """The state of a cluster, and what happens to it, in order of time."""

    def __init__(self, plan: Plan, shapes: Shapes, costs: FileCosts) -> None:
        self.plan, self.shapes, self.costs = plan, shapes, costs
        self.random = random.Random(plan.seed)
        self.batches = Batches()
        self.size: dict[int, tuple[float, Curve]] = {}
        self.events: list[tuple[float, int, Callable[..., None], tuple[Any, ...]]] = []
        self.ordinal = 0
        self.now = 0.0
        self.arrived: deque[tuple[int, Pace]] = deque()
        self.jobs_of: dict[int, list[PendingJob]] = {}
        self.free, self.at_work = plan.cores, 0
        self.writer_free = self.scheduler_free = 0.0
        self.started = 0.0  # the sum of the times at which workers took up what they are at
        self.tally = _Tally()

    def run(self) -> Foreseen:
        self._add(PendingJob(0, Job(), 1.0), self.plan.core_seconds)
        self._hand_out()
        while self.events:
            time, _, act, about = heapq.heappop(self.events)
            self.tally.at_risk += (time - self.now) * (self.at_work * time - self.started)
            self.now = time
            act(*about)
        return self._result()

    def _at(self, time: float, act: Callable[..., None], *about: Any) -> None:
        self.ordinal += 1
        heapq.heappush(self.events, (time, self.ordinal, act, about))

    def _add(self, job: PendingJob, seconds: float) -> None:
        self.size[job.id] = seconds, self.random.choice(self.shapes.curves)
        self.batches.put(job)

    def _hand_out(self) -> None:
        """As `Cluster._hand_out`, but that the scheduler takes its time."""
        pace = self.batches.pace(self.plan.pace, self.plan.cores)
        while self.batches.waiting and len(self.jobs_of) < 2 * self.plan.cores:
            number, jobs = self.batches.next(pace, self.plan.cores)
            self.jobs_of[number] = jobs
            self.scheduler_free = max(self.now, self.scheduler_free) + DASK
            self.tally.scheduling += DASK
            self._at(self.scheduler_free, self._arrive, number, pace)

    def _arrive(self, number: int, pace: Pace) -> None:
        self.arrived.append((number, pace))
        self._take_up()

    def _take_up(self) -> None:
        """Free workers take up batches; one of them may die of it."""
        while self.free and self.arrived:
            number, pace = self.arrived.popleft()
            worked, left = self._worked(self.jobs_of[number], pace)
            seconds = sum(each.seconds for each in worked)
            self.free -= 1
            self.at_work += 1
            self.started += self.now
            dies = self.random.expovariate(1 / self.plan.between_deaths)
            if dies < seconds:
                self._at(self.now + dies, self._die, number, pace, dies)
            else:
                self._at(self.now + seconds, self._finish, number, worked, left, seconds)

    def _worked(self, jobs: list[PendingJob], pace: Pace) -> tuple[list[_Worked], list[PendingJob]]:
        """What a worker does with a batch, and the jobs that it does not come to: as `search_batch`."""
        worked: list[_Worked] = []
        spent = 0.0
        for k, job in enumerate(jobs):
            if worked and spent > 2 * pace.seconds:
                return worked, jobs[k:]
            worked.append(self._searched(job, pace))
            spent += worked[-1].seconds
        return worked, []

    def _searched(self, job: PendingJob, pace: Pace) -> _Worked:
        size, curve = self.size[job.id]
        elapsed = pace.trial
        while elapsed < size:
            foretold = max(elapsed, size * _on(curve, elapsed / size))
            if pace.is_too_long(elapsed, elapsed / foretold, 0):
                asked = pace.pieces(foretold)
                nearest = min(self.shapes.cuts, key=lambda pieces: abs(math.log(pieces / asked)))
                pieces = self.random.choice(self.shapes.cuts[nearest])
                return _Worked(job, elapsed + self.costs.cutting * len(pieces), foretold, pieces)
            elapsed *= 1.5
        return _Worked(job, size)

    def _die(self, number: int, pace: Pace, seconds: float) -> None:
        self.at_work -= 1
        self.started -= self.now - seconds
        self.tally.deaths += seconds
        self.tally.died += 1
        self._at(self.now + TO_COME_BACK, self._come_back)
        self.arrived.appendleft((number, pace))
        self._take_up()

    def _come_back(self) -> None:
        self.free += 1
        self._take_up()

    def _finish(self, number: int, worked: list[_Worked], left: list[PendingJob], seconds: float) -> None:
        self.free += 1
        self.at_work -= 1
        self.started -= self.now - seconds
        self.tally.busy += seconds
        self._take_up()
        if self.free and not self.arrived and not self.tally.first_idle and not self.batches.waiting:
            self.tally.first_idle = self.now
        pieces = sum(len(each.pieces) for each in worked)
        cost = self.costs.transaction + self.costs.result * len(worked) + self.costs.piece * pieces
        self.writer_free = max(self.now, self.writer_free) + cost
        self.tally.writing += cost
        self.tally.writes[int(self.writer_free / _WINDOW)] += 1
        self._at(self.writer_free, self._written, number, worked, left)

    def _written(self, number: int, results: list[_Worked], left: list[PendingJob]) -> None:
        self.batches.taken(number)
        del self.jobs_of[number]
        for job in reversed(left):
            self.batches.put(job)
        for worked in results:
            job = worked.job
            size, _ = self.size.pop(job.id)
            if not worked.pieces:
                self.batches.learn(job, SearchResult(Stop.EXHAUSTED, SearchFigures(search_seconds=size)))
                step = round(_STEPS * math.log(max(size, 1e-9)))
                self.tally.work[step] = self.tally.work.get(step, 0.0) + size
                continue
            self.tally.cuts += worked.seconds
            closed = max(0.0, 1 - sum(share for share, _ in worked.pieces))
            self.batches.learn(job, Division(Cut((), (), 0, closed), None))
            for share, part in worked.pieces:
                piece = PendingJob(self.tally.rows, job.job, job.share * share, worked.foretold * share)
                self.tally.rows += 1
                self._add(piece, size * part)
        if self.batches.waiting:
            self.tally.first_idle = 0.0
        self._hand_out()

    def _result(self) -> Foreseen:
        tally, plan = self.tally, self.plan
        assert not self.size, "a job was lost"
        seconds, all_work = self.now, self.now * plan.cores
        lost = tally.at_risk / seconds
        return Foreseen(
            seconds=seconds,
            rows=tally.rows,
            gigabytes=tally.rows * self.costs.bytes_of_job / 1e9,
            writes=sum(tally.writes.values()) / seconds,
            most_writes=max(tally.writes.values(), default=0) / min(_WINDOW, seconds),
            writer=tally.writing / seconds,
            scheduler=tally.scheduling / seconds,
            median_job=_median_size(tally.work),
            lost_to_cuts=tally.cuts / all_work,
            lost_to_deaths=(tally.deaths + tally.died * TO_COME_BACK) / all_work,
            idle=max(0.0, 1 - (tally.busy + tally.deaths + tally.died * TO_COME_BACK) / all_work),
            last=seconds - (tally.first_idle or seconds),
            restart=lost / plan.cores + self.costs.reading * tally.rows,
            deaths=tally.died,
        )


def _on(curve: Curve, fraction: float) -> float:
    """A curve at a fraction of a job, on logarithmic scales."""
    place = -math.log(fraction, 4.0)
    low = min(int(place), len(FRACTIONS) - 1)
    high = min(low + 1, len(FRACTIONS) - 1)
    weight = min(1.0, place - low)
    return math.exp((1 - weight) * math.log(curve[low]) + weight * math.log(curve[high]))


def _median_size(work: Mapping[int, float]) -> float:
    """How large the job is in which half of the work is done."""
    half = sum(work.values()) / 2
    for size, done in sorted(work.items()):
        half -= done
        if half <= 0:
            return math.exp(size / _STEPS)
    return 0.0
