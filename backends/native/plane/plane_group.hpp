// Motions of a lattice of the plane, and discrete groups of them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace latcover {

inline std::int32_t floor_div(std::int32_t x, std::int32_t by) {
    const std::int32_t q = x / by;
    return q * by > x ? q - 1 : q;
}

struct PlaneCell {
    std::int32_t node, x, y;
    bool operator==(const PlaneCell&) const = default;
};

// A transformation of the lattice, by its number, and then a translation.
struct Motion {
    std::int32_t turn, x, y;
};

// The action of the transformations on cells, and their products. Number 0 is the identity.
class PlaneTurns {
public:
    // Of each transformation: the node that each node becomes; the matrix, by rows; the shift of each node.
    PlaneTurns(int n_nodes, std::vector<std::int32_t> nodes, std::vector<std::int32_t> matrices,
               std::vector<std::int32_t> shifts);

    int size() const { return n_turns_; }
    int n_nodes() const { return n_nodes_; }
    PlaneCell apply(Motion motion, PlaneCell cell) const {
        const std::int32_t* m = &matrices_[4 * motion.turn];
        const std::size_t of = static_cast<std::size_t>(motion.turn) * n_nodes_ + cell.node;
        return {nodes_[of], m[0] * cell.x + m[1] * cell.y + shifts_[2 * of] + motion.x,
                m[2] * cell.x + m[3] * cell.y + shifts_[2 * of + 1] + motion.y};
    }
    Motion after(Motion last, Motion first) const;
    Motion inverse(Motion motion) const;

private:
    Motion raw_after(int last, int first) const;  // looks the product up by what it does

    int n_nodes_, n_turns_;
    std::vector<std::int32_t> nodes_, matrices_, shifts_;
    std::vector<Motion> products_;  // of two transformations: a transformation and a translation
    std::vector<std::int32_t> inverses_;
};

// A group of translations of rank 0, 1 or 2, in Hermite normal form: (a, b) and (0, d), where 0 stands for none.
class Translations {
public:
    bool add(std::int32_t x, std::int32_t y);  // returns whether the group grew

    // The same cell for all that differ by a translation of the group. Most cells are near, and need no division.
    PlaneCell fold(PlaneCell cell) const {
        if (a != 0 && (cell.x < 0 || cell.x >= a)) {
            const std::int32_t q = floor_div(cell.x, a);
            cell.x -= q * a;
            cell.y -= q * b;
        }
        if (d != 0 && (cell.y < 0 || cell.y >= d)) cell.y -= floor_div(cell.y, d) * d;
        return cell;
    }
    std::int64_t index() const { return std::int64_t{a} * d; }

    std::int32_t a = 0, b = 0, d = 0;
};

// A group that some motions generate: its translations, and a motion for each class of motions modulo these.
struct PlaneGroup {
    Translations translations;
    std::vector<Motion> motions;
};

PlaneGroup generated(const PlaneTurns& turns, std::span<const Motion> generators);

}  // namespace latcover
