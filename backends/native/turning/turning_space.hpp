// Boxes of poses, and what meets a body in them.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "turning/turning.hpp"

namespace latcover {

struct Box {
    int level, k, i, j;  // of 2^level along the angle, u and v

    std::uint64_t key() const {
        return static_cast<std::uint64_t>(level) << 57 | static_cast<std::uint64_t>(k) << 38 |
               static_cast<std::uint64_t>(i) << 19 | static_cast<std::uint64_t>(j);
    }
    Box at(int coarser) const {
        const int by = level - coarser;
        return {coarser, k >> by, i >> by, j >> by};
    }
    bool exists() const {
        const int n = 1 << level;
        return k >= 0 && i >= 0 && j >= 0 && k < n && i < n && j < n;
    }
    Box beside(int face) const {
        const int by = face & 1 ? 1 : -1;
        return {level, k + (face >> 1 == 0 ? by : 0), i + (face >> 1 == 1 ? by : 0), j + (face >> 1 == 2 ? by : 0)};
    }
    Box child(int number) const {
        return {level + 1, 2 * k + (number & 1), 2 * i + (number >> 1 & 1), 2 * j + (number >> 2 & 1)};
    }
};

enum class Kind : std::uint8_t { free, open, blocked };

class Space {
public:
    explicit Space(const TurnQuestion& question);

    double half(int level) const { return question_.reach / (1 << level); }
    double half_angle(int level) const { return question_.angle / 2 / (1 << level); }
    TurnPose middle(const Box& box) const {
        const double h = half(box.level);
        return {(2 * box.k + 1) * half_angle(box.level), (2 * box.i + 1) * h - question_.reach,
                (2 * box.j + 1) * h - question_.reach};
    }
    // How far a point may move between the middle of a box and any other of its poses.
    double spread(int level) const;

    Kind judge(const Box& box);
    // Whether the body can slide straight, with room to spare. The angle is that of the start or of the whole turn.
    bool slides(double angle, Point from, Point to);
    // Whether it can move straight from pose to pose, turning all the while.
    bool moves(const TurnPose& from, const TurnPose& to);
    // A pose of the same angle that is so far from all obstacles, if pushing away from them leads to one.
    std::optional<TurnPose> pushed(TurnPose pose, double clear);

    std::uint64_t judged = 0;

private:
    // Pieces that may meet.
    struct Pair {
        int mover, other;
        double radius;
    };

    // The shifts at which the pieces of a pair meet, at one angle: a convex polygon.
    struct Obstacle {
        Point middle;
        int pair;
        int first, last = 0;  // its sides, once a shift came near
    };

    // A side of an obstacle: how far it lies along one of the normals.
    struct Limit {
        int normal;
        double height;
    };

    struct Slice {
        double window = 0, c = 1, s = 0;
        std::vector<Obstacle> obstacles;
        std::vector<Limit> limits;
        std::vector<Point> normals;       // those of pieces that stay, then those of pieces that move, turned over
        std::vector<double> least, most;  // of each piece along each normal of the other kind, once they are needed
        int latest = 0;                   // the obstacle that was met last

        Point turned(Point p) const { return {c * p.x - s * p.y, s * p.x + c * p.y}; }
    };

    // The normals of pieces, each once; and the numbers of those of each side.
    struct Normals {
        std::vector<Point> all;
        std::vector<std::vector<int>> of;
    };

    static Normals normals_of(const std::vector<Convex>& pieces);
    // Compute the obstacles that shifts near `centre` may meet.
    void fill(Slice& slice, double angle, Point centre, double window);
    void add_limits(Slice& slice, Obstacle& obstacle) const;
    // The sides of an obstacle, if the shift is nearer to it than `near`.
    std::span<const Limit> limits_near(Slice& slice, Obstacle& obstacle, Point shift, double near) const;
    const std::vector<double>& heights_of(const Slice& slice, Point shift);

    const TurnQuestion& question_;
    double arm_ = 0;
    Normals moving_, fixed_;
    std::vector<Pair> pairs_;         // by mover
    static constexpr int shared = 7;  // up to here boxes of one angle share their obstacles
    std::array<std::vector<Slice>, shared + 1> slices_;
    std::array<Slice, 2> ends_;  // at the start and at the full angle
    Slice alone_;
    std::vector<double> heights_;
};

}  // namespace latcover
