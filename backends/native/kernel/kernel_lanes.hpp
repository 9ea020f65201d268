// Vectors of 32-bit words, a word for each row of a list, in the best form that the instruction set of the unit allows.
// All forms have the same operations:
// - `load`, `store` and `in_all`, which has a word in all lanes; `&`, `|`, `^`, and shifts of each word.
// - `zeros_of`: ones in the lanes that are zero, and zeros in the others.
// - `bits_of`: a bit for each lane of such a vector; `any`: the OR of all lanes.
// - `pack`: copy the lanes of a set, one after another, from N arrays; returns how many. Whole vectors may be written.
// - `low_pairs` and `high_pairs`: the two low (high) lanes of each four lanes of x, and then of y.
// - For four lanes: `neighbours`, which swaps them in pairs, and `even_lanes`, lanes 0 and 2 as one word of 64 bits.

#pragma once

#include "kernel/kernel_bits.hpp"
#include "kernel/kernel_platform.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

inline constexpr int block_rows = 16;  // lists are read in such blocks

#if defined(LATCOVER_SSE2)

struct FourLanes {
    __m128i v;
    static FourLanes load(const u32* p) { return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))}; }
    static FourLanes in_all(u32 x) { return {_mm_set1_epi32(static_cast<int>(x))}; }
};
static inline void store(u32* p, FourLanes x) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), x.v); }
static inline FourLanes operator&(FourLanes x, FourLanes y) { return {_mm_and_si128(x.v, y.v)}; }
static inline FourLanes operator|(FourLanes x, FourLanes y) { return {_mm_or_si128(x.v, y.v)}; }
static inline FourLanes operator^(FourLanes x, FourLanes y) { return {_mm_xor_si128(x.v, y.v)}; }
static inline FourLanes operator<<(FourLanes x, int n) { return {_mm_slli_epi32(x.v, n)}; }
static inline FourLanes operator>>(FourLanes x, int n) { return {_mm_srli_epi32(x.v, n)}; }
static inline FourLanes zeros_of(FourLanes x) { return {_mm_cmpeq_epi32(x.v, _mm_setzero_si128())}; }
static inline u32 bits_of(FourLanes x) { return static_cast<u32>(_mm_movemask_ps(_mm_castsi128_ps(x.v))); }
static inline FourLanes low_pairs(FourLanes x, FourLanes y) { return {_mm_unpacklo_epi64(x.v, y.v)}; }
static inline FourLanes high_pairs(FourLanes x, FourLanes y) { return {_mm_unpackhi_epi64(x.v, y.v)}; }
static inline FourLanes neighbours(FourLanes x) { return {_mm_shuffle_epi32(x.v, 0xb1)}; }
static inline u64 even_lanes(FourLanes x) { return static_cast<u64>(_mm_cvtsi128_si64(_mm_shuffle_epi32(x.v, 0x08))); }
static inline u32 any(FourLanes x) {
    const u64 both = static_cast<u64>(_mm_cvtsi128_si64(_mm_or_si128(x.v, _mm_unpackhi_epi64(x.v, x.v))));
    return static_cast<u32>(both | both >> 32);
}

#elif defined(LATCOVER_NEON)

struct FourLanes {
    uint32x4_t v;
    static FourLanes load(const u32* p) { return {vld1q_u32(p)}; }
    static FourLanes in_all(u32 x) { return {vdupq_n_u32(x)}; }
};
static inline void store(u32* p, FourLanes x) { vst1q_u32(p, x.v); }
static inline FourLanes operator&(FourLanes x, FourLanes y) { return {vandq_u32(x.v, y.v)}; }
static inline FourLanes operator|(FourLanes x, FourLanes y) { return {vorrq_u32(x.v, y.v)}; }
static inline FourLanes operator^(FourLanes x, FourLanes y) { return {veorq_u32(x.v, y.v)}; }
static inline FourLanes operator<<(FourLanes x, int n) { return {vshlq_u32(x.v, vdupq_n_s32(n))}; }
static inline FourLanes operator>>(FourLanes x, int n) { return {vshlq_u32(x.v, vdupq_n_s32(-n))}; }
static inline FourLanes low_pairs(FourLanes x, FourLanes y) {
    return {vreinterpretq_u32_u64(vzip1q_u64(vreinterpretq_u64_u32(x.v), vreinterpretq_u64_u32(y.v)))};
}
static inline FourLanes high_pairs(FourLanes x, FourLanes y) {
    return {vreinterpretq_u32_u64(vzip2q_u64(vreinterpretq_u64_u32(x.v), vreinterpretq_u64_u32(y.v)))};
}
static inline FourLanes neighbours(FourLanes x) { return {vrev64q_u32(x.v)}; }
static inline u64 even_lanes(FourLanes x) {
    return vget_lane_u64(vreinterpret_u64_u32(vmovn_u64(vreinterpretq_u64_u32(x.v))), 0);
}
static inline u32 any(FourLanes x) {
    const u64 both = vget_lane_u64(vreinterpret_u64_u32(vorr_u32(vget_low_u32(x.v), vget_high_u32(x.v))), 0);
    return static_cast<u32>(both | both >> 32);
}
static inline FourLanes zeros_of(FourLanes x) { return {vceqzq_u32(x.v)}; }
static inline uint32x4_t four_bits(u32 lowest) {
    const u32 bits[4] = {lowest, lowest << 1, lowest << 2, lowest << 3};
    return vld1q_u32(bits);
}
static inline u32 bits_of(FourLanes x) { return vaddvq_u32(vandq_u32(x.v, four_bits(1))); }

#elif defined(LATCOVER_WASM)

struct FourLanes {
    v128_t v;
    static FourLanes load(const u32* p) { return {wasm_v128_load(p)}; }
    static FourLanes in_all(u32 x) { return {wasm_u32x4_splat(x)}; }
};
static inline void store(u32* p, FourLanes x) { wasm_v128_store(p, x.v); }
static inline FourLanes operator&(FourLanes x, FourLanes y) { return {wasm_v128_and(x.v, y.v)}; }
static inline FourLanes operator|(FourLanes x, FourLanes y) { return {wasm_v128_or(x.v, y.v)}; }
static inline FourLanes operator^(FourLanes x, FourLanes y) { return {wasm_v128_xor(x.v, y.v)}; }
static inline FourLanes operator<<(FourLanes x, int n) { return {wasm_i32x4_shl(x.v, static_cast<u32>(n))}; }
static inline FourLanes operator>>(FourLanes x, int n) { return {wasm_u32x4_shr(x.v, static_cast<u32>(n))}; }
static inline FourLanes zeros_of(FourLanes x) { return {wasm_i32x4_eq(x.v, wasm_u32x4_splat(0))}; }
static inline u32 bits_of(FourLanes x) { return wasm_i32x4_bitmask(x.v); }
static inline FourLanes low_pairs(FourLanes x, FourLanes y) { return {wasm_i64x2_shuffle(x.v, y.v, 0, 2)}; }
static inline FourLanes high_pairs(FourLanes x, FourLanes y) { return {wasm_i64x2_shuffle(x.v, y.v, 1, 3)}; }
static inline FourLanes neighbours(FourLanes x) { return {wasm_i32x4_shuffle(x.v, x.v, 1, 0, 3, 2)}; }
static inline u64 even_lanes(FourLanes x) {
    return wasm_u64x2_extract_lane(wasm_i32x4_shuffle(x.v, x.v, 0, 2, 0, 2), 0);
}
static inline u32 any(FourLanes x) {
    const u64 both = wasm_u64x2_extract_lane(x.v, 0) | wasm_u64x2_extract_lane(x.v, 1);
    return static_cast<u32>(both | both >> 32);
}

#else

// Words in an array. Compilers find vectors in these loops where there are any.
#define LANE_BY_LANE(expression)                            \
    FourLanes result;                                       \
    for (int i = 0; i < 4; ++i) result.x[i] = (expression); \
    return result
struct FourLanes {
    u32 x[4];
    static FourLanes load(const u32* p) { LANE_BY_LANE(p[i]); }
    static FourLanes in_all(u32 x) { LANE_BY_LANE(x); }
};
static inline void store(u32* p, FourLanes x) {
    for (int i = 0; i < 4; ++i) p[i] = x.x[i];
}
static inline FourLanes operator&(FourLanes x, FourLanes y) { LANE_BY_LANE(x.x[i] & y.x[i]); }
static inline FourLanes operator|(FourLanes x, FourLanes y) { LANE_BY_LANE(x.x[i] | y.x[i]); }
static inline FourLanes operator^(FourLanes x, FourLanes y) { LANE_BY_LANE(x.x[i] ^ y.x[i]); }
static inline FourLanes operator<<(FourLanes x, int n) { LANE_BY_LANE(x.x[i] << n); }
static inline FourLanes operator>>(FourLanes x, int n) { LANE_BY_LANE(x.x[i] >> n); }
static inline FourLanes zeros_of(FourLanes x) { LANE_BY_LANE(x.x[i] == 0 ? ~u32{0} : 0); }
#undef LANE_BY_LANE
static inline FourLanes low_pairs(FourLanes x, FourLanes y) { return {{x.x[0], x.x[1], y.x[0], y.x[1]}}; }
static inline FourLanes high_pairs(FourLanes x, FourLanes y) { return {{x.x[2], x.x[3], y.x[2], y.x[3]}}; }
static inline FourLanes neighbours(FourLanes x) { return {{x.x[1], x.x[0], x.x[3], x.x[2]}}; }
static inline u64 even_lanes(FourLanes x) { return x.x[0] | static_cast<u64>(x.x[2]) << 32; }
static inline u32 any(FourLanes x) { return x.x[0] | x.x[1] | x.x[2] | x.x[3]; }
static inline u32 bits_of(FourLanes x) {
    u32 bits = 0;
    for (int i = 0; i < 4; ++i) bits |= (x.x[i] & 1) << i;
    return bits;
}

#endif

#if defined(__AVX2__)

inline constexpr int lanes = 8;
struct Lanes {
    __m256i v;
    static Lanes load(const u32* p) { return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))}; }
    static Lanes in_all(u32 x) { return {_mm256_set1_epi32(static_cast<int>(x))}; }
};
static inline void store(u32* p, Lanes x) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), x.v); }
static inline Lanes operator&(Lanes x, Lanes y) { return {_mm256_and_si256(x.v, y.v)}; }
static inline Lanes operator|(Lanes x, Lanes y) { return {_mm256_or_si256(x.v, y.v)}; }
static inline Lanes operator^(Lanes x, Lanes y) { return {_mm256_xor_si256(x.v, y.v)}; }
static inline Lanes operator<<(Lanes x, int n) { return {_mm256_slli_epi32(x.v, n)}; }
static inline Lanes operator>>(Lanes x, int n) { return {_mm256_srli_epi32(x.v, n)}; }
static inline Lanes zeros_of(Lanes x) { return {_mm256_cmpeq_epi32(x.v, _mm256_setzero_si256())}; }
static inline u32 bits_of(Lanes x) { return static_cast<u32>(_mm256_movemask_ps(_mm256_castsi256_ps(x.v))); }
static inline Lanes low_pairs(Lanes x, Lanes y) { return {_mm256_unpacklo_epi64(x.v, y.v)}; }
static inline Lanes high_pairs(Lanes x, Lanes y) { return {_mm256_unpackhi_epi64(x.v, y.v)}; }
static inline FourLanes low_half(Lanes x) { return {_mm256_castsi256_si128(x.v)}; }
static inline FourLanes high_half(Lanes x) { return {_mm256_extracti128_si256(x.v, 1)}; }
static inline u32 any(Lanes x) { return any(low_half(x) | high_half(x)); }

#else

inline constexpr int lanes = 4;
using Lanes = FourLanes;

#endif

inline constexpr int block_vectors = block_rows / lanes;
static inline Lanes load(const u32* p) { return Lanes::load(p); }
static inline Lanes in_all(u32 x) { return Lanes::in_all(x); }
static inline Lanes& operator&=(Lanes& x, Lanes y) { return x = x & y; }
static inline Lanes& operator|=(Lanes& x, Lanes y) { return x = x | y; }
static inline Lanes& operator^=(Lanes& x, Lanes y) { return x = x ^ y; }

// `bits_of` for a whole block.
static inline u32 bits_of_block(const Lanes* x) {
#if defined(LATCOVER_SSE2) && !defined(__AVX2__)
    const __m128i low = _mm_packs_epi32(x[0].v, x[1].v), high = _mm_packs_epi32(x[2].v, x[3].v);
    return static_cast<u32>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
#elif defined(LATCOVER_NEON)
    const uint32x4_t low = vorrq_u32(vandq_u32(x[0].v, four_bits(1)), vandq_u32(x[1].v, four_bits(1 << 4)));
    const uint32x4_t high = vorrq_u32(vandq_u32(x[2].v, four_bits(1 << 8)), vandq_u32(x[3].v, four_bits(1 << 12)));
    return vaddvq_u32(vorrq_u32(low, high));
#elif defined(LATCOVER_WASM)
    const v128_t low = wasm_i16x8_narrow_i32x4(x[0].v, x[1].v), high = wasm_i16x8_narrow_i32x4(x[2].v, x[3].v);
    return wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8(low, high));
#else
    u32 bits = 0;
    for (int i = 0; i < block_vectors; ++i) bits |= bits_of(x[i]) << i * lanes;
    return bits;
#endif
}

#if defined(__AVX2__)

// For each set of eight lanes, the numbers of these lanes.
struct Packing {
    alignas(64) unsigned char order[256][8];
    constexpr Packing() : order() {
        for (int set = 0; set < 256; ++set)
            for (int lane = 0, n = 0; lane < 8; ++lane)
                if (set >> lane & 1) order[set][n++] = static_cast<unsigned char>(lane);
    }
};
inline constexpr Packing packing;

template <int N>
static inline int pack(const u32* from, std::size_t from_stride, u32 set, u32* to, std::size_t to_stride) {
    const __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(packing.order[set])));
    for (int k = 0; k < N; ++k)
        store(to + k * to_stride, Lanes{_mm256_permutevar8x32_epi32(load(from + k * from_stride).v, order)});
    return Bits::count(set);
}

#elif defined(__SSSE3__) || defined(LATCOVER_NEON) || defined(LATCOVER_WASM)

// For each set of four lanes, the numbers of the bytes of these lanes, from the lowest byte of a word to its highest.
struct Packing {
    alignas(64) u32 order[16][4];
    constexpr Packing() : order() {
        for (int set = 0; set < 16; ++set)
            for (u32 lane = 0, n = 0; lane < 4; ++lane)
                if (set >> lane & 1) order[set][n++] = 0x03020100 + lane * 0x04040404;
    }
};
inline constexpr Packing packing;

static inline FourLanes in_order(FourLanes x, FourLanes order) {
#if defined(LATCOVER_NEON)
    return {vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(x.v), vreinterpretq_u8_u32(order.v)))};
#elif defined(LATCOVER_WASM)
    return {wasm_i8x16_swizzle(x.v, order.v)};
#else
    return {_mm_shuffle_epi8(x.v, order.v)};
#endif
}

template <int N>
static inline int pack(const u32* from, std::size_t from_stride, u32 set, u32* to, std::size_t to_stride) {
    const FourLanes order = load(packing.order[set]);
    for (int k = 0; k < N; ++k) store(to + k * to_stride, in_order(load(from + k * from_stride), order));
    return Bits::count(set);
}

#else

template <int N>
static inline int pack(const u32* from, std::size_t from_stride, u32 set, u32* to, std::size_t to_stride) {
    const u32* const begin = to;
    for (int i = 0; i < lanes; ++i) {
        for (int k = 0; k < N; ++k) to[k * to_stride] = from[k * from_stride + i];
        to += set >> i & 1;
    }
    return static_cast<int>(to - begin);
}

#endif

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
