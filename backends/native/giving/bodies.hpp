// The bodies of pieces at any places: how near they come to each other, and where they touch.

#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "turning/turning.hpp"

namespace latcover {

inline constexpr double beside =
    0.05;  // a point that lies so much farther before a side than the nearest is pushed, too

// A corner of one piece before a side of another.
struct Contact {
    int one, other;  // the side is of `one`, the corner of `other`
    Point normal;    // of the side, outwards
    Point point;     // the corner
    double room;     // how far the corner lies before the side; negative behind it
};

class Bodies {
public:
    using Piece = Convex;
    using Pose = TurnPose;
    using Places = std::vector<Pose>;  // of each piece
    using Contact = latcover::Contact;
    using Vector = Point;
    using Turn = double;                  // of a piece about its middle, and how a push at a point turns it
    static constexpr double seen = 0.12;  // contacts nearer than that are watched

    static constexpr int deepest = 14;  // how often a straight way is halved

    // A pose between two, number by number.
    template <class Mix>
    static Pose mixed(const Pose& from, const Pose& to, const Mix& mix) {
        return {mix(from.angle, to.angle), mix(from.u, to.u), mix(from.v, to.v)};
    }
    static double way(const Pose& from, const Pose& to, double arm) {
        return std::abs(to.angle - from.angle) * arm + std::hypot(to.u - from.u, to.v - from.v);
    }
    template <class Chance>
    static Pose shaken(Pose pose, Chance&& chance, double gyration, bool turning) {
        if (!turning) pose.angle += chance() / gyration;
        pose.u += chance();
        pose.v += chance();
        return pose;
    }
    static double dot(Turn one, Turn other) { return one * other; }
    static Turn about_axis_held(Turn) { return 0; }
    static void turn(Pose& pose, Turn by) { pose.angle += by; }
    static void shift(Pose& pose, Vector by) {
        pose.u += by.x;
        pose.v += by.y;
    }

    explicit Bodies(const std::vector<std::vector<Convex>>& bodies);

    int size() const { return static_cast<int>(pieces_.size()); }
    Point middle(int piece, const TurnPose& at) const;                    // of its corners
    double gyration(int piece) const { return pieces_[piece].gyration; }  // root of the mean square of their distances
    double arm(int piece) const { return pieces_[piece].arm; }            // the farthest corner from the point

    // The least room between any two, up to `far`. What moved with another from rest has the room that it had.
    double room(const Places& places, double far);

    std::span<const Contact> contacts(const Places& places, double far);

    // Whether all can go straight from one to the other, with a clearance of at least `least`, or by sliding along each
    // other without turning against each other.
    bool moves(const Places& from, const Places& to, double least);

    std::uint64_t work() const { return work_; }

private:
    struct Body {
        std::vector<Convex> convex;
        Point middle;
        double gyration, arm;
    };
    struct Pair {
        int one, other;  // pieces
        int a, b;        // of their convex pieces
        double radius;   // of both
    };
    struct Placed {
        Ring corners, normals;
        std::vector<double> heights;
        Point middle;
    };
    struct Apart {
        double room;
        int side;  // of a if it is not negative, else ~side is one of b
    };

    void place(const Places& places);
    bool is_far(const Pair& pair, double far) const;
    Apart apart(const Pair& pair, double far) const;
    double relative_way(int one, int other, const Places& from, const Places& to) const;
    bool slides(const Pair& pair, const Places& from, const Places& to) const;
    bool moves_within(const Places& from, const Places& to, double first, double last, const std::vector<Pair>& pairs,
                      double least, int depth);
    static bool is_together(const Pair& pair, const Places& places) {
        return same(places[pair.one], places[pair.other]);
    }
    static bool same(const TurnPose& a, const TurnPose& b) { return a.angle == b.angle && a.u == b.u && a.v == b.v; }

    std::vector<Body> pieces_;
    std::vector<Pair> pairs_;
    std::vector<std::vector<Placed>> placed_;
    std::vector<Contact> contacts_;
    std::uint64_t work_ = 0;
};

// Places between two sets of them.
template <class Of>
typename Of::Places between(const typename Of::Places& from, const typename Of::Places& to, double share) {
    typename Of::Places found;
    for (std::size_t k = 0; k < from.size(); ++k)
        found.push_back(Of::mixed(from[k], to[k], [&](double a, double b) { return a + share * (b - a); }));
    return found;
}

}  // namespace latcover
