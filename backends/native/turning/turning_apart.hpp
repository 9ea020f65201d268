// Whether an assembly of parts comes apart by sliding and turning, and in which moves.
//
// Breadth-first over positions and orientations; the fewest moves first, and among those the fewest turns.

#pragma once

#include <memory>
#include <vector>

#include "apart/many_assemblies.hpp"
#include "apart/taking_apart.hpp"
#include "turning/turner.hpp"

namespace latcover {

// An axis about which parts turn.
struct TurningAxis {
    std::unique_ptr<Turner> turner;
    std::vector<AxisTurn> turns;  // of one sense by growing angles, then of the other
    std::vector<Vec> shifts;      // lattice vectors within the reach
    double reach;
};

// What a turning search knows of its lattice.
struct TurningLattice {
    std::vector<LatticeMap> maps;        // the identity first
    std::vector<std::vector<int>> then;  // [first][last]: the map that does one and then the other
    std::vector<TurningAxis> axes;
    bool alike = false;   // whether every map takes each direction of a slide to one
    TurnLimits limits{};  // the reach aside
};

struct PlacedShape {
    int shape;
    Vec place;
    auto operator<=>(const PlacedShape&) const = default;
};

// The shapes of a puzzle in all orientations, for slides and for turns. Threads may share it.
class TurningShapes {
public:
    TurningShapes(std::unique_ptr<Shapes> shapes, TurningLattice lattice)
        : shapes_(std::move(shapes)), lattice_(std::move(lattice)) {}

    int add(std::vector<Cell> cells);
    int size() const { return static_cast<int>(cells_.size()); }
    PlacedShape mapped(const PlacedShape& part, int map, const Vec& shift);
    int n_cells(int shape) const { return static_cast<int>(cells_[shape].size()); }
    const std::vector<Cell>& cells(int shape) const { return cells_[shape]; }
    const Barriers& barriers(int one, int other);
    std::shared_ptr<const Landings> land(std::span<const TurningPart> moving, std::span<const TurningPart> fixed,
                                         int axis, int turn);
    void strike(std::span<const TurningPart> moving, std::span<const TurningPart> fixed, int axis, int turn,
                const Vec& shift);
    void restore();
    // How many questions about turns were not answered from memory.
    std::uint64_t asked() const;
    const TurningLattice& lattice() const { return lattice_; }
    Shapes& shapes() { return *shapes_; }

private:
    int add_now(std::vector<Cell> cells);

    std::unique_ptr<Shapes> shapes_;
    TurningLattice lattice_;
    SharedMutex lock_;
    StableList<std::vector<Cell>> cells_;
    std::map<std::vector<std::array<int, 4>>, int> known_;
    std::map<std::pair<int, int>, std::pair<int, Vec>> mapped_;  // shape and map: the shape, and where its origin goes
};

struct TurningMove {
    std::vector<int> parts;
    int direction = 0, steps = 0;  // as in a SlideMove
    bool separates = false;
    int axis = -1, turn = 0;  // of a turn
    Vec shift{};              // beyond where the lattice's map takes the cells
};

struct TurningParting {
    std::vector<int> parts, stays, removed;
    std::vector<TurningMove> moves;
};

// A turn that was too tight to tell, and where the parts were.
struct TightTurn {
    std::vector<int> moving, fixed;
    std::vector<PlacedShape> parts;  // of the assembly; others than those above are away
    TurningMove move;
};

struct TurnedApart {
    Result result = Result::unknown;
    Cut cut = Cut::none;
    bool many = false;  // unknown, since too many parts could turn together
    bool least = true;
    std::uint64_t states = 0;
    int reached = 0;
    std::uint64_t tight = 0;
    std::vector<TightTurn> tight_turns;  // the first of them
    std::vector<TurningParting> partings;
};

// always: whether turns are tried for each group from the start, and not only where slides alone do not part it.
TurnedApart turn_apart(TurningShapes& shapes, const Assembly& assembly, const Groups& groups, bool always,
                       const ApartLimits& limits, const Brake& brake);

// The same for many, each by all threads. The result does not depend on their number.
std::vector<TurnedApart> turn_all_apart(TurningShapes& shapes, const std::vector<Assembly>& assemblies,
                                        const Groups& groups, bool always, const ManyLimits& limits,
                                        const std::function<bool(const ManyProgress&)>& on_progress);

// How many turns the sets of an assembly's parts can make where they are.
std::uint64_t count_turns(TurningShapes& shapes, const Assembly& assembly, unsigned threads);

}  // namespace latcover
