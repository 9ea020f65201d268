// Motions of a lattice of the plane, and discrete groups of them.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace latcover {

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
    PlaneCell apply(Motion motion, PlaneCell cell) const;
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
    PlaneCell fold(PlaneCell cell) const;      // the same cell for all that differ by a translation of the group
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
