// Boxes of poses, and what meets a body in them.

#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "turning/turning.hpp"

namespace latcover {

struct Box {
    int level, k, i, j;  // of 2^level along the angle, u and v

    int number() const { return (k & 1) | (i & 1) << 1 | (j & 1) << 2; }  // among the eight of the box that holds it
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

// Some pairs of pieces, in a list that the space keeps.
struct SomePairs {
    std::uint32_t first = 0, last = 0;
};

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

    SomePairs all() const { return {0, static_cast<std::uint32_t>(pairs_.size())}; }
    // may_meet: the pairs that may meet somewhere in the box. Where it is open, `meeting` are those that still may.
    Kind judge(const Box& box, SomePairs may_meet, SomePairs& meeting);
    // Whether the body can slide straight, with room to spare. The angle is that of the start or of the whole turn.
    bool slides(double angle, Point from, Point to);
    // Whether it can move straight from pose to pose, turning all the while.
    bool moves(const TurnPose& from, const TurnPose& to);
    // A pose of the same angle that is so far from all obstacles, if pushing away from them leads to one.
    std::optional<TurnPose> pushed(TurnPose pose, double clear);

    std::uint64_t judged = 0;

private:
    // Pieces that may meet. arm: how far the mover's corners are from the middle about which it turns.
    struct Pair {
        int mover, other;
        double radius, arm;
    };

    // What a piece covers along a direction: from middle - half to middle + half.
    struct Shadow {
        double middle, half;
    };

    // The directions of pieces' normals, each once; and the shadows of each piece, direction by direction.
    struct Shadows {
        std::vector<Point> directions;
        std::vector<Shadow> of;
    };

    // The bodies at one angle. The shifts at which the pieces of a pair meet are a convex polygon: what lies between two
    // lines across each direction.
    struct Slice {
        double c, s;
        std::vector<Point> directions;       // those of pieces that stay, then those of pieces that move
        std::vector<double> slacks;          // how far a shift within a box leads along each
        std::vector<Shadow> movers, others;  // along the directions of the other kind, once they are needed
        std::vector<std::uint8_t> is_known;  // of each pair
        std::vector<Point> middles;          // of each pair's polygon
        std::vector<Shadow> polygons;        // of each pair, direction by direction

        Point turned(Point p) const { return {c * p.x - s * p.y, s * p.x + c * p.y}; }
        Point turned_back(Point p) const { return {c * p.x + s * p.y, c * p.y - s * p.x}; }
    };

    // What a thread uses for one question after the other.
    struct Memory {
        std::deque<Slice> slices;
        Slice alone, end;
        std::vector<int> pairs;
        std::vector<double> heights;
    };
    static Memory& memory();

    static Shadow shadow(const Convex& piece, Point direction);
    static Shadows shadows_of(const std::vector<Convex>& pieces);
    void turn(Slice& slice, double angle, double half) const;
    Slice& slice_of(const Box& box);
    Slice& slice_at(double angle);
    // Its polygon, direction by direction.
    const Shadow* polygon(Slice& slice, int pair) const;
    void compute(Slice& slice, int pair) const;
    void find_near(Slice& slice, Point shift, double window, std::vector<int>& found) const;
    bool keeps_clear(const TurnPose& from, const TurnPose& to, std::span<const int> pairs, int halved);
    const double* heights_of(const Slice& slice, Point shift);

    const TurnQuestion& question_;
    Memory& memory_;
    double arm_ = 0;
    Shadows moving_, fixed_;
    std::size_t n_directions_;
    std::vector<Pair> pairs_;         // by mover
    static constexpr int shared = 7;  // up to here boxes of one angle share a slice
    std::array<Slice*, std::size_t{2} << shared> slices_{};
    std::array<Slice*, 2> ends_{};  // at the start and at the full angle
    std::size_t used_ = 0;          // slices
    std::vector<int> near_;
};

}  // namespace latcover
