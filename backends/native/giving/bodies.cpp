#include "giving/bodies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace latcover {

namespace {

constexpr double touching = 1e-9;  // what slides along something may be that far in it

bool same(Point a, Point b) { return std::abs(a.x - b.x) < rounding && std::abs(a.y - b.y) < rounding; }

bool same(const Convex& one, const Convex& other) {
    return same(one.middle, other.middle) &&
           std::equal(one.corners.begin(), one.corners.end(), other.corners.begin(), other.corners.end(),
                      [](Point a, Point b) { return same(a, b); });
}

std::size_t first_alike(const std::vector<Convex>& pieces, std::size_t k) {
    std::size_t first = 0;
    while (first < k && !same(pieces[first], pieces[k])) ++first;
    return first;
}

Point turned(Point p, double c, double s) { return {c * p.x - s * p.y, s * p.x + c * p.y}; }

}  // namespace

Bodies::Bodies(const std::vector<std::vector<Convex>>& bodies) {
    for (const auto& convex : bodies) {
        Body piece{convex, {0, 0}, 0, 0};
        double n = 0;
        for (const Convex& each : convex)
            for (const Point corner : each.corners) {
                piece.middle = piece.middle + corner;
                piece.arm = std::max(piece.arm, std::hypot(corner.x, corner.y));
                ++n;
            }
        piece.middle = piece.middle * (1 / std::max(1.0, n));
        for (const Convex& each : convex)
            for (const Point corner : each.corners) {
                const Point apart = corner - piece.middle;
                piece.gyration += apart.dot(apart) / n;
            }
        piece.gyration = std::sqrt(std::max(piece.gyration, rounding));
        placed_.emplace_back(convex.size());
        pieces_.push_back(std::move(piece));
    }
    for (std::size_t i = 0; i < pieces_.size(); ++i)
        for (std::size_t j = i + 1; j < pieces_.size(); ++j) {
            const auto &one = pieces_[i].convex, &other = pieces_[j].convex;
            std::vector<bool> paired(one.size() * other.size());  // what meets in several layers meets in one
            for (std::size_t a = 0; a < one.size(); ++a)
                for (std::size_t b = 0; b < other.size(); ++b) {
                    const std::size_t key = first_alike(one, a) * other.size() + first_alike(other, b);
                    if (one[a].layer != other[b].layer || paired[key]) continue;
                    paired[key] = true;
                    pairs_.push_back({static_cast<int>(i), static_cast<int>(j), static_cast<int>(a),
                                      static_cast<int>(b), one[a].radius + other[b].radius});
                }
        }
}

Point Bodies::middle(int piece, const TurnPose& at) const {
    return turned(pieces_[piece].middle, std::cos(at.angle), std::sin(at.angle)) + Point{at.u, at.v};
}

void Bodies::place(const Places& places) {
    ++work_;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const double c = std::cos(places[i].angle), s = std::sin(places[i].angle);
        const Point by{places[i].u, places[i].v};
        for (std::size_t a = 0; a < pieces_[i].convex.size(); ++a) {
            const Convex& convex = pieces_[i].convex[a];
            Placed& there = placed_[i][a];
            const std::size_t n = convex.corners.size();
            there.corners.resize(n);
            there.normals.resize(n);
            there.heights.resize(n);
            there.middle = turned(convex.middle, c, s) + by;
            for (std::size_t k = 0; k < n; ++k) {
                there.corners[k] = turned(convex.corners[k], c, s) + by;
                there.normals[k] = turned(convex.sides[k].normal, c, s);
                there.heights[k] = there.normals[k].dot(there.corners[k]);
            }
        }
    }
}

bool Bodies::is_far(const Pair& pair, double far) const {
    const Point way = placed_[pair.one][pair.a].middle - placed_[pair.other][pair.b].middle;
    const double reach = pair.radius + far;
    return way.dot(way) > reach * reach;
}

// How far the two lie apart, as sides tell it; it stops once that is more than `far`.
Bodies::Apart Bodies::apart(const Pair& pair, double far) const {
    const Placed &a = placed_[pair.one][pair.a], &b = placed_[pair.other][pair.b];
    Apart best{std::numeric_limits<double>::lowest(), 0};
    const auto try_sides = [&](const Placed& of, const Placed& against, bool first) {
        for (std::size_t k = 0; k < of.normals.size() && best.room <= far; ++k) {
            double least = std::numeric_limits<double>::max();
            for (const Point corner : against.corners) least = std::min(least, of.normals[k].dot(corner));
            const int side = static_cast<int>(k);
            if (least - of.heights[k] > best.room) best = {least - of.heights[k], first ? side : ~side};
        }
    };
    try_sides(a, b, true);
    try_sides(b, a, false);
    return best;
}

double Bodies::room(const Places& places, double far) {
    place(places);
    double least = far;
    for (const Pair& pair : pairs_)
        if (!is_far(pair, least) && !is_together(pair, places)) least = std::min(least, apart(pair, least).room);
    return least;
}

std::span<const Contact> Bodies::contacts(const Places& places, double far) {
    place(places);
    contacts_.clear();
    for (const Pair& pair : pairs_) {
        if (is_far(pair, far)) continue;
        const Apart near = apart(pair, far);
        if (near.room > far) continue;
        const bool first = near.side >= 0;
        const std::size_t k = first ? near.side : ~near.side;
        const Placed &a = placed_[pair.one][pair.a], &b = placed_[pair.other][pair.b];
        const Placed &of = first ? a : b, &against = first ? b : a;
        for (const Point corner : against.corners) {
            const double room = of.normals[k].dot(corner) - of.heights[k];
            if (room <= std::min(far, near.room + beside))
                contacts_.push_back(
                    {first ? pair.one : pair.other, first ? pair.other : pair.one, of.normals[k], corner, room});
        }
    }
    return contacts_;
}

// How far a point of one piece moves at most as the other sees it. Seen from a piece that turns by b and is shifted by s, a
// point of one that turns by a and is shifted by r turns by a - b about the point of the plane, and is carried along by
// r - s, which itself turns by -b.
double Bodies::relative_way(int one, int other, const Places& from, const Places& to) const {
    const TurnPose &f = from[one], &g = from[other], &t = to[one], &w = to[other];
    const double a = t.angle - f.angle, b = w.angle - g.angle, turned = std::abs(a - b);
    const double shifted = std::hypot(t.u - f.u - w.u + g.u, t.v - f.v - w.v + g.v);
    const double apart = std::max(std::hypot(f.u - g.u, f.v - g.v), std::hypot(t.u - w.u, t.v - w.v));
    return shifted +
           std::min(turned * pieces_[one].arm + std::abs(b) * apart, turned * pieces_[other].arm + std::abs(a) * apart);
}

// Whether two that keep their angles are apart by one and the same side before and after, and so on the whole way.
bool Bodies::slides(const Pair& pair, const Places& from, const Places& to) const {
    const TurnPose &f = from[pair.one], &g = from[pair.other], &t = to[pair.one], &w = to[pair.other];
    if (f.angle != t.angle || g.angle != w.angle) return false;
    // The pieces are placed where the way ends; relative to the other, one was there by so much less.
    const Point back{f.u - g.u - t.u + w.u, f.v - g.v - t.v + w.v};
    const Placed &a = placed_[pair.one][pair.a], &b = placed_[pair.other][pair.b];
    const auto by_a_side = [](const Placed& of, const Placed& against, Point nearer) {
        for (std::size_t k = 0; k < of.normals.size(); ++k) {
            double least = std::numeric_limits<double>::max();
            for (const Point corner : against.corners) least = std::min(least, of.normals[k].dot(corner));
            if (least - of.heights[k] + std::min(0.0, of.normals[k].dot(nearer)) >= -touching) return true;
        }
        return false;
    };
    return by_a_side(a, b, back * -1) || by_a_side(b, a, back);
}

bool Bodies::moves(const Places& from, const Places& to, double least) {
    place(to);
    std::vector<Pair> pairs;
    for (const Pair& pair : pairs_) {
        const bool as_one = is_together(pair, from) && is_together(pair, to);
        if (!as_one && !slides(pair, from, to)) pairs.push_back(pair);
    }
    return moves_within(from, to, 0, 1, pairs, least, 0);
}

bool Bodies::moves_within(const Places& from, const Places& to, double first, double last,
                          const std::vector<Pair>& pairs, double least, int depth) {
    const double half = (last - first) / 2;
    place(between<Bodies>(from, to, first + half));
    std::vector<Pair> tight;
    for (const Pair& pair : pairs) {
        const double far = half * relative_way(pair.one, pair.other, from, to) + least;
        if (is_far(pair, far)) continue;
        const double room = apart(pair, far).room;
        if (room >= far) continue;
        if (room < least || depth >= deepest) return false;
        tight.push_back(pair);
    }
    return tight.empty() || (moves_within(from, to, first, first + half, tight, least, depth + 1) &&
                             moves_within(from, to, first + half, last, tight, least, depth + 1));
}

}  // namespace latcover
