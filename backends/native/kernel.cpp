// The bitmap kernel: exact covers with the rows still alive and the columns still to be covered in bitmaps.
//
// A *context* is a small world of rows and columns with bitmaps of its own; the search moves into a smaller one whenever
// that pays. A *node* is the set of its context's rows that are alive, the columns that still need one, and the column
// to branch on. A node is expanded in one go: all its children are computed, and only those that left no column
// without rows are kept. The tree is that of dancing links; docs/kernel.md says why this is some thirty times as fast.
//
// CMake compiles this file once for each instruction set, with LATCOVER_UNIT as the name of the unit's namespace.
// Nothing from the standard library is used whose code could be shared with another unit.

#include "kernel.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace latcover::LATCOVER_UNIT {
namespace {

using u64 = std::uint64_t;
using u32 = std::uint32_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;

#include "kernel_bits.hpp"
#include "kernel_context.hpp"
#include "kernel_class.hpp"
#include "kernel_move.hpp"
#include "kernel_expand.hpp"
#include "kernel_walk.hpp"

}  // namespace

void walk(const KernelProblem& problem, Walk& host) { Kernel(problem, host).walk_all(); }

}  // namespace latcover::LATCOVER_UNIT
