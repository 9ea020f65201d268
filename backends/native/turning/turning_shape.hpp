// The bodies of parts that turn: in each layer the union of the part's cells, eroded by the play, as convex pieces that
// overlap. Pieces that only abutted would have seams, and shrunken bodies gaps.

#pragma once

#include <vector>

namespace latcover {

inline constexpr double rounding = 1e-9;  // of lengths and speeds that are computed

struct Point {
    double x, y;

    Point operator+(Point other) const { return {x + other.x, y + other.y}; }
    Point operator-(Point other) const { return {x - other.x, y - other.y}; }
    Point operator*(double k) const { return {x * k, y * k}; }
    double dot(Point other) const { return x * other.x + y * other.y; }
    double cross(Point other) const { return x * other.y - y * other.x; }
};

using Ring = std::vector<Point>;  // counterclockwise

struct Side {
    Point normal;  // of length 1, outwards
    double height;
};

// A convex polygon. Side k leads from corner k to the next.
struct Convex {
    int layer;
    Ring corners;
    std::vector<Side> sides;
    Point middle;
    double radius;  // of a circle around the middle that holds it
};

struct Erosion {
    double play;   // how far each side moves inwards
    double bevel;  // how much of both sides is cut off at each convex corner
};

Convex convex_of(int layer, Ring corners);

Ring cut(const Ring& ring, const Side& side);  // what of a ring lies within a side

// The body of cells in one layer, by their polygons: pieces whose union it is. Corners nearer than `near` are the same.
std::vector<Convex> eroded(int layer, const std::vector<Ring>& cells, Erosion erosion, double near);

}  // namespace latcover
