// The kernel's parts, and what several of them use.
//
// require: included inside the unit's namespace, after kernel_context.hpp.

inline constexpr u64 no_columns = 0;

class Kernel {
public:
    Kernel(const KernelProblem& problem, Walk& host) : problem_(problem), host_(host), arena_(host) {}

    void walk_all();

private:
    using Walker = void (Kernel::*)(const Context&, char*, u32);

    Context& root_context(char*& root);
    void fill_columns(Context& c);
    Context& shrink(const Context& c, char* node, char*& root);
    Context& shrink_word(const Context& c, char* node, char*& root);
    template <int NW>
    void choose_columns(const Context& c, char* node, u64* keep);
    void keep_rows(const Context& c, const u64* active, const u64* keep, Context& d);
    void keep_bounds(const Context& c, const u64* keep, Context& d);
    void descend(const Context& c, char* node, u32 depth);
    template <bool M>
    static Walker walker(int u, int nw);
    template <int U, int NW, bool M>
    void walk(const Context& c, char* root, u32 depth0);
    template <int U, int NW>
    void expand(const Context& c, char* node, u32 depth);
    template <int U, int NW>
    void expand_counted(const Context& c, char* node, u32 depth);
    template <int U, int NW>
    void count_pairs(const Context& c, char* node, u32 depth);
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
    int n_counters_ = 0;
    bool counted_ = false;       // there are counters, or an extension
    const i32* low_ = nullptr;   // of each counter
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

// How many of the columns `needed` two rows cover, where that is the same for all rows; else -1.
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
