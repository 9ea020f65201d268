// Turns of parts of a lattice about one axis. It remembers bodies and answers.

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sliding.hpp"
#include "turning.hpp"

namespace latcover {

// A lattice as the axis sees it: each cell is a prism in one layer.
struct Prisms {
    std::vector<Ring> sections;  // of each node, around its centre
    Ring centres;                // of each node, in the plane
    std::vector<int> layers;     // of each node
    std::array<Point, 3> steps;  // what a step along each axis of the lattice is in the plane
    Vec rises;                   // in layers
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

class Turner {
public:
    Turner(Prisms prisms, Erosion erosion, double near) : prisms_(std::move(prisms)), erosion_(erosion), near_(near) {}

    int add(const std::vector<Cell>& cells);
    int size() const { return static_cast<int>(shapes_.size()); }
    const std::vector<Convex>& body(int shape) const { return shapes_[shape].pieces; }

    // goals: where the full turn takes the origin of the plane.
    PartsTurned ask(std::span<const TurningPart> moving, std::span<const TurningPart> fixed, double angle,
                    const Ring& goals, TurnLimits limits);

private:
    struct Shape {
        std::vector<Convex> pieces;
        Point least, most;
        int lowest, highest;
    };

    Point place(const Vec& at) const;
    int layer(const Vec& at) const;

    Prisms prisms_;
    Erosion erosion_;
    double near_;
    std::vector<Shape> shapes_;
    std::map<std::vector<std::int64_t>, TurnAnswer> answers_;
};

}  // namespace latcover
