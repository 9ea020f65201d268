// The walk itself: move into a smaller context, expand, go on with the survivors.
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

// Setting up

inline Context& Kernel::root_context(char*& root) {
    const KernelProblem& p = problem_;
    Context& c = *arena_.take<Context>(1);
    set_size(c, p.n_rows, p.n_columns);
    set_thresholds(c, p.n_primary);
    c.masks = arena_.take<u64>(static_cast<std::size_t>(64 * c.u) * c.nw);
    c.rows = arena_.take<u16>(static_cast<std::size_t>(64 * c.u));
    for (int j = 0; j < p.n_rows; ++j) {
        u64* mask = c.masks + static_cast<std::size_t>(j) * c.nw;
        for (int g = 0; g < c.nw; ++g) mask[g] = 0;
        for (auto k = p.starts[j]; k < p.starts[j + 1]; ++k) mask[p.columns[k] >> 6] |= u64{1} << (p.columns[k] & 63);
        c.rows[j] = static_cast<u16>(j);
    }
    c.multi = arena_.take<u64>(static_cast<std::size_t>(c.nw));
    c.counter = arena_.take<u16>(static_cast<std::size_t>(64 * c.nw));
    for (int g = 0; g < c.nw; ++g) c.multi[g] = 0;
    i32* const low = arena_.take<i32>(static_cast<std::size_t>(p.n_columns) + 1);
    i32* const high = arena_.take<i32>(static_cast<std::size_t>(p.n_columns) + 1);
    for (int q = 0; q < p.n_columns; ++q)
        if (p.high[q] > 1 && q != p.extension) {
            c.multi[q >> 6] |= u64{1} << (q & 63);
            c.counter[q] = static_cast<u16>(n_counters_);
            low[n_counters_] = p.low[q];
            high[n_counters_++] = p.high[q];
        }
    low_ = low;
    high_ = high;
    c.extension = p.extension;
    counted_ = n_counters_ > 0 || c.extension >= 0;
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
    c.base = low_bits(p.n_columns);
    c.pair = host_.counts && !counted_ ? pair_size(c, need) : -1;
    return c;
}

// The columns of a context from its rows. Rows that only fill the last word up are made empty.
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

// Moving into a smaller context
//
// Everywhere but in shrink_word the kept rows are renumbered, so that their columns are those of the new context.

// The columns that are needed, and of the others those that can still do something: the counted ones that a row holds,
// and the rest where two rows do.
template <int NW>
inline void Kernel::choose_columns(const Context& c, char* node, u64* keep) {
    const int nw = NW ? NW : c.nw;
    const u64* const need = need_of(node);
    const u64* const active = active_of(node, nw);
    for (int g = 0; g < nw; ++g) keep[g] = need[g];
    if (!c.spare) return;
    for (int g = 0; g < nw; ++g)
        for (u64 bits = low_bits(c.n_columns - 64 * g) & ~need[g]; bits; bits &= bits - 1) {
            const int n = count_of(c.a + 64 * g + Bits::first(bits), c.stride, active, c.u);
            if (n > 1 || (n == 1 && (c.multi[g] & bits & -bits))) keep[g] |= bits & -bits;
        }
    if (c.extension >= 0) keep[c.extension >> 6] |= u64{1} << (c.extension & 63);
}

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

static inline int rank_of(const u64* keep, int q) {
    int rank = 0;
    for (int g = 0; g < q >> 6; ++g) rank += Bits::count(keep[g]);
    return rank + Bits::count(keep[q >> 6] & ((u64{1} << (q & 63)) - 1));
}

// Which columns are counted, and the extension, in the new numbering.
inline void Kernel::keep_bounds(const Context& c, const u64* keep, Context& d) {
    for (int g = 0; g < d.nw; ++g) d.multi[g] = 0;
    for (int g = 0; g < c.nw; ++g)
        for (u64 bits = c.multi[g] & keep[g]; bits; bits &= bits - 1) {
            const int q = 64 * g + Bits::first(bits), r = rank_of(keep, q);
            d.multi[r >> 6] |= u64{1} << (r & 63);
            d.counter[r] = c.counter[q];
        }
    d.extension = c.extension < 0 ? -1 : rank_of(keep, c.extension);
}

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

#if defined(__AVX512VBMI2__)

inline constexpr int few_columns = 6;  // that need not be covered: they are looked at one by one

// The same where there is one word of columns. The rows keep their numbering, so that they are moved eight at a time.
inline Context& Kernel::shrink_word(const Context& c, char* node, char*& root) {
    const u64 need = need_of(node)[0];
    const u64* const active = active_of(node, 1);
    int n_rows = 0;
    for (int w = 0; w < c.u; ++w) n_rows += Bits::count(active[w]);
    const int u = c.u <= 16 && n_rows <= 1024 ? classes.least[words_of(n_rows)] : words_of(n_rows);
    char* at = arena_.take<char>(sizeof(Context) + 64 + static_cast<std::size_t>(u) * (72 * 8 + 64 * 8 + 64 * 2) + 192);
    Context& d = *reinterpret_cast<Context*>(at);
    d.u = u;
    d.nw = 1;
    d.stride = 72;
    d.n_rows = n_rows;
    d.a = reinterpret_cast<u64*>(at + (sizeof(Context) + 63) / 64 * 64);
    d.masks = d.a + 72 * u;
    d.rows = reinterpret_cast<u16*>(d.masks + 64 * u + 8);

    u64* mask = d.masks;
    u16* row = d.rows;
    for (int w = 0; w < c.u; ++w) {
        u64 rows = active[w];
        for (int half = 0; half < 2; ++half) {
            const u32 bits = static_cast<u32>(rows >> 32 * half);
            const __m512i numbers = _mm512_loadu_si512(c.rows + 64 * w + 32 * half);
            _mm512_storeu_si512(row, _mm512_maskz_compress_epi16(bits, numbers));
            row += Bits::count(bits);
        }
        const u64* from = c.masks + 64 * w;
        for (int k = 0; k < 8; ++k, from += 8, rows >>= 8) {
            const auto bits = static_cast<__mmask8>(rows);
            _mm512_storeu_si512(mask, _mm512_maskz_compress_epi64(bits, _mm512_loadu_si512(from)));
            mask += Bits::count(bits);
        }
    }
    for (u64* end = d.masks + 64 * u; mask < end; mask += 8) _mm512_storeu_si512(mask, _mm512_setzero_si512());

    u64 keep = need;
    const u64 others = low_bits(c.n_columns) & ~need;
    if (c.spare && Bits::count(others) <= few_columns && !counted_) {
        for (u64 bits = others; bits; bits &= bits - 1)
            if (count_of(c.a + Bits::first(bits), 72, active, c.u) > 1) keep |= bits & -bits;
    } else if (c.spare) {
        __m512i once = _mm512_setzero_si512(), twice = once;
        for (int j = 0; j < n_rows; j += 8) {
            const __m512i x = _mm512_loadu_si512(d.masks + j);
            twice = _mm512_or_si512(twice, _mm512_and_si512(once, x));
            once = _mm512_or_si512(once, x);
        }
        u64 in_one = 0, in_two = 0;
        alignas(64) u64 ones[8], twos[8];
        _mm512_store_si512(ones, once);
        _mm512_store_si512(twos, twice);
        for (int k = 0; k < 8; ++k) {
            in_two |= twos[k] | (in_one & ones[k]);
            in_one |= ones[k];
        }
        keep |= Bits::extract(in_two, c.base);
        if (counted_) keep |= Bits::extract(in_one, c.base) & c.multi[0];
        if (c.extension >= 0) keep |= u64{1} << c.extension;
    }
    d.base = _pdep_u64(keep, c.base);
    d.n_columns = Bits::count(keep);
    set_thresholds(d, Bits::count(need));

    for (int w = 0; w < u; ++w) {
        u64 block[64];
        transpose(d.masks + 64 * w, block, 64);
        u64* column = d.a + 72 * w;
        u64 base = d.base;
        for (int k = 0; k < 8; ++k, base >>= 8) {
            const auto bits = static_cast<__mmask8>(base);
            _mm512_storeu_si512(column, _mm512_maskz_compress_epi64(bits, _mm512_loadu_si512(block + 8 * k)));
            column += Bits::count(bits);
        }
        d.a[72 * w + 64] = 0;
    }
    if (counted_) {
        d.multi = arena_.take<u64>(1);
        d.counter = arena_.take<u16>(64);
        keep_bounds(c, &keep, d);
    } else {
        d.multi = const_cast<u64*>(&no_columns);
        d.extension = -1;
    }

    root = arena_.take<char>(node_size(1, u, n_counters_));
    need_of(root)[0] = Bits::extract(need, keep);
    d.pair = c.pair;
    if (host_.counts && !counted_ && c.pair < 0) {
        const u64 needed = _pdep_u64(need, c.base);
        d.pair = pair_size(d, &needed);
    }
    for (int w = 0; w < u; ++w) active_of(root, 1)[w] = low_bits(n_rows - 64 * w);
    for (int k = 0; k < n_counters_; ++k) counts_of(root, 1, u)[k] = counts_of(node, 1, c.u)[k];
    const u32 key = head(node).key;
    head(root) = {key >> key_shift << key_shift | static_cast<u32>(rank_of(&keep, static_cast<int>(key & 0xffff))), 0, 0};
    return d;
}

#endif

template <int U, int NW>
inline bool Kernel::pays(const Context& c, char* node) const {
    const u64* const active = active_of(node, NW ? NW : c.nw);
    int n = 0;
    for (int w = 0; w < (U ? U : c.u); ++w) n += Bits::count(active[w]);
    if (n <= c.shrink_rows) return true;
    if (NW == 1) return false;
    return needed_columns<NW>(c, node) <= c.shrink_columns;
}

// Expanding

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

// The same for columns that are counted; `key` is the best of the others.
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

// The columns of a row in the context's own numbering; `word` is room for them where there is one word.
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

template <int U, int NW>
inline void Kernel::expand(const Context& c, char* node, u32 depth) {
    const int u = U ? U : c.u, nw = NW ? NW : c.nw;
    const std::size_t stride = NW ? 64 * NW + 8 : c.stride;
    const std::size_t size = node_size(nw, u, 0);
    const u64* const need = need_of(node);
    const u64* const active = active_of(node, nw);
    const u32 tried = head(node).key >> key_shift;
    const u64* const column = c.a + (head(node).key & 0xffff);
    const int longest = problem_.longest;

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
                        const int q = Bits::first_or_64(rest);
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

// Where two rows of one size are missing: after the first, each row that is left completes a cover, and every column
// that is needed has all of them. The branches are those of expanding.
template <int U, int NW>
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
            u64 word;
            const u64* const mask = columns_of<NW>(c, 64 * w + Bits::first(rows), word);
            int left = 0;
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

// Whether passing a row over leaves a column that is needed with too few.
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

// With columns that are counted. On such a column rows ascend, and those passed over stay hidden.
template <int U, int NW>
inline void Kernel::expand_counted(const Context& c, char* node, u32 depth) {
    const int u = U ? U : c.u, nw = NW ? NW : c.nw;
    const std::size_t stride = NW ? 64 * NW + 8 : c.stride;
    const std::size_t size = node_size(nw, u, n_counters_);
    const u64* const need = need_of(node);
    const int best = static_cast<int>(head(node).key & 0xffff);
    const bool once = best != c.extension && !(c.multi[best >> 6] >> (best & 63) & 1);
    const u64* const column = c.a + best;
    u64* const active = active_of(node, nw);  // loses the rows that are passed over: nobody looks at the node again

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
                    for (int v = 0; v < u; ++v) child_active[v] &= ~c.a[v * stride + q];
                }
            }
            const u32 key = choose_counted(c, child_active, child_need, counts, choose<U, NW>(c, child_active, child_need));
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

// Walking

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
