#include "giving/solids.hpp"

#include <algorithm>
#include <limits>

namespace latcover {

namespace {

constexpr double slack = 0.02;     // what lies so little beside a face is taken to be opposite
constexpr double parallel = 1e-3;  // edges that are nearer to parallel tell nothing that sides do not
constexpr double at_once = 1e-6;   // corners that lie so near to a plane both touch it

struct Matrix {
    std::array<Vector, 3> rows;

    Vector operator*(Vector v) const { return {rows[0].dot(v), rows[1].dot(v), rows[2].dot(v)}; }
};

Matrix rotation(const TiltPose& at) {
    const double x = at.tilt_u, y = at.tilt_v, t = std::hypot(x, y), c = std::cos(at.angle), s = std::sin(at.angle);
    const double a = t < 1e-4 ? 1 - t * t / 6 : std::sin(t) / t;
    const double b = t < 1e-4 ? 0.5 - t * t / 24 : (1 - std::cos(t)) / (t * t);
    const std::array<Vector, 3> tilt{
        Vector{1 - b * y * y, b * x * y, a * y}, {b * x * y, 1 - b * x * x, -a * x}, {-a * y, a * x, 1 - b * t * t}};
    Matrix found{};
    for (int k = 0; k < 3; ++k)
        found.rows[k] = {tilt[k].x * c + tilt[k].y * s, tilt[k].y * c - tilt[k].x * s, tilt[k].z};
    return found;
}

double highest(const std::vector<Vector>& corners, Vector along) {
    double most = std::numeric_limits<double>::lowest();
    for (const Vector& corner : corners) most = std::max(most, along.dot(corner));
    return most;
}

double lowest(const std::vector<Vector>& corners, Vector along) {
    double least = std::numeric_limits<double>::max();
    for (const Vector& corner : corners) least = std::min(least, along.dot(corner));
    return least;
}

// What of a shape is farthest along a direction: a corner, or the ends of an edge.
std::vector<Vector> farthest(const std::vector<Vector>& corners, Vector along) {
    const double most = highest(corners, along) - at_once;
    std::vector<Vector> found;
    for (const Vector& corner : corners)
        if (along.dot(corner) > most && found.size() < 2) found.push_back(corner);
    return found;
}

// Where an edge comes nearest to another.
Vector nearest(const std::vector<Vector>& edge, const std::vector<Vector>& other) {
    if (edge.size() < 2) return edge[0];
    if (other.size() < 2) return other[0];
    const Vector d = edge[1] - edge[0], e = other[1] - other[0], r = edge[0] - other[0];
    const double dd = d.dot(d), ee = e.dot(e), de = d.dot(e), both = dd * ee - de * de;
    if (both < rounding) return edge[0];
    return edge[0] + d * std::clamp((de * e.dot(r) - ee * d.dot(r)) / both, 0.0, 1.0);
}

}  // namespace

Solids::Solids(const std::vector<std::vector<Prism>>& bodies) {
    for (const auto& prisms : bodies) {
        Body piece;
        double n = 0;
        for (const Prism& prism : prisms) {
            Shape shape{{}, {{0, 0, 1}, {0, 0, -1}}, {{0, 0, 1}}, {{}, {}}, {0, 0, 0}, 0};
            const std::size_t sides = prism.section.size();
            for (std::size_t k = 0; k < sides; ++k) {
                const Point here = prism.section[k], along = prism.section[(k + 1) % sides] - here;
                const double length = std::hypot(along.x, along.y);
                for (const double z : {prism.low, prism.high}) shape.corners.push_back({here.x, here.y, z});
                const Vector edge{along.x / length, along.y / length, 0};
                shape.normals.push_back({edge.y, -edge.x, 0});
                const int low = static_cast<int>(2 * k), next = static_cast<int>(2 * ((k + 1) % sides));
                shape.faces.push_back({low, next, next + 1, low + 1});
                shape.faces[0].push_back(low + 1);
                shape.faces[1].insert(shape.faces[1].begin(), low);
                if (std::none_of(shape.edges.begin(), shape.edges.end(),
                                 [&](Vector known) { return known.cross(edge).length() < parallel; }))
                    shape.edges.push_back(edge);
            }
            for (const Vector& corner : shape.corners) shape.middle = shape.middle + corner;
            shape.middle = shape.middle * (1.0 / static_cast<double>(shape.corners.size()));
            for (const Vector& corner : shape.corners) {
                shape.radius = std::max(shape.radius, (corner - shape.middle).length());
                piece.middle = piece.middle + corner;
                piece.arm = std::max(piece.arm, corner.length());
                ++n;
            }
            piece.shapes.push_back(std::move(shape));
        }
        piece.middle = piece.middle * (1 / std::max(1.0, n));
        for (const Shape& shape : piece.shapes)
            for (const Vector& corner : shape.corners)
                piece.gyration += (corner - piece.middle).dot(corner - piece.middle) / n;
        piece.gyration = std::sqrt(std::max(piece.gyration, rounding));
        placed_.push_back(piece.shapes);
        pieces_.push_back(std::move(piece));
    }
    for (int i = 0; i < size(); ++i)
        for (int j = i + 1; j < size(); ++j)
            for (std::size_t a = 0; a < placed_[i].size(); ++a)
                for (std::size_t b = 0; b < placed_[j].size(); ++b)
                    pairs_.push_back({i,
                                      j,
                                      static_cast<int>(a),
                                      static_cast<int>(b),
                                      placed_[i][a].radius + placed_[j][b].radius,
                                      {0, 0, 0}});
}

Vector Solids::middle(int piece, const TiltPose& at) const { return rotation(at) * pieces_[piece].middle + at.shift; }

void Solids::place(const Places& places) {
    ++work_;
    for (int i = 0; i < size(); ++i) {
        const Matrix by = rotation(places[i]);
        for (std::size_t a = 0; a < placed_[i].size(); ++a) {
            const Shape& shape = pieces_[i].shapes[a];
            Shape& there = placed_[i][a];
            there.middle = by * shape.middle + places[i].shift;
            for (std::size_t k = 0; k < shape.corners.size(); ++k)
                there.corners[k] = by * shape.corners[k] + places[i].shift;
            for (std::size_t k = 0; k < shape.normals.size(); ++k) there.normals[k] = by * shape.normals[k];
            for (std::size_t k = 0; k < shape.edges.size(); ++k) there.edges[k] = by * shape.edges[k];
        }
    }
}

bool Solids::is_far(const Pair& pair, double far) const {
    const Vector way = first(pair).middle - second(pair).middle;
    const double reach = pair.radius + far;
    return way.dot(way) > reach * reach;
}

// How far the two lie apart, as sides and pairs of edges tell it; it stops once that is more than `far`.
Solids::Apart Solids::apart(Pair& pair, double far) const {
    const Shape &a = first(pair), &b = second(pair);
    Apart best{std::numeric_limits<double>::lowest(), pair.axis, By::edges, 0};
    const auto tells = [&](Vector normal, By by, std::size_t face = 0) {
        const double room = lowest(b.corners, normal) - highest(a.corners, normal);
        if (room > best.room + (by == By::edges ? at_once : 0)) {
            best = {room, normal, by, static_cast<int>(face)};
            if (room > far) pair.axis = normal;
        }
        return room > far;
    };
    if (pair.axis.length() > 0 && lowest(b.corners, pair.axis) - highest(a.corners, pair.axis) > far)
        return {2 * far + 1, pair.axis, By::edges, 0};
    for (std::size_t k = 0; k < a.normals.size(); ++k)
        if (tells(a.normals[k], By::first, k)) return best;
    for (std::size_t k = 0; k < b.normals.size(); ++k)
        if (tells(b.normals[k] * -1, By::second, k)) return best;
    const Vector way = b.middle - a.middle;
    for (const Vector& one : a.edges)
        for (const Vector& other : b.edges) {
            const Vector across = one.cross(other);
            const double length = across.length();
            if (length < parallel) continue;
            if (tells(across * ((across.dot(way) < 0 ? -1 : 1) / length), By::edges)) return best;
        }
    pair.axis = best.normal;
    return best;
}

double Solids::room(const Places& places, double far) {
    place(places);
    double least = far;
    for (Pair& pair : pairs_)
        if (!(places[pair.one] == places[pair.other]) && !is_far(pair, least))
            least = std::min(least, apart(pair, least).room);
    return least;
}

const std::vector<TiltContact>& Solids::contacts(const Places& places, double far) {
    place(places);
    contacts_.clear();
    for (Pair& pair : pairs_) {
        if (is_far(pair, far)) continue;
        const Apart near = apart(pair, far);
        if (near.room <= far) add_contacts(pair, near, far);
    }
    return contacts_;
}

void Solids::add_contacts(const Pair& pair, const Apart& near, double far) {
    const Shape &a = first(pair), &b = second(pair);
    if (near.by == By::edges) {
        const Vector point = nearest(farthest(a.corners, near.normal), farthest(b.corners, near.normal * -1));
        contacts_.push_back({pair.one, pair.other, near.normal, point, near.room});
        return;
    }
    const bool by_first = near.by == By::first;
    const Shape &face_of = by_first ? a : b, &other = by_first ? b : a;
    const Vector outwards = face_of.normals[near.face];
    const double height = highest(face_of.corners, outwards);
    double least = std::numeric_limits<double>::max();
    const auto add = [&](const std::vector<Vector>& points) {
        for (const Vector& point : points) {
            const double room = outwards.dot(point) - height;
            least = std::min(least, room);
            if (room <= std::min(far, near.room + beside))
                contacts_.push_back({pair.one, pair.other, near.normal, point, room});
        }
    };
    add(opposite(face_of, near.face, other));
    if (least > near.room + slack) add(other.corners);
}

// The corners of that part of the other's face that lies opposite a face. A plane goes on beyond its face, but what is
// not opposite the face may tilt past it.
std::vector<Vector> Solids::opposite(const Shape& face_of, int face, const Shape& other) {
    const Vector outwards = face_of.normals[face];
    std::size_t facing = 0;
    for (std::size_t k = 1; k < other.normals.size(); ++k)
        if (outwards.dot(other.normals[k]) < outwards.dot(other.normals[facing])) facing = k;
    std::vector<Vector> points;
    for (const int corner : other.faces[facing]) points.push_back(other.corners[corner]);
    const std::vector<int>& ring = face_of.faces[face];
    for (std::size_t k = 0; k < ring.size() && !points.empty(); ++k) {
        const Vector from = face_of.corners[ring[k]], along = face_of.corners[ring[(k + 1) % ring.size()]] - from;
        const Vector across = along.cross(outwards) * (1 / along.length());
        std::vector<Vector> cut;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Vector here = points[i], there = points[(i + 1) % points.size()];
            const double before = across.dot(here - from) - slack, after = across.dot(there - from) - slack;
            if (before <= 0) cut.push_back(here);
            if (before * after < 0) cut.push_back(here + (there - here) * (before / (before - after)));
        }
        points = std::move(cut);
    }
    return points;
}

// How far a point of one piece moves at most as the other sees it. Where r and s are the rotations of the two in radians,
// a point of the one is carried along by r - s, by what their shifts differ, and by s at the distance of their origins.
double Solids::relative_way(int one, int other, const Places& from, const Places& to) const {
    const TiltPose &f = from[one], &g = from[other], &t = to[one], &w = to[other];
    const double turned = std::abs(t.angle - f.angle), other_turned = std::abs(w.angle - g.angle);
    const double tilted = std::hypot(t.tilt_u - f.tilt_u, t.tilt_v - f.tilt_v);
    const double other_tilted = std::hypot(w.tilt_u - g.tilt_u, w.tilt_v - g.tilt_v);
    const double leaning = std::max(std::hypot(f.tilt_u - g.tilt_u, f.tilt_v - g.tilt_v),
                                    std::hypot(t.tilt_u - w.tilt_u, t.tilt_v - w.tilt_v));
    const double against = std::abs(t.angle - f.angle - w.angle + g.angle) + std::min(turned, other_turned) * leaning +
                           tilted + other_tilted;
    const double apart = std::max((f.shift - g.shift).length(), (t.shift - w.shift).length());
    return (t.shift - f.shift - w.shift + g.shift).length() +
           std::min(against * pieces_[one].arm + (other_turned + other_tilted) * apart,
                    against * pieces_[other].arm + (turned + tilted) * apart);
}

bool Solids::moves(const Places& from, const Places& to, double least) {
    std::vector<Pair*> pairs;
    for (Pair& pair : pairs_)
        if (!(from[pair.one] == from[pair.other] && to[pair.one] == to[pair.other])) pairs.push_back(&pair);
    return moves_within(from, to, 0, 1, pairs, least, 0);
}

bool Solids::moves_within(const Places& from, const Places& to, double begin, double end,
                          const std::vector<Pair*>& pairs, double least, int depth) {
    const double half = (end - begin) / 2;
    place(between<Solids>(from, to, begin + half));
    std::vector<Pair*> tight;
    int one = -1, other = -1;
    double far = 0;
    for (Pair* pair : pairs) {
        if (pair->one != one || pair->other != other) {
            one = pair->one;
            other = pair->other;
            far = half * relative_way(one, other, from, to) + least;
        }
        if (is_far(*pair, far)) continue;
        const double room = apart(*pair, far).room;
        if (room >= far) continue;
        if (room < least || depth >= deepest) return false;
        tight.push_back(pair);
    }
    return tight.empty() || (moves_within(from, to, begin, begin + half, tight, least, depth + 1) &&
                             moves_within(from, to, begin + half, end, tight, least, depth + 1));
}

}  // namespace latcover
