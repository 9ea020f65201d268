// The class of the kernel, and functions that several parts use.

#pragma once

#include "kernel/kernel_bits.hpp"
#include "kernel/kernel_context.hpp"
#include "kernel/kernel_octets.hpp"
#include "kernel/kernel_platform.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

inline constexpr u64 no_columns = 0;

// What a walk by bitmaps has to know of its rows.
enum class Form {
    plain,
    counted,  // columns may be held more than once, or there is an extension
};

template <int W>
struct Columns;
template <int W>
struct RowList;
template <int W>
struct ListNode;
struct Sparse;
struct Coloured;

class Kernel {
public:
    Kernel(const KernelProblem& problem, Walk& host)
        : problem_(problem), host_(host), arena_(host), counted_(problem.counted) {}

    void walk_all();

private:
    using WalkOfSize = void (Kernel::*)(const Context&, char*, u32);

    void walk_counted();
    void search(const KernelProblem& p, const u32* numbers, u32 depth);
    void search_coloured(const KernelProblem& p, const u32* numbers, u32 depth);
    Sparse sparse_matrix(const KernelProblem& p);
    void walk_sparse(const KernelProblem& p, const u32* numbers, u32 depth0);
    void expand_sparse(const Sparse& s, i32 column, u32 depth);
    void descend_from_sparse(const Sparse& s, const u32* numbers, u32 depth);
    Context& root_context(const KernelProblem& p, int n_columns, char*& root);
    Coloured& coloured_matrix(const KernelProblem& p);
    const u8* record_of(const Coloured& c, i32 row);
    u8* coloured_root(const Coloured& c);
    void find_key(const Coloured& c, u8* node) const;
    u8* coloured_children(const Coloured& c, u8* node, u8* child);
    void expand_coloured(const Coloured& c, u8* node, u32 depth);
    void count_coloured_pairs(const Coloured& c, u8* node, u32 depth);
    void fill_columns(Context& c);
    Context& shrink(const Context& c, char* node, char*& root);
    Context& shrink_word(const Context& c, char* node, char*& root);
    template <int NW>
    void choose_columns(const Context& c, char* node, u64* keep);
    void keep_rows(const Context& c, const u64* active, const u64* keep, Context& d);
    void keep_bounds(const Context& c, const u64* keep, Context& d);
    void descend(const Context& c, char* node, u32 depth);
    template <Form F>
    static WalkOfSize walk_of_size(int u, int nw);
    template <int U, int NW, Form F>
    void walk(const Context& c, char* root, u32 depth0);
    template <int U, int NW, Form F>
    void expand(const Context& c, char* node, u32 depth);
    template <int U, int NW>
    void expand_counted(const Context& c, char* node, u32 depth);
    template <int U, int NW, Form F>
    void count_pairs(const Context& c, char* node, u32 depth);
    bool descend_by_list(const Context& c, char* node, u32 depth);
    template <int W>
    void descend_to_list(const Context& c, char* node, const u64* keep, u32 depth);
    template <int W>
    void search_by_list(const KernelProblem& p, const u32* numbers, u32 depth);
    template <int W>
    void walk_list(const ListNode<W>& root, u32 key, int pair, u32 depth0);
    template <int W, int Fewer>
    void narrow(const ListNode<W>& node, const Columns<W>& matter, u32 key, int pair, u32 depth);
    template <int W>
    RowList<W> room_for(int n);
    template <int W>
    void expand_list(const ListNode<W>& node, u32 key, u32 depth, Arena::Mark mark);
    template <int W>
    void count_pairs_of_list(const ListNode<W>& node, u32 key, u32 depth);
    template <int U, int NW>
    u32 choose(const Context& c, const u64* active, const u64* need);
    u32 choose_counted(const Context& c, const u64* active, const u64* need, const u16* counts, u32 key);
    bool kills(const Context& c, const u64* mask, const u64* active, const u64* need, const u16* counts);
    template <int U, int NW>
    bool pays(const Context& c, char* node) const;
    bool extend(const Context& c, char* node) const;

    const KernelProblem& problem_;
    Walk& host_;
    Arena arena_;
    const u32* numbers_ = nullptr;  // in the problem, of the rows of the first context
    const bool counted_;            // there are counters or an extension
    int n_counters_ = 0;
    const i32* low_ = nullptr;  // of each counter
    const i32* high_ = nullptr;
};

static inline int count_of(const u64* column, std::size_t stride, const u64* active, int u) {
    int n = 0;
    for (int w = 0; w < u; ++w) n += Bits::count(column[static_cast<std::size_t>(w) * stride] & active[w]);
    return n;
}

template <int NW>
static inline int needed_columns(const Context& c, char* node) {
    int n = 0;
    for (int g = 0; g < (NW ? NW : c.nw); ++g) n += Bits::count(need_of(node)[g]);
    return n;
}

// How many of the `needed` columns two rows cover, if all rows cover equally many of them; else -1.
static inline int pair_size(const Context& c, const u64* needed) {
    int size = -1;
    for (int j = 0; j < c.n_rows; ++j) {
        int n = 0;
        for (int g = 0; g < c.nw; ++g) n += Bits::count(c.masks[static_cast<std::size_t>(j) * c.nw + g] & needed[g]);
        if (size >= 0 && n != size) return -1;
        size = n;
    }
    return size > 0 ? 2 * size : -1;
}

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
