#include "plane/holes.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace latcover {

namespace {

constexpr std::int64_t most_cells_of_box = std::int64_t{1} << 28;

}  // namespace

HoleFinder::HoleFinder(std::vector<std::vector<PlaneCell>> beside, std::vector<std::vector<std::int64_t>> cells)
    : beside_(std::move(beside)), cells_(std::move(cells)) {
    std::int32_t longest = 0;
    for (const auto& steps : beside_)
        for (const PlaneCell step : steps) longest = std::max({longest, std::abs(step.x), std::abs(step.y)});
    reach_ += longest;
    for (const auto& own : cells_) size_ = std::gcd(size_, own.size());
}

std::vector<std::vector<std::int64_t>> HoleFinder::of(std::span<const std::int64_t> covered) const {
    Box box;
    lay(box, covered);
    std::vector<std::vector<std::int64_t>> holes;
    for (std::size_t from = 0; next_hole(box, from);) {
        auto& hole = holes.emplace_back();
        for (const PlaneCell cell : box.part)
            hole.push_back(cell.node * PlaneNumbers::units + cell.x * PlaneNumbers::side + cell.y +
                           PlaneNumbers::origin);
        std::sort(hole.begin(), hole.end());
    }
    return holes;
}

std::vector<std::int64_t> HoleFinder::at_once(int orientation, std::span<const std::int64_t> copies) const {
    Box box;
    std::vector<std::int64_t> leaving, both;
    for (const std::int64_t copy : copies) {
        both = cells_[orientation];
        const std::int64_t shift = copy % PlaneNumbers::units - PlaneNumbers::origin;
        for (const std::int64_t cell : cells_[copy / PlaneNumbers::units]) both.push_back(cell + shift);
        lay(box, both);
        for (std::size_t from = 0; next_hole(box, from);)
            if (box.part.size() % size_ != 0) {
                leaving.push_back(copy);
                break;
            }
    }
    return leaving;
}

// A box that covered cells lie well inside of.
void HoleFinder::lay(Box& box, std::span<const std::int64_t> covered) const {
    std::int32_t low_x = std::numeric_limits<std::int32_t>::max(), low_y = low_x;
    std::int32_t high_x = std::numeric_limits<std::int32_t>::min(), high_y = high_x;
    for (const std::int64_t number : covered) {
        const PlaneCell cell = PlaneNumbers::cell(number);
        low_x = std::min(low_x, cell.x);
        high_x = std::max(high_x, cell.x);
        low_y = std::min(low_y, cell.y);
        high_y = std::max(high_y, cell.y);
    }
    box.low_x = low_x - reach_;
    box.low_y = low_y - reach_;
    box.width = high_x - low_x + 2 * reach_ + 1;
    box.height = high_y - low_y + 2 * reach_ + 1;
    if (std::int64_t{box.width} * box.height > most_cells_of_box / n_nodes())
        throw std::invalid_argument("the covered cells lie too far apart");
    box.taken.assign(static_cast<std::size_t>(n_nodes()) * box.width * box.height, 0);
    for (const std::int64_t number : covered) box.taken[box.place(PlaneNumbers::cell(number))] = 1;
}

// Looks for a hole whose least cell has at least the place `from`, and lists its cells in `part`.
bool HoleFinder::next_hole(Box& box, std::size_t& from) const {
    for (; from < box.taken.size(); ++from) {
        if (box.taken[from]) continue;
        const std::size_t unit = from / box.height;
        const PlaneCell start{static_cast<std::int32_t>(unit / box.width),
                              static_cast<std::int32_t>(unit % box.width) + box.low_x,
                              static_cast<std::int32_t>(from % box.height) + box.low_y};
        if (is_enclosed(box, start)) return true;
    }
    return false;
}

// Takes the cells that hang together with `start`; whether none of them leads out of the box.
bool HoleFinder::is_enclosed(Box& box, PlaneCell start) const {
    bool enclosed = true;
    box.part.assign(1, start);
    box.taken[box.place(start)] = 1;
    for (std::size_t k = 0; k < box.part.size(); ++k) {
        const PlaneCell cell = box.part[k];
        for (const PlaneCell step : beside_[cell.node]) {
            const PlaneCell there{step.node, cell.x + step.x, cell.y + step.y};
            if (!box.contains(there)) {
                enclosed = false;
            } else if (char& taken = box.taken[box.place(there)]; !taken) {
                taken = 1;
                box.part.push_back(there);
            }
        }
    }
    return enclosed;
}

}  // namespace latcover
