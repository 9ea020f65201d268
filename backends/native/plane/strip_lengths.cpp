#include "plane/strip_lengths.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace latcover {

namespace {

bool holds(const StripBits& bits, int cell) { return bits[cell >> 6] >> (cell & 63) & 1; }

bool meet(const StripBits& one, const StripBits& other) {
    std::uint64_t common = 0;
    for (std::size_t k = 0; k < one.size(); ++k) common |= one[k] & other[k];
    return common != 0;
}

StripBits joined(StripBits one, const StripBits& other) {
    for (std::size_t k = 0; k < one.size(); ++k) one[k] |= other[k];
    return one;
}

}  // namespace

StripLengths::StripLengths(int width, std::span<const StripBits> copies, bool mirrored)
    : width_(width), mirrored_(mirrored), by_first_(width) {
    for (const StripBits& copy : copies) {
        int first = 0;
        while (!holds(copy, first)) ++first;
        by_first_[first].push_back(copy);
    }
}

bool StripLengths::advance(std::size_t most) {
    done_ = false;
    for (const std::size_t end = std::min(now_.size(), at_ + most); at_ < end; ++at_) fill(now_[at_], 0);
    if (at_ < now_.size()) return false;
    compress();
    now_ = std::exchange(next_, {});
    at_ = 0;
    room_ = 1 << 16;
    return done_ = true;
}

void StripLengths::fill(const StripBits& covered, int cell) {
    while (cell < width_ && holds(covered, cell)) ++cell;
    if (cell == width_) return keep(covered);
    for (const StripBits& copy : by_first_[cell])
        if (!meet(covered, copy)) fill(joined(covered, copy), cell + 1);
}

void StripLengths::keep(StripBits state) {
    const int words = width_ >> 6, bits = width_ & 63;
    for (std::size_t k = 0; k < state.size(); ++k) {
        const std::uint64_t low = k + words < state.size() ? state[k + words] : 0;
        const std::uint64_t high = k + words + 1 < state.size() ? state[k + words + 1] : 0;
        state[k] = bits == 0 ? low : low >> bits | high << (64 - bits);
    }
    next_.push_back(mirrored_ ? std::min(state, image(state)) : state);
    if (next_.size() >= room_) compress();
}

void StripLengths::compress() {
    std::sort(next_.begin(), next_.end());
    next_.erase(std::unique(next_.begin(), next_.end()), next_.end());
    room_ = std::max<std::size_t>(room_, 2 * next_.size());
}

StripBits StripLengths::image(const StripBits& state) const {
    StripBits turned{};
    for (std::size_t k = 0; k < state.size(); ++k)
        for (std::uint64_t left = state[k]; left != 0; left &= left - 1) {
            const int cell = static_cast<int>(64 * k) + std::countr_zero(left), row = cell % width_;
            const int to = cell - row + width_ - 1 - row;
            turned[to >> 6] |= std::uint64_t{1} << (to & 63);
        }
    return turned;
}

}  // namespace latcover
