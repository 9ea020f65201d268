// Vectors of octets, and the keys of their columns, in the best form that the instruction set of the unit allows. All
// forms have the same operations. Addresses of vectors are multiples of their size.
// - `load`, `store` and `in_all`, which has a number in all octets; `&`, `|`, `+`.
// - `without`: the bits of x that y does not have.
// - `zeros_of`: 255 in the octets that are 0, and 0 in the others; `any`: whether an octet is not 0.
// - `bits_in`: the number of bits in each octet.
// - `even_keys` and `odd_keys`: words of 16 bits, the *keys* of the even (odd) octets. The octet is the high half of a
//   key; the low half is the number of the column, whose word `word_of` makes. `Keys::worst` is no less than any key.
// - `lesser`: the lesser one of each two keys; `least`: the least of all keys.

#pragma once

#include "kernel/kernel_platform.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

using u8 = unsigned char;

#if defined(__AVX512BITALG__)

inline constexpr int octets = 64;
struct Octets {
    __m512i v;
    static Octets load(const u8* p) { return {_mm512_load_si512(p)}; }
    static Octets in_all(u8 x) { return {_mm512_set1_epi8(static_cast<char>(x))}; }
};
static inline void store(u8* p, Octets x) { _mm512_store_si512(p, x.v); }
static inline Octets operator&(Octets x, Octets y) { return {_mm512_and_si512(x.v, y.v)}; }
static inline Octets operator|(Octets x, Octets y) { return {_mm512_or_si512(x.v, y.v)}; }
static inline Octets operator+(Octets x, Octets y) { return {_mm512_add_epi8(x.v, y.v)}; }
static inline Octets without(Octets x, Octets y) { return {_mm512_andnot_si512(y.v, x.v)}; }
static inline Octets zeros_of(Octets x) { return {_mm512_movm_epi8(_mm512_testn_epi8_mask(x.v, x.v))}; }
static inline bool any(Octets x) { return _mm512_test_epi32_mask(x.v, x.v) != 0; }
static inline Octets bits_in(Octets x) { return {_mm512_popcnt_epi8(x.v)}; }

struct Keys {
    __m512i v;
    static Keys load(const u16* p) { return {_mm512_load_si512(p)}; }
    static Keys worst() { return {_mm512_set1_epi16(-1)}; }
};
static inline Keys even_keys(Octets x, Keys columns) { return {_mm512_or_si512(_mm512_slli_epi16(x.v, 8), columns.v)}; }
static inline Keys odd_keys(Octets x, Keys columns) {
    return {_mm512_or_si512(_mm512_and_si512(x.v, _mm512_set1_epi16(-256)), columns.v)};
}
static inline Keys lesser(Keys x, Keys y) { return {_mm512_min_epu16(x.v, y.v)}; }

#elif defined(__AVX2__)

inline constexpr int octets = 32;
struct Octets {
    __m256i v;
    static Octets load(const u8* p) { return {_mm256_load_si256(reinterpret_cast<const __m256i*>(p))}; }
    static Octets in_all(u8 x) { return {_mm256_set1_epi8(static_cast<char>(x))}; }
};
static inline void store(u8* p, Octets x) { _mm256_store_si256(reinterpret_cast<__m256i*>(p), x.v); }
static inline Octets operator&(Octets x, Octets y) { return {_mm256_and_si256(x.v, y.v)}; }
static inline Octets operator|(Octets x, Octets y) { return {_mm256_or_si256(x.v, y.v)}; }
static inline Octets operator+(Octets x, Octets y) { return {_mm256_add_epi8(x.v, y.v)}; }
static inline Octets without(Octets x, Octets y) { return {_mm256_andnot_si256(y.v, x.v)}; }
static inline Octets zeros_of(Octets x) { return {_mm256_cmpeq_epi8(x.v, _mm256_setzero_si256())}; }
static inline bool any(Octets x) { return !_mm256_testz_si256(x.v, x.v); }
static inline Octets bits_in(Octets x) {
    const __m256i bits = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  // for each half
                                          0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15), high = _mm256_and_si256(_mm256_srli_epi16(x.v, 4), low);
    return {_mm256_add_epi8(_mm256_shuffle_epi8(bits, _mm256_and_si256(x.v, low)), _mm256_shuffle_epi8(bits, high))};
}

struct Keys {
    __m256i v;
    static Keys load(const u16* p) { return {_mm256_load_si256(reinterpret_cast<const __m256i*>(p))}; }
    static Keys worst() { return {_mm256_set1_epi16(-1)}; }
};
static inline Keys even_keys(Octets x, Keys columns) { return {_mm256_or_si256(_mm256_slli_epi16(x.v, 8), columns.v)}; }
static inline Keys odd_keys(Octets x, Keys columns) {
    return {_mm256_or_si256(_mm256_and_si256(x.v, _mm256_set1_epi16(-256)), columns.v)};
}
static inline Keys lesser(Keys x, Keys y) { return {_mm256_min_epu16(x.v, y.v)}; }

#elif defined(LATCOVER_SSE2)

inline constexpr int octets = 16;
struct Octets {
    __m128i v;
    static Octets load(const u8* p) { return {_mm_load_si128(reinterpret_cast<const __m128i*>(p))}; }
    static Octets in_all(u8 x) { return {_mm_set1_epi8(static_cast<char>(x))}; }
};
static inline void store(u8* p, Octets x) { _mm_store_si128(reinterpret_cast<__m128i*>(p), x.v); }
static inline Octets operator&(Octets x, Octets y) { return {_mm_and_si128(x.v, y.v)}; }
static inline Octets operator|(Octets x, Octets y) { return {_mm_or_si128(x.v, y.v)}; }
static inline Octets operator+(Octets x, Octets y) { return {_mm_add_epi8(x.v, y.v)}; }
static inline Octets without(Octets x, Octets y) { return {_mm_andnot_si128(y.v, x.v)}; }
static inline Octets zeros_of(Octets x) { return {_mm_cmpeq_epi8(x.v, _mm_setzero_si128())}; }
static inline bool any(Octets x) { return _mm_movemask_epi8(zeros_of(x).v) != 0xffff; }
static inline Octets bits_in(Octets x) {
#if defined(__SSSE3__)
    const __m128i bits = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m128i low = _mm_set1_epi8(15), high = _mm_and_si128(_mm_srli_epi16(x.v, 4), low);
    return {_mm_add_epi8(_mm_shuffle_epi8(bits, _mm_and_si128(x.v, low)), _mm_shuffle_epi8(bits, high))};
#else
    const __m128i pair = _mm_set1_epi8(0x55), four = _mm_set1_epi8(0x33), eight = _mm_set1_epi8(0x0f);
    __m128i n = _mm_sub_epi8(x.v, _mm_and_si128(_mm_srli_epi16(x.v, 1), pair));
    n = _mm_add_epi8(_mm_and_si128(n, four), _mm_and_si128(_mm_srli_epi16(n, 2), four));
    return {_mm_and_si128(_mm_add_epi8(n, _mm_srli_epi16(n, 4)), eight)};
#endif
}

// Without SSE4.1 numbers of 16 bits are compared with signs. So a key is 2^15 less than it means, and the word of a
// column brings that.
struct Keys {
    __m128i v;
    static Keys load(const u16* p) { return {_mm_load_si128(reinterpret_cast<const __m128i*>(p))}; }
#if defined(__SSE4_1__)
    static Keys worst() { return {_mm_set1_epi16(-1)}; }
#else
    static Keys worst() { return {_mm_set1_epi16(0x7fff)}; }
#endif
};
static inline Keys even_keys(Octets x, Keys columns) { return {_mm_xor_si128(_mm_slli_epi16(x.v, 8), columns.v)}; }
static inline Keys odd_keys(Octets x, Keys columns) {
    return {_mm_xor_si128(_mm_and_si128(x.v, _mm_set1_epi16(-256)), columns.v)};
}
#if !defined(__SSE4_1__)
static inline u16 word_of(int column) { return static_cast<u16>(column + 0x8000); }
static inline Keys lesser(Keys x, Keys y) { return {_mm_min_epi16(x.v, y.v)}; }
static inline u32 least(Keys x) {
    x = lesser(x, {_mm_srli_si128(x.v, 8)});
    x = lesser(x, {_mm_srli_si128(x.v, 4)});
    x = lesser(x, {_mm_srli_si128(x.v, 2)});
    return (static_cast<u32>(_mm_cvtsi128_si32(x.v)) ^ 0x8000) & 0xffff;
}
#else
static inline Keys lesser(Keys x, Keys y) { return {_mm_min_epu16(x.v, y.v)}; }
#endif

#elif defined(LATCOVER_NEON)

inline constexpr int octets = 16;
struct Octets {
    uint8x16_t v;
    static Octets load(const u8* p) { return {vld1q_u8(p)}; }
    static Octets in_all(u8 x) { return {vdupq_n_u8(x)}; }
};
static inline void store(u8* p, Octets x) { vst1q_u8(p, x.v); }
static inline Octets operator&(Octets x, Octets y) { return {vandq_u8(x.v, y.v)}; }
static inline Octets operator|(Octets x, Octets y) { return {vorrq_u8(x.v, y.v)}; }
static inline Octets operator+(Octets x, Octets y) { return {vaddq_u8(x.v, y.v)}; }
static inline Octets without(Octets x, Octets y) { return {vbicq_u8(x.v, y.v)}; }
static inline Octets zeros_of(Octets x) { return {vceqzq_u8(x.v)}; }
static inline bool any(Octets x) { return vmaxvq_u32(vreinterpretq_u32_u8(x.v)) != 0; }
static inline Octets bits_in(Octets x) { return {vcntq_u8(x.v)}; }

struct Keys {
    uint16x8_t v;
    static Keys load(const u16* p) { return {vld1q_u16(p)}; }
    static Keys worst() { return {vdupq_n_u16(0xffff)}; }
};
static inline Keys even_keys(Octets x, Keys columns) { return {vsliq_n_u16(columns.v, vreinterpretq_u16_u8(x.v), 8)}; }
static inline Keys odd_keys(Octets x, Keys columns) {
    return {vbslq_u16(vdupq_n_u16(0xff00), vreinterpretq_u16_u8(x.v), columns.v)};
}
static inline Keys lesser(Keys x, Keys y) { return {vminq_u16(x.v, y.v)}; }
static inline u32 least(Keys x) { return vminvq_u16(x.v); }

#elif defined(LATCOVER_WASM)

inline constexpr int octets = 16;
struct Octets {
    v128_t v;
    static Octets load(const u8* p) { return {wasm_v128_load(p)}; }
    static Octets in_all(u8 x) { return {wasm_u8x16_splat(x)}; }
};
static inline void store(u8* p, Octets x) { wasm_v128_store(p, x.v); }
static inline Octets operator&(Octets x, Octets y) { return {wasm_v128_and(x.v, y.v)}; }
static inline Octets operator|(Octets x, Octets y) { return {wasm_v128_or(x.v, y.v)}; }
static inline Octets operator+(Octets x, Octets y) { return {wasm_i8x16_add(x.v, y.v)}; }
static inline Octets without(Octets x, Octets y) { return {wasm_v128_andnot(x.v, y.v)}; }
static inline Octets zeros_of(Octets x) { return {wasm_i8x16_eq(x.v, wasm_u8x16_splat(0))}; }
static inline bool any(Octets x) { return wasm_v128_any_true(x.v); }
static inline Octets bits_in(Octets x) { return {wasm_i8x16_popcnt(x.v)}; }

struct Keys {
    v128_t v;
    static Keys load(const u16* p) { return {wasm_v128_load(p)}; }
    static Keys worst() { return {wasm_u16x8_splat(0xffff)}; }
};
static inline Keys even_keys(Octets x, Keys columns) { return {wasm_v128_or(wasm_i16x8_shl(x.v, 8), columns.v)}; }
static inline Keys odd_keys(Octets x, Keys columns) {
    return {wasm_v128_or(wasm_v128_and(x.v, wasm_u16x8_splat(0xff00)), columns.v)};
}
static inline Keys lesser(Keys x, Keys y) { return {wasm_u16x8_min(x.v, y.v)}; }
static inline u32 least(Keys x) {
    x = lesser(x, {wasm_i64x2_shuffle(x.v, x.v, 1, 0)});
    x = lesser(x, {wasm_i32x4_shuffle(x.v, x.v, 1, 0, 3, 2)});
    x = lesser(x, {wasm_u32x4_shr(x.v, 16)});
    return wasm_u16x8_extract_lane(x.v, 0);
}

#else

// Numbers in an array. Compilers find vectors in these loops where there are any.
inline constexpr int octets = 16;
#define EACH_OCTET(expression)                                                  \
    Octets result;                                                              \
    for (int i = 0; i < octets; ++i) result.x[i] = static_cast<u8>(expression); \
    return result
#define EACH_KEY(expression)                                                         \
    Keys result;                                                                     \
    for (int i = 0; i < octets / 2; ++i) result.x[i] = static_cast<u16>(expression); \
    return result
struct Octets {
    u8 x[octets];
    static Octets load(const u8* p) { EACH_OCTET(p[i]); }
    static Octets in_all(u8 x) { EACH_OCTET(x); }
};
static inline void store(u8* p, Octets x) {
    for (int i = 0; i < octets; ++i) p[i] = x.x[i];
}
static inline Octets operator&(Octets x, Octets y) { EACH_OCTET(x.x[i] & y.x[i]); }
static inline Octets operator|(Octets x, Octets y) { EACH_OCTET(x.x[i] | y.x[i]); }
static inline Octets operator+(Octets x, Octets y) { EACH_OCTET(x.x[i] + y.x[i]); }
static inline Octets without(Octets x, Octets y) { EACH_OCTET(x.x[i] & ~y.x[i]); }
static inline Octets zeros_of(Octets x) { EACH_OCTET(x.x[i] == 0 ? 255 : 0); }
static inline bool any(Octets x) {
    u32 all = 0;
    for (const u8 octet : x.x) all |= octet;
    return all != 0;
}
static inline Octets bits_in(Octets x) {
    const auto pairs = [](u32 n) { return n - (n >> 1 & 0x55); };
    const auto fours = [](u32 n) { return (n & 0x33) + (n >> 2 & 0x33); };
    const auto eights = [](u32 n) { return (n + (n >> 4)) & 0x0f; };
    EACH_OCTET(eights(fours(pairs(x.x[i]))));
}

struct Keys {
    u16 x[octets / 2];
    static Keys load(const u16* p) { EACH_KEY(p[i]); }
    static Keys worst() { EACH_KEY(0xffff); }
};
static inline Keys even_keys(Octets x, Keys columns) { EACH_KEY(x.x[2 * i] << 8 | columns.x[i]); }
static inline Keys odd_keys(Octets x, Keys columns) { EACH_KEY(x.x[2 * i + 1] << 8 | columns.x[i]); }
static inline Keys lesser(Keys x, Keys y) { EACH_KEY(x.x[i] < y.x[i] ? x.x[i] : y.x[i]); }
#undef EACH_OCTET
#undef EACH_KEY
static inline u32 least(Keys x) {
    u32 key = x.x[0];
    for (const u16 each : x.x) key = each < key ? each : key;
    return key;
}

#endif

#if defined(__SSE4_1__)
static inline u32 least(Keys x) {
#if defined(__AVX512BITALG__)
    const __m256i half =
        _mm256_min_epu16(_mm512_maskz_extracti64x4_epi64(0xff, x.v, 0), _mm512_maskz_extracti64x4_epi64(0xff, x.v, 1));
    const __m128i v = _mm_min_epu16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
#elif defined(__AVX2__)
    const __m128i v = _mm_min_epu16(_mm256_castsi256_si128(x.v), _mm256_extracti128_si256(x.v, 1));
#else
    const __m128i v = x.v;
#endif
    return static_cast<u32>(_mm_cvtsi128_si32(_mm_minpos_epu16(v))) & 0xffff;
}
#endif
#if defined(__SSE4_1__) || !defined(LATCOVER_SSE2)
static inline u16 word_of(int column) { return static_cast<u16>(column); }
#endif

static inline Octets& operator|=(Octets& x, Octets y) { return x = x | y; }
static inline Octets& operator+=(Octets& x, Octets y) { return x = x + y; }

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
