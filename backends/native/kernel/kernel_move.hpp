// The first context, and the move into a smaller one. Here the columns are renumbered in the mask of every row that is
// kept.

#pragma once

#include "kernel/kernel_bits.hpp"
#include "kernel/kernel_class.hpp"
#include "kernel/kernel_context.hpp"
#include "kernel/kernel_platform.hpp"
#include "kernel/kernel_transpose.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

// The context takes the first `n_columns` columns of the problem.
inline Context& Kernel::root_context(const KernelProblem& p, int n_columns, char*& root) {
    Context& c = *arena_.take<Context>(1);
    set_size(c, p.n_rows, n_columns);
    set_thresholds(c, p.n_primary);
    c.masks = arena_.take<u64>(static_cast<std::size_t>(64 * c.u) * c.nw);
    c.rows = arena_.take<u16>(static_cast<std::size_t>(64 * c.u));
    for (int j = 0; j < p.n_rows; ++j) {
        u64* mask = c.masks + static_cast<std::size_t>(j) * c.nw;
        for (int g = 0; g < c.nw; ++g) mask[g] = 0;
        for (auto k = p.starts[j]; k < p.starts[j + 1] && p.columns[k] < n_columns; ++k)
            mask[p.columns[k] >> 6] |= u64{1} << (p.columns[k] & 63);
        c.rows[j] = static_cast<u16>(j);
    }
    c.multi = arena_.take<u64>(static_cast<std::size_t>(c.nw));
    c.counter = arena_.take<u16>(static_cast<std::size_t>(64 * c.nw));
    for (int g = 0; g < c.nw; ++g) c.multi[g] = 0;
    i32* const low = arena_.take<i32>(static_cast<std::size_t>(p.n_columns) + 1);
    i32* const high = arena_.take<i32>(static_cast<std::size_t>(p.n_columns) + 1);
    for (int q = 0; counted_ && q < p.n_columns; ++q)
        if (p.high[q] > 1 && q != p.extension) {
            c.multi[q >> 6] |= u64{1} << (q & 63);
            c.counter[q] = static_cast<u16>(n_counters_);
            low[n_counters_] = p.low[q];
            high[n_counters_++] = p.high[q];
        }
    low_ = low;
    high_ = high;
    c.extension = p.extension;
    c.first_pair = p.first_pair < n_columns ? p.first_pair : n_columns;
    fill_columns(c);

    root = arena_.take<char>(node_size(c.nw, c.u, n_counters_));
    u64* const need = need_of(root);
    u64* const active = active_of(root, c.nw);
    for (int g = 0; g < c.nw; ++g) need[g] = low_bits(p.n_primary - 64 * g);
    for (int w = 0; w < c.u; ++w) active[w] = low_bits(p.n_rows - 64 * w);
    for (int k = 0; k < n_counters_; ++k) counts_of(root, c.nw, c.u)[k] = 0;
    u32 key = choose<0, 0>(c, active, need);
    if (counted_) key = choose_counted(c, active, need, counts_of(root, c.nw, c.u), key);
    head(root) = {key, 0, 0};
    c.base = low_bits(n_columns);
    c.pair = host_.counts && !counted_ ? pair_size(c, need) : -1;
    return c;
}

// Make the columns of a context from its rows. Rows that only fill up the last word are made empty.
inline void Kernel::fill_columns(Context& c) {
    c.a = arena_.take<u64>(static_cast<std::size_t>(c.u) * c.stride);
    for (int j = c.n_rows * c.nw; j < 64 * c.u * c.nw; ++j) c.masks[j] = 0;
    u64 block[64];
    for (int w = 0; w < c.u; ++w) {
        u64* const columns = c.a + static_cast<std::size_t>(w) * c.stride;
        const u64* const rows = c.masks + static_cast<std::size_t>(64 * w) * c.nw;
        if (c.nw == 1) {
            transpose(rows, columns, c.n_columns);
        } else {
            for (int g = 0; 64 * g < c.n_columns; ++g) {
                for (int j = 0; j < 64; ++j) block[j] = rows[static_cast<std::size_t>(j) * c.nw + g];
                transpose(block, columns + 64 * g, c.n_columns - 64 * g);
            }
        }
        for (int k = 0; k < 8; ++k) columns[64 * c.nw + k] = 0;
    }
}

// Choose the columns of the new context: those that are needed, and of the others those that can still matter. A
// counted column matters if one row holds it, a pair if both of its columns are held, any other column if two rows hold
// it.
template <int NW>
inline void Kernel::choose_columns(const Context& c, char* node, u64* keep) {
    const int nw = NW ? NW : c.nw;
    const u64* const need = need_of(node);
    const u64* const active = active_of(node, nw);
    for (int g = 0; g < nw; ++g) keep[g] = need[g];
    if (!c.spare && !counted_) return;  // a counted column may matter when it is no longer needed
    for (int g = 0; g < nw; ++g)
        for (u64 bits = low_bits(c.n_columns - 64 * g) & ~need[g]; bits; bits &= bits - 1) {
            const int q = 64 * g + Bits::first(bits), n = count_of(c.a + q, c.stride, active, c.u);
            const bool matters = q < c.first_pair
                                     ? n > 1 || (n == 1 && (c.multi[g] & bits & -bits))
                                     : n > 0 && count_of(c.a + partner(q, c.first_pair), c.stride, active, c.u) > 0;
            if (matters) keep[g] |= bits & -bits;
        }
    if (c.extension >= 0) keep[c.extension >> 6] |= u64{1} << (c.extension & 63);
}

// Copy the active rows, with the columns that are kept.
inline void Kernel::keep_rows(const Context& c, const u64* active, const u64* keep, Context& d) {
    u64* mask = d.masks;
    u16* row = d.rows;
    if (c.nw == 1) {
        const Extraction extraction(keep[0]);
        for (int w = 0; w < c.u; ++w)
            for (u64 rows = active[w]; rows; rows &= rows - 1) {
                const int j = 64 * w + Bits::first(rows);
                *mask++ = extraction.of(c.masks[j]);
                *row++ = c.rows[j];
            }
        return;
    }
    for (int w = 0; w < c.u; ++w)
        for (u64 rows = active[w]; rows; rows &= rows - 1) {
            const std::size_t j = static_cast<std::size_t>(64 * w) + Bits::first(rows);
            *row++ = c.rows[j];
            for (int g = 0; g < d.nw; ++g) mask[g] = 0;
            int at = 0;
            for (int g = 0; g < c.nw; ++g) {
                const u64 kept = Bits::extract(c.masks[j * c.nw + g], keep[g]);
                const int n = Bits::count(keep[g]);
                if (n == 0) continue;
                mask[at >> 6] |= kept << (at & 63);
                if ((at & 63) + n > 64) mask[(at >> 6) + 1] |= kept >> (64 - (at & 63));
                at += n;
            }
            mask += d.nw;
        }
}

// The number of column q in the new context.
static inline int rank_of(const u64* keep, int q) {
    int rank = 0;
    for (int g = 0; g < q >> 6; ++g) rank += Bits::count(keep[g]);
    return rank + Bits::count(keep[q >> 6] & ((u64{1} << (q & 63)) - 1));
}

// Copy which columns are counted, the extension and where pairs begin, in the new numbering.
inline void Kernel::keep_bounds(const Context& c, const u64* keep, Context& d) {
    for (int g = 0; g < d.nw; ++g) d.multi[g] = 0;
    for (int g = 0; g < c.nw; ++g)
        for (u64 bits = c.multi[g] & keep[g]; bits; bits &= bits - 1) {
            const int q = 64 * g + Bits::first(bits), r = rank_of(keep, q);
            d.multi[r >> 6] |= u64{1} << (r & 63);
            d.counter[r] = c.counter[q];
        }
    d.extension = c.extension < 0 ? -1 : rank_of(keep, c.extension);
    d.first_pair = c.first_pair < c.n_columns ? rank_of(keep, c.first_pair) : d.n_columns;
}

// Move a node into a smaller context, where it is the root.
inline Context& Kernel::shrink(const Context& c, char* node, char*& root) {
    Context& d = *arena_.take<Context>(1);
    u64* const keep = arena_.take<u64>(static_cast<std::size_t>(c.nw));
    const u64* const need = need_of(node);
    const u64* const active = active_of(node, c.nw);
    if (c.nw == 1) choose_columns<1>(c, node, keep);
    else choose_columns<0>(c, node, keep);
    int n_rows = 0, n_columns = 0, n_needed = 0;
    for (int w = 0; w < c.u; ++w) n_rows += Bits::count(active[w]);
    for (int g = 0; g < c.nw; ++g) {
        n_columns += Bits::count(keep[g]);
        n_needed += Bits::count(need[g]);
    }
    set_size(d, n_rows, n_columns);
    set_thresholds(d, n_needed);
    d.masks = arena_.take<u64>(static_cast<std::size_t>(64 * d.u) * d.nw);
    d.rows = arena_.take<u16>(static_cast<std::size_t>(64 * d.u));
    d.multi = arena_.take<u64>(static_cast<std::size_t>(d.nw));
    keep_rows(c, active, keep, d);
    if (counted_) {
        d.counter = arena_.take<u16>(static_cast<std::size_t>(64 * d.nw));
        keep_bounds(c, keep, d);
    } else {
        for (int g = 0; g < d.nw; ++g) d.multi[g] = 0;
        d.extension = -1;
        d.first_pair = n_columns;
    }
    d.base = low_bits(n_columns);
    fill_columns(d);

    root = arena_.take<char>(node_size(d.nw, d.u, n_counters_));
    u64* const new_need = need_of(root);
    u64* const new_active = active_of(root, d.nw);
    for (int g = 0; g < d.nw; ++g) new_need[g] = 0;
    int at = 0;
    for (int g = 0; g < c.nw; ++g) {
        const u64 kept = Bits::extract(need[g], keep[g]);
        const int n = Bits::count(keep[g]);
        if (n == 0) continue;
        new_need[at >> 6] |= kept << (at & 63);
        if ((at & 63) + n > 64) new_need[(at >> 6) + 1] |= kept >> (64 - (at & 63));
        at += n;
    }
    for (int w = 0; w < d.u; ++w) new_active[w] = low_bits(n_rows - 64 * w);
    for (int k = 0; k < n_counters_; ++k) counts_of(root, d.nw, d.u)[k] = counts_of(node, c.nw, c.u)[k];
    d.pair = host_.counts && !counted_ ? (c.pair > 0 ? c.pair : pair_size(d, new_need)) : -1;
    const u32 key = head(node).key;
    const int column = rank_of(keep, static_cast<int>(key & 0xffff));
    head(root) = {key >> key_shift << key_shift | static_cast<u32>(column), 0, 0};
    return d;
}

// Whether a move into a smaller context pays for this node.
template <int U, int NW>
inline bool Kernel::pays(const Context& c, char* node) const {
    const u64* const active = active_of(node, NW ? NW : c.nw);
    int n = 0;
    for (int w = 0; w < (U ? U : c.u); ++w) n += Bits::count(active[w]);
    if (n <= c.shrink_rows) return true;
    if (NW == 1) return false;
    return needed_columns<NW>(c, node) <= c.shrink_columns;
}

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
