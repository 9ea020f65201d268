// Turns 64 rows of 64 bits into 64 columns, on any machine.

#pragma once

#include <cstdint>

namespace latcover {

// Source: Warren, Hacker's Delight, 7-3. The outer loop is written out, so that each distance is known to the compiler.
template <int Distance>
inline void swap_blocks(std::uint64_t* x) {
    constexpr std::uint64_t mask = ~std::uint64_t{0} / ((std::uint64_t{1} << Distance) + 1);
    for (int k = 0; k < 64; k += 2 * Distance)
        for (int i = k; i < k + Distance; ++i) {
            const std::uint64_t t = (x[i] >> Distance ^ x[i + Distance]) & mask;
            x[i] ^= t << Distance;
            x[i + Distance] ^= t;
        }
}

// Bit k of row i becomes bit i of row k.
inline void transpose_bits(std::uint64_t* rows) {
    swap_blocks<32>(rows);
    swap_blocks<16>(rows);
    swap_blocks<8>(rows);
    swap_blocks<4>(rows);
    swap_blocks<2>(rows);
    swap_blocks<1>(rows);
}

}  // namespace latcover
