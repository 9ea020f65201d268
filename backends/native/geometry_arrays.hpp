// How parts slide, as arrays of Python say it.

#pragma once

#include <utility>
#include <vector>

#include "arrays.hpp"
#include "sliding.hpp"

namespace latcover {

// throws: nanobind::value_error(what), unless it holds.
void require(bool holds, const char* what);

// The three numbers from `at` on.
Vec vec_at(const Input<std::int32_t>& numbers, std::size_t at);

// directions: 12 numbers each, the step and the map by rows. hits: hit_starts[(d * n_nodes + u) * n_nodes + w] in triples.
std::pair<std::vector<Direction>, std::vector<std::vector<Vec>>> sliding_of(
    const Input<std::int32_t>& directions, int n_nodes, const Input<std::int64_t>& hit_starts, const Input<std::int32_t>& hits);

// cells: node, x, y, z of each.
std::vector<Cell> cells_of(const Input<std::int32_t>& cells, int n_nodes);

}  // namespace latcover
