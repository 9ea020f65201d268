// Compares the masks of eight options with the full items at once, for the direct method.

#pragma once

#include <cstdint>
#include <string>

namespace latcover {

inline constexpr int fitting_lanes = 8;  // options compared at once

// Returns the bits of those options that hold no full item. The masks of the eight options stand beside each other:
// first word 0 of each, then word 1 of each, and so on. `full` has one bit for each item.
using Fitting = unsigned (*)(const std::uint64_t* masks, const std::uint64_t* full, int words);

// The comparison for the kernel of this name (bitset.hpp lists the kernels). A kernel without wide comparisons has the
// portable one.
Fitting fitting_of(const std::string& kernel);

}  // namespace latcover
