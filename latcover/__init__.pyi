# ruff: noqa: I001 - one line for each module
# The public names: `latcover/__init__.py` imports each at its first use.
from .lab.assembly.taking_apart import ApartLimits as ApartLimits, disassemble as disassemble
from .apps.workshop.publish import PublishRequest as PublishRequest, publish as publish
from .core.cover.events import Events as Events
from .core.cover.problem import CoverProblem as CoverProblem
from .core.cover.result import SearchResult as SearchResult
from .core.cover.backend import Backend as Backend
from .core.cover.counter import Counter as Counter
from .core.cover.search import Limits as Limits, SearchTask as SearchTask
from .lab.designing.cut_designs import CutDesign as CutDesign
from .lab.designing.cuts import cut as cut, grow as grow
from .lab.designing.design_regions import design_regions as design_regions
from .lab.designing.design_sets import design as design
from .lab.designing.goal_cuts import cut_for_goals as cut_for_goals
from .lab.designing.goal_designs import design_for_goals as design_for_goals
from .lab.designing.difficulty import Difficulty as Difficulty, difficulty as difficulty
from .core.encoding.prepared import Choices as Choices, prepare as prepare
from .errors import (
    InputError as InputError,
    LatcoverError as LatcoverError,
    LatticeError as LatticeError,
    PuzzleError as PuzzleError,
    PuzzleFileError as PuzzleFileError,
    UnsupportedError as UnsupportedError,
)
from .lab.exploring.atlas_answers import Atlas as Atlas
from .lab.exploring.atlas import atlas as atlas
from .lab.exploring.common import Common as Common, common as common
from .lab.exploring.multiples import Multiples as Multiples, multiples as multiples
from .lab.exploring.common_table import CommonTable as CommonTable, common_table as common_table, pairs as pairs
from .lab.exploring.packing import (
    Packing as Packing,
    exclude as exclude,
    pack as pack,
    region_to_pack as region_to_pack,
)
from .lab.exploring.exploring_requests import (
    AtlasRequest as AtlasRequest,
    CommonRequest as CommonRequest,
    ExcludeRequest as ExcludeRequest,
    MultiplesRequest as MultiplesRequest,
    PackRequest as PackRequest,
    PairsRequest as PairsRequest,
)
from .files.exchange.answer_files import decode as decode
from .files.formats.importing import ImportedFile as ImportedFile, import_file as import_file
from .files.formats.library import (
    load as load,
    load_goals as load_goals,
    load_lattice as load_lattice,
    load_set as load_set,
    loads as loads,
)
from .files.formats.listed_pieces import pieces as pieces
from .files.formats.named_shapes import shape_named as shape_named, shapes_named as shapes_named
from .core.model.disassembly import Disassembly as Disassembly, Separation as Separation, Step as Step
from .lab.comparing.compare import CompareRequest as CompareRequest, Comparison as Comparison
from .lab.plane.prototiles import (
    Patch as Patch,
    PeriodicTiling as PeriodicTiling,
    Prototiles as Prototiles,
    Tile as Tile,
)
from .core.model.goals import Goal as Goal, GoalRegion as GoalRegion, Goals as Goals, OpenCells as OpenCells
from .core.model.part_choices import PartChoice as PartChoice
from .core.model.puzzle import Part as Part, PartSet as PartSet, Puzzle as Puzzle, Region as Region, box as box
from .core.model.rules.rule import Rule as Rule, RuleItem as RuleItem
from .core.model.rules.rule_forms import with_rules as with_rules
from .core.model.solution import Solution as Solution
from .core.model.strip import Strip as Strip
from .core.model.verifier import verify as verify
from .lab.plane.plane_answer import Heesch as Heesch, PlaneAnswer as PlaneAnswer, Verdict as Verdict
from .lab.plane.plane_search import plane as plane
from .lab.plane.plane_request import PlaneRequest as PlaneRequest
from .show.reporting.check_report import FileReport as FileReport, check as check
from .show.reporting.compared import compare as compare
from .show.reporting.puzzle_figures import info as info
from .show.printing.picture import Picture as Picture, draw as draw
from .show.printing.draw_request import DrawRequest as DrawRequest
from .lab.asking.all_solutions import (
    AllSolutions as AllSolutions,
    DiagramRequest as DiagramRequest,
    all_solutions as all_solutions,
    sample as sample,
)
from .lab.asking.certificates import Certificate as Certificate, certify as certify
from .lab.asking.assemble import (
    AssembleRequest as AssembleRequest,
    AssemblyResult as AssemblyResult,
    apart as apart,
    assemble as assemble,
)
from .lab.asking.best import BestRequest as BestRequest, BestResult as BestResult, best as best
from .lab.asking.blocks import (
    GroupedSolutions as GroupedSolutions,
    SolutionGroup as SolutionGroup,
    group_by_blocks as group_by_blocks,
)
from .core.solving.count import CountRequest as CountRequest, count as count
from .lab.asking.estimate import Estimate as Estimate, EstimateRequest as EstimateRequest, estimate as estimate
from .lab.asking.exporting import ExportedFile as ExportedFile, ExportRequest as ExportRequest, export as export
from .core.solving.goals_result import GoalsResult as GoalsResult
from .core.solving.many_goals import count_goals as count_goals, solve_goals as solve_goals
from .core.solving.filters import keeps_apart as keeps_apart, part_at as part_at, symmetric as symmetric
from .lab.asking.frame import frame as frame
from .lab.asking.probabilities import Probabilities as Probabilities, probabilities as probabilities
from .lab.asking.recurrences import Recurrence as Recurrence
from .core.solving.run import run as run
from .lab.asking.sequence import SequenceRequest as SequenceRequest, Term as Term, sequence as sequence
from .core.solving.solutions import solutions as solutions
from .core.solving.solve import SolveRequest as SolveRequest, solve as solve
from .lab.asking.strips import (
    strip_counts as strip_counts,
    strip_of_family as strip_of_family,
    strip_recurrence as strip_recurrence,
)
