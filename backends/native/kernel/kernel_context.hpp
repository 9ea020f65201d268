// Contexts, nodes, and their memory. kernel.cpp says what they are.

#pragma once

#include "kernel/kernel_platform.hpp"

namespace latcover::LATCOVER_UNIT {
namespace {

// The walk is compiled for these sizes: U words of 64 rows, and NW words of 64 columns. As a template argument 0 means
// that the context says how many.
inline constexpr int row_classes[] = {1, 2, 3, 4, 6, 8, 12, 16};
inline constexpr int column_classes[] = {1, 2, 4};

struct Context {
    int u, nw;   // words of rows, words of columns
    int n_rows;  // rows alive when the context was made
    int n_columns;
    int shrink_rows;     // with at most so many rows alive, a smaller context pays
    int shrink_columns;  // the same, for needed columns
    bool spare;          // there are columns that need not be covered
    int pair;            // columns that two rows cover, if covers are counted and all rows cover equally many; else -1
    std::size_t stride;  // of `a`: 64 * nw, and 8 words of zeros, which are a column without rows
    u64* a;              // [u][stride]: the rows of each column; a[w * stride + column] holds rows 64w to 64w + 63
    u64* masks;          // [64 * u][nw]: the columns of each row
    u64 base;   // where masks keep the numbering of an earlier context: those of its columns that are still here
    u16* rows;  // [64 * u]: the number of each row in the first context
    // For columns with other bounds than 1:
    u64* multi;     // [nw]: columns that are counted
    u16* counter;   // [64 * nw]: the index of the counter of each counted column
    int extension;  // the extension's column, or -1
    // For colours:
    int first_pair;  // columns from here on are pairs (kernel.hpp); n_columns if there are none
};

// The rows that clash with a row of column q are those of this column.
static inline int partner(int q, int first_pair) { return q < first_pair ? q : ((q - first_pair) ^ 1) + first_pair; }

struct Head {
    u32 key;
    u16 row;   // the row chosen, by its number in the first context
    u16 rank;  // of the node among its siblings, which include the dead ones
};

// A node in memory: Head; need [nw], the columns still needed; active [u], the rows alive; counts [n_counters].
static inline Head& head(char* node) { return *reinterpret_cast<Head*>(node); }
static inline u64* need_of(char* node) { return reinterpret_cast<u64*>(node + sizeof(Head)); }
static inline u64* active_of(char* node, int nw) { return need_of(node) + nw; }
static inline u16* counts_of(char* node, int nw, int u) { return reinterpret_cast<u16*>(active_of(node, nw) + u); }
static inline std::size_t node_size(int nw, int u, int n_counters) {
    return sizeof(Head) + 8 * static_cast<std::size_t>(nw + u + (n_counters + 3) / 4);
}

// A stack of memory. It is made of chunks that stay until the walk ends.
class Arena {
public:
    explicit Arena(Walk& host) : host_(host) {}

    struct Mark {
        char* top;
        Chunk* chunk;
    };
    Mark mark() const { return {top_, chunk_}; }
    void cut(Mark mark) {
        top_ = mark.top;
        if (chunk_ != mark.chunk) move_to(mark.chunk);
    }
    // Make room for so many bytes at `top()`. The top itself is moved by `advance_to`.
    void require(std::size_t bytes) {
        if (static_cast<std::size_t>(end_ - top_) < bytes) next(bytes);
    }
    char* top() const { return top_; }
    void advance_to(char* top) { top_ = top; }
    template <typename T>
    T* take(std::size_t n) {
        const std::size_t bytes = (n * sizeof(T) + 63) / 64 * 64;
        require(bytes);
        T* const result = reinterpret_cast<T*>(top_);
        top_ += bytes;
        return result;
    }

private:
    void next(std::size_t bytes);
    void move_to(Chunk* chunk);

    Walk& host_;
    char* top_ = nullptr;
    char* end_ = nullptr;
    Chunk* chunk_ = nullptr;
    Chunk* first_ = nullptr;
};

inline void Arena::move_to(Chunk* chunk) {
    chunk_ = chunk;
    end_ = reinterpret_cast<char*>(chunk) + chunk->bytes;
}

inline void Arena::next(std::size_t bytes) {
    constexpr std::size_t header = 64, least = std::size_t{1} << 20;
    Chunk** link = chunk_ ? &chunk_->next : &first_;
    while (*link && (*link)->bytes < bytes + header)
        link = &(*link)->next;  // a chunk too small stays in the list, unused
    if (!*link) {
        const std::size_t size = bytes + header > least ? bytes + header : least;
        *link = static_cast<Chunk*>(host_.allocate(size));
        (*link)->next = nullptr;
        (*link)->bytes = size;
    }
    move_to(*link);
    top_ = reinterpret_cast<char*>(chunk_) + header;
}

// For each number of words: the least size in row_classes that holds it, and the largest size that is so much smaller
// that a move into it pays. It pays at two thirds of the words with AVX-512, and at a half without (measured).
struct Classes {
    int least[17], smaller[17];
    constexpr Classes() : least(), smaller() {
        for (int words = 1, k = 0; words <= 16; ++words) {
            if (row_classes[k] < words) ++k;
            least[words] = row_classes[k];
            smaller[words] = 0;
            for (const int other : row_classes)
                if (other <= smaller_share * words) smaller[words] = other;
        }
    }
#if defined(__AVX512F__)
    static constexpr double smaller_share = 0.667;
#else
    static constexpr double smaller_share = 0.5;
#endif
};
inline constexpr Classes classes;

static inline int words_of(int bits) { return bits > 0 ? (bits + 63) / 64 : 1; }

// Set the words of a context for so many rows and columns. Sizes beyond the compiled ones are taken as they are.
static inline void set_size(Context& c, int n_rows, int n_columns) {
    c.n_rows = n_rows;
    c.n_columns = n_columns;
    c.u = words_of(n_rows);
    c.nw = words_of(n_columns);
    if (c.nw == 3) c.nw = 4;
    if (c.u <= 16 && c.nw <= 4) c.u = classes.least[c.u];
    c.stride = static_cast<std::size_t>(64 * c.nw + 8);
}

static inline void set_thresholds(Context& c, int n_needed) {
    c.shrink_rows = 64 * (c.u <= 16 ? classes.smaller[c.u] : static_cast<int>(Classes::smaller_share * c.u));
    c.spare = n_needed < c.n_columns;
    if (c.nw == 1) {
        c.shrink_columns = -1;
        return;
    }
    const int words = c.nw <= 2 ? 1 : c.nw <= 4 ? 2 : 4;
    const int fits = 64 * words - (c.n_columns - n_needed), less = 2 * n_needed / 3;
    c.shrink_columns = fits > less ? fits : less;
    if (c.shrink_columns >= n_needed)
        c.shrink_columns = n_needed - 1;  // where nothing is needed, only extensions are left: stay
}

}  // namespace
}  // namespace latcover::LATCOVER_UNIT
