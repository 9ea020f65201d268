// The children of a node are computed in one go. A child that leaves a needed column without rows is dropped at once.

#pragma once

#include "kernel/kernel_bits.hpp"
#include "kernel/kernel_class.hpp"
#include "kernel/kernel_context.hpp"
#include "kernel/kernel_fewest.hpp"
#include "kernel/kernel_platform.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

// The key of the best column that is needed and not counted.
template <int U, int NW>
inline u32 Kernel::choose(const Context& c, const u64* active, const u64* need) {
    const int nw = NW ? NW : c.nw;
    const std::size_t stride = NW ? 64 * NW + 8 : c.stride;
    u32 key = no_column;
    for (int g = 0; g < nw; ++g) {
        const u64 exact = need[g] & ~c.multi[g];
        const u32 k = fewest<U>(c.a + 64 * g, stride, active, c.u, exact, static_cast<u32>(64 * g));
        key = k < key ? k : key;
    }
    return key;
}

// The key of the best needed column, counted ones included. `key` is that of the best among the others.
inline u32 Kernel::choose_counted(const Context& c, const u64* active, const u64* need, const u16* counts, u32 key) {
    for (int g = 0; g < c.nw; ++g)
        for (u64 bits = need[g] & c.multi[g]; bits; bits &= bits - 1) {
            const int q = 64 * g + Bits::first(bits), k = c.counter[q];
            const int ways = count_of(c.a + q, c.stride, active, c.u) - (low_[k] - counts[k]) + 1;
            if (ways <= 0) return 0;
            const u32 candidate = static_cast<u32>(ways) << key_shift | static_cast<u32>(q);
            key = candidate < key ? candidate : key;
        }
    return key;
}

// The columns of a row, in the numbering of its context. Where they are one word, `word` may be used to hold it.
template <int NW>
static inline const u64* columns_of(const Context& c, int j, [[maybe_unused]] u64& word) {
#if defined(__AVX512VBMI2__)
    if (NW == 1 || (NW == 0 && c.nw == 1)) {
        word = Bits::extract(c.masks[j], c.base);
        return &word;
    }
#endif
    return c.masks + static_cast<std::size_t>(j) * (NW ? NW : c.nw);
}

// Without counters: open the level `depth` on a node, with all children that are not dead.
template <int U, int NW, Form F>
inline void Kernel::expand(const Context& c, char* node, u32 depth) {
    const int u = U ? U : c.u, nw = NW ? NW : c.nw;
    const std::size_t stride = NW ? 64 * NW + 8 : c.stride;
    const std::size_t size = node_size(nw, u, 0);
    const u64* const need = need_of(node);
    const u64* const active = active_of(node, nw);
    const u32 tried = head(node).key >> key_shift;
    const u64* const column = c.a + (head(node).key & 0xffff);
    [[maybe_unused]] const int longest = problem_.longest;

    Level& level = host_.levels[depth];
    const Arena::Mark mark = arena_.mark();
    level.mark = mark.top;
    level.chunk = mark.chunk;
    arena_.require((tried + 1) * size);
    char* child = arena_.top();
    level.next = child;
    u32 rank = 0, survivors = 0;
    for (int w = 0; w < u; ++w)
        for (u64 rows = column[w * stride] & active[w]; rows; rows &= rows - 1) {
            const int j = 64 * w + Bits::first(rows);
            u64 word;
            const u64* const mask = columns_of<NW>(c, j, word);
            u64* const child_need = need_of(child);
            u64* const child_active = active_of(child, nw);
            if constexpr (U != 0) {
                u64 blocked[U] = {};
                if (NW == 1 && longest <= 12) {
                    u64 rest = mask[0];
                    for (int k = 0; k < longest; ++k) {
                        const int q = Bits::first(rest);
                        rest &= rest - 1;
                        for (int v = 0; v < U; ++v) blocked[v] |= c.a[v * stride + q];
                    }
                } else {
                    for (int g = 0; g < nw; ++g)
                        for (u64 rest = mask[g]; rest; rest &= rest - 1)
                            for (int v = 0; v < U; ++v) blocked[v] |= c.a[v * stride + 64 * g + Bits::first(rest)];
                }
                for (int v = 0; v < U; ++v) child_active[v] = active[v] & ~blocked[v];
            } else {
                for (int v = 0; v < u; ++v) child_active[v] = active[v];
                for (int g = 0; g < nw; ++g)
                    for (u64 rest = mask[g]; rest; rest &= rest - 1) {
                        const u64* const q = c.a + 64 * g + Bits::first(rest);
                        for (int v = 0; v < u; ++v) child_active[v] &= ~q[v * stride];
                    }
            }
            for (int g = 0; g < nw; ++g) child_need[g] = need[g] & ~mask[g];
            const u32 key = choose<U, NW>(c, child_active, child_need);
            head(child) = {key, c.rows[j], static_cast<u16>(rank++)};
            const bool alive = key >> key_shift;
            survivors += alive;
            child += alive ? size : 0;
        }
    arena_.advance_to(child);
    level.end = child;
    level.tried = tried;
    level.size = static_cast<u32>(size);
    host_.tried[depth] += tried;
    host_.dead[depth] += tried - survivors;
    host_.until_look -= tried;
}

// Count the covers of a node that misses two rows, where all rows cover equally many columns. After the first row every
// row that is left completes a cover, because it covers all columns that are needed. The branches are counted as by
// `expand`.
template <int U, int NW, Form F>
inline void Kernel::count_pairs(const Context& c, char* node, u32 depth) {
    const int u = U ? U : c.u, nw = NW ? NW : c.nw;
    const std::size_t stride = NW ? 64 * NW + 8 : c.stride;
    const u64* const active = active_of(node, nw);
    const u64* const column = c.a + (head(node).key & 0xffff);
    const u32 tried = head(node).key >> key_shift;
    u64 covers = 0;
    u32 dead = 0;
    for (int w = 0; w < u; ++w)
        for (u64 rows = column[w * stride] & active[w]; rows; rows &= rows - 1) {
            const int j = 64 * w + Bits::first(rows);
            int left = 0;
            u64 word;
            const u64* const mask = columns_of<NW>(c, j, word);
            for (int v = 0; v < u; ++v) {
                u64 blocked = 0;
                for (int g = 0; g < nw; ++g)
                    for (u64 rest = mask[g]; rest; rest &= rest - 1)
                        blocked |= c.a[v * stride + 64 * g + Bits::first(rest)];
                left += Bits::count(active[v] & ~blocked);
            }
            covers += static_cast<u64>(left);
            dead += left == 0;
        }
    host_.found += covers;
    host_.tried[depth] += tried;
    host_.tried[depth + 1] += covers;
    host_.dead[depth] += dead;
    host_.until_look -= static_cast<std::int64_t>(tried + covers);
}

// Whether a needed column has too few rows left after a row was passed over. `mask` holds the columns of that row.
inline bool Kernel::kills(const Context& c, const u64* mask, const u64* active, const u64* need, const u16* counts) {
    for (int g = 0; g < c.nw; ++g)
        for (u64 bits = mask[g] & need[g]; bits; bits &= bits - 1) {
            const int q = 64 * g + Bits::first(bits);
            const bool multi = c.multi[g] >> (q & 63) & 1;
            const int missing = multi ? low_[c.counter[q]] - counts[c.counter[q]] : 1;
            if (count_of(c.a + q, c.stride, active, c.u) < missing) return true;
        }
    return false;
}

// With counters: the same as `expand`. On a counted column the rows of a cover ascend: rows that were passed over stay
// hidden, so that no set of rows is met twice.
template <int U, int NW>
inline void Kernel::expand_counted(const Context& c, char* node, u32 depth) {
    const int u = U ? U : c.u, nw = NW ? NW : c.nw;
    const std::size_t stride = NW ? 64 * NW + 8 : c.stride;
    const std::size_t size = node_size(nw, u, n_counters_);
    const u64* const need = need_of(node);
    const int best = static_cast<int>(head(node).key & 0xffff);
    const bool once = best != c.extension && !(c.multi[best >> 6] >> (best & 63) & 1);
    const u64* const column = c.a + best;
    u64* const active = active_of(node, nw);  // rows that are passed over are removed: the node is not used again

    Level& level = host_.levels[depth];
    const Arena::Mark mark = arena_.mark();
    level.mark = mark.top;
    level.chunk = mark.chunk;
    arena_.require((static_cast<std::size_t>(count_of(column, stride, active, u)) + 1) * size);
    char* child = arena_.top();
    level.next = child;
    u32 rank = 0, survivors = 0;
    bool going = true;
    for (int w = 0; w < u && going; ++w)
        for (u64 rows = column[w * stride] & active[w]; rows && going; rows &= rows - 1) {
            const int j = 64 * w + Bits::first(rows);
            u64 word;
            const u64* const mask = columns_of<NW>(c, j, word);
            u64* const child_need = need_of(child);
            u64* const child_active = active_of(child, nw);
            u16* const counts = counts_of(child, nw, u);
            for (int v = 0; v < u; ++v) child_active[v] = active[v];
            child_active[w] &= ~(rows & -rows);
            for (int k = 0; k < n_counters_; ++k) counts[k] = counts_of(node, nw, u)[k];
            for (int g = 0; g < nw; ++g) {
                child_need[g] = need[g] & ~(mask[g] & ~c.multi[g]);
                for (u64 rest = mask[g]; rest; rest &= rest - 1) {
                    const int q = 64 * g + Bits::first(rest);
                    if (c.multi[g] >> (q & 63) & 1) {
                        const int n = ++counts[c.counter[q]];
                        if (n == low_[c.counter[q]]) child_need[g] &= ~(u64{1} << (q & 63));
                        if (n < high_[c.counter[q]]) continue;
                    } else if (q == c.extension) {
                        continue;
                    }
                    const int others = partner(q, c.first_pair);
                    for (int v = 0; v < u; ++v) child_active[v] &= ~c.a[v * stride + others];
                }
            }
            const u32 key =
                choose_counted(c, child_active, child_need, counts, choose<U, NW>(c, child_active, child_need));
            head(child) = {key, c.rows[j], static_cast<u16>(rank++)};
            const bool alive = key >> key_shift;
            survivors += alive;
            child += alive ? size : 0;
            if (!once) {
                active[w] &= ~(rows & -rows);
                going = !kills(c, mask, active, need, counts_of(node, nw, u));
            }
        }
    arena_.advance_to(child);
    level.end = child;
    level.tried = rank;
    level.size = static_cast<u32>(size);
    host_.tried[depth] += rank;
    host_.dead[depth] += rank - survivors;
    host_.until_look -= rank;
}

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
