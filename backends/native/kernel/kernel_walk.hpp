// The walk itself: it moves a node into a smaller context or expands it, and goes on with the children that are left.

#pragma once

#include "kernel/kernel_coloured_walk.hpp"
#include "kernel/kernel_expand.hpp"
#include "kernel/kernel_list.hpp"
#include "kernel/kernel_move.hpp"
#include "kernel/kernel_move_word.hpp"
#include "kernel/kernel_platform.hpp"
#include "kernel/kernel_sparse.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

// A node with at most so many children does not repay a move into a smaller context (measured).
static constexpr u32 few_children(int u) { return u == 1 || u == 2 ? 3 : 2; }

// Search the subtree of `root`, a node of context c with `depth0` rows chosen.
template <int U, int NW, Form F>
void Kernel::walk(const Context& c, char* root, u32 depth0) {
    constexpr bool counted = F == Form::counted;
    const std::size_t size = node_size(NW ? NW : c.nw, U ? U : c.u, counted ? n_counters_ : 0);
    u32 depth = depth0;
    for (char* node = root;;) {
        bool closed = true;
        if (!counted && c.pair > 0 && needed_columns<NW>(c, node) == c.pair && depth >= host_.pairs_from) {
            count_pairs<U, NW, F>(c, node, depth);
        } else if (head(node).key >> key_shift > few_children(U) && (U != 1 || NW != 1) && pays<U, NW>(c, node)) {
            descend(c, node, depth);
            if (host_.stopped) return;
        } else {
            closed = false;
            if constexpr (counted) expand_counted<U, NW>(c, node, depth);
            else expand<U, NW, F>(c, node, depth);
            if (host_.until_look < 0) {
                host_.depth = depth;
                host_.look();
                if (host_.stopped) return;
            }
        }
        if (closed) {
            if (depth == depth0) return;
            --depth;
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
            char* const child = level.next;
            level.next += size;
            level.row = numbers_[head(child).row];
            level.rank = head(child).rank;
            if (depth < host_.watched) {
                host_.depth = depth;
                if (!host_.enter()) {
                    if (host_.stopped) return;
                    continue;
                }
            }
            if (head(child).key == no_column) {
                host_.depth = depth;
                host_.cover(depth + 1);
                if (host_.stopped) return;
                if (!counted || !extend(c, child)) continue;
            }
            node = child;
            ++depth;
        }
    }
}

// Turn a finished cover into a node on the extension. Returns false when no row can be added.
inline bool Kernel::extend(const Context& c, char* node) const {
    if (c.extension < 0) return false;
    const int n = count_of(c.a + c.extension, c.stride, active_of(node, c.nw), c.u);
    head(node).key = static_cast<u32>(n) << key_shift | static_cast<u32>(c.extension);
    return n > 0;
}

// Search the subtree of a node in a smaller context.
inline void Kernel::descend(const Context& c, char* node, u32 depth) {
    const Arena::Mark mark = arena_.mark();
    char* root;
#if defined(__AVX512VBMI2__)
    const bool colours = c.first_pair < c.n_columns;
    const Context& d = c.nw == 1 && !colours ? shrink_word(c, node, root) : shrink(c, node, root);
#else
    if (!counted_ && descend_by_list(c, node, depth)) {
        if (!host_.stopped) arena_.cut(mark);
        return;
    }
    const Context& d = shrink(c, node, root);
#endif
    const WalkOfSize walk = counted_ ? walk_of_size<Form::counted>(d.u, d.nw) : walk_of_size<Form::plain>(d.u, d.nw);
    (this->*walk)(d, root, depth);
    if (!host_.stopped) arena_.cut(mark);
}

template <Form F>
Kernel::WalkOfSize Kernel::walk_of_size(int u, int nw) {
#define CLASS(U)                                        \
    if (u == U) {                                       \
        if constexpr (F != Form::plain || !has_lists) { \
            if (nw == 1) return &Kernel::walk<U, 1, F>; \
            if (nw == 2) return &Kernel::walk<U, 2, F>; \
        }                                               \
        if (nw == 4) return &Kernel::walk<U, 4, F>;     \
    }
    CLASS(1);
    CLASS(2);
    CLASS(3);
    CLASS(4);
    CLASS(6);
    CLASS(8);
    CLASS(12);
    CLASS(16);
#undef CLASS
    return &Kernel::walk<0, 0, F>;
}

// With counters or an extension: search a problem as one context.
inline void Kernel::walk_counted() {
    char* root;
    const Context& c = root_context(problem_, problem_.n_columns, root);
    if (head(root).key == no_column) {
        host_.depth = 0;
        host_.cover(0);
        if (host_.stopped || !extend(c, root)) return;
    } else if (head(root).key >> key_shift == 0) {
        host_.dead_root();
        return;
    }
    (this->*walk_of_size<Form::counted>(c.u, c.nw))(c, root, 0);
}

// Without counters: search a problem in the form that suits it. It has needed columns, and they have rows. `numbers`
// are those of its rows in the whole problem.
inline void Kernel::search(const KernelProblem& p, const u32* numbers, u32 depth) {
    if (is_sparse(p)) return walk_sparse(p, numbers, depth);
    if (has_pairs(p)) return search_coloured(p, numbers, depth);
#if !defined(__AVX512VBMI2__)
    if (p.n_columns <= 32) return search_by_list<1>(p, numbers, depth);
    if (p.n_columns <= 64) return search_by_list<2>(p, numbers, depth);
    if (p.n_columns <= 96) return search_by_list<3>(p, numbers, depth);
    if (p.n_columns <= 128) return search_by_list<4>(p, numbers, depth);
#endif
    numbers_ = numbers;
    char* root;
    const Context& c = root_context(p, p.n_columns, root);
    (this->*walk_of_size<Form::plain>(c.u, c.nw))(c, root, depth);
}

inline void Kernel::walk_all() {
    const KernelProblem& p = problem_;
    u32* const numbers = arena_.take<u32>(static_cast<std::size_t>(p.n_rows));
    for (u32 row = 0; row < static_cast<u32>(p.n_rows); ++row) numbers[row] = row;
    numbers_ = numbers;
    if (counted_) return walk_counted();
    if (p.n_primary == 0) {
        host_.depth = 0;
        return host_.cover(0);
    }
    bool* const held = arena_.take<bool>(static_cast<std::size_t>(p.n_columns));
    for (i32 q = 0; q < p.n_columns; ++q) held[q] = false;
    for (std::int64_t k = 0; k < p.starts[p.n_rows]; ++k) held[p.columns[k]] = true;
    for (i32 q = 0; q < p.n_primary; ++q)
        if (!held[q]) return host_.dead_root();
    search(p, numbers, 0);
}

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
