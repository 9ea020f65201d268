// The first context, and moving into a smaller one. Everywhere but in shrink_word the rows kept are renumbered, so that
// their columns are those of the new context.
//
// require: included inside the unit's namespace, after kernel_class.hpp.

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

// The columns that are needed, and of the others those that can still do something: the counted ones that a row holds,
// and the rest where two rows do.
template <int NW>
inline void Kernel::choose_columns(const Context& c, char* node, u64* keep) {
    const int nw = NW ? NW : c.nw;
    const u64* const need = need_of(node);
    const u64* const active = active_of(node, nw);
    for (int g = 0; g < nw; ++g) keep[g] = need[g];
    if (!c.spare && !counted_) return;  // a counted column may do something when it is no longer needed
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
    } else if (c.spare || counted_) {
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
