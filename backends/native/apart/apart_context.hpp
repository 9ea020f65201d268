// What all searches of one assembly share: what is in the way between its parts.

#pragma once

#include <algorithm>
#include <bit>
#include <memory>

#include "apart/taking_apart.hpp"

namespace latcover {

inline constexpr int infinite = std::numeric_limits<int>::max();

// The barriers of all pairs of an assembly as one array for each direction, so that a look-up is one addition and one
// load.
class Grid {
public:
    // Half the width of the box of offsets: t in [-half_t, half_t] and so on. Offsets beyond take the long way.
    static constexpr int half_t = 30;
    static constexpr int margin = 6;
    static constexpr std::size_t most_bytes = std::size_t{1} << 28;

    struct Plane {
        int half_1, half_2, size_2;
        std::size_t rows;
        std::vector<std::uint64_t> bits;  // [i][j][row]; bit t + half_t + 1
    };
    std::vector<Plane> planes;

    // require: the barriers of all i < j.
    static std::unique_ptr<Grid> made(const std::vector<const Barriers*>& barriers, int n, std::size_t n_directions) {
        auto grid = std::make_unique<Grid>();
        std::size_t bytes = 0;
        for (std::size_t d = 0; d < n_directions; ++d) {
            Plane plane{0, 0, 0, 0, {}};
            for (int i = 0; i < n; ++i)
                for (int j = i + 1; j < n; ++j) {
                    const Barrier& b = (*barriers[i * n + j])[d];
                    if (b.bits.empty()) continue;
                    if (b.least_t < -half_t || b.least_t + b.size_t_ - 1 > half_t) return nullptr;
                    plane.half_1 = std::max({plane.half_1, -b.least_1, b.least_1 + b.size_1 - 1});
                    plane.half_2 = std::max({plane.half_2, -b.least_2, b.least_2 + b.size_2 - 1});
                }
            plane.half_1 += margin;
            plane.half_2 += margin;
            plane.size_2 = 2 * plane.half_2 + 1;
            plane.rows = static_cast<std::size_t>(2 * plane.half_1 + 1) * plane.size_2;
            bytes += plane.rows * n * n * 8;
            if (bytes > most_bytes) return nullptr;
            plane.bits.assign(plane.rows * n * n, 0);
            for (int i = 0; i < n; ++i)
                for (int j = i + 1; j < n; ++j) {
                    const Barrier& b = (*barriers[i * n + j])[d];
                    if (b.bits.empty()) continue;
                    for (int r1 = 0; r1 < b.size_1; ++r1)
                        for (int r2 = 0; r2 < b.size_2; ++r2) {
                            const auto row = static_cast<std::size_t>(r1 + b.least_1 + plane.half_1) * plane.size_2 +
                                             (r2 + b.least_2 + plane.half_2);
                            plane.bits[(static_cast<std::size_t>(i) * n + j) * plane.rows + row] =
                                b.bits[static_cast<std::size_t>(r1) * b.size_2 + r2] << (b.least_t + half_t + 1);
                        }
                }
            grid->planes.push_back(std::move(plane));
        }
        return grid;
    }
};

// The first blocked step from t downwards, as steps that are free; upwards likewise.
inline int free_down(const Barrier& b, const std::uint64_t* row, int t) {
    int at = t - b.least_t;
    if (row == nullptr || at < 0) return infinite;
    const int top = 64 * b.words - 1;
    int beyond = 0;
    if (at > top) {
        beyond = at - top;
        at = top;
    }
    for (int word = at >> 6; word >= 0; --word) {
        std::uint64_t bits = row[word];
        if (word == at >> 6) bits &= ~std::uint64_t{0} >> (63 - (at & 63));
        if (bits != 0) return beyond + at - (64 * word + 63 - std::countl_zero(bits));
    }
    return infinite;
}

inline int free_up(const Barrier& b, const std::uint64_t* row, int t) {
    int at = t + 1 - b.least_t;
    if (row == nullptr || at >= 64 * b.words) return infinite;
    int before = 0;
    if (at < 0) {
        before = -at;
        at = 0;
    }
    for (int word = at >> 6; word < b.words; ++word) {
        std::uint64_t bits = row[word];
        if (word == at >> 6) bits &= ~std::uint64_t{0} << (at & 63);
        if (bits != 0) return before + 64 * word + std::countr_zero(bits) - at;
    }
    return infinite;
}

using Places = std::vector<Vec>;

// What all searches of an assembly share.
struct Context {
    Shapes& shapes;
    const Assembly& assembly;
    const Groups& groups;
    const ApartLimits& limits;
    const Brake& brake;
    int n;
    std::vector<const Barriers*> barriers{};  // [i * n + j], i < j
    std::unique_ptr<Grid> grid{};
    bool grid_tried = false;
    std::uint64_t states = 0;
    std::uint64_t most_states = 0;
    int reached = 0;
};

}  // namespace latcover
