// The search where rows hold items in colours.

#pragma once

#include "kernel/kernel_bits.hpp"
#include "kernel/kernel_class.hpp"
#include "kernel/kernel_coloured.hpp"
#include "kernel/kernel_context.hpp"
#include "kernel/kernel_octets.hpp"
#include "kernel/kernel_platform.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

// Find the key of a node: the best column of those that are needed.
inline void Kernel::find_key(const Coloured& c, u8* node) const {
    ColouredHead& head = coloured_head(node);
    const u8* const vectors = vectors_of(node);
    while (head.n_groups > 1 && !any(vector_at(vectors, c.first[head.n_groups - 1]))) --head.n_groups;
    Keys best = Keys::worst();
    for (int g = 0; g < head.n_groups; ++g) {
        Octets ways =
            without(Octets::in_all(255), vector_at(vectors, c.first[g]));  // a column that is covered has no rows left
        for (std::size_t i = c.first[g] + 1u; i < c.first[g + 1]; ++i) ways += bits_in(vector_at(vectors, i));
        best = lesser(best, lesser(even_keys(ways, Keys::load(c.even[g])), odd_keys(ways, Keys::load(c.odd[g]))));
    }
    const u32 key = least(best);
    head.key = key >> 8 << key_shift | (key & 255);
}

// Compute the children of a node, one after another. The next one is written over a dead one. Returns the end.
inline u8* Kernel::coloured_children(const Coloured& c, u8* node, u8* child) {
    const u8* const vectors = vectors_of(node);
    const int q = static_cast<int>(coloured_head(node).key & 0xffff);
    const u16 missing = coloured_head(node).missing, n_groups = coloured_head(node).n_groups;
    const std::size_t size = c.node_size();
    const u8* const column = vectors + c.at(q, 0);
    const int n_octets = (c.ways[q] + 7) / 8;
    u16 rank = 0;
    for (int k = 0; k < n_octets; k += 8) {
        u64 rows = 0;
        for (int i = k; i < k + 8 && i < n_octets; ++i) rows |= static_cast<u64>(column[i * octets]) << 8 * (i - k);
        for (; rows; rows &= rows - 1) {
            const u16 row = c.row[c.place[q] + 8 * k + Bits::first(rows)];
            const u8* const record = c.record[row] ? c.record[row] : record_of(c, row);
            u8* const to = vectors_of(child);
            coloured_head(child) = {0, row, rank++, static_cast<u16>(missing - c.held[row]), n_groups};
            const auto left = [=](std::size_t i) {
                const Octets rows = without(vector_at(vectors, i), vector_at(record, i));
                store(to + i * octets, rows);
                return rows;
            };
            Octets dead = Octets::in_all(0);
            std::size_t i = 0;
            for (int g = 0; g < n_groups; ++g) {
                const std::size_t end = c.first[g + 1];
                const Octets need = left(i++);
                Octets alive = Octets::in_all(0);
                for (; i < end; ++i) alive |= left(i);
                dead |= need & zeros_of(alive);
            }
            child += any(dead) ? 0 : size;
        }
    }
    return child;
}

// Open the level `depth` on a node, with all children that are not dead.
inline void Kernel::expand_coloured(const Coloured& c, u8* node, u32 depth) {
    const u32 tried = coloured_head(node).key >> key_shift;
    const std::size_t size = c.node_size();
    Level& level = host_.levels[depth];
    const Arena::Mark mark = arena_.mark();
    level.mark = mark.top;
    level.chunk = mark.chunk;
    arena_.require((tried + 1) * size);
    u8* const first = reinterpret_cast<u8*>(arena_.top());
    u8* const end = coloured_children(c, node, first);
    arena_.advance_to(reinterpret_cast<char*>(end));
    level.next = reinterpret_cast<char*>(first);
    level.end = reinterpret_cast<char*>(end);
    level.tried = tried;
    level.size = static_cast<u32>(size);
    host_.tried[depth] += tried;
    host_.dead[depth] += tried - static_cast<u32>(static_cast<std::size_t>(end - first) / size);
    host_.until_look -= tried;
}

// The same as `count_pairs`.
inline void Kernel::count_coloured_pairs(const Coloured& c, u8* node, u32 depth) {
    const u32 tried = coloured_head(node).key >> key_shift;
    const std::size_t size = c.node_size();
    arena_.require((tried + 1) * size);
    u8* child = reinterpret_cast<u8*>(arena_.top());
    u8* const end = coloured_children(c, node, child);
    u64 covers = 0;
    u32 dead = tried;
    for (; child < end; child += size, --dead) {
        find_key(c, child);
        covers += coloured_head(child).key >> key_shift;
    }
    host_.found += covers;
    host_.tried[depth] += tried;
    host_.tried[depth + 1] += covers;
    host_.dead[depth] += dead;
    host_.until_look -= static_cast<std::int64_t>(tried + covers);
}

// Search a problem whose rows hold items in colours. It has needed columns, and they have rows.
inline void Kernel::search_coloured(const KernelProblem& p, const u32* numbers, u32 depth0) {
    const Coloured& c = coloured_matrix(p);
    const std::size_t size = c.node_size();
    u32 depth = depth0;
    for (u8* node = coloured_root(c);;) {
        if (static_cast<int>(coloured_head(node).missing) == c.pair && depth >= host_.pairs_from) {
            count_coloured_pairs(c, node, depth);
            if (depth == depth0) return;
            --depth;
        } else {
            expand_coloured(c, node, depth);
            if (host_.until_look < 0) {
                host_.depth = depth;
                host_.look();
                if (host_.stopped) return;
            }
        }
        for (node = nullptr; !node;) {
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
                continue;
            }
            u8* const child = reinterpret_cast<u8*>(level.next);
            level.next += size;
            level.row = numbers[coloured_head(child).row];
            level.rank = coloured_head(child).rank;
            if (depth < host_.watched) {
                host_.depth = depth;
                if (!host_.enter()) {
                    if (host_.stopped) return;
                    continue;
                }
            }
            if (coloured_head(child).missing == 0) {
                host_.depth = depth;
                host_.cover(depth + 1);
                if (host_.stopped) return;
                continue;
            }
            find_key(c, child);
            node = child;
            ++depth;
        }
    }
}

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
