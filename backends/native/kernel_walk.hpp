// The walk itself: move into a smaller context, expand, go on with the survivors.
//
// require: included inside the unit's namespace, after the other parts of the kernel.

// With so few children or fewer a node does not repay a move into a smaller context; measured.
static constexpr u32 least_children(int u) { return u == 1 || u == 2 ? 3 : 2; }

template <int U, int NW, bool M>
void Kernel::walk(const Context& c, char* root, u32 depth0) {
    const std::size_t size = node_size(NW ? NW : c.nw, U ? U : c.u, M ? n_counters_ : 0);
    u32 depth = depth0;
    for (char* node = root;;) {
        bool closed = true;
        if (!M && c.pair > 0 && needed_columns<NW>(c, node) == c.pair && depth >= host_.pairs_from) {
            count_pairs<U, NW>(c, node, depth);
        } else if (head(node).key >> key_shift > least_children(U) && (U != 1 || NW != 1) && pays<U, NW>(c, node)) {
            descend(c, node, depth);
            if (host_.stopped) return;
        } else {
            closed = false;
            if constexpr (M) expand_counted<U, NW>(c, node, depth);
            else expand<U, NW>(c, node, depth);
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
            level.row = head(child).row;
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
                if (!M || !extend(c, child)) continue;
            }
            node = child;
            ++depth;
        }
    }
}

// Let a finished cover be extended, where there are rows for it.
inline bool Kernel::extend(const Context& c, char* node) const {
    if (c.extension < 0) return false;
    const int n = count_of(c.a + c.extension, c.stride, active_of(node, c.nw), c.u);
    head(node).key = static_cast<u32>(n) << key_shift | static_cast<u32>(c.extension);
    return n > 0;
}

inline void Kernel::descend(const Context& c, char* node, u32 depth) {
    const Arena::Mark mark = arena_.mark();
    char* root;
#if defined(__AVX512VBMI2__)
    const Context& d = c.nw == 1 ? shrink_word(c, node, root) : shrink(c, node, root);
#else
    const Context& d = shrink(c, node, root);
#endif
    (this->*(counted_ ? walker<true>(d.u, d.nw) : walker<false>(d.u, d.nw)))(d, root, depth);
    if (!host_.stopped) arena_.cut(mark);
}

template <bool M>
Kernel::Walker Kernel::walker(int u, int nw) {
#define CLASS(U)                                       \
    if (u == U) {                                      \
        if (nw == 1) return &Kernel::walk<U, 1, M>;    \
        if (nw == 2) return &Kernel::walk<U, 2, M>;    \
        if (nw == 4) return &Kernel::walk<U, 4, M>;    \
    }
    CLASS(1) CLASS(2) CLASS(3) CLASS(4) CLASS(6) CLASS(8) CLASS(12) CLASS(16)
#undef CLASS
    return &Kernel::walk<0, 0, M>;
}

inline void Kernel::walk_all() {
    char* root;
    const Context& c = root_context(root);
    if (head(root).key == no_column) {
        host_.depth = 0;
        host_.cover(0);
        if (host_.stopped || !extend(c, root)) return;
    } else if (head(root).key >> key_shift == 0) {
        host_.dead_root();
        return;
    }
    (this->*(counted_ ? walker<true>(c.u, c.nw) : walker<false>(c.u, c.nw)))(c, root, 0);
}
