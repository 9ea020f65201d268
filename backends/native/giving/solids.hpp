// The bodies of parts in space, as prisms that overlap: how near they come to each other, and where they touch.

#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "giving/bodies.hpp"

namespace latcover {

struct Vector {
    double x, y, z;

    Vector operator+(Vector other) const { return {x + other.x, y + other.y, z + other.z}; }
    Vector operator-(Vector other) const { return {x - other.x, y - other.y, z - other.z}; }
    Vector operator*(double k) const { return {x * k, y * k, z * k}; }
    double dot(Vector other) const { return x * other.x + y * other.y + z * other.z; }
    Vector cross(Vector other) const {
        return {y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x};
    }
    double length() const { return std::sqrt(dot(*this)); }
};

// A part is turned by the angle about the axis, then tilted by a rotation vector across it, then shifted.
struct TiltPose {
    double angle;
    Vector shift;
    double tilt_u, tilt_v;

    bool operator==(const TiltPose& other) const {
        return angle == other.angle && tilt_u == other.tilt_u && tilt_v == other.tilt_v && shift.x == other.shift.x &&
               shift.y == other.shift.y && shift.z == other.shift.z;
    }
};

// How layers lie along the axis.
struct Layers {
    double height;  // of each
    double lowest;  // where layer 0 begins
    double play;    // by which both ends of a layer are eroded
};

struct Prism {
    Ring section;
    double low, high;
};

// The body that has these sections: prisms whose union it is. Between two layers is what both hold.
std::vector<Prism> solid_of(const std::vector<Convex>& sections, const Layers& layers);

// A point of one piece before a plane against the other.
struct TiltContact {
    int one, other;
    Vector normal;  // from the one to the other
    Vector point;
    double room;  // negative if they are within each other
};

class Solids {
public:
    using Piece = Prism;
    using Pose = TiltPose;
    using Places = std::vector<Pose>;  // of each piece, about one point
    using Contact = TiltContact;
    using Vector = latcover::Vector;
    using Turn = Vector;                  // of a piece about its middle, and how a push at a point turns it
    static constexpr double seen = 0.06;  // contacts nearer than that are watched

    static constexpr int deepest = 12;  // how often a straight way is halved

    // A pose between two, number by number.
    template <class Mix>
    static Pose mixed(const Pose& from, const Pose& to, const Mix& mix) {
        const Vector &a = from.shift, &b = to.shift;
        return {mix(from.angle, to.angle),
                {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z)},
                mix(from.tilt_u, to.tilt_u),
                mix(from.tilt_v, to.tilt_v)};
    }
    static double way(const Pose& from, const Pose& to, double arm) {
        const double tilted = std::hypot(to.tilt_u - from.tilt_u, to.tilt_v - from.tilt_v);
        return (std::abs(to.angle - from.angle) + tilted) * arm + (to.shift - from.shift).length();
    }
    template <class Chance>
    static Pose shaken(Pose pose, Chance&& chance, double gyration, bool turning) {
        if (!turning) pose.angle += chance() / gyration;
        pose.tilt_u += chance() / gyration / 2;
        pose.tilt_v += chance() / gyration / 2;
        const double u = chance(), v = chance(), w = chance() / 2;
        pose.shift = pose.shift + Vector{u, v, w};
        return pose;
    }
    static double dot(Turn one, Turn other) { return one.dot(other); }
    static Turn about_axis_held(Turn by) { return {by.x, by.y, 0}; }
    static void turn(Pose& pose, Turn by) {
        pose.angle += by.z;
        pose.tilt_u += by.x;
        pose.tilt_v += by.y;
    }
    static void shift(Pose& pose, Vector by) { pose.shift = pose.shift + by; }

    explicit Solids(const std::vector<std::vector<Prism>>& bodies);

    int size() const { return static_cast<int>(pieces_.size()); }
    Vector middle(int piece, const TiltPose& at) const;                   // of its corners
    double gyration(int piece) const { return pieces_[piece].gyration; }  // root of the mean square of their distances
    double arm(int piece) const { return pieces_[piece].arm; }            // the farthest corner from the point

    double room(const Places& places, double far);  // the least between any two, up to `far`
    const std::vector<TiltContact>& contacts(const Places& places, double far);
    // Whether all can go straight from one to the other, with a clearance of at least `least`.
    bool moves(const Places& from, const Places& to, double least);

    std::uint64_t work() const { return work_; }

private:
    struct Shape {
        std::vector<Vector> corners, normals, edges;
        std::vector<std::vector<int>> faces;  // the corners of each, counterclockwise as seen from outside
        Vector middle;
        double radius;
    };
    struct Body {
        std::vector<Shape> shapes;
        Vector middle{0, 0, 0};
        double gyration = 0, arm = 0;
    };
    struct Pair {
        int one, other;  // pieces
        int a, b;        // of their shapes
        double radius;   // of both
        Vector axis;     // that told them apart last
    };
    enum class By : std::uint8_t { first, second, edges };
    struct Apart {
        double room;
        Vector normal;  // from the first to the second
        By by;          // whose face tells
        int face;
    };

    void place(const Places& places);
    const Shape& first(const Pair& pair) const { return placed_[pair.one][pair.a]; }
    const Shape& second(const Pair& pair) const { return placed_[pair.other][pair.b]; }
    bool is_far(const Pair& pair, double far) const;
    Apart apart(Pair& pair, double far) const;
    void add_contacts(const Pair& pair, const Apart& near, double far);
    static std::vector<Vector> opposite(const Shape& face_of, int face, const Shape& other);
    double relative_way(int one, int other, const Places& from, const Places& to) const;
    bool moves_within(const Places& from, const Places& to, double begin, double end, const std::vector<Pair*>& pairs,
                      double least, int depth);

    std::vector<Body> pieces_;
    std::vector<Pair> pairs_;
    std::vector<std::vector<Shape>> placed_;
    std::vector<TiltContact> contacts_;
    std::uint64_t work_ = 0;
};

}  // namespace latcover
