// The search where the columns of a row fit into W words of 32 bits. There are no bitmaps of columns. The rows alive
// are a list, and a vector tests several rows at once.

#pragma once

#include "kernel/kernel_bits.hpp"
#include "kernel/kernel_class.hpp"
#include "kernel/kernel_context.hpp"
#include "kernel/kernel_move.hpp"
#include "kernel/kernel_numbers.hpp"
#include "kernel/kernel_platform.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

inline constexpr int widest_list = 4;  // words
// A node with at least so many children gets a list of its own; another one reads the list of an ancestor (measured).
inline constexpr u32 list_ways = 2;

// A set of columns.
template <int W>
struct Columns {
    u64 pair[(W + 1) / 2];

    u32 word(int w) const { return static_cast<u32>(pair[w / 2] >> w % 2 * 32); }
    bool has(int column) const { return pair[column >> 6] >> (column & 63) & 1; }
    Columns operator|(const Columns& other) const {
        Columns result;
        for (int i = 0; i < (W + 1) / 2; ++i) result.pair[i] = pair[i] | other.pair[i];
        return result;
    }
    Columns without(const Columns& other) const {
        Columns result;
        for (int i = 0; i < (W + 1) / 2; ++i) result.pair[i] = pair[i] & ~other.pair[i];
        return result;
    }
    bool empty() const {
        u64 all = 0;
        for (const u64 x : pair) all |= x;
        return !all;
    }
    int count() const {
        int n = 0;
        for (const u64 x : pair) n += Bits::count(x);
        return n;
    }
};

// Rows with their columns. Each word of columns is an array of its own, of `stride` words; rows of zeros follow the
// last one, up to a whole block.
template <int W>
struct RowList {
    u32* words;  // [W + 1][stride]: the columns of each row, and its number in the problem
    std::size_t stride;
    int n;

    u32* word(int w) const { return words + static_cast<std::size_t>(w) * stride; }
    u32 number(u32 at) const { return word(W)[at]; }
    Columns<W> columns(u32 at) const {
        Columns<W> result;
        for (int i = 0; i < (W + 1) / 2; ++i) {
            result.pair[i] = word(2 * i)[at];
            if (2 * i + 1 < W) result.pair[i] |= static_cast<u64>(word(2 * i + 1)[at]) << 32;
        }
        return result;
    }
    void end_with_zeros() {
        for (int w = 0; w < W; ++w)
            for (int i = 0; i < block_rows; i += lanes) store(word(w) + n + i, Lanes{});
    }
};

// A node: the rows of the list that hold no column of `gone`. The columns of `need` still have to be covered.
template <int W>
struct ListNode {
    RowList<W> list;
    Columns<W> gone, need;
};

struct ListChild {
    u32 at;  // the row chosen, by its place in the list of the parent
    u32 rank;
};

// The columns of the rows that hold nothing of `gone`, as lanes.
template <int W>
class RowsWithout {
public:
    RowsWithout(const RowList<W>& list, const Columns<W>& gone) : list_(list) {
        for (int w = 0; w < W; ++w) gone_[w] = in_all(gone.word(w));
    }
    // Read the rows from `at` on. Returns which of them are alive; the columns of the others are none.
    Lanes read(int at, Lanes* columns) const {
        Lanes clash = {};
        for (int w = 0; w < W; ++w) {
            columns[w] = load(list_.word(w) + at);
            clash |= columns[w] & gone_[w];
        }
        const Lanes alive = zeros_of(clash);
        for (int w = 0; w < W; ++w) columns[w] &= alive;
        return alive;
    }

private:
    const RowList<W>& list_;
    Lanes gone_[W];
};

// The columns that rows without `gone` hold.
template <int W>
static inline Columns<W> held_columns(const RowList<W>& list, const Columns<W>& gone) {
    const RowsWithout<W> rows(list, gone);
    Lanes held[W] = {};
    for (int at = 0; at < list.n; at += block_rows)
        for (int i = 0; i < block_rows; i += lanes) {
            Lanes columns[W];
            rows.read(at + i, columns);
            for (int w = 0; w < W; ++w) held[w] |= columns[w];
        }
    Columns<W> result = {};
    for (int w = 0; w < W; ++w) result.pair[w / 2] |= static_cast<u64>(any(held[w])) << w % 2 * 32;
    return result;
}

// How many rows without `gone` hold each column.
template <int W, int P>
static inline void count_ways(const RowList<W>& list, const Columns<W>& gone, Numbers<u64, P>* ways) {
    const RowsWithout<W> rows(list, gone);
    Numbers<Lanes, P> numbers[W] = {};
    for (int at = 0; at < list.n; at += block_rows) {
        Lanes columns[block_vectors][W], word[block_vectors];
        for (int i = 0; i < block_vectors; ++i) rows.read(at + i * lanes, columns[i]);
        for (int w = 0; w < W; ++w) {
            for (int i = 0; i < block_vectors; ++i) word[i] = columns[i][w];
            add_block<P>(numbers[w], word);
        }
    }
    for (int i = 0; i < (W + 1) / 2; ++i)
        ways[i] = sum_of_lanes<P>(numbers[2 * i], numbers[2 * i + 1 < W ? 2 * i + 1 : 2 * i]);
}

// The key of the needed column with the fewest ways, where more than 2^P - 1 ways count as 2^P. The columns that two
// rows hold are added to `matter`.
template <int W, int P>
static inline u32 least_key(const RowList<W>& list, const Columns<W>& gone, const Columns<W>& need,
                            Columns<W>& matter) {
    constexpr int pairs = (W + 1) / 2;
    Numbers<u64, P> numbers[pairs];
    count_ways<W, P>(list, gone, numbers);
    u32 ways = 0;
    u64 best[pairs];
    for (int i = 0; i < pairs; ++i) {
        best[i] = need.pair[i];
        for (int k = 1; k <= P; ++k) matter.pair[i] |= numbers[i].plane[k];
    }
    for (int k = P; k >= 0; --k) {
        u64 fewer[pairs], all = 0;
        for (int i = 0; i < pairs; ++i) all |= fewer[i] = best[i] & ~numbers[i].plane[k];
        for (int i = 0; i < pairs; ++i) best[i] = all ? fewer[i] : best[i];
        ways += all ? 0 : u32{1} << k;
    }
    int column = 64 * (pairs - 1);
    u64 word = best[pairs - 1];
    for (int i = pairs - 2; i >= 0; --i)
        if (best[i]) column = 64 * i, word = best[i];
    return ways << key_shift | static_cast<u32>(column + Bits::first(word));
}

// The rows of a block that are without `gone` and hold a column, as bits.
template <int W>
static inline u32 rows_of_column(const RowList<W>& list, const Columns<W>& gone, int column, int at) {
    Lanes found[block_vectors];
    for (int i = 0; i < block_vectors; ++i) {
        Lanes clash = {};
        for (int w = 0; w < W; ++w) {
            const u32 bit = w == column >> 5 ? u32{1} << (column & 31) : 0;
            clash |= (load(list.word(w) + at + i * lanes) & in_all(gone.word(w) | bit)) ^ in_all(bit);
        }
        found[i] = zeros_of(clash);
    }
    return bits_of_block(found);
}

// Copy the rows without `gone`. `kept` has room for all rows and a block.
template <int W>
static inline void keep_rows_without(const RowList<W>& list, const Columns<W>& gone, RowList<W>& kept) {
    const RowsWithout<W> rows(list, gone);
    const std::size_t stride = list.stride, kept_stride = kept.stride;
    const u32* from = list.words;
    u32* to = kept.words;
    for (int at = 0; at < list.n; at += lanes, from += lanes) {
        Lanes columns[W];
        const u32 alive = bits_of(rows.read(at, columns));
        to += pack<W + 1>(from, stride, alive, to, kept_stride);
    }
    // The zeros at the end of the list were copied too, up to a vector.
    kept.n = static_cast<int>(to - kept.words) - (-list.n & (lanes - 1));
    kept.end_with_zeros();
}

template <int W>
inline RowList<W> Kernel::room_for(int n) {
    const std::size_t stride = static_cast<std::size_t>(n + 2 * block_rows - 1) / block_rows * block_rows;
    return {arena_.take<u32>((W + 1) * stride), stride, 0};
}

// Open the level `depth` on a node, with all children that are not dead.
template <int W>
inline void Kernel::expand_list(const ListNode<W>& node, u32 key, u32 depth, Arena::Mark mark) {
    const int column = static_cast<int>(key & 0xffff);
    const u32 tried = key >> key_shift;
    const RowList<W> list = node.list;
    const Columns<W> gone = node.gone, need = node.need;
    ListChild* child = arena_.take<ListChild>(tried + 1);
    Level& level = host_.levels[depth];
    level.mark = mark.top;
    level.chunk = mark.chunk;
    level.next = reinterpret_cast<char*>(child);
    u32 rank = 0, survivors = 0, rows = 0;
    int at = -block_rows;
    while (rank < tried) {
        while (!rows) rows = rows_of_column<W>(list, gone, column, at += block_rows);
        const u32 j = static_cast<u32>(at + Bits::first(rows));
        rows &= rows - 1;
        const Columns<W> columns = list.columns(j);
        *child = {j, rank++};
        const bool alive = need.without(columns).without(held_columns<W>(list, gone | columns)).empty();
        child += alive;
        survivors += alive;
    }
    level.end = reinterpret_cast<char*>(child);
    level.tried = tried;
    level.size = sizeof(ListChild);
    host_.tried[depth] += tried;
    host_.dead[depth] += tried - survivors;
    host_.until_look -= tried;
}

// The same as `count_pairs`.
template <int W>
inline void Kernel::count_pairs_of_list(const ListNode<W>& node, u32 key, u32 depth) {
    const int column = static_cast<int>(key & 0xffff);
    u64 covers = 0;
    u32 dead = 0;
    for (int at = 0; at < node.list.n; at += block_rows)
        for (u32 rows = rows_of_column<W>(node.list, node.gone, column, at); rows; rows &= rows - 1) {
            const Columns<W> columns = node.list.columns(static_cast<u32>(at + Bits::first(rows)));
            const RowsWithout<W> others(node.list, node.gone | columns);
            int left =
                node.list.n & (lanes - 1) ? (node.list.n & (lanes - 1)) - lanes : 0;  // less the zeros at the end
            for (int i = 0; i < node.list.n; i += lanes) {
                Lanes unused[W];
                left += Bits::count(bits_of(others.read(i, unused)));
            }
            covers += static_cast<u64>(left);
            dead += left == 0;
        }
    const u32 tried = key >> key_shift;
    host_.found += covers;
    host_.tried[depth] += tried;
    host_.tried[depth + 1] += covers;
    host_.dead[depth] += dead;
    host_.until_look -= static_cast<std::int64_t>(tried + covers);
}

// Columns that two rows cover, if all rows of the list cover equally many; else -1.
template <int W>
static inline int pair_size(const RowList<W>& list, const Columns<W>& need) {
    int size = -1;
    for (int j = 0; j < list.n; ++j) {
        const Columns<W> columns = list.columns(static_cast<u32>(j));
        const int n = columns.count() - columns.without(need).count();
        if (size >= 0 && n != size) return -1;
        size = n;
    }
    return size > 0 ? 2 * size : -1;
}

// Renumbers columns: those that are kept come first. Source of the steps: Warren, Hacker's Delight, 7-4.
template <int W, int Fewer>
class Renumbering {
public:
    explicit Renumbering(const Columns<W>& keep) {
        int at = 0;
        for (int w = 0; w < W; ++w) {
            u32 mask = keep.word(w);
            mask_[w] = in_all(mask);
            at_[w] = at;
            at += Bits::count(mask);
            u32 gaps = ~mask << 1;  // bit i: the mask has no bit i - 1
            for (int step = 0; step < 5; ++step) {
                u32 parity = gaps;  // bit i: parity of the number of gaps up to bit i
                for (int k = 1; k < 32; k *= 2) parity ^= parity << k;
                const u32 moves = parity & mask;
                moves_[w][step] = in_all(moves);
                mask = (mask ^ moves) | moves >> (1 << step);
                gaps &= ~parity;
            }
        }
    }
    // The columns of several rows, a word each from a row.
    void of(const Lanes* columns, Lanes* result) const {
        for (int f = 0; f < Fewer; ++f) result[f] = Lanes{};
        for (int w = 0; w < W; ++w) {
            Lanes x = columns[w] & mask_[w];
            for (int step = 0; step < 5; ++step) {
                const Lanes moving = x & moves_[w][step];
                x = (x ^ moving) | moving >> (1 << step);
            }
            const int f = at_[w] >> 5, shift = at_[w] & 31;
            if (f < Fewer) result[f] |= x << shift;
            if (f + 1 < Fewer && shift) result[f + 1] |= x >> (32 - shift);
        }
    }

private:
    Lanes mask_[W], moves_[W][5];
    int at_[W];
};

// Search the subtree of a node in fewer words of columns.
template <int W, int Fewer>
inline void Kernel::narrow(const ListNode<W>& node, const Columns<W>& matter, u32 key, int pair, u32 depth) {
    const Arena::Mark mark = arena_.mark();
    RowList<W> alive = room_for<W>(node.list.n);
    keep_rows_without<W>(node.list, node.gone, alive);
    RowList<Fewer> list{alive.word(W - Fewer), alive.stride, alive.n};  // in the same place, with the same numbers
    const Renumbering<W, Fewer> renumbering(matter);
    for (int j = 0; j < list.n; j += lanes) {
        Lanes columns[W], fewer[Fewer];
        for (int w = 0; w < W; ++w) columns[w] = load(alive.word(w) + j);
        renumbering.of(columns, fewer);
        for (int w = 0; w < Fewer; ++w) store(list.word(w) + j, fewer[w]);
    }
    list.end_with_zeros();
    Columns<Fewer> need = {};
    Lanes needed[W], fewer[Fewer];
    for (int w = 0; w < W; ++w) needed[w] = in_all(node.need.word(w));
    renumbering.of(needed, fewer);
    for (int w = 0; w < Fewer; ++w) need.pair[w / 2] |= static_cast<u64>(any(fewer[w])) << w % 2 * 32;
    if (host_.counts && pair < 0) pair = pair_size<Fewer>(list, need);
    const u32 column = static_cast<u32>(rank_of(matter.pair, static_cast<int>(key & 0xffff)));
    walk_list<Fewer>({list, {}, need}, key >> key_shift << key_shift | column, pair, depth);
    if (!host_.stopped) arena_.cut(mark);
}

// Search the subtree of a node with `depth0` rows chosen. `pair` is that of a context.
template <int W>
void Kernel::walk_list(const ListNode<W>& root, u32 key, int pair, u32 depth0) {
    ListNode<W> path[32 * W + 1];
    ListNode<W>* node = path;
    *node = root;
    Columns<W> matter;  // columns of the node that are needed, or that two rows hold
    for (u64& x : matter.pair) x = ~u64{0};
    u32 depth = depth0;
    for (;;) {
        // `node` is to be opened on the level `depth`.
        bool opened = false;
        const u32 ways = key >> key_shift;
        const int n_columns = W > 1 && ways >= list_ways ? matter.count() : 32 * W;
        if (pair > 0 && node->need.count() == pair && depth >= host_.pairs_from) {
            count_pairs_of_list<W>(*node, key, depth);
        } else if (W > 1 && n_columns <= 32) {
            narrow<W, 1>(*node, matter, key, pair, depth);
            if (host_.stopped) return;
        } else if (W > 2 && n_columns <= 64) {
            narrow < W, W<2 ? W : 2>(*node, matter, key, pair, depth);
            if (host_.stopped) return;
        } else {
            const Arena::Mark mark = arena_.mark();
            if (ways >= list_ways && !node->gone.empty()) {
                RowList<W> kept = room_for<W>(node->list.n);
                keep_rows_without<W>(node->list, node->gone, kept);
                node->list = kept;
                node->gone = {};
            }
            expand_list<W>(*node, key, depth, mark);
            opened = true;
            if (host_.until_look < 0) {
                host_.depth = depth;
                host_.look();
                if (host_.stopped) return;
            }
        }
        if (!opened) {
            if (depth == depth0) return;
            --depth;
            --node;
        }
        for (bool found = false; !found;) {
            Level& level = host_.levels[depth];
            if (level.next == level.end) {
                if (host_.watches_leave) {
                    host_.depth = depth;
                    host_.leave();
                    if (host_.stopped) return;
                }
                arena_.cut({level.mark, level.chunk});
                if (depth == depth0) return;
                --depth;
                --node;
                continue;
            }
            const ListChild child = *reinterpret_cast<const ListChild*>(level.next);
            level.next += sizeof(ListChild);
            level.row = node->list.number(child.at);
            level.rank = child.rank;
            if (depth < host_.watched) {
                host_.depth = depth;
                if (!host_.enter()) {
                    if (host_.stopped) return;
                    continue;
                }
            }
            const Columns<W> columns = node->list.columns(child.at), need = node->need.without(columns);
            if (need.empty()) {
                host_.depth = depth;
                host_.cover(depth + 1);
                if (host_.stopped) return;
                continue;
            }
            node[1] = {node->list, node->gone | columns, need};
            ++node;
            ++depth;
            matter = need;
            key = least_key<W, 4>(node->list, node->gone, need, matter);
            if (key >> key_shift >= 16) key = least_key<W, 16>(node->list, node->gone, need, matter);
            found = true;
        }
    }
}

// Search the subtree of a node of a context as a list of rows. `keep` holds the columns that can still matter.
template <int W>
inline void Kernel::descend_to_list(const Context& c, char* node, const u64* keep, u32 depth) {
    const u64* const active = active_of(node, c.nw);
    int n = 0;
    for (int w = 0; w < c.u; ++w) n += Bits::count(active[w]);
    RowList<W> list = room_for<W>(n);
    const auto renumbered = [&](const u64* columns) {
        Columns<W> result = {};
        int at = 0;
        for (int g = 0; g < c.nw; ++g) {
            const int kept = Bits::count(keep[g]), shift = at & 63;
            if (kept == 0) continue;
            const u64 x = Bits::extract(columns[g], keep[g]);
            result.pair[at >> 6] |= x << shift;
            if (shift + kept > 64) result.pair[(at >> 6) + 1] |= x >> (64 - shift);
            at += kept;
        }
        return result;
    };
    for (int v = 0; v < c.u; ++v)
        for (u64 rows = active[v]; rows; rows &= rows - 1) {
            const std::size_t j = static_cast<std::size_t>(64 * v) + Bits::first(rows);
            const Columns<W> columns = renumbered(c.masks + j * c.nw);
            for (int w = 0; w < W; ++w) list.word(w)[list.n] = columns.word(w);
            list.word(W)[list.n++] = numbers_[c.rows[j]];
        }
    list.end_with_zeros();
    const Columns<W> need = renumbered(need_of(node));
    const u32 key = head(node).key, column = static_cast<u32>(rank_of(keep, static_cast<int>(key & 0xffff)));
    const int pair = host_.counts && c.pair < 0 ? pair_size<W>(list, need) : c.pair;
    walk_list<W>({list, {}, need}, key >> key_shift << key_shift | column, pair, depth);
}

// Search the subtree of a node as a list of rows, if the columns fit. Returns whether they do.
inline bool Kernel::descend_by_list(const Context& c, char* node, u32 depth) {
    u64* const keep = arena_.take<u64>(static_cast<std::size_t>(c.nw));
    choose_columns<0>(c, node, keep);
    int n = 0;
    for (int g = 0; g < c.nw; ++g) n += Bits::count(keep[g]);
    if (n > 32 * widest_list) return false;
    if (n <= 32) descend_to_list<1>(c, node, keep, depth);
    else if (n <= 64) descend_to_list<2>(c, node, keep, depth);
    else if (n <= 96) descend_to_list<3>(c, node, keep, depth);
    else descend_to_list<4>(c, node, keep, depth);
    return true;
}

// Search a problem as a list of rows.
template <int W>
inline void Kernel::search_by_list(const KernelProblem& p, const u32* numbers, u32 depth) {
    RowList<W> list = room_for<W>(p.n_rows);
    for (i32 row = 0; row < p.n_rows; ++row) {
        for (int w = 0; w < W; ++w) list.word(w)[row] = 0;
        for (auto k = p.starts[row]; k < p.starts[row + 1]; ++k)
            list.word(p.columns[k] >> 5)[row] |= u32{1} << (p.columns[k] & 31);
        list.word(W)[row] = numbers[row];
    }
    list.n = p.n_rows;
    list.end_with_zeros();
    Columns<W> need = {}, matter = {};
    for (int i = 0; i < (W + 1) / 2; ++i) need.pair[i] = low_bits(p.n_primary - 64 * i);
    u32 key = least_key<W, 4>(list, {}, need, matter);
    if (key >> key_shift >= 16) key = least_key<W, 16>(list, {}, need, matter);
    walk_list<W>({list, {}, need}, key, host_.counts ? pair_size<W>(list, need) : -1, depth);
}

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
