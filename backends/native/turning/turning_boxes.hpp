// What a search knows of boxes of poses: a tree, in which a box leads to its eight halves. References stay.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "turning/turning_space.hpp"

namespace latcover {

// A box in few bytes.
class PackedBox {
public:
    PackedBox() = default;
    explicit PackedBox(const Box& box)
        : packed_(static_cast<std::uint64_t>(box.level) << 57 | static_cast<std::uint64_t>(box.k) << 38 |
                  static_cast<std::uint64_t>(box.i) << 19 | static_cast<std::uint64_t>(box.j)) {}
    Box box() const {
        constexpr std::uint64_t mask = (1 << 19) - 1;
        return {static_cast<int>(packed_ >> 57), static_cast<int>(packed_ >> 38 & mask),
                static_cast<int>(packed_ >> 19 & mask), static_cast<int>(packed_ & mask)};
    }

private:
    std::uint64_t packed_ = 0;
};

struct KnownBox {
    Kind kind = Kind::open;
    bool judged = false, split = false, waits = false;
    bool reached = false, from_start = false;
    std::uint32_t flood = 0;       // the last that met it
    KnownBox* children = nullptr;  // eight
    SomePairs meeting{};           // that may meet in the box, if it is open
    PackedBox from{};              // the box from which it was reached
};

class KnownBoxes {
public:
    static constexpr int coarsest = 3;  // no box is larger than the range halved so often

    KnownBoxes() : roots_(std::size_t{1} << 3 * coarsest) {}

    // Forget everything, but keep the memory.
    void clear() {
        roots_.assign(roots_.size(), {});
        used_ = 0;
    }

    KnownBox& root(const Box& box) { return roots_[(box.k << coarsest | box.i) << coarsest | box.j]; }
    KnownBox& child(KnownBox& whole, int number) {
        if (whole.children == nullptr) whole.children = eight();
        return whole.children[number];
    }

private:
    static constexpr std::size_t at_once = 64;
    using Eight = std::array<KnownBox, 8>;

    KnownBox* eight() {
        if (used_ == at_once * chunks_.size()) chunks_.push_back(std::make_unique<Eight[]>(at_once));
        Eight& found = chunks_[used_ / at_once][used_ % at_once];
        found.fill({});
        ++used_;
        return found.data();
    }

    std::vector<KnownBox> roots_;
    std::vector<std::unique_ptr<Eight[]>> chunks_;
    std::size_t used_ = 0;
};

}  // namespace latcover
