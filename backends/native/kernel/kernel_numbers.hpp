// Numbers of which a vector holds one bit each.

#pragma once

#include "kernel/kernel_lanes.hpp"
#include "kernel/kernel_platform.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

// The sum of three bits in all places, and its carry.
template <typename V>
static inline void add_bits(V& sum, V& carry, V x, V y, V z) {
    const V u = x ^ y;
    carry = (x & y) | (u & z);
    sum = u ^ z;
}

// A number for each column, from 0 to 2^P - 1: bit k of all of them is plane[k]. `more` holds the columns with more.
template <typename V, int P>
struct Numbers {
    V plane[P + 1];  // the last one is that of the columns with more
};

template <typename V, int P>
static inline Numbers<V, P> sum(const Numbers<V, P>& a, const Numbers<V, P>& b) {
    Numbers<V, P> s;
    V carry = a.plane[0] & b.plane[0];
    s.plane[0] = a.plane[0] ^ b.plane[0];
    for (int k = 1; k < P; ++k) add_bits(s.plane[k], carry, a.plane[k], b.plane[k], carry);
    s.plane[P] = a.plane[P] | b.plane[P] | carry;
    return s;
}

// Add a block of rows to the numbers of its columns.
template <int P>
static inline void add_block(Numbers<Lanes, P>& numbers, const Lanes* rows) {
    Lanes carry;
    add_bits(numbers.plane[0], carry, rows[0], rows[1], numbers.plane[0]);
    if constexpr (block_vectors == 4) {
        Lanes other;
        add_bits(numbers.plane[0], other, rows[2], rows[3], numbers.plane[0]);
        add_bits(numbers.plane[1], carry, carry, other, numbers.plane[1]);
    }
    for (int k = block_vectors / 2; k < P; ++k) {
        const Lanes next = numbers.plane[k] & carry;
        numbers.plane[k] ^= carry;
        carry = next;
    }
    numbers.plane[P] |= carry;
}

// The sums over all lanes of two words of columns, which become the low and the high half of the result.
template <int P>
static inline Numbers<u64, P> sum_of_lanes(const Numbers<Lanes, P>& low, const Numbers<Lanes, P>& high) {
    Numbers<Lanes, P> x, y;
    for (int k = 0; k <= P; ++k) {
        x.plane[k] = low_pairs(low.plane[k], high.plane[k]);
        y.plane[k] = high_pairs(low.plane[k], high.plane[k]);
    }
    x = sum(x, y);
    Numbers<FourLanes, P> four, next;
#if defined(__AVX2__)
    for (int k = 0; k <= P; ++k) {
        four.plane[k] = low_half(x.plane[k]);
        next.plane[k] = high_half(x.plane[k]);
    }
    four = sum(four, next);
#else
    for (int k = 0; k <= P; ++k) four.plane[k] = x.plane[k];
#endif
    for (int k = 0; k <= P; ++k) next.plane[k] = neighbours(four.plane[k]);
    four = sum(four, next);
    Numbers<u64, P> result;
    for (int k = 0; k <= P; ++k) result.plane[k] = even_lanes(four.plane[k]);
    return result;
}

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
