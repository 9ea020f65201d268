// `fewest` finds the column with the fewest active rows, in the best form that the instruction set of the unit allows.
// - `a`: word w of the bitmap of column c is a[w * stride + c]. Here column 0 is the first column of a word of columns.
// - `active`: bitmap of the rows that count.
// - `U` or, where U is 0, `u`: the number of words of rows.
// - `need`: bitmap of the columns to choose from.
// - `column`: the number of column 0.
// Returns the key of the column, or no_column.

#pragma once

#include "kernel/kernel_bits.hpp"
#include "kernel/kernel_platform.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

#if defined(__AVX512VPOPCNTDQ__)

template <int U>
static inline u32 fewest(const u64* a, std::size_t stride, const u64* active, int u, u64 need, u32 column) {
    const __m512i lane = _mm512_slli_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), 48);
    __m512i number = _mm512_add_epi64(lane, _mm512_set1_epi64(static_cast<long long>(u64{column} << 48)));
    const __m512i step = _mm512_set1_epi64(static_cast<long long>(u64{8} << 48));
    __m512i best = _mm512_set1_epi64(-1);
    for (; need; need >>= 8, a += 8) {
        __m512i sum = _mm512_popcnt_epi64(
            _mm512_and_si512(_mm512_loadu_si512(a), _mm512_set1_epi64(static_cast<long long>(active[0]))));
        const int n = U ? U : u;
        for (int w = 1; w < n; ++w)
            sum = _mm512_add_epi64(
                sum, _mm512_popcnt_epi64(_mm512_and_si512(_mm512_loadu_si512(a + w * stride),
                                                          _mm512_set1_epi64(static_cast<long long>(active[w])))));
        best =
            _mm512_mask_min_epu64(best, static_cast<__mmask8>(need), best, _mm512_shldi_epi64(sum, number, key_shift));
        number = _mm512_add_epi64(number, step);
    }
    return static_cast<u32>(_mm512_reduce_min_epu64(best));
}

#elif defined(__AVX2__)

template <int U>
static inline u32 fewest(const u64* a, std::size_t stride, const u64* active, int u, u64 need, u32 column) {
    alignas(32) static constexpr u64 lanes[16][4] = {
#define LANES(n) { n & 1 ? 0 : ~u64{0}, n & 2 ? 0 : ~u64{0}, n & 4 ? 0 : ~u64{0}, n & 8 ? 0 : ~u64{0} }
        LANES(0), LANES(1), LANES(2),  LANES(3),  LANES(4),  LANES(5),  LANES(6),  LANES(7),
        LANES(8), LANES(9), LANES(10), LANES(11), LANES(12), LANES(13), LANES(14), LANES(15)};
#undef LANES
    const __m256i nibble_counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  // for each half
                                                   0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low_nibbles = _mm256_set1_epi8(15);
    const __m256i zero = _mm256_setzero_si256();
    __m256i number = _mm256_add_epi64(_mm256_setr_epi64x(0, 1, 2, 3), _mm256_set1_epi64x(column));
    const __m256i step = _mm256_set1_epi64x(4);
    __m256i best = _mm256_set1_epi64x(-1);
    const int n = U ? U : u;
    for (; need; need >>= 4, a += 4) {
        __m256i sum = zero;
        for (int first = 0; first < n; first += 31) {  // a byte can hold 31 counts of at most 8
            __m256i bytes = zero;
            for (int w = first; w < n && w < first + 31; ++w) {
                const __m256i x = _mm256_and_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + w * stride)),
                                                   _mm256_set1_epi64x(static_cast<long long>(active[w])));
                const __m256i high = _mm256_and_si256(_mm256_srli_epi16(x, 4), low_nibbles);
                bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(nibble_counts, _mm256_and_si256(x, low_nibbles)));
                bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(nibble_counts, high));
            }
            sum = _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, zero));
        }
        const __m256i key = _mm256_or_si256(_mm256_slli_epi64(sum, key_shift), number);
        const __m256i unneeded = _mm256_load_si256(reinterpret_cast<const __m256i*>(lanes[need & 15]));
        best = _mm256_min_epu32(best, _mm256_or_si256(key, unneeded));
        number = _mm256_add_epi64(number, step);
    }
    __m128i least = _mm_min_epu32(_mm256_castsi256_si128(best), _mm256_extracti128_si256(best, 1));
    least = _mm_min_epu32(least, _mm_unpackhi_epi64(least, least));
    return static_cast<u32>(_mm_cvtsi128_si32(least));
}

#elif defined(LATCOVER_NEON)

// Four columns at a time.
template <int U>
static inline u32 fewest(const u64* a, std::size_t stride, const u64* active, int u, u64 need, u32 column) {
    alignas(64) static constexpr u32 unneeded[16][4] = {
#define COLUMNS(n) {n & 1 ? 0 : no_column, n & 2 ? 0 : no_column, n & 4 ? 0 : no_column, n & 8 ? 0 : no_column}
        COLUMNS(0), COLUMNS(1), COLUMNS(2),  COLUMNS(3),  COLUMNS(4),  COLUMNS(5),  COLUMNS(6),  COLUMNS(7),
        COLUMNS(8), COLUMNS(9), COLUMNS(10), COLUMNS(11), COLUMNS(12), COLUMNS(13), COLUMNS(14), COLUMNS(15)};
#undef COLUMNS
    static constexpr u32 first_numbers[4] = {0, 1, 2, 3};
    uint32x4_t number = vaddq_u32(vld1q_u32(first_numbers), vdupq_n_u32(column));
    uint32x4_t best = vdupq_n_u32(no_column);
    const int n = U ? U : u;
    for (; need; need >>= 4, a += 4) {
        uint32x4_t sum = vdupq_n_u32(0);
        for (int first = 0; first < n; first += 31) {  // a byte can hold 31 counts of at most 8
            uint8x16_t low = vdupq_n_u8(0), high = low;
            for (int w = first; w < n && w < first + 31; ++w) {
                const uint64x2_t alive = vdupq_n_u64(active[w]);
                const u64* const columns = a + static_cast<std::size_t>(w) * stride;
                low = vaddq_u8(low, vcntq_u8(vreinterpretq_u8_u64(vandq_u64(vld1q_u64(columns), alive))));
                high = vaddq_u8(high, vcntq_u8(vreinterpretq_u8_u64(vandq_u64(vld1q_u64(columns + 2), alive))));
            }
            sum = vpadalq_u16(sum, vpaddq_u16(vpaddlq_u8(low), vpaddlq_u8(high)));
        }
        const uint32x4_t key = vsliq_n_u32(number, sum, key_shift);
        best = vminq_u32(best, vorrq_u32(key, vld1q_u32(unneeded[need & 15])));
        number = vaddq_u32(number, vdupq_n_u32(4));
    }
    return vminvq_u32(best);
}

#elif defined(LATCOVER_SSE2)

// Two columns at a time. The counts of three words are summed in fields of four bits, which cannot overflow.
template <int U>
static inline u32 fewest(const u64* a, std::size_t stride, const u64* active, int u, u64 need, u32 column) {
    alignas(16) static constexpr u64 lanes[4][2] = {{~u64{0}, ~u64{0}}, {0, ~u64{0}}, {~u64{0}, 0}, {0, 0}};
    const __m128i ones = _mm_set1_epi8(0x55), twos = _mm_set1_epi8(0x33), fours = _mm_set1_epi8(0x0f);
    const __m128i zero = _mm_setzero_si128(), sign = _mm_set1_epi32(static_cast<int>(0x80000000u));
    __m128i number = _mm_set_epi64x(column + 1, column);
    const __m128i step = _mm_set1_epi64x(2);
    __m128i best = _mm_set1_epi32(0x7fffffff);  // keys minus 2^31: SSE2 compares signed numbers only
    const int n = U ? U : u;
    for (; need; need >>= 2, a += 2) {
        __m128i sum = zero;
        for (int first = 0; first < n; first += 3) {
            __m128i fields = zero;
            for (int w = first; w < n && w < first + 3; ++w) {
                __m128i x = _mm_and_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a + w * stride)),
                                          _mm_set1_epi64x(static_cast<long long>(active[w])));
                x = _mm_sub_epi8(x, _mm_and_si128(_mm_srli_epi64(x, 1), ones));
                fields = _mm_add_epi8(fields, _mm_and_si128(x, twos));
                fields = _mm_add_epi8(fields, _mm_and_si128(_mm_srli_epi64(x, 2), twos));
            }
            const __m128i bytes =
                _mm_add_epi8(_mm_and_si128(fields, fours), _mm_and_si128(_mm_srli_epi64(fields, 4), fours));
            sum = _mm_add_epi64(sum, _mm_sad_epu8(bytes, zero));
        }
        __m128i key = _mm_or_si128(_mm_slli_epi64(sum, key_shift), number);
        key = _mm_xor_si128(_mm_or_si128(key, _mm_load_si128(reinterpret_cast<const __m128i*>(lanes[need & 3]))), sign);
        const __m128i less = _mm_cmpgt_epi32(best, key);
        best = _mm_or_si128(_mm_and_si128(less, key), _mm_andnot_si128(less, best));
        number = _mm_add_epi64(number, step);
    }
    best = _mm_xor_si128(best, sign);
    const u32 even = static_cast<u32>(_mm_cvtsi128_si32(best));
    const u32 odd = static_cast<u32>(_mm_cvtsi128_si32(_mm_unpackhi_epi64(best, best)));
    return odd < even ? odd : even;
}

#else

template <int U>
static inline u32 fewest(const u64* a, std::size_t stride, const u64* active, int u, u64 need, u32 column) {
    u32 best = no_column;
    const int n = U ? U : u;
    for (; need; need &= need - 1) {
        const int c = Bits::first(need);
        u32 sum = 0;
        for (int w = 0; w < n; ++w) sum += static_cast<u32>(Bits::count(a[w * stride + c] & active[w]));
        const u32 key = sum << key_shift | (column + static_cast<u32>(c));
        best = key < best ? key : best;
    }
    return best;
}

#endif

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
