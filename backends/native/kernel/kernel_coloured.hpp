// What a search needs whose rows hold items in colours. The rows of a column are octets of bits, and an octet of a
// vector belongs to one column. A *group* is as many columns as a vector has octets: one vector says which of them are
// needed, and as many follow as the rows of its longest column need. A row has a bit in each of its columns, its
// *places*. So a column is counted where it has rows and nowhere else, and all columns of a group are counted at once.
//
// A child is one AND NOT of a node with the *record* of its row: the columns that the row holds, and the rows that
// clash with it.

#pragma once

#include "kernel/kernel_bits.hpp"
#include "kernel/kernel_class.hpp"
#include "kernel/kernel_context.hpp"
#include "kernel/kernel_octets.hpp"
#include "kernel/kernel_platform.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

inline constexpr int most_coloured_columns =
    254;                               // columns that must be covered have numbers in octets, and 255 is none
inline constexpr int most_ways = 248;  // rows of a column are counted in octets
inline constexpr int most_groups = (most_coloured_columns + octets - 1) / octets;
inline constexpr std::int64_t most_record_octets = std::int64_t{1} << 26;  // of all records, about

static inline bool has_pairs(const KernelProblem& p) { return p.first_pair < p.n_columns; }

// Whether records serve a problem: the rows of so many columns that must be covered have so many places in all, and a
// column has at most so many rows.
static inline bool fits_records(i32 n_columns, i32 ways, std::int64_t n_places) {
    return n_columns <= most_coloured_columns && ways <= most_ways &&
           n_places * (n_places / 8 + n_columns) <= most_record_octets;
}

static inline bool fits_records(const KernelProblem& p) {
    if (p.n_primary > most_coloured_columns) return false;
    i32 ways[most_coloured_columns] = {}, most = 0;
    std::int64_t n_places = 0;
    for (std::int64_t k = 0; k < p.starts[p.n_rows]; ++k) {
        const i32 q = p.columns[k];
        if (q >= p.n_primary) continue;
        ++n_places;
        if (++ways[q] > most) most = ways[q];
    }
    return fits_records(p.n_primary, most, n_places);
}

struct Coloured {
    const KernelProblem* p;
    int n_groups;
    std::size_t n_vectors;  // of a node, and of a record
    int pair;  // columns that two rows cover, if covers are counted and all rows cover equally many; else -1
    u16 first[most_groups + 1];                         // of each group: its vector of needed columns
    alignas(octets) u16 even[most_groups][octets / 2];  // of the even octets: `word_of` the column, or of 255
    alignas(octets) u16 odd[most_groups][octets / 2];
    u8 lane[most_coloured_columns];  // of each column: its octet, in the order of the groups
    u16 ways[most_coloured_columns];
    i32 place[most_coloured_columns];  // of each column: its first place
    u16* row;                          // of each place
    u16* held;                         // of each row: how many columns it holds that must be covered
    u8* holders;                       // [n_columns][n_vectors][octets]: the rows of each column of the problem
    const u8** record;                 // of each row, or nullptr until it is made
    u8* records;                       // [n_rows][n_vectors][octets]

    // Where octet k of the rows of a column is in a node; -1 is the octet that says whether it is needed.
    std::size_t at(int q, int k) const {
        return static_cast<std::size_t>(first[lane[q] / octets] + 1 + k) * octets +
               static_cast<std::size_t>(lane[q] % octets);
    }
    std::size_t record_size() const { return n_vectors * octets; }
    std::size_t node_size() const { return octets + record_size(); }
    void lay_out();
};

// A node: its head in a vector, then vectors as in a record. What a group needs is 255.
struct ColouredHead {
    u32 key;       // as that of Head
    u16 row;       // chosen, in this problem
    u16 rank;      // of the node among its siblings, which include the dead ones
    u16 missing;   // columns that are needed
    u16 n_groups;  // no later group needs a column; their vectors are not written
};
static inline ColouredHead& coloured_head(u8* node) { return *reinterpret_cast<ColouredHead*>(node); }
static inline u8* vectors_of(u8* node) { return node + octets; }
static inline Octets vector_at(const u8* vectors, std::size_t i) { return Octets::load(vectors + i * octets); }

// Give each column its octets. Those with most rows come first, so that the columns of a group have about equally many.
inline void Coloured::lay_out() {
    int before[most_ways / 8 + 1] = {};  // columns, by the number of their octets
    const auto n_octets = [this](i32 q) { return (ways[q] + 7) / 8; };
    for (i32 q = 0; q < p->n_primary; ++q) ++before[n_octets(q)];
    for (int k = most_ways / 8, sum = 0; k >= 0; --k) {
        const int here = before[k];
        before[k] = sum;
        sum += here;
    }
    n_groups = (p->n_primary + octets - 1) / octets;
    i32 longest[most_groups] = {}, at = 0;
    n_vectors = 0;
    for (int g = 0; g < n_groups; ++g)
        for (int i = 0; i < octets / 2; ++i) even[g][i] = odd[g][i] = word_of(255);
    for (i32 q = 0; q < p->n_primary; ++q) {
        const int l = before[n_octets(q)]++, g = l / octets;
        lane[q] = static_cast<u8>(l);
        (l % 2 ? odd : even)[g][l % octets / 2] = word_of(q);
        longest[g] = n_octets(q) > longest[g] ? n_octets(q) : longest[g];
        place[q] = at;
        at += ways[q];
    }
    for (int g = 0; g < n_groups; ++g) {
        first[g] = static_cast<u16>(n_vectors);
        n_vectors += static_cast<std::size_t>(1 + longest[g]);
    }
    first[n_groups] = static_cast<u16>(n_vectors);
}

// Lay out a problem.
inline Coloured& Kernel::coloured_matrix(const KernelProblem& p) {
    Coloured& c = *arena_.take<Coloured>(1);
    c.p = &p;
    const auto n_rows = static_cast<std::size_t>(p.n_rows);
    c.held = arena_.take<u16>(n_rows);
    for (i32 q = 0; q < p.n_primary; ++q) c.ways[q] = 0;
    std::size_t n_places = 0;
    bool even = true;
    for (i32 j = 0; j < p.n_rows; ++j) {
        c.held[j] = 0;
        for (auto k = p.starts[j]; k < p.starts[j + 1] && p.columns[k] < p.n_primary; ++k, ++c.held[j])
            ++c.ways[p.columns[k]];
        n_places += c.held[j];
        even &= c.held[j] == c.held[0];
    }
    c.pair = host_.counts && even && c.held[0] > 0 ? 2 * c.held[0] : -1;
    c.lay_out();
    c.row = arena_.take<u16>(n_places);
    c.record = arena_.take<const u8*>(n_rows);
    c.records = arena_.take<u8>(n_rows * c.record_size());
    const std::size_t n_holders = static_cast<std::size_t>(p.n_columns) * c.record_size();
    c.holders = arena_.take<u8>(n_holders);
    for (std::size_t k = 0; k < n_holders; k += octets) store(c.holders + k, Octets::in_all(0));
    int met[most_coloured_columns] = {};  // rows of each column
    for (i32 j = 0; j < p.n_rows; ++j) {
        c.record[j] = nullptr;
        for (auto k = p.starts[j]; k < p.starts[j + 1] && p.columns[k] < p.n_primary; ++k) {
            const i32 q = p.columns[k];
            const int i = met[q]++;
            c.row[c.place[q] + i] = static_cast<u16>(j);
            const std::size_t at = c.at(q, i / 8);
            for (auto other = p.starts[j]; other < p.starts[j + 1]; ++other)
                c.holders[static_cast<std::size_t>(p.columns[other]) * c.record_size() + at] |=
                    static_cast<u8>(1 << i % 8);
        }
    }
    return c;
}

// The record of a row. It is made when the row is first chosen, because most rows never are.
inline const u8* Kernel::record_of(const Coloured& c, i32 row) {
    u8* const record = c.records + static_cast<std::size_t>(row) * c.record_size();
    c.record[row] = record;
    const KernelProblem& p = *c.p;
    for (std::size_t i = 0; i < c.n_vectors; ++i) store(record + i * octets, Octets::in_all(0));
    for (auto k = p.starts[row]; k < p.starts[row + 1]; ++k) {
        const auto q = static_cast<std::size_t>(partner(p.columns[k], p.first_pair));
        const u8* const rows = c.holders + q * c.record_size();
        for (std::size_t i = 0; i < c.n_vectors; ++i)
            store(record + i * octets, vector_at(record, i) | vector_at(rows, i));
        if (p.columns[k] < p.n_primary) record[c.at(p.columns[k], -1)] = 255;
    }
    return record;
}

// The node where all rows are alive.
inline u8* Kernel::coloured_root(const Coloured& c) {
    u8* const root = arena_.take<u8>(c.node_size());
    u8* const vectors = vectors_of(root);
    for (std::size_t i = 0; i < c.n_vectors; ++i) store(vectors + i * octets, Octets::in_all(0));
    for (i32 q = 0; q < c.p->n_primary; ++q) {
        vectors[c.at(q, -1)] = 255;
        for (int k = 0; 8 * k < c.ways[q]; ++k) vectors[c.at(q, k)] = static_cast<u8>(low_bits(c.ways[q] - 8 * k));
    }
    coloured_head(root) = {0, 0, 0, static_cast<u16>(c.p->n_primary), static_cast<u16>(c.n_groups)};
    find_key(c, root);
    return root;
}

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
