// `transpose` turns 64 rows of 64 bits into 64 columns, in the best form that the instruction set of the unit allows.
// Of the columns only the first n are wanted.

#pragma once

#include "ground/bit_transpose.hpp"
#include "kernel/kernel_bits.hpp"
#include "kernel/kernel_platform.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

#if defined(__GFNI__) && defined(__AVX512VBMI__)

// One permutation brings together the bytes of each block of 8 x 8 bits. A multiplication with the unit matrix
// transposes the bits of the block. Shuffles move the blocks to their places.
static inline void transpose(const u64* rows, u64* columns, int) {
    const __m512i bytes =
        _mm512_set_epi64(0x3f372f271f170f07, 0x3e362e261e160e06, 0x3d352d251d150d05, 0x3c342c241c140c04,
                         0x3b332b231b130b03, 0x3a322a221a120a02, 0x3931292119110901, 0x3830282018100800);
    // The multiplication takes the first row of a block from its highest byte. So the rows go in upside down.
    const __m512i upside_down =
        _mm512_set_epi64(0x070f171f272f373f, 0x060e161e262e363e, 0x050d151d252d353d, 0x040c141c242c343c,
                         0x030b131b232b333b, 0x020a121a222a323a, 0x0109111921293139, 0x0008101820283038);
    const __m512i unit = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201));
    __m512i x[8], y[8];
    for (int i = 0; i < 8; ++i)
        x[i] = _mm512_gf2p8affine_epi64_epi8(unit,
                                             _mm512_permutexvar_epi8(upside_down, _mm512_loadu_si512(rows + 8 * i)), 0);
    for (int i = 0; i < 8; i += 2) {
        y[i] = _mm512_unpacklo_epi64(x[i], x[i + 1]);
        y[i + 1] = _mm512_unpackhi_epi64(x[i], x[i + 1]);
    }
    // y[2i + p] holds in lane l the byte plane 2l + p, of the 8 rows from 16i on and of the 8 rows from 16i + 8 on.
    const __m512i low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0);
    const __m512i high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    for (int p = 0; p < 2; ++p) {
        const __m512i a = _mm512_permutex2var_epi64(y[p], low, y[p + 2]);      // planes p, p + 4: rows 0 - 31
        const __m512i b = _mm512_permutex2var_epi64(y[p], high, y[p + 2]);     // planes p + 2, p + 6
        const __m512i c = _mm512_permutex2var_epi64(y[p + 4], low, y[p + 6]);  // rows 32 - 63
        const __m512i d = _mm512_permutex2var_epi64(y[p + 4], high, y[p + 6]);
        x[p] = _mm512_shuffle_i64x2(a, c, 0x44);
        x[p + 4] = _mm512_shuffle_i64x2(a, c, 0xee);
        x[p + 2] = _mm512_shuffle_i64x2(b, d, 0x44);
        x[p + 6] = _mm512_shuffle_i64x2(b, d, 0xee);
    }
    for (int k = 0; k < 8; ++k) _mm512_storeu_si512(columns + 8 * k, _mm512_permutexvar_epi8(bytes, x[k]));
}

#elif defined(LATCOVER_SSE2) || defined(LATCOVER_WASM)

#if defined(__AVX2__)
struct Bytes {  // 32 of them, in two lanes of 16
    static constexpr int n = 32;
    __m256i v;
    static Bytes load(const u64* rows, int i) {  // rows 2i and 2i + 1, and rows 2i + 16 and 2i + 17
        const auto low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows + 2 * i));
        const auto high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows + 16 + 2 * i));
        return {_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1)};
    }
    Bytes pairs() const { return {_mm256_unpacklo_epi8(v, _mm256_srli_si256(v, 8))}; }
    template <int Bits>
    static void interleave(Bytes a, Bytes b, Bytes& low, Bytes& high) {
        if constexpr (Bits == 16) low.v = _mm256_unpacklo_epi16(a.v, b.v), high.v = _mm256_unpackhi_epi16(a.v, b.v);
        else if constexpr (Bits == 32)
            low.v = _mm256_unpacklo_epi32(a.v, b.v), high.v = _mm256_unpackhi_epi32(a.v, b.v);
        else low.v = _mm256_unpacklo_epi64(a.v, b.v), high.v = _mm256_unpackhi_epi64(a.v, b.v);
    }
    u64 high_bits() const { return static_cast<u32>(_mm256_movemask_epi8(v)); }
    void shift() { v = _mm256_add_epi8(v, v); }
};
#elif defined(LATCOVER_WASM)
struct Bytes {  // 16 of them: rows 2i and 2i + 1
    static constexpr int n = 16;
    v128_t v;
    static Bytes load(const u64* rows, int i) { return {wasm_v128_load(rows + 2 * i)}; }
    Bytes pairs() const { return {wasm_i8x16_shuffle(v, v, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15)}; }
    template <int Bits>
    static void interleave(Bytes a, Bytes b, Bytes& low, Bytes& high) {
        if constexpr (Bits == 16) {
            low.v = wasm_i16x8_shuffle(a.v, b.v, 0, 8, 1, 9, 2, 10, 3, 11);
            high.v = wasm_i16x8_shuffle(a.v, b.v, 4, 12, 5, 13, 6, 14, 7, 15);
        } else if constexpr (Bits == 32) {
            low.v = wasm_i32x4_shuffle(a.v, b.v, 0, 4, 1, 5);
            high.v = wasm_i32x4_shuffle(a.v, b.v, 2, 6, 3, 7);
        } else {
            low.v = wasm_i64x2_shuffle(a.v, b.v, 0, 2);
            high.v = wasm_i64x2_shuffle(a.v, b.v, 1, 3);
        }
    }
    u64 high_bits() const { return wasm_i8x16_bitmask(v); }
    void shift() { v = wasm_i8x16_add(v, v); }
};
#else
struct Bytes {  // 16 of them: rows 2i and 2i + 1
    static constexpr int n = 16;
    __m128i v;
    static Bytes load(const u64* rows, int i) {
        return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(rows + 2 * i))};
    }
    Bytes pairs() const { return {_mm_unpacklo_epi8(v, _mm_srli_si128(v, 8))}; }
    template <int Bits>
    static void interleave(Bytes a, Bytes b, Bytes& low, Bytes& high) {
        if constexpr (Bits == 16) low.v = _mm_unpacklo_epi16(a.v, b.v), high.v = _mm_unpackhi_epi16(a.v, b.v);
        else if constexpr (Bits == 32) low.v = _mm_unpacklo_epi32(a.v, b.v), high.v = _mm_unpackhi_epi32(a.v, b.v);
        else low.v = _mm_unpacklo_epi64(a.v, b.v), high.v = _mm_unpackhi_epi64(a.v, b.v);
    }
    u64 high_bits() const { return static_cast<u32>(_mm_movemask_epi8(v)); }
    void shift() { v = _mm_add_epi8(v, v); }
};
#endif

// Byte k of every row goes into a vector of its own, a plane. The highest bits of the bytes of a plane are a piece of
// one column; a shift brings up the bits of the next column. Columns from n on, rounded up to a multiple of 8, are left
// out.
static inline void transpose(const u64* rows, u64* columns, int n) {
    constexpr int pieces = 64 / Bytes::n;
    Bytes planes[pieces][8];
    for (int piece = 0; piece < pieces; ++piece) {
        Bytes x[8], y[8];
        for (int i = 0; i < 8; ++i) x[i] = Bytes::load(rows + Bytes::n * piece, i).pairs();
        for (int i = 0; i < 8; i += 2) Bytes::interleave<16>(x[i], x[i + 1], y[i], y[i + 1]);
        for (int i = 0; i < 8; i += 4)
            for (int h = 0; h < 2; ++h) Bytes::interleave<32>(y[i + h], y[i + 2 + h], x[i + 2 * h], x[i + 2 * h + 1]);
        for (int k = 0; k < 4; ++k)
            Bytes::interleave<64>(x[k], x[k + 4], planes[piece][2 * k], planes[piece][2 * k + 1]);
    }
    for (int k = 0; k < 8 && 8 * k < n; ++k)
        for (int bit = 7; bit >= 0; --bit) {
            u64 column = 0;
            for (int piece = 0; piece < pieces; ++piece) {
                column |= planes[piece][k].high_bits() << Bytes::n * piece;
                planes[piece][k].shift();
            }
            columns[8 * k + bit] = column;
        }
}

#elif defined(LATCOVER_NEON)

// Source: Warren, Hacker's Delight, 7-3, two rows at a time. Of the rows x and the rows y, `Distance` further down, the
// blocks of `Distance` columns change places that lie across the diagonal. Two instructions do it, where such a block
// is a half of a number that the processor knows.
template <int Distance>
static inline void swap_blocks(uint64x2_t& x, uint64x2_t& y) {
    const uint64x2_t above = x;
    if constexpr (Distance == 32) {
        x = vsliq_n_u64(x, y, 32);
        y = vsriq_n_u64(y, above, 32);
    } else if constexpr (Distance == 16) {
        x = vreinterpretq_u64_u32(vsliq_n_u32(vreinterpretq_u32_u64(x), vreinterpretq_u32_u64(y), 16));
        y = vreinterpretq_u64_u32(vsriq_n_u32(vreinterpretq_u32_u64(y), vreinterpretq_u32_u64(above), 16));
    } else if constexpr (Distance == 8) {
        x = vreinterpretq_u64_u16(vsliq_n_u16(vreinterpretq_u16_u64(x), vreinterpretq_u16_u64(y), 8));
        y = vreinterpretq_u64_u16(vsriq_n_u16(vreinterpretq_u16_u64(y), vreinterpretq_u16_u64(above), 8));
    } else if constexpr (Distance == 4) {
        x = vreinterpretq_u64_u8(vsliq_n_u8(vreinterpretq_u8_u64(x), vreinterpretq_u8_u64(y), 4));
        y = vreinterpretq_u64_u8(vsriq_n_u8(vreinterpretq_u8_u64(y), vreinterpretq_u8_u64(above), 4));
    } else {
        const uint64x2_t mask = vdupq_n_u64(~u64{0} / ((u64{1} << Distance) + 1));
        x = vbslq_u64(mask, x, vshlq_n_u64(y, Distance));
        y = vbslq_u64(mask, vshrq_n_u64(above, Distance), y);
    }
}

static inline void transpose(const u64* rows, u64* columns, int) {
    for (int i = 0; i < 8; i += 2) {
        uint64x2_t x[8];
        for (int k = 0; k < 8; ++k) x[k] = vld1q_u64(rows + i + 8 * k);
        for (int k = 0; k < 4; ++k) swap_blocks<32>(x[k], x[k + 4]);
        for (int k = 0; k < 8; k += 4) swap_blocks<16>(x[k], x[k + 2]), swap_blocks<16>(x[k + 1], x[k + 3]);
        for (int k = 0; k < 8; k += 2) swap_blocks<8>(x[k], x[k + 1]);
        for (int k = 0; k < 8; ++k) vst1q_u64(columns + i + 8 * k, x[k]);
    }
    for (int i = 0; i < 64; i += 8) {
        uint64x2_t x[4];
        for (int k = 0; k < 4; ++k) x[k] = vld1q_u64(columns + i + 2 * k);
        swap_blocks<4>(x[0], x[2]), swap_blocks<4>(x[1], x[3]);
        swap_blocks<2>(x[0], x[1]), swap_blocks<2>(x[2], x[3]);
        for (int k = 0; k < 4; k += 2) {
            uint64x2_t even = vtrn1q_u64(x[k], x[k + 1]), odd = vtrn2q_u64(x[k], x[k + 1]);
            swap_blocks<1>(even, odd);
            vst1q_u64(columns + i + 2 * k, vtrn1q_u64(even, odd));
            vst1q_u64(columns + i + 2 * k + 2, vtrn2q_u64(even, odd));
        }
    }
}

#else

static inline void transpose(const u64* rows, u64* columns, int) {
    for (int i = 0; i < 64; ++i) columns[i] = rows[i];
    transpose_bits(columns);
}

#endif

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
