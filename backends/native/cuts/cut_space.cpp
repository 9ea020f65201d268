#include "cuts/cut_space.hpp"

#include <algorithm>
#include <cmath>

namespace latcover {

CutSpace::CutSpace(int n_cells, std::vector<std::vector<int>> neighbours, std::vector<std::int16_t> maps, int n_allowed,
                   std::vector<double> centres, std::vector<Crossing> crossings)
    : n_cells_(n_cells), n_maps_(static_cast<int>(maps.size() / n_cells)), n_allowed_(n_allowed),
      words_((n_maps_ + 63) / 64), neighbours_(std::move(neighbours)), maps_(std::move(maps)),
      centres_(std::move(centres)), crossings_(std::move(crossings)) {
    inside_.assign(static_cast<std::size_t>(n_cells_) * words_, 0);
    for (int k = 0; k < n_maps_; ++k) {
        bool total = true;
        for (int c = 0; c < n_cells_; ++c) {
            const bool stays = maps_[static_cast<std::size_t>(k) * n_cells_ + c] >= 0;
            total &= stays;
            if (stays) inside_[static_cast<std::size_t>(c) * words_ + k / 64] |= std::uint64_t{1} << (k & 63);
        }
        if (total) symmetries_.push_back(k);
        if (total && k < n_allowed_) ++n_allowed_symmetries_;
    }
}

template <typename Do>
void CutSpace::each_map(const CellMask& part, int from, int to, Do act) const {
    int cells[most_cut_cells];
    int n = 0;
    each_cell(part, [&](int c) { cells[n++] = c; });
    for (int w = from / 64; w * 64 < to; ++w) {
        std::uint64_t all = ~std::uint64_t{0};
        for (int i = 0; i < n && all != 0; ++i) all &= inside_[static_cast<std::size_t>(cells[i]) * words_ + w];
        for (; all != 0; all &= all - 1) {
            const int k = 64 * w + std::countr_zero(all);
            if (k >= from && k < to && !act(k)) return;
        }
    }
}

std::vector<CellMask> CutSpace::placements(const CellMask& part) const {
    std::vector<CellMask> found;
    each_map(part, 0, n_allowed_, [&](int k) {
        found.push_back(image(k, part));
        return true;
    });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

bool CutSpace::has_symmetry(const CellMask& part) const {
    bool any = false;
    each_map(part, 1, n_allowed_, [&](int k) { return !(any = image(k, part) == part); });
    return any;
}

bool CutSpace::is_mirrored(const CellMask& part, const CellMask& other) const {
    bool any = false;
    each_map(part, n_allowed_, n_maps_, [&](int k) { return !(any = image(k, part) == other); });
    return any;
}

int CutSpace::rank(const CellMask& part) const {
    constexpr double flat = 1e-6;
    double axes[3][3];
    int n = 0;
    const double* origin = nullptr;
    each_cell(part, [&](int c) {
        const double* at = &centres_[3 * static_cast<std::size_t>(c)];
        if (origin == nullptr) origin = at;
        double rest[3];
        for (int k = 0; k < 3; ++k) rest[k] = at[k] - origin[k];
        for (int a = 0; a < n; ++a) {
            const double along = rest[0] * axes[a][0] + rest[1] * axes[a][1] + rest[2] * axes[a][2];
            for (int k = 0; k < 3; ++k) rest[k] -= along * axes[a][k];
        }
        const double length = std::sqrt(rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]);
        if (length < flat || n == 3) return;
        for (int k = 0; k < 3; ++k) axes[n][k] = rest[k] / length;
        ++n;
    });
    return n;
}

}  // namespace latcover
