#include "turning/turning_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace latcover {

namespace {

constexpr double near_zero = 1e-5;  // radians

struct Edge {
    Point from, to;
    Side side;
};

Edge edge_between(Point from, Point to) {
    const Point along = to - from;
    const double length = std::sqrt(along.dot(along));
    const Point normal{along.y / length, -along.x / length};
    return {from, to, {normal, normal.dot(from)}};
}

bool same(Point a, Point b, double near) { return std::abs(a.x - b.x) <= near && std::abs(a.y - b.y) <= near; }

std::vector<Side> sides_of(const Ring& ring) {
    std::vector<Side> sides;
    for (std::size_t k = 0; k < ring.size(); ++k) {
        const Point a = ring[k], b = ring[(k + 1) % ring.size()];
        if (!same(a, b, rounding)) sides.push_back(edge_between(a, b).side);
    }
    return sides;
}

// Whether an edge runs through the inside of a ring with these sides, by more than `near`.
bool crosses(const Edge& edge, const std::vector<Side>& sides, double near) {
    double first = 0, last = 1;
    const Point along = edge.to - edge.from;
    for (const Side& side : sides) {
        const double left = side.height - near - side.normal.dot(edge.from), speed = side.normal.dot(along);
        if (std::abs(speed) < rounding) {
            if (left <= 0) return false;
        } else if (speed > 0) {
            last = std::min(last, left / speed);
        } else {
            first = std::max(first, left / speed);
        }
    }
    return first < last;
}

double distance(Point p, const Edge& edge) {
    const Point along = edge.to - edge.from;
    const double share = std::clamp(along.dot(p - edge.from) / along.dot(along), 0.0, 1.0);
    const Point apart = edge.from + along * share - p;
    return std::sqrt(apart.dot(apart));
}

// The outline of some cells, and points within it from which convex pieces grow.
struct Outline {
    std::vector<Edge> edges;
    Ring starts;
    Point least{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    Point most{std::numeric_limits<double>::lowest(), std::numeric_limits<double>::lowest()};
};

Outline outline_of(const std::vector<Ring>& cells, double near) {
    Outline outline;
    std::vector<Edge> all;
    for (const Ring& cell : cells) {
        Point sum{0, 0};
        for (std::size_t k = 0; k < cell.size(); ++k) {
            all.push_back(edge_between(cell[k], cell[(k + 1) % cell.size()]));
            sum = sum + cell[k];
            outline.least = {std::min(outline.least.x, cell[k].x), std::min(outline.least.y, cell[k].y)};
            outline.most = {std::max(outline.most.x, cell[k].x), std::max(outline.most.y, cell[k].y)};
        }
        outline.starts.push_back(sum * (1.0 / static_cast<double>(cell.size())));
    }
    Ring inner;
    for (const Edge& edge : all) {
        const bool shared = std::any_of(all.begin(), all.end(), [&](const Edge& other) {
            return same(edge.from, other.to, near) && same(edge.to, other.from, near);
        });
        if (shared) {
            outline.starts.push_back((edge.from + edge.to) * 0.5);
            inner.push_back(edge.from);
        } else {
            outline.edges.push_back(edge);
        }
    }
    for (const Point corner : inner)
        if (std::none_of(outline.edges.begin(), outline.edges.end(),
                         [&](const Edge& edge) { return same(edge.from, corner, near); }))
            outline.starts.push_back(corner);
    return outline;
}

// The edges whose sides bound a convex piece of the inside that holds a point. The nearest edge in the way cuts first; of two that
// are as near, as at a corner that points inwards, the first or the last.
std::vector<const Edge*> grown(const Outline& outline, Point start, bool last, double near) {
    std::vector<const Edge*> edges;
    const Point a = outline.least, b = outline.most;
    Ring ring{{a.x - 1, a.y - 1}, {b.x + 1, a.y - 1}, {b.x + 1, b.y + 1}, {a.x - 1, b.y + 1}};
    std::vector<std::pair<double, const Edge*>> ahead;  // and how far they are
    for (const Edge& edge : outline.edges)
        if (edge.side.normal.dot(start) < edge.side.height - near) ahead.emplace_back(distance(start, edge), &edge);
    while (true) {
        const std::vector<Side> around = sides_of(ring);
        const Edge* best = nullptr;
        double least = std::numeric_limits<double>::max();
        for (const auto& [far, edge] : ahead) {
            if (best != nullptr && (last ? far > least + near : far >= least - near)) continue;
            if (!crosses(*edge, around, near)) continue;
            best = edge;
            least = std::min(least, far);
        }
        if (best == nullptr) return edges;
        edges.push_back(best);
        ring = cut(ring, best->side);
    }
}

Point meeting(const Side& one, const Side& other) {
    const double det = one.normal.cross(other.normal);
    return {(one.height * other.normal.y - other.height * one.normal.y) / det,
            (one.normal.x * other.height - other.normal.x * one.height) / det};
}

// A corner of an outline that points inwards: the sides beside it, and what lies between it and where they meet once
// they are moved inwards.
struct Notch {
    Side one, other;
    Edge tip;
};

std::vector<Notch> notches(const Outline& outline, double play, double near) {
    std::vector<Notch> found;
    const auto turn = [](Point from, Point to) {
        const double angle = std::atan2(from.cross(to), from.dot(to));
        return angle > near_zero ? angle : angle + 2 * std::numbers::pi;
    };
    for (const Edge& one : outline.edges) {
        const Edge* next = nullptr;
        double inside = 7;
        for (const Edge& other : outline.edges) {
            if (!same(one.to, other.from, near)) continue;
            const double angle = turn(other.to - other.from, one.from - one.to);
            if (angle < inside) {
                inside = angle;
                next = &other;
            }
        }
        if (next == nullptr || inside < std::numbers::pi + near_zero || play <= 0) continue;
        const Side a{one.side.normal, one.side.height - play}, b{next->side.normal, next->side.height - play};
        found.push_back({a, b, edge_between(meeting(a, b), one.to)});
    }
    return found;
}

// The sides that cut off the convex corners of an eroded outline, each with its corner.
std::vector<std::pair<Point, Side>> bevels(const Outline& outline, Erosion erosion, double near) {
    std::vector<std::pair<Point, Side>> found;
    if (erosion.bevel <= 0) return found;
    for (const Edge& one : outline.edges)
        for (const Edge& other : outline.edges) {
            if (!same(one.to, other.from, near) || one.side.normal.cross(other.side.normal) < 1e-3) continue;
            const Point corner = meeting({one.side.normal, one.side.height - erosion.play},
                                         {other.side.normal, other.side.height - erosion.play});
            const Point back = one.from - one.to, on = other.to - other.from;
            const Point p = corner + back * (erosion.bevel / std::sqrt(back.dot(back)));
            const Point q = corner + on * (erosion.bevel / std::sqrt(on.dot(on)));
            found.emplace_back(corner, edge_between(p, q).side);
        }
    return found;
}

bool holds(const Convex& whole, const Convex& part) {
    for (const Side& side : whole.sides)
        for (const Point corner : part.corners)
            if (side.normal.dot(corner) > side.height + rounding) return false;
    return true;
}

}  // namespace

Ring cut(const Ring& ring, const Side& side) {
    Ring left;
    for (std::size_t k = 0; k < ring.size(); ++k) {
        const Point a = ring[k], b = ring[(k + 1) % ring.size()];
        const double over_a = side.normal.dot(a) - side.height, over_b = side.normal.dot(b) - side.height;
        if (over_a <= 0) left.push_back(a);
        if ((over_a < 0 && over_b > 0) || (over_a > 0 && over_b < 0))
            left.push_back(a + (b - a) * (over_a / (over_a - over_b)));
    }
    return left;
}

Convex convex_of(int layer, Ring corners) {
    Convex piece{layer, {}, {}, {0, 0}, 0};
    for (const Point corner : corners)
        if (piece.corners.empty() || !same(piece.corners.back(), corner, rounding)) piece.corners.push_back(corner);
    while (piece.corners.size() > 1 && same(piece.corners.back(), piece.corners.front(), rounding))
        piece.corners.pop_back();
    const std::size_t n = piece.corners.size();
    for (std::size_t k = 0; k < n; ++k) {
        piece.sides.push_back(edge_between(piece.corners[k], piece.corners[(k + 1) % n]).side);
        piece.middle = piece.middle + piece.corners[k] * (1.0 / static_cast<double>(n));
    }
    for (const Point corner : piece.corners)
        piece.radius = std::max(piece.radius, std::hypot(corner.x - piece.middle.x, corner.y - piece.middle.y));
    return piece;
}

std::vector<Convex> eroded(int layer, const std::vector<Ring>& cells, Erosion erosion, double near) {
    const Outline outline = outline_of(cells, near);
    const auto corners = bevels(outline, erosion, near);
    const auto tips = notches(outline, erosion.play, near);
    std::vector<Convex> pieces;
    const auto add = [&](Ring ring) {
        for (const auto& [corner, side] : corners) {
            const bool there = std::any_of(ring.begin(), ring.end(), [&](Point p) { return same(p, corner, near); });
            if (there) ring = cut(ring, side);
        }
        const Convex piece = convex_of(layer, std::move(ring));
        if (piece.corners.size() < 3) return;
        if (std::any_of(pieces.begin(), pieces.end(), [&](const Convex& known) { return holds(known, piece); })) return;
        std::erase_if(pieces, [&](const Convex& known) { return holds(piece, known); });
        pieces.push_back(piece);
    };
    std::vector<std::vector<const Edge*>> known;
    for (const Point start : outline.starts)
        for (const bool last : {false, true}) {
            const std::vector<const Edge*> edges = grown(outline, start, last, near);
            if (std::find(known.begin(), known.end(), edges) != known.end()) continue;
            known.push_back(edges);
            const Point a = outline.least, b = outline.most;
            std::vector<Ring> rings{{a, {b.x, a.y}, b, {a.x, b.y}}};
            for (const Edge* edge : edges) {
                Side side = edge->side;
                side.height -= erosion.play;
                rings[0] = cut(rings[0], side);
            }
            for (const Notch& notch : tips)
                for (std::size_t k = rings.size(); k-- > 0;) {
                    if (rings[k].size() < 3 || !crosses(notch.tip, sides_of(rings[k]), rounding)) continue;
                    rings.push_back(cut(rings[k], notch.one));
                    rings[k] = cut(rings[k], notch.other);
                }
            for (Ring& ring : rings) add(std::move(ring));
        }
    return pieces;
}

}  // namespace latcover
