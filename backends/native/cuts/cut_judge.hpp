// What a cut is worth: what it breaks of the rules, how many solutions its parts have, and how it comes apart.

#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "apart/taking_apart.hpp"
#include "cover/search.hpp"
#include "cuts/cut_space.hpp"

namespace latcover {

using Cutting = std::vector<CellMask>;  // the parts; cells in none of them are holes

// How a cut comes apart by sliding and turning: as in CutFigures; a level of 0 if it does not, and below it if
// the question was broken off since everything ends.
struct CutTurned {
    int level = 0, moves = 0, turns = 0;
};

// Takes cells of parts apart by sliding and turning. Called by the threads of walks.
using TurnCut = std::function<CutTurned(const std::vector<std::vector<int>>& parts)>;

// Parts that are alike.
struct CutKind {
    std::vector<CellMask> placements;
    int copies = 1;
};

// What is asked for.
struct CutRules {
    int n_parts = 0;
    int least_size = 1, most_size = most_cut_cells;
    std::vector<int> sizes;           // of all parts, ascending; empty: within the bounds
    bool different = false;           // no two parts are alike
    bool no_mirrors = false;          // nor mirror images of each other
    bool asymmetric = false;          // no part has a symmetry of its own
    int least_rank = 0;               // as of CutSpace::rank
    std::vector<CellMask> forbidden;  // ascending
    int holes = 0;                    // at most so many cells may be in no part,
    CellMask inner{};                 // all of them among these
    std::vector<int> start;           // the part with which each cell begins, -1 for none; empty: a random cut
    CellMask movable{};               // with a start: the cells that may leave their parts
    std::vector<char> held;           // with a start: whether a part keeps its cells, and takes no others
    bool levels = true;               // parts slide in space
    bool one_order = false;
    bool hard = false;  // branches count before the level
    int min_level = 0;
    TurnCut turn{};                       // empty: parts only slide
    bool always_turn = false;             // and not only where slides do not take the cut apart, as is then wanted
    std::uint64_t most_solutions = 1000;  // counted; of the whole problem, all images
    std::uint64_t most_branches = 300'000;
    std::uint64_t most_states = 20'000;
};

// How far something reaches along each direction, in its steps: low and high.
using Reach = std::vector<std::array<double, 2>>;

// How parts slide: what `Shapes` is made of.
struct CutGeometry {
    std::vector<Direction> directions;
    int n_nodes = 1;
    std::vector<std::vector<Vec>> hits;
    std::vector<Cell> cells;                   // of the region
    std::vector<Reach> reaches;                // of each cell
    std::vector<std::array<double, 3>> rises;  // by a step along each axis, for each direction
};

struct CutFigures {
    int violations = 0;
    double solutions = 0;  // about how many different ones: all, divided by the images of this one; 1 is exact
    bool counted = false;
    int level = 0;  // moves to the first separation; 0 if the parts are stuck, or it is not known
    int moves = 0;  // of all separations
    int turns = 0;  // how many of these moves are turns
    double nearness =
        0;             // of a cut whose first separation takes less than two moves to one where it takes more; below 1
    int in_order = 0;  // groups that part in one way
    bool one_order = false;      // all do
    std::uint64_t branches = 0;  // of the search for all solutions
};

// The greater the better, the first number first.
using CutWorth = std::array<double, 8>;

class CutJudge {
public:
    CutJudge(const CutSpace& space, const CutRules& rules, const CutGeometry& geometry, const Brake& brake)
        : space_(space), rules_(rules), geometry_(geometry), brake_(brake) {}

    // What the cut is worth, if that may be `wanted` or more; else some value below it, for then its solutions are not
    // counted. It means nothing if the brake was pulled meanwhile.
    CutWorth judge(const Cutting& parts, const CutWorth& wanted, CutFigures& figures);

private:
    int violations(const Cutting& parts) const;
    void take_apart(const Cutting& parts, CutFigures& figures);
    void count(const Cutting& parts, CutFigures& figures) const;
    std::pair<Outcome, std::uint64_t> search(const std::vector<CutKind>& kinds, bool reduced) const;
    void turn(const Cutting& parts, CutFigures& figures) const;
    CutWorth worth(const CutFigures& figures, bool uncounted, bool unturned) const;

    const CutSpace& space_;
    const CutRules& rules_;
    const CutGeometry& geometry_;
    const Brake& brake_;
    std::unique_ptr<Shapes> shapes_;
    std::map<CellMask, int> shape_of_;
};

// In how many ways some parts can leave the others at once; at most `most_parts` parts, here and below.
int ways_out(Shapes& shapes, const Assembly& assembly);

// How many of these groups part in one way only. A group has parted when a plane across a direction has some of its
// parts on the one side and the others on the other, farther away from each other than in the assembly. In whatever way
// the parts of the group slide, from their places in the assembly until it has parted, the same two groups must part,
// and no others may be free to leave. It is not counted if the group has more positions than `most_states`, or if the
// brake is pulled. reaches: of each part.
int partings_in_one_way(Shapes& shapes, const Assembly& assembly, const CutGeometry& geometry,
                        const std::vector<Reach>& reaches, const std::vector<Parting>& partings,
                        std::uint64_t most_states, const Brake& brake);

}  // namespace latcover
