// The bitmap kernel. It searches exact covers; bitmaps say which rows are still alive, and which columns are still to be
// covered.
//
// A *context* is a set of rows and columns that are numbered from 0 and have bitmaps of their own. The search moves into a
// smaller context whenever that pays. A *node* is a place in the search tree. It holds the rows of its context that are alive,
// the columns that are still needed, and the column to branch on. To expand a node, the kernel computes all its children in
// one go. It drops a child that leaves a needed column without rows. The tree is that of dancing links; docs/kernel.md says
// why this is more than twenty times as fast.
//
// CMake compiles this file once for each instruction set. LATCOVER_UNIT is the name of the namespace of the unit. The file
// uses no code of the standard library that could be shared with another unit: see kernel.hpp. Only units that run on every
// processor use <bit>; they may share it.

#include "kernel.hpp"

#include <bit>

#if defined(__SSE2__) || defined(_M_X64)  // MSVC tells it by the processor
#include <immintrin.h>
#define LATCOVER_SSE2
#endif
#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#define LATCOVER_WASM
#endif

namespace latcover::LATCOVER_UNIT {
namespace {

using u64 = std::uint64_t;
using u32 = std::uint32_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;

// These parts do not compile alone, and need this order.
#include "kernel_bits.inc"
#include "kernel_fewest.inc"
#include "kernel_transpose.inc"
#include "kernel_context.inc"
#include "kernel_class.inc"
#include "kernel_clash.inc"
#include "kernel_move.inc"
#include "kernel_move_word.inc"
#if !defined(__AVX512VBMI2__)
#include "kernel_lanes.inc"
#include "kernel_numbers.inc"
#include "kernel_list.inc"
#endif
#include "kernel_expand.inc"
#include "kernel_sparse.inc"
#include "kernel_walk.inc"

}  // namespace

void walk(const KernelProblem& problem, Walk& host) { Kernel(problem, host).walk_all(); }

}  // namespace latcover::LATCOVER_UNIT
