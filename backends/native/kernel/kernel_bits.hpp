// Operations on one word of bits, in the best form that the instruction set of the unit allows. A unit with more than
// the least instructions takes them from intrinsics, not from <bit>: see kernel.cpp.

#pragma once

#include "kernel/kernel_platform.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

struct Bits {
    static int count(u64 x) {
#if defined(__POPCNT__)
        return static_cast<int>(_mm_popcnt_u64(x));
#elif defined(LATCOVER_SSE2)
        x -= x >> 1 & 0x5555555555555555;
        x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
        return static_cast<int>(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
#else
        return std::popcount(x);
#endif
    }
    // The place of the lowest bit, or 64.
    static int first(u64 x) {
#if defined(__BMI__)
        return static_cast<int>(_tzcnt_u64(x));
#else
        return std::countr_zero(x);
#endif
    }
    // The bits of x at the places of `mask`, packed together from the lowest place on.
    static u64 extract(u64 x, u64 mask) {
#if defined(__BMI2__)
        return _pext_u64(x, mask);
#else
        u64 result = 0;
        for (x &= mask; x; x &= x - 1) result |= u64{1} << count(mask & ((x & -x) - 1));
        return result;
#endif
    }
};

// Bits::extract for many words and one mask. Source: Warren, Hacker's Delight, 7-4.
class Extraction {
public:
    explicit Extraction(u64 mask) : mask_(mask) {
#if !defined(__BMI2__)
        u64 gaps = ~mask << 1;  // bit i: the mask has no bit i - 1
        for (int step = 0; step < 6; ++step) {
            u64 parity = gaps;  // bit i: parity of the number of gaps up to bit i
            for (int k = 1; k < 64; k *= 2) parity ^= parity << k;
            moves_[step] = parity & mask;
            mask = (mask ^ moves_[step]) | moves_[step] >> (1 << step);
            gaps &= ~parity;
        }
#endif
    }
    u64 of(u64 x) const {
#if defined(__BMI2__)
        return _pext_u64(x, mask_);
#else
        x &= mask_;
        for (int step = 0; step < 6; ++step) {
            const u64 moving = x & moves_[step];
            x = (x ^ moving) | moving >> (1 << step);
        }
        return x;
#endif
    }

private:
    u64 mask_;
    [[maybe_unused]] u64 moves_[6];
};

// Whether a search without counters ends in lists of rows (kernel_list.hpp). With AVX-512 bitmaps of columns do.
#if defined(__AVX512VBMI2__)
inline constexpr bool has_lists = false;
#else
inline constexpr bool has_lists = true;
#endif

// The lowest n bits.
static inline u64 low_bits(int n) { return n >= 64 ? ~u64{0} : n <= 0 ? 0 : (u64{1} << n) - 1; }

// A key holds the number of ways to cover a column, and the column: ways << 16 | column. The least key is the best
// column to branch on.
inline constexpr u32 no_column = 0xffffffff;  // no column has to be covered any more
inline constexpr int key_shift = 16;

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
