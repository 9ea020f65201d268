// The bitmap kernel. It searches exact covers; bitmaps say which rows are still alive, and which columns are still to
// be covered.
//
// A *context* is a set of rows and columns that are numbered from 0 and have bitmaps of their own. The search moves
// into a smaller context whenever that pays. A *node* is a place in the search tree. It holds the rows of its context
// that are alive, the columns that are still needed, and the column to branch on. To expand a node, the kernel computes
// all its children in one go. It drops a child that leaves a needed column without rows. The tree is that of dancing
// links; docs/explanation/kernel.md says why this is more than twenty times as fast.
//
// CMake compiles this file once for each instruction set. LATCOVER_UNIT is the name of the namespace of the unit. The
// file uses no code of the standard library that could be shared with another unit: see kernel.hpp. Only units that run
// on every processor use <bit>; they may share it.

#include "kernel/kernel_walk.hpp"

namespace latcover::LATCOVER_UNIT {

void walk(const KernelProblem& problem, Walk& host) { Kernel(problem, host).walk_all(); }

}  // namespace latcover::LATCOVER_UNIT
