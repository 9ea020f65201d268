# ruff: noqa: I001 - one line for each module
# The public names: `latcover/__init__.py` imports each at its first use.
from .assembly.taking_apart import ApartLimits as ApartLimits, disassemble as disassemble
from .cover.events import Events as Events
from .cover.problem import CoverProblem as CoverProblem
from .cover.result import SearchResult as SearchResult
from .cover.search import Limits as Limits
from .designing.cut_designs import CutDesign as CutDesign
from .designing.cuts import cut as cut, grow as grow
from .designing.design_regions import design_regions as design_regions
from .designing.design_sets import design as design
from .designing.difficulty import Difficulty as Difficulty, difficulty as difficulty
from .encoding.prepared import Choices as Choices, prepare as prepare
from .errors import (
    InputError as InputError,
    LatcoverError as LatcoverError,
    LatticeError as LatticeError,
    PuzzleError as PuzzleError,
    PuzzleFileError as PuzzleFileError,
    UnsupportedError as UnsupportedError,
)
from .exploring.answers import Atlas as Atlas
from .exploring.atlas import atlas as atlas
from .exploring.common import Common as Common, common as common
from .exploring.multiples import Multiples as Multiples, multiples as multiples
from .exploring.pairs import Pairs as Pairs, pairs as pairs
from .exploring.packing import Packing as Packing, exclude as exclude, pack as pack, region_to_pack as region_to_pack
from .exploring.requests import (
    AtlasRequest as AtlasRequest,
    CommonRequest as CommonRequest,
    ExcludeRequest as ExcludeRequest,
    MultiplesRequest as MultiplesRequest,
    PackRequest as PackRequest,
    PairsRequest as PairsRequest,
)
from .formats.library import load as load, load_lattice as load_lattice, load_set as load_set, loads as loads
from .formats.named_shapes import shape_named as shape_named, shapes_named as shapes_named
from .model.disassembly import Disassembly as Disassembly, Separation as Separation, Step as Step
from .model.prototiles import Patch as Patch, PeriodicTiling as PeriodicTiling, Prototiles as Prototiles, Tile as Tile
from .model.puzzle import Part as Part, PartSet as PartSet, Puzzle as Puzzle, Region as Region, box as box
from .model.solution import Solution as Solution
from .model.strip import Strip as Strip
from .model.verifier import verify as verify
from .plane.answer import Heesch as Heesch, PlaneAnswer as PlaneAnswer, Verdict as Verdict
from .plane.perform import plane as plane
from .plane.request import PlaneRequest as PlaneRequest
from .printing.picture import Picture as Picture, draw as draw
from .printing.request import DrawRequest as DrawRequest
from .solving.all_solutions import (
    AllSolutions as AllSolutions,
    DiagramRequest as DiagramRequest,
    all_solutions as all_solutions,
    sample as sample,
)
from .solving.assemble import AssembleRequest as AssembleRequest, AssemblyResult as AssemblyResult, assemble as assemble
from .solving.best import BestRequest as BestRequest, BestResult as BestResult, best as best
from .solving.count import CountRequest as CountRequest, count as count
from .solving.estimate import Estimate as Estimate, EstimateRequest as EstimateRequest, estimate as estimate
from .solving.filters import keeps_apart as keeps_apart, part_at as part_at, symmetric as symmetric
from .solving.frame import frame as frame
from .solving.probabilities import Probabilities as Probabilities, probabilities as probabilities
from .solving.recurrences import Recurrence as Recurrence
from .solving.run import run as run
from .solving.sequence import SequenceRequest as SequenceRequest, Term as Term, sequence as sequence
from .solving.solutions import solutions as solutions
from .solving.solve import SolveRequest as SolveRequest, solve as solve
from .solving.strips import (
    strip_counts as strip_counts,
    strip_of_family as strip_of_family,
    strip_recurrence as strip_recurrence,
)
