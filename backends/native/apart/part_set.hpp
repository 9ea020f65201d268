// A set of parts, as bits.

#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace latcover {

template <int Words>
struct PartSet {
    std::array<std::uint64_t, Words> words{};

    static PartSet all(int n) {
        PartSet set;
        for (int i = 0; i < n; ++i) set.add(i);
        return set;
    }
    void add(int i) { words[static_cast<unsigned>(i) >> 6] |= std::uint64_t{1} << (i & 63); }
    void add_if(int i, std::uint64_t bit) { words[static_cast<unsigned>(i) >> 6] |= bit << (i & 63); }
    bool has(int i) const { return words[static_cast<unsigned>(i) >> 6] >> (i & 63) & 1; }
    bool empty() const {
        std::uint64_t any = 0;
        for (const auto word : words) any |= word;
        return any == 0;
    }
    int size() const {
        int n = 0;
        for (const auto word : words) n += std::popcount(word);
        return n;
    }
    // require: not empty
    int least() const {
        int k = 0;
        while (words[k] == 0) ++k;
        return 64 * k + std::countr_zero(words[k]);
    }
    int take_least() {
        int k = 0;
        while (words[k] == 0) ++k;
        const int bit = std::countr_zero(words[k]);
        words[k] &= words[k] - 1;
        return 64 * k + bit;
    }
    PartSet operator|(const PartSet& other) const {
        PartSet set = *this;
        for (int k = 0; k < Words; ++k) set.words[k] |= other.words[k];
        return set;
    }
    PartSet without(const PartSet& other) const {
        PartSet set = *this;
        for (int k = 0; k < Words; ++k) set.words[k] &= ~other.words[k];
        return set;
    }
    bool operator==(const PartSet&) const = default;
    template <typename Do>
    void each(Do act) const {
        for (PartSet left = *this; !left.empty();) act(left.take_least());
    }
};

}  // namespace latcover
