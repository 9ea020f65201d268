// Turns of parts of a lattice about one axis. It remembers bodies and answers.

#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "apart/sliding.hpp"
#include "turning/stable_list.hpp"
#include "turning/turning.hpp"

namespace latcover {

// A lattice as the axis sees it: each cell is a prism in one layer.
struct Prisms {
    std::vector<Ring> sections;                   // of each node, around its centre
    Ring centres;                                 // of each node, in the plane
    std::vector<int> layers;                      // of each node
    std::array<Point, 3> steps;                   // what a step along each axis of the lattice is in the plane
    Vec rises;                                    // in layers
    std::array<std::array<double, 3>, 3> unit{};  // one along u, along v, one layer up: in lattice steps
};

struct TurningPart {
    int shape;
    Vec at;
};

struct TurnLimits {
    double reach;
    int deepest;
    std::uint64_t most_boxes;
};

struct PartsTurned {
    Point middle;  // about which the path's angles are measured
    TurnAnswer answer;
};

// A rotation of the lattice, which takes the cell (u, x) to (nodes[u], matrix * x + shifts[u]).
struct LatticeMap {
    std::vector<int> nodes;
    std::array<Vec, 3> matrix;  // rows
    std::vector<Vec> shifts;

    Vec turned(const Vec& v) const {
        Vec image;
        for (int k = 0; k < 3; ++k) image[k] = matrix[k][0] * v[0] + matrix[k][1] * v[1] + matrix[k][2] * v[2];
        return image;
    }
    Cell apply(const Cell& cell) const {
        Cell image{nodes[cell.node], turned(cell.at)};
        for (int k = 0; k < 3; ++k) image.at[k] += shifts[cell.node][k];
        return image;
    }
};

// One way to turn about an axis: by this angle the lattice comes to lie on itself.
struct AxisTurn {
    double angle;
    int map;  // among the maps of the lattice
};

// Where parts may end, and whether that is certain or too tight to tell.
struct Landing {
    Vec shift;  // beyond where the lattice's map takes them
    Turned how;
};

struct Landings {
    std::vector<Landing> all;
    bool ends = true;  // whether the full angle may be reached at all
};

// Threads may share it, but only one adds shapes at a time.
class Turner {
public:
    Turner(Prisms prisms, Erosion erosion, double near) : prisms_(std::move(prisms)), erosion_(erosion), near_(near) {}

    int add(const std::vector<Cell>& cells);
    int size() const { return static_cast<int>(shapes_.size()); }
    double play() const { return erosion_.play; }
    const std::vector<Convex>& body(int shape) const { return shapes_[shape].pieces; }
    std::vector<Convex> body_at(const TurningPart& part, Point middle) const;  // as seen from a point of the plane

    // Where `moving` may land by a turn while `fixed` stay. shifts: lattice vectors within the reach.
    std::shared_ptr<const Landings> land(std::span<const TurningPart> moving, std::span<const TurningPart> fixed,
                                         const AxisTurn& by, const LatticeMap& map, const std::vector<Vec>& shifts,
                                         TurnLimits limits);

    // Take a landing of these parts for impossible, until all that was struck is restored.
    void strike(std::span<const TurningPart> moving, std::span<const TurningPart> fixed, const AxisTurn& by,
                const LatticeMap& map, const Vec& shift, double reach);
    void restore();
    // How many questions `land` did not answer from memory.
    std::uint64_t asked() const { return asked_; }

    // goals: where the full turn takes the origin of the plane.
    PartsTurned ask(std::span<const TurningPart> moving, std::span<const TurningPart> fixed, double angle,
                    const Ring& goals, TurnLimits limits);

private:
    struct Shape {
        std::vector<Cell> cells;
        std::vector<Convex> pieces;
        Point least, most;
        int lowest, highest;
    };

    // The parts that move, and those of the others that they may come near.
    struct Scene {
        Point middle;
        int lowest, highest;
        std::vector<TurningPart> near;
    };
    Scene scene(std::span<const TurningPart> moving, std::span<const TurningPart> fixed, double reach) const;
    std::vector<Convex> pieces_of(std::span<const TurningPart> parts, const Scene& scene) const;
    static std::vector<std::int64_t> key_of(std::span<const TurningPart> moving, const Scene& scene,
                                            const AxisTurn& by);
    static void add_rows(std::vector<std::int64_t>& key, std::span<const TurningPart> parts, const Vec& origin);
    std::vector<std::pair<Vec, Point>> goals_of(std::span<const TurningPart> moving, const Scene& scene,
                                                const AxisTurn& by, const LatticeMap& map,
                                                const std::vector<Vec>& shifts, double reach) const;

    Point place(const Vec& at) const;
    int layer(const Vec& at) const;

    Prisms prisms_;
    Erosion erosion_;
    double near_;
    StableList<Shape> shapes_;
    std::map<std::vector<std::int64_t>, TurnAnswer> answers_;
    Mutex lock_;
    std::map<std::vector<std::int64_t>, std::shared_ptr<const Landings>> landings_, struck_;  // struck: as they were
    std::atomic<std::uint64_t> asked_ = 0;
};

}  // namespace latcover
