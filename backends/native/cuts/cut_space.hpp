// A region that is to be cut into parts, and every way to lay a set of its cells into it again.

#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace latcover {

inline constexpr int most_cut_cells = 512;

using CellMask = std::array<std::uint64_t, most_cut_cells / 64>;

inline bool holds(const CellMask& mask, int cell) { return mask[static_cast<unsigned>(cell) >> 6] >> (cell & 63) & 1; }
inline void flip(CellMask& mask, int cell) {
    mask[static_cast<unsigned>(cell) >> 6] ^= std::uint64_t{1} << (cell & 63);
}
inline int size_of(const CellMask& mask) {
    int n = 0;
    for (const auto word : mask) n += std::popcount(word);
    return n;
}
template <typename Do>
void each_cell(const CellMask& mask, Do act) {
    for (std::size_t k = 0; k < mask.size(); ++k)
        for (auto word = mask[k]; word != 0; word &= word - 1) act(static_cast<int>(64 * k) + std::countr_zero(word));
}

// Two cells; a part that holds both runs straight through the junction between them.
struct Crossing {
    int one, other, junction;
};

// The *maps* are the motions of the lattice that take some cells of the region to cells of it. For each cell, bits tell
// which maps keep it in the region. The maps that keep a whole part are then one AND over its cells.
class CutSpace {
public:
    // maps[k * n_cells + c]: the cell to which map k takes cell c, or -1. Parts may undergo the first n_allowed of
    // them, the identity first. centres: three numbers for each cell. crossings: ascending by junction.
    CutSpace(int n_cells, std::vector<std::vector<int>> neighbours, std::vector<std::int16_t> maps, int n_allowed,
             std::vector<double> centres, std::vector<Crossing> crossings);

    int n_cells() const { return n_cells_; }
    const std::vector<int>& neighbours(int cell) const { return neighbours_[cell]; }

    // Where a part can lie, ascending.
    std::vector<CellMask> placements(const CellMask& part) const;

    bool has_symmetry(const CellMask& part) const;                        // of its own
    bool is_mirrored(const CellMask& part, const CellMask& other) const;  // by a map that parts may not undergo

    int n_junctions() const { return crossings_.empty() ? 0 : crossings_.back().junction + 1; }

    // act(junction) for each that a part runs straight through, ascending.
    template <typename Do>
    void each_crossed(const CellMask& part, Do act) const {
        int last = -1;
        for (const auto& [one, other, junction] : crossings_)
            if (junction != last && holds(part, one) && holds(part, other)) act(last = junction);
    }

    // 0 for a point, 1 for a line, 2 for a plane, 3.
    int rank(const CellMask& part) const;

    // The maps that take the region to itself; those that parts may undergo come first.
    const std::vector<int>& symmetries() const { return symmetries_; }
    int n_allowed_symmetries() const { return n_allowed_symmetries_; }

    CellMask image(int map, const CellMask& part) const {
        CellMask found{};
        const auto* to = &maps_[static_cast<std::size_t>(map) * n_cells_];
        each_cell(part, [&](int c) { flip(found, to[c]); });
        return found;
    }

private:
    // act(map) for each map from `from` on, before `to`, that keeps the part in the region, until it returns false.
    template <typename Do>
    void each_map(const CellMask& part, int from, int to, Do act) const;

    int n_cells_, n_maps_, n_allowed_, words_, n_allowed_symmetries_ = 0;
    std::vector<std::vector<int>> neighbours_;
    std::vector<std::int16_t> maps_;
    std::vector<std::uint64_t> inside_;  // [cell][word]: the maps that keep the cell
    std::vector<double> centres_;
    std::vector<Crossing> crossings_;
    std::vector<int> symmetries_;
};

}  // namespace latcover
