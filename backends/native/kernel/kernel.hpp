// What the bitmap kernel and its host share.
//
// The kernel is compiled several times, for different processors, each time in a namespace of its own. This header
// holds only plain data and pure virtual functions. An inline function would exist once in the program, perhaps
// compiled for a processor that is not there.

#pragma once

#include <cstddef>
#include <cstdint>

namespace latcover {

// Bounds of bitmaps: rows and columns fit into 16 bits; words of 64 rows, for all columns (measured).
inline constexpr std::int32_t most_rows = 60'000, most_columns = 60'000;
inline constexpr std::int64_t most_words = 1 << 18;

// Rows are the options that can be used, ascending. Columns are items: those with low > 0 come first, and both kinds
// ascend. So ties between columns are ties between items.
//
// The columns from `first_pair` on say in which colours rows hold items. They are *pairs*: the first with the second,
// the third with the fourth. A row of one column of a pair clashes with the rows of the other, and not with those of
// its own. On any other column all rows clash. See cover_matrix.cpp.
struct KernelProblem {
    std::int32_t n_rows;
    std::int32_t n_columns;
    std::int32_t n_primary;  // columns with low > 0
    std::int32_t longest;    // columns of the longest row
    const std::int64_t* starts;
    const std::int32_t* columns;  // ascending within a row
    const std::int32_t* low;      // of each column
    const std::int32_t* high;
    std::int32_t extension;   // column of the rows that may be added to a finished cover, or -1
    bool counted;             // a column may be held more than once, or there is an extension
    std::int32_t first_pair;  // n_columns if there are no colours
};

// The header of a piece of memory of the kernel. The memory to use follows it.
struct Chunk {
    Chunk* next;
    std::size_t bytes;  // this header included
};

// A level of the search: an open node, and those of its children that are not known to be dead. levels[n] is the node
// with n options chosen.
struct Level {
    char* next;           // the child to visit next
    char* end;            // of the children
    char* mark;           // top of the kernel's memory before the level was opened
    Chunk* chunk;         // of this top
    std::uint32_t tried;  // options, the dead ones included
    std::uint32_t size;   // of a child, in bytes
    std::uint32_t row;    // of the child now visited: the row that it chooses
    std::uint32_t rank;   // of that child among the options tried
};

// One walk through the tree, as its host sees it. All children of a node are tried when it is opened, so `tried` runs
// ahead of the visits. `Level::rank` and `Level::tried` tell by how much.
class Walk {
public:
    virtual void* allocate(std::size_t bytes) = 0;  // memory that stays until the walk ends
    virtual void look() = 0;                        // when `until_look` has fallen below 0
    virtual bool enter() = 0;  // before a visit to a child of levels[depth], if depth < watched; false passes it over
    virtual void leave() = 0;  // after the last child of levels[depth], if `watches_leave`
    virtual void cover(std::uint32_t n) = 0;  // the options chosen on levels[0 .. n - 1] are one
    virtual void dead_root() = 0;             // the tree has no branch

    Level* levels;         // one more than a cover can have options
    std::uint64_t* tried;  // by level
    std::uint64_t* dead;   // by level: those that left an item without options
    std::uint32_t depth;   // of the node now open; set before calls of the host
    std::uint32_t watched;
    bool watches_leave;
    bool stopped;             // set by the host to end the walk
    std::int64_t until_look;  // branches; set by the host, counted down by the kernel
    // Covers need only be counted. The kernel may then add the covers of a node that misses two rows to `found`,
    // without calls of `cover`, if the depth of the node is at least `pairs_from`.
    bool counts;
    std::uint64_t found;
    std::uint32_t pairs_from;

protected:
    ~Walk() = default;
};

}  // namespace latcover
