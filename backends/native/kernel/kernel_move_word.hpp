// A move into a smaller context where there is one word of columns, with AVX-512.

#pragma once

#include "kernel/kernel_bits.hpp"
#include "kernel/kernel_class.hpp"
#include "kernel/kernel_context.hpp"
#include "kernel/kernel_move.hpp"
#include "kernel/kernel_octets.hpp"
#include "kernel/kernel_platform.hpp"
#include "kernel/kernel_transpose.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

#if defined(__AVX512VBMI2__)

inline constexpr int few_columns = 6;  // that need not be covered: test them one by one

// The same as `shrink`, where there are no colours. The masks of the rows keep the numbering of an earlier context
// (Context::base), so that they are copied eight at a time.
inline Context& Kernel::shrink_word(const Context& c, char* node, char*& root) {
    const u64 need = need_of(node)[0];
    const u64* const active = active_of(node, 1);
    int n_rows = 0;
    for (int w = 0; w < c.u; ++w) n_rows += Bits::count(active[w]);
    const int u = c.u <= 16 && n_rows <= 1024 ? classes.least[words_of(n_rows)] : words_of(n_rows);
    char* at = arena_.take<char>(sizeof(Context) + 64 + static_cast<std::size_t>(u) * (72 * 8 + 64 * 8 + 64 * 2) + 192);
    Context& d = *reinterpret_cast<Context*>(at);
    d.u = u;
    d.nw = 1;
    d.stride = 72;
    d.n_rows = n_rows;
    d.a = reinterpret_cast<u64*>(at + (sizeof(Context) + 63) / 64 * 64);
    d.masks = d.a + 72 * u;
    d.rows = reinterpret_cast<u16*>(d.masks + 64 * u + 8);

    u64* mask = d.masks;
    u16* row = d.rows;
    for (int w = 0; w < c.u; ++w) {
        u64 rows = active[w];
        for (int half = 0; half < 2; ++half) {
            const u32 bits = static_cast<u32>(rows >> 32 * half);
            const __m512i numbers = _mm512_loadu_si512(c.rows + 64 * w + 32 * half);
            _mm512_storeu_si512(row, _mm512_maskz_compress_epi16(bits, numbers));
            row += Bits::count(bits);
        }
        const u64* from = c.masks + 64 * w;
        for (int k = 0; k < 8; ++k, from += 8, rows >>= 8) {
            const auto bits = static_cast<__mmask8>(rows);
            _mm512_storeu_si512(mask, _mm512_maskz_compress_epi64(bits, _mm512_loadu_si512(from)));
            mask += Bits::count(bits);
        }
    }
    for (u64* end = d.masks + 64 * u; mask < end; mask += 8) _mm512_storeu_si512(mask, _mm512_setzero_si512());

    u64 keep = need;
    const u64 others = low_bits(c.n_columns) & ~need;
    if (c.spare && Bits::count(others) <= few_columns && !counted_) {
        for (u64 bits = others; bits; bits &= bits - 1)
            if (count_of(c.a + Bits::first(bits), 72, active, c.u) > 1) keep |= bits & -bits;
    } else if (c.spare || counted_) {
        __m512i once = _mm512_setzero_si512(), twice = once;
        for (int j = 0; j < n_rows; j += 8) {
            const __m512i x = _mm512_loadu_si512(d.masks + j);
            twice = _mm512_or_si512(twice, _mm512_and_si512(once, x));
            once = _mm512_or_si512(once, x);
        }
        u64 in_one = 0, in_two = 0;
        alignas(64) u64 ones[8], twos[8];
        _mm512_store_si512(ones, once);
        _mm512_store_si512(twos, twice);
        for (int k = 0; k < 8; ++k) {
            in_two |= twos[k] | (in_one & ones[k]);
            in_one |= ones[k];
        }
        keep |= Bits::extract(in_two, c.base);
        if (counted_) keep |= Bits::extract(in_one, c.base) & c.multi[0];
        if (c.extension >= 0) keep |= u64{1} << c.extension;
    }
    d.base = _pdep_u64(keep, c.base);
    d.n_columns = Bits::count(keep);
    set_thresholds(d, Bits::count(need));

    for (int w = 0; w < u; ++w) {
        u64 block[64];
        transpose(d.masks + 64 * w, block, 64);
        u64* column = d.a + 72 * w;
        u64 base = d.base;
        for (int k = 0; k < 8; ++k, base >>= 8) {
            const auto bits = static_cast<__mmask8>(base);
            _mm512_storeu_si512(column, _mm512_maskz_compress_epi64(bits, _mm512_loadu_si512(block + 8 * k)));
            column += Bits::count(bits);
        }
        d.a[72 * w + 64] = 0;
    }
    if (counted_) {
        d.multi = arena_.take<u64>(1);
        d.counter = arena_.take<u16>(64);
        keep_bounds(c, &keep, d);
    } else {
        d.multi = const_cast<u64*>(&no_columns);
        d.extension = -1;
        d.first_pair = d.n_columns;
    }

    root = arena_.take<char>(node_size(1, u, n_counters_));
    need_of(root)[0] = Bits::extract(need, keep);
    d.pair = c.pair;
    if (host_.counts && !counted_ && c.pair < 0) {
        const u64 needed = _pdep_u64(need, c.base);
        d.pair = pair_size(d, &needed);
    }
    for (int w = 0; w < u; ++w) active_of(root, 1)[w] = low_bits(n_rows - 64 * w);
    for (int k = 0; k < n_counters_; ++k) counts_of(root, 1, u)[k] = counts_of(node, 1, c.u)[k];
    const u32 key = head(node).key;
    head(root) = {key >> key_shift << key_shift | static_cast<u32>(rank_of(&keep, static_cast<int>(key & 0xffff))), 0,
                  0};
    return d;
}

#endif

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
