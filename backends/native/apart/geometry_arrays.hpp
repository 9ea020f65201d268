// How parts slide, as arrays say it.

#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "apart/sliding.hpp"
#include "apart/taking_apart.hpp"

namespace latcover {

using Numbers = std::span<const std::int32_t>;
using Longs = std::span<const std::int64_t>;

// throws: std::invalid_argument(what), unless it holds.
void require(bool holds, const char* what);

// The three numbers from `at` on.
Vec vec_at(Numbers numbers, std::size_t at);

// directions: 12 numbers each, the step and the map by rows. hits: hit_starts[(d * n_nodes + u) * n_nodes + w] in
// triples.
std::pair<std::vector<Direction>, std::vector<std::vector<Vec>>> sliding_of(Numbers directions, int n_nodes,
                                                                            Longs hit_starts, Numbers hits);

// cells: node, x, y, z of each.
std::vector<Cell> cells_of(Numbers cells, int n_nodes);

// starts: where each assembly begins among the parts. parts: shape, kind, weight, x, y, z of each.
std::vector<Assembly> assemblies_of(Longs starts, Numbers parts, int n_kinds, int n_shapes);

// limits: for each group how many parts of each kind it may hold.
Groups groups_of(Numbers limits, int n_kinds);

}  // namespace latcover
