#include "plane/growth.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace latcover {

namespace {

constexpr std::size_t compact_at = std::size_t{1} << 23;  // codes in a buffer before repeated records are thrown out

// A grid around a region. A stamp marks which cells are full, and which are the region's neighbours, by number.
class Surroundings {
public:
    Surroundings(int dimension, int n_nodes, int span, int margin)
        : dimension_(dimension), n_nodes_(n_nodes), side_(span + 2 * margin), margin_(margin) {
        std::size_t places = n_nodes;
        for (int k = 0; k < dimension; ++k) places *= side_;
        marks_.assign(places, empty);
    }

    static constexpr std::int32_t empty = -1, full = -2;

    std::int32_t& operator[](std::size_t place) { return marks_[place]; }

    std::size_t place(const int* cell) const {
        std::size_t at = 0;
        for (int k = 1; k <= dimension_; ++k) at = at * side_ + (cell[k] + margin_);
        return at * n_nodes_ + cell[0];
    }

private:
    int dimension_, n_nodes_, side_, margin_;
    std::vector<std::int32_t> marks_;
};

}  // namespace

Growth::Growth(GrowthLattice lattice, std::vector<std::vector<LatticeCell>> copies) : lattice_(std::move(lattice)) {
    size_ = copies.empty() ? 0 : copies[0].size();
    for (const auto& copy : copies) {
        auto& flat = copies_.emplace_back();
        for (const auto& cell : copy) {
            flat.push_back(cell.node);
            flat.insert(flat.end(), cell.at.begin(), cell.at.end());
        }
    }
}

void Growth::decode(CellCode code, int* cell) const {
    cell[0] = code % lattice_.n_nodes;
    int rest = code / lattice_.n_nodes;
    for (int k = lattice_.dimension; k >= 1; --k) {
        cell[k] = rest % lattice_.span;
        rest /= lattice_.span;
    }
}

void Growth::append_least(const std::vector<int>& cells, std::size_t n, std::vector<CellCode>& into,
                          std::vector<CellCode>& image, std::vector<int>& moved) const {
    const int d = lattice_.dimension, width = d + 1;
    const std::size_t start = into.size();
    image.resize(n);
    moved.resize(n * width);
    for (std::size_t m = 0; m < lattice_.motions.size(); ++m) {
        const auto& motion = lattice_.motions[m];
        int low[3] = {std::numeric_limits<int>::max(), std::numeric_limits<int>::max(),
                      std::numeric_limits<int>::max()};
        for (std::size_t c = 0; c < n; ++c) {
            const int* from = &cells[c * width];
            int* to = &moved[c * width];
            to[0] = motion.nodes[from[0]];
            for (int i = 0; i < d; ++i) {
                int x = motion.shifts[from[0] * d + i];
                for (int j = 0; j < d; ++j) x += motion.matrix[i * d + j] * from[1 + j];
                to[1 + i] = x;
                low[i] = std::min(low[i], x);
            }
        }
        for (std::size_t c = 0; c < n; ++c) {
            const int* cell = &moved[c * width];
            int code = 0;
            for (int i = 0; i < d; ++i) code = code * lattice_.span + (cell[1 + i] - low[i]);
            image[c] = static_cast<CellCode>(code * lattice_.n_nodes + cell[0]);
        }
        std::sort(image.begin(), image.end());
        if (m == 0) into.insert(into.end(), image.begin(), image.end());
        else if (std::lexicographical_compare(image.begin(), image.end(), into.begin() + start, into.end()))
            std::copy(image.begin(), image.end(), into.begin() + start);
    }
}

std::vector<CellCode> Growth::grown(std::span<const CellCode> records, std::size_t n_cells) const {
    const int d = lattice_.dimension, width = d + 1;
    const std::size_t n = n_cells + size_;
    int reach = 1;  // how far a copy that touches the region leads out of it
    for (const auto& copy : copies_)
        for (std::size_t k = 0; k < copy.size(); ++k)
            for (std::size_t j = k % width; j < copy.size(); j += width)
                if (k % width != 0) reach = std::max(reach, std::abs(copy[k] - copy[j]));
    int farthest = 1;
    for (const auto& step : lattice_.steps)
        for (int x : step.step) farthest = std::max(farthest, std::abs(x));
    Surroundings around(d, lattice_.n_nodes, lattice_.span, reach + farthest);

    std::vector<CellCode> found, image;
    std::vector<int> cells(n * width), moved, beside;
    std::vector<std::size_t> places(size_);
    std::size_t limit = compact_at;
    for (std::size_t first = 0; first < records.size(); first += n_cells) {
        for (std::size_t c = 0; c < n_cells; ++c) {
            decode(records[first + c], &cells[c * width]);
            around[around.place(&cells[c * width])] = Surroundings::full;
        }
        beside.clear();
        for (std::size_t c = 0; c < n_cells; ++c) {
            const int* cell = &cells[c * width];
            for (const auto& step : lattice_.steps) {
                if (step.node != cell[0]) continue;
                int there[4] = {step.target};
                for (int i = 0; i < d; ++i) there[1 + i] = cell[1 + i] + step.step[i];
                auto& mark = around[around.place(there)];
                if (mark != Surroundings::empty) continue;
                mark = static_cast<std::int32_t>(beside.size() / width);
                beside.insert(beside.end(), there, there + width);
            }
        }
        const auto n_beside = static_cast<std::int32_t>(beside.size() / width);
        for (std::int32_t b = 0; b < n_beside; ++b) {
            const int* at = &beside[b * width];
            for (const auto& copy : copies_) {
                for (std::size_t on = 0; on < size_; ++on) {
                    if (copy[on * width] != at[0]) continue;
                    bool fits = true;  // and no earlier neighbour lies in it, so that it comes once
                    for (std::size_t c = 0; c < size_ && fits; ++c) {
                        int* cell = &cells[(n_cells + c) * width];
                        cell[0] = copy[c * width];
                        for (int i = 1; i <= d; ++i) cell[i] = copy[c * width + i] - copy[on * width + i] + at[i];
                        const auto mark = around[around.place(cell)];
                        fits = mark == Surroundings::empty || mark >= b;
                    }
                    if (fits) append_least(cells, n, found, image, moved);
                }
            }
        }
        for (std::size_t c = 0; c < n_cells; ++c) around[around.place(&cells[c * width])] = Surroundings::empty;
        for (std::int32_t b = 0; b < n_beside; ++b) around[around.place(&beside[b * width])] = Surroundings::empty;
        if (found.size() > limit) {
            found = distinct_records(found, n);
            limit = std::max(compact_at, 2 * found.size());
        }
    }
    return distinct_records(found, n);
}

std::vector<CellCode> distinct_records(std::span<const CellCode> records, std::size_t width) {
    std::vector<std::uint32_t> order(records.size() / width);
    std::iota(order.begin(), order.end(), 0u);
    const auto at = [&](std::uint32_t k) { return records.begin() + static_cast<std::ptrdiff_t>(k * width); };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::lexicographical_compare(at(a), at(a) + width, at(b), at(b) + width);
    });
    const auto last = std::unique(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::equal(at(a), at(a) + width, at(b));
    });
    std::vector<CellCode> found;
    found.reserve(static_cast<std::size_t>(last - order.begin()) * width);
    for (auto k = order.begin(); k != last; ++k) found.insert(found.end(), at(*k), at(*k) + width);
    return found;
}

}  // namespace latcover
