// Regions made of copies of a shape: each region with each copy that touches it, as the least of its images.
//
// A region is a record: the codes of its cells, ascending. The code of a cell (node, x, y, ...) is a number in mixed
// radix, ((x * span + y) * span + ...) * n_nodes + node, of coordinates from 0. Two regions are the same if a motion
// and a translation take one to the other, and then their least records are equal.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace latcover {

using CellCode = std::uint16_t;

struct LatticeCell {
    int node;
    std::vector<int> at;
};

// It takes the cell (u, x) to (nodes[u], matrix x + shifts[u]).
struct LatticeMotion {
    std::vector<int> nodes;
    std::vector<int> matrix;  // by rows
    std::vector<int> shifts;  // a row for each node
};

struct NeighbourStep {
    int node;
    int target;
    std::vector<int> step;
};

struct GrowthLattice {
    int dimension = 0;
    int n_nodes = 0;
    int span = 0;  // more than any extent of an image of a region, in units
    std::vector<LatticeMotion> motions;
    std::vector<NeighbourStep> steps;
};

class Growth {
public:
    // copies: the images of the shape that may be added. require: span^dimension * n_nodes <= 2^16
    Growth(GrowthLattice lattice, std::vector<std::vector<LatticeCell>> copies);

    // The least records of all unions of a region with a copy beside it, distinct and ascending.
    std::vector<CellCode> grown(std::span<const CellCode> records, std::size_t n_cells) const;

private:
    void decode(CellCode code, int* cell) const;
    void append_least(const std::vector<int>& cells, std::size_t n, std::vector<CellCode>& into,
                      std::vector<CellCode>& image, std::vector<int>& moved) const;

    GrowthLattice lattice_;
    std::size_t size_ = 0;  // cells of a copy
    std::vector<std::vector<int>> copies_;
};

// Distinct records of `width` codes each, ascending.
std::vector<CellCode> distinct_records(std::span<const CellCode> records, std::size_t width);

}  // namespace latcover
