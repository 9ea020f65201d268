// The top of a large tree. A bitmap of all rows for each of many columns is mostly empty, and a child would cost as
// much as the whole matrix. Here a child costs as much as the rows that it removes: each column has a list of its rows
// and a score.

#pragma once

#include "kernel/kernel_bits.hpp"
#include "kernel/kernel_class.hpp"
#include "kernel/kernel_coloured.hpp"
#include "kernel/kernel_context.hpp"
#include "kernel/kernel_octets.hpp"
#include "kernel/kernel_platform.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

// Without counters a search is sparse while so many columns matter.
inline constexpr int least_sparse = has_lists ? 32 * 4 + 1 : 64 * 4 + 1;
// A score from here on is that of a column that need not be covered.
inline constexpr i32 unneeded = i32{1} << 29;
inline constexpr int score_block = 64;

// Whether lists and scores serve this problem better than bitmaps. A child removes the rows of the columns of its row,
// and each of them changes the scores of its columns; with bitmaps every word of every column is read.
static inline bool is_sparse(const KernelProblem& p) {
    if (has_pairs(p)) return !fits_records(p);
    if (p.n_rows > most_rows || p.n_columns > most_columns) return true;
    if (p.n_columns < least_sparse) return false;
    const double entries = static_cast<double>(p.starts[p.n_rows]), rows = p.n_rows, columns = p.n_columns;
    const double words = words_of(p.n_rows) * columns, length = entries / rows;
    return words > most_words || entries / columns * length * length < words / 2;
}

// A matrix with the rows that are alive.
struct Sparse {
    const KernelProblem& p;
    std::int64_t* column_starts;  // [n_columns + 1]
    i32* column_rows;             // ascending in each column
    unsigned char* alive;         // [n_rows]
    i32* score;                   // [n_columns, and up to a whole block]: rows alive, plus `unneeded`
    i32* removed;                 // [n_rows]: a stack
    i32 n_removed;
    i32 n_needed;  // columns

    // Remove the rows that clash with this one. Returns false as soon as a needed column has no row left.
    bool take(i32 row) {
        for (auto k = p.starts[row]; k < p.starts[row + 1] && p.columns[k] < p.first_pair; ++k) {
            score[p.columns[k]] += unneeded;
            n_needed -= p.columns[k] < p.n_primary;
        }
        for (auto k = p.starts[row]; k < p.starts[row + 1]; ++k) {
            const i32 q = partner(p.columns[k], p.first_pair);
            for (auto i = column_starts[q]; i < column_starts[q + 1]; ++i) {
                const i32 other = column_rows[i];
                if (!alive[other]) continue;
                alive[other] = 0;
                removed[n_removed++] = other;
                bool dead = false;
                for (auto l = p.starts[other]; l < p.starts[other + 1]; ++l) dead |= --score[p.columns[l]] == 0;
                if (dead) return false;
            }
        }
        return true;
    }

    // Undo `take`, before which so many rows had been removed.
    void give_back(i32 row, i32 n_before) {
        while (n_removed > n_before) {
            const i32 other = removed[--n_removed];
            alive[other] = 1;
            for (auto l = p.starts[other]; l < p.starts[other + 1]; ++l) ++score[p.columns[l]];
        }
        for (auto k = p.starts[row]; k < p.starts[row + 1] && p.columns[k] < p.first_pair; ++k) {
            score[p.columns[k]] -= unneeded;
            n_needed += p.columns[k] < p.n_primary;
        }
    }

    // The first needed column with the fewest rows, or -1.
    i32 choose() const {
        i32 best = unneeded, at = -1;
        for (i32 first = 0; first < p.n_primary && best > 1; first += score_block) {
            i32 least = unneeded;
            for (int k = 0; k < score_block; ++k) least = score[first + k] < least ? score[first + k] : least;
            if (least < best) best = least, at = first;
        }
        if (at < 0) return -1;
        while (score[at] != best) ++at;
        return at;
    }

    // Whether a column can still matter: it is needed, or two rows hold it that could both be chosen, or both columns
    // of a pair are held.
    bool matters(i32 q) const {
        if (q >= p.first_pair) return score[q] > unneeded && score[partner(q, p.first_pair)] > unneeded;
        return q < p.n_primary ? score[q] < unneeded : score[q] > unneeded + 1 && score[q] < 2 * unneeded;
    }
    bool few_matter() const {
        if (has_pairs(p)) {
            if (n_needed > most_coloured_columns) return false;
            i32 most = 0;
            std::int64_t n_places = 0;
            for (i32 q = 0; q < p.n_primary; ++q) {
                if (score[q] >= unneeded) continue;
                n_places += score[q];
                if (score[q] > most) most = score[q];
            }
            return fits_records(n_needed, most, n_places);
        }
        int n = n_needed;
        for (i32 q = p.n_primary; q < p.n_columns && n < least_sparse; ++q) n += matters(q);
        return n < least_sparse;
    }
};

struct SparseChild {
    i32 row;
    u32 rank;
};

struct SparseVisit {
    i32 row;        // the child now visited
    i32 n_removed;  // before
};

// Write the rows of each column, and the scores.
inline Sparse Kernel::sparse_matrix(const KernelProblem& p) {
    const auto n_rows = static_cast<std::size_t>(p.n_rows), n_columns = static_cast<std::size_t>(p.n_columns);
    const std::size_t n_scores = (n_columns + score_block - 1) / score_block * score_block;
    Sparse s{p,
             arena_.take<std::int64_t>(n_columns + 1),
             arena_.take<i32>(static_cast<std::size_t>(p.starts[p.n_rows])),
             arena_.take<unsigned char>(n_rows),
             arena_.take<i32>(n_scores),
             arena_.take<i32>(n_rows),
             0,
             p.n_primary};
    for (std::size_t q = 0; q < n_scores; ++q) s.score[q] = 0;
    for (std::int64_t k = 0; k < p.starts[p.n_rows]; ++k) ++s.score[p.columns[k]];
    s.column_starts[0] = 0;
    for (std::size_t q = 0; q < n_columns; ++q) s.column_starts[q + 1] = s.column_starts[q] + s.score[q];
    for (i32 row = p.n_rows - 1; row >= 0; --row) {  // afterwards `column_starts[q + 1]` is where column q begins
        s.alive[row] = 1;
        for (auto k = p.starts[row]; k < p.starts[row + 1]; ++k)
            s.column_rows[--s.column_starts[p.columns[k] + 1]] = row;
    }
    for (std::size_t q = 0; q < n_columns; ++q) s.column_starts[q] = s.column_starts[q + 1];
    s.column_starts[n_columns] = p.starts[p.n_rows];
    for (std::size_t q = static_cast<std::size_t>(p.n_primary); q < n_scores; ++q) s.score[q] += unneeded;
    return s;
}

// Search the subtree of the node where the rows alive of a matrix are left, as a problem of its own.
inline void Kernel::descend_from_sparse(const Sparse& s, const u32* numbers, u32 depth) {
    const Arena::Mark mark = arena_.mark();
    const KernelProblem& p = s.p;
    const i32 n_rows = p.n_rows - s.n_removed;
    i32* const column = arena_.take<i32>(static_cast<std::size_t>(p.n_columns));
    KernelProblem d = p;
    d.n_rows = n_rows;
    d.n_columns = d.n_primary = 0;
    std::int64_t entries = 0;
    for (i32 q = 0; q < p.n_columns; ++q) {
        if (q == p.first_pair) d.first_pair = d.n_columns;
        column[q] = s.matters(q) ? d.n_columns++ : -1;
        if (column[q] >= 0) entries += s.score[q] & (unneeded - 1);
        if (column[q] >= 0 && q < p.n_primary) ++d.n_primary;
    }
    if (!has_pairs(p)) d.first_pair = d.n_columns;
    auto* const starts = arena_.take<std::int64_t>(static_cast<std::size_t>(n_rows) + 1);
    i32* const columns = arena_.take<i32>(static_cast<std::size_t>(entries));
    u32* const rows = arena_.take<u32>(static_cast<std::size_t>(n_rows));
    i32 n = 0;
    std::int64_t at = 0;
    starts[0] = 0;
    for (i32 row = 0; row < p.n_rows; ++row) {
        if (!s.alive[row]) continue;
        for (auto k = p.starts[row]; k < p.starts[row + 1]; ++k)
            if (column[p.columns[k]] >= 0) columns[at++] = column[p.columns[k]];
        rows[n++] = numbers[row];
        starts[n] = at;
    }
    d.starts = starts;
    d.columns = columns;
    d.low = d.high = nullptr;  // all are 1, or 0 and 1
    search(d, rows, depth);
    if (!host_.stopped) arena_.cut(mark);
}

// Open the level `depth` on a node, with all children. Which of them are dead is found out when they are visited,
// because a child costs much here.
inline void Kernel::expand_sparse(const Sparse& s, i32 column, u32 depth) {
    const u32 tried = static_cast<u32>(s.score[column]);
    const Arena::Mark mark = arena_.mark();
    SparseChild* child = arena_.take<SparseChild>(tried);
    Level& level = host_.levels[depth];
    level.mark = mark.top;
    level.chunk = mark.chunk;
    level.next = reinterpret_cast<char*>(child);
    u32 rank = 0;
    for (auto i = s.column_starts[column]; rank < tried; ++i)
        if (s.alive[s.column_rows[i]]) *child++ = {s.column_rows[i], rank++};
    level.end = reinterpret_cast<char*>(child);
    level.tried = tried;
    level.size = sizeof(SparseChild);
    host_.tried[depth] += tried;
    host_.until_look -= tried;
}

// Search the subtree of a node with `depth0` rows chosen: the root of this problem.
inline void Kernel::walk_sparse(const KernelProblem& p, const u32* numbers, u32 depth0) {
    Sparse s = sparse_matrix(p);
    SparseVisit* const visits = arena_.take<SparseVisit>(static_cast<std::size_t>(p.n_primary) + 1);
    SparseVisit* visit = visits;  // of the level `depth`
    u32 depth = depth0;
    i32 column = s.choose();
    for (;;) {
        // The node with this column is to be opened on the level `depth`.
        const i32 n_rows = p.n_rows - s.n_removed;
        if (depth > depth0 && s.score[column] > 1 &&
            (n_rows <= p.n_rows / 2 || (n_rows <= most_rows && s.few_matter()))) {
            descend_from_sparse(s, numbers, depth);
            if (host_.stopped) return;
            --depth;
            --visit;
            s.give_back(visit->row, visit->n_removed);
        } else {
            expand_sparse(s, column, depth);
            if (host_.until_look < 0) {
                host_.depth = depth;
                host_.look();
                if (host_.stopped) return;
            }
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
                --visit;
                s.give_back(visit->row, visit->n_removed);
                continue;
            }
            const SparseChild child = *reinterpret_cast<const SparseChild*>(level.next);
            level.next += sizeof(SparseChild);
            level.row = numbers[child.row];
            level.rank = child.rank;
            *visit = {child.row, s.n_removed};
            if (!s.take(child.row)) {
                ++host_.dead[depth];
                s.give_back(visit->row, visit->n_removed);
                continue;
            }
            if (depth < host_.watched) {
                host_.depth = depth;
                if (!host_.enter()) {
                    if (host_.stopped) return;
                    s.give_back(visit->row, visit->n_removed);
                    continue;
                }
            }
            column = s.choose();
            if (column < 0) {
                host_.depth = depth;
                host_.cover(depth + 1);
                if (host_.stopped) return;
                s.give_back(visit->row, visit->n_removed);
                continue;
            }
            ++visit;
            ++depth;
            found = true;
        }
    }
}

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
