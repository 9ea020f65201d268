// The kernel's ways with bits, in the best form that the unit's instruction set allows:
//
// - `fewest`: of the columns named by a bitmap, the one with the fewest active rows;
// - `transpose`: 64 rows of 64 bits into 64 columns;
// - `extract` and its like.
//
// require: included inside the unit's namespace.

struct Bits {
    static int count(u64 x) {
#if defined(__x86_64__) && !defined(__POPCNT__)
        x -= x >> 1 & 0x5555555555555555;
        x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
        return static_cast<int>(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
#else
        return __builtin_popcountll(x);
#endif
    }
    static int first(u64 x) { return __builtin_ctzll(x); }  // x != 0
    static int first_or_64(u64 x) {
#if defined(__BMI__)
        return static_cast<int>(_tzcnt_u64(x));
#else
        return x ? __builtin_ctzll(x) : 64;
#endif
    }
    // The bits of x at the places that `mask` names, moved together.
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

// The same for many words and one mask: Warren, Hacker's Delight, 7-4.
class Extraction {
public:
    explicit Extraction(u64 mask) : mask_(mask) {
#if !defined(__BMI2__)
        u64 gaps = ~mask << 1;  // below each bit
        for (int step = 0; step < 6; ++step) {
            u64 parity = gaps;  // of the gaps up to each bit
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
    u64 moves_[6];
};

// The lowest n bits.
static inline u64 low_bits(int n) { return n >= 64 ? ~u64{0} : n <= 0 ? 0 : (u64{1} << n) - 1; }

// A key names a column and how many ways there are to cover it: ways << 16 | column. The least key is the best column.
inline constexpr u32 no_column = 0xffffffff;  // nothing is pending
inline constexpr int key_shift = 16;

#if defined(__AVX512VPOPCNTDQ__)

template <int U>
static inline u32 fewest(const u64* a, std::size_t stride, const u64* active, int u, u64 need, u32 column) {
    const __m512i lane = _mm512_slli_epi64(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), 48);
    __m512i number = _mm512_add_epi64(lane, _mm512_set1_epi64(static_cast<long long>(u64{column} << 48)));
    const __m512i step = _mm512_set1_epi64(static_cast<long long>(u64{8} << 48));
    __m512i best = _mm512_set1_epi64(-1);
    for (; need; need >>= 8, a += 8) {
        __m512i sum = _mm512_popcnt_epi64(_mm512_and_si512(_mm512_loadu_si512(a), _mm512_set1_epi64(static_cast<long long>(active[0]))));
        const int n = U ? U : u;
        for (int w = 1; w < n; ++w)
            sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_and_si512(
                _mm512_loadu_si512(a + w * stride), _mm512_set1_epi64(static_cast<long long>(active[w])))));
        best = _mm512_mask_min_epu64(best, static_cast<__mmask8>(need), best, _mm512_shldi_epi64(sum, number, key_shift));
        number = _mm512_add_epi64(number, step);
    }
    return static_cast<u32>(_mm512_reduce_min_epu64(best));
}

#elif defined(__AVX2__)

template <int U>
static inline u32 fewest(const u64* a, std::size_t stride, const u64* active, int u, u64 need, u32 column) {
    alignas(32) static constexpr u64 lanes[16][4] = {
#define LANES(n) {n & 1 ? 0 : ~u64{0}, n & 2 ? 0 : ~u64{0}, n & 4 ? 0 : ~u64{0}, n & 8 ? 0 : ~u64{0}}
        LANES(0), LANES(1), LANES(2), LANES(3), LANES(4), LANES(5), LANES(6), LANES(7), LANES(8), LANES(9), LANES(10),
        LANES(11), LANES(12), LANES(13), LANES(14), LANES(15)};
#undef LANES
    const __m256i nibble_counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                                   0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low_nibbles = _mm256_set1_epi8(15);
    const __m256i zero = _mm256_setzero_si256();
    __m256i number = _mm256_add_epi64(_mm256_setr_epi64x(0, 1, 2, 3), _mm256_set1_epi64x(column));
    const __m256i step = _mm256_set1_epi64x(4);
    __m256i best = _mm256_set1_epi64x(-1);
    const int n = U ? U : u;
    for (; need; need >>= 4, a += 4) {
        __m256i sum = zero;
        for (int first = 0; first < n; first += 31) {  // a byte holds 31 counts of 8
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

#elif defined(__SSE2__) && !defined(__POPCNT__)

// Two columns at a time. The fields of four bits in which the counts of three words are summed cannot overflow.
template <int U>
static inline u32 fewest(const u64* a, std::size_t stride, const u64* active, int u, u64 need, u32 column) {
    alignas(16) static constexpr u64 lanes[4][2] = {
        {~u64{0}, ~u64{0}}, {0, ~u64{0}}, {~u64{0}, 0}, {0, 0}};
    const __m128i ones = _mm_set1_epi8(0x55), twos = _mm_set1_epi8(0x33), fours = _mm_set1_epi8(0x0f);
    const __m128i zero = _mm_setzero_si128(), sign = _mm_set1_epi32(static_cast<int>(0x80000000u));
    __m128i number = _mm_set_epi64x(column + 1, column);
    const __m128i step = _mm_set1_epi64x(2);
    __m128i best = _mm_set1_epi32(0x7fffffff);  // of keys less 2^31, as only signed numbers can be compared
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
            const __m128i bytes = _mm_add_epi8(_mm_and_si128(fields, fours),
                                               _mm_and_si128(_mm_srli_epi64(fields, 4), fours));
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

#if defined(__GFNI__) && defined(__AVX512VBMI__)

// Bytes within each 8 x 8 block by one permutation, bits by a multiplication with the unit matrix, blocks by shuffles.
static inline void transpose(const u64* rows, u64* columns, int) {
    const __m512i bytes = _mm512_set_epi64(0x3f372f271f170f07, 0x3e362e261e160e06, 0x3d352d251d150d05,
                                           0x3c342c241c140c04, 0x3b332b231b130b03, 0x3a322a221a120a02,
                                           0x3931292119110901, 0x3830282018100800);
    // The multiplication takes a block's first row from its highest byte, so the rows go in upside down.
    const __m512i upside_down = _mm512_set_epi64(0x070f171f272f373f, 0x060e161e262e363e, 0x050d151d252d353d,
                                                 0x040c141c242c343c, 0x030b131b232b333b, 0x020a121a222a323a,
                                                 0x0109111921293139, 0x0008101820283038);
    const __m512i unit = _mm512_set1_epi64(static_cast<long long>(0x8040201008040201));
    __m512i x[8], y[8];
    for (int i = 0; i < 8; ++i)
        x[i] = _mm512_gf2p8affine_epi64_epi8(
            unit, _mm512_permutexvar_epi8(upside_down, _mm512_loadu_si512(rows + 8 * i)), 0);
    for (int i = 0; i < 8; i += 2) {
        y[i] = _mm512_unpacklo_epi64(x[i], x[i + 1]);
        y[i + 1] = _mm512_unpackhi_epi64(x[i], x[i + 1]);
    }
    // y[2i + p], lane l: rows 16i.. and 16i + 8.., byte plane 2l + p
    const __m512i low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0);
    const __m512i high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    for (int p = 0; p < 2; ++p) {
        const __m512i a = _mm512_permutex2var_epi64(y[p], low, y[p + 2]);       // planes p, p + 4: rows 0 - 31
        const __m512i b = _mm512_permutex2var_epi64(y[p], high, y[p + 2]);      // planes p + 2, p + 6
        const __m512i c = _mm512_permutex2var_epi64(y[p + 4], low, y[p + 6]);   // rows 32 - 63
        const __m512i d = _mm512_permutex2var_epi64(y[p + 4], high, y[p + 6]);
        x[p] = _mm512_shuffle_i64x2(a, c, 0x44);
        x[p + 4] = _mm512_shuffle_i64x2(a, c, 0xee);
        x[p + 2] = _mm512_shuffle_i64x2(b, d, 0x44);
        x[p + 6] = _mm512_shuffle_i64x2(b, d, 0xee);
    }
    for (int k = 0; k < 8; ++k) _mm512_storeu_si512(columns + 8 * k, _mm512_permutexvar_epi8(bytes, x[k]));
}

#elif defined(__SSE2__)

#if defined(__AVX2__)
struct Bytes {  // 32, as two lanes of 16
    static constexpr int n = 32;
    __m256i v;
    static Bytes load(const u64* rows, int i) {  // rows 2i, 2i + 1, and 16 further on
        const auto low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows + 2 * i));
        const auto high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows + 16 + 2 * i));
        return {_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1)};
    }
    Bytes pairs() const { return {_mm256_unpacklo_epi8(v, _mm256_srli_si256(v, 8))}; }
    template <int Bits>
    static void interleave(Bytes a, Bytes b, Bytes& low, Bytes& high) {
        if constexpr (Bits == 16) low.v = _mm256_unpacklo_epi16(a.v, b.v), high.v = _mm256_unpackhi_epi16(a.v, b.v);
        else if constexpr (Bits == 32) low.v = _mm256_unpacklo_epi32(a.v, b.v), high.v = _mm256_unpackhi_epi32(a.v, b.v);
        else low.v = _mm256_unpacklo_epi64(a.v, b.v), high.v = _mm256_unpackhi_epi64(a.v, b.v);
    }
    u64 high_bits() const { return static_cast<u32>(_mm256_movemask_epi8(v)); }
    void shift() { v = _mm256_add_epi8(v, v); }
};
#else
struct Bytes {
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

// Byte k of every row into a vector of its own; then the highest bits of its bytes are a piece of a column, and the
// next ones are shifted up. Columns from n on, rounded up to a multiple of 8, are left out.
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

#else

// Warren, Hacker's Delight, 7-3, with its outer loop unrolled by the compiler.
template <int Distance>
static inline void swap_blocks(u64* x) {
    constexpr u64 mask = ~u64{0} / ((u64{1} << Distance) + 1);
    for (int k = 0; k < 64; k += 2 * Distance)
        for (int i = k; i < k + Distance; ++i) {
            const u64 t = (x[i] >> Distance ^ x[i + Distance]) & mask;
            x[i] ^= t << Distance;
            x[i + Distance] ^= t;
        }
}

static inline void transpose(const u64* rows, u64* columns, int) {
    for (int i = 0; i < 64; ++i) columns[i] = rows[i];
    swap_blocks<32>(columns);
    swap_blocks<16>(columns);
    swap_blocks<8>(columns);
    swap_blocks<4>(columns);
    swap_blocks<2>(columns);
    swap_blocks<1>(columns);
}

#endif
