// What turns parts, as arrays say it.

#pragma once

#include "apart/geometry_arrays.hpp"
#include "turning/turner.hpp"

namespace latcover {

using Reals = std::span<const double>;

// Two numbers each.
Ring points_of(Reals numbers);

// starts: where the corners of each node's section begin.
Prisms prisms_of(Longs starts, const Ring& corners, Ring centres, Numbers layers, const Ring& steps, Numbers rises);

// Of each map, in a row: the node that each node goes to, the matrix by rows, and the shift of each node.
std::vector<LatticeMap> maps_of(Numbers rows, int n_nodes);

}  // namespace latcover
