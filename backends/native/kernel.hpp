// What the bitmap kernel and its host share. The kernel is compiled several times, for different processors, each time
// in a namespace of its own. This header therefore holds plain data and pure virtual functions alone: an inline
// function here would exist once in the program, and perhaps in the form for a processor that is not there.

#pragma once

#include <cstddef>
#include <cstdint>

namespace latcover {

// At most 65,535 rows. Rows are the options that can be used at all, ascending; columns are items, those with low > 0 first, each kind
// ascending, so that ties between columns are ties between items.
struct KernelProblem {
    std::int32_t n_rows;
    std::int32_t n_columns;
    std::int32_t n_primary;    // columns with low > 0
    std::int32_t longest;      // columns of the longest row
    const std::int64_t* starts;
    const std::int32_t* columns;  // ascending within a row
    const std::int32_t* low;      // of each column
    const std::int32_t* high;
    std::int32_t extension;  // column of the rows that may be added when nothing is pending, or -1
};

// A piece of the kernel's memory; what can be used follows.
struct Chunk {
    Chunk* next;
    std::size_t bytes;  // this header included
};

// A level of the search: a node with so many options chosen, and its children that are not plainly dead.
struct Level {
    char* next;            // child to be visited after this one
    char* end;
    char* mark;            // where the kernel's memory is to be cut off when the level closes
    Chunk* chunk;
    std::uint32_t tried;
    std::uint32_t size;    // of a child, in bytes
    std::uint32_t row;     // chosen by the child now visited
    std::uint32_t rank;    // of that child among the options tried, the dead ones included
};

// One walk through the tree, as its host sees it. Children are tried in one go when their node is opened, so `tried`
// runs ahead of the visits; `Level::rank` and `Level::tried` tell by how much.
class Walk {
public:
    virtual void* allocate(std::size_t bytes) = 0;  // stays until the walk ends
    virtual void look() = 0;                        // now and then, when `until_look` has run out
    virtual bool enter() = 0;  // before levels[depth]'s child is visited, where depth < watched; false: pass it over
    virtual void leave() = 0;  // after the last child of levels[depth], where `watches_leave`
    virtual void cover(std::uint32_t n) = 0;  // the options of levels[0 .. n - 1] make one

    virtual void dead_root() = 0;  // there is no branch at all

    Level* levels;          // as many as a cover can have options, and one more
    std::uint64_t* tried;   // by level
    std::uint64_t* dead;    // by level: those of them that left an item without options
    std::uint32_t depth;    // of the node now open; correct during calls of the host
    std::uint32_t watched;
    bool watches_leave;
    bool stopped;           // to be set by the host
    std::int64_t until_look;  // branches
    bool counts;              // covers need only be counted: where two rows are missing, `found` grows without calls
    std::uint64_t found;
    std::uint32_t pairs_from;  // the least depth of a node of which this may be

protected:
    ~Walk() = default;
};

}  // namespace latcover
