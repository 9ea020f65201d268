#include "geometry_arrays.hpp"

namespace nb = nanobind;

namespace latcover {

namespace {

constexpr int most_coordinate = 1 << 20;

}  // namespace

void require(bool holds, const char* what) {
    if (!holds) throw nb::value_error(what);
}

Vec vec_at(const Input<std::int32_t>& numbers, std::size_t at) {
    const Vec v{numbers.data()[at], numbers.data()[at + 1], numbers.data()[at + 2]};
    for (const int x : v) require(x >= -most_coordinate && x <= most_coordinate, "a coordinate is too large");
    return v;
}

std::pair<std::vector<Direction>, std::vector<std::vector<Vec>>> sliding_of(
    const Input<std::int32_t>& directions, int n_nodes, const Input<std::int64_t>& hit_starts, const Input<std::int32_t>& hits) {
    require(directions.size() > 0 && directions.size() % 12 == 0, "a direction has 12 numbers");
    require(n_nodes > 0 && n_nodes <= 1000, "there are 1 to 1000 nodes");
    const std::size_t n = directions.size() / 12, lists = n * n_nodes * n_nodes;
    std::vector<Direction> all(n);
    for (std::size_t d = 0; d < n; ++d) {
        all[d].step = vec_at(directions, 12 * d);
        for (std::size_t row = 0; row < 3; ++row) all[d].map[row] = vec_at(directions, 12 * d + 3 + 3 * row);
        require(all[d].mapped(all[d].step) == Vec{1, 0, 0}, "a map does not turn its direction onto the first axis");
    }
    require(hit_starts.size() == lists + 1 && hit_starts.data()[0] == 0, "hit_starts do not fit the nodes");
    std::vector<std::vector<Vec>> met(lists);
    for (std::size_t k = 0; k < lists; ++k) {
        const auto from = hit_starts.data()[k], to = hit_starts.data()[k + 1];
        require(from <= to && 3 * static_cast<std::size_t>(to) <= hits.size(), "hit_starts do not fit the hits");
        for (auto x = from; x < to; ++x) met[k].push_back(vec_at(hits, 3 * static_cast<std::size_t>(x)));
    }
    return {std::move(all), std::move(met)};
}

std::vector<Cell> cells_of(const Input<std::int32_t>& cells, int n_nodes) {
    require(cells.size() > 0 && cells.size() % 4 == 0, "a cell has 4 numbers");
    std::vector<Cell> found;
    for (std::size_t at = 0; at < cells.size(); at += 4) {
        const int node = cells.data()[at];
        require(node >= 0 && node < n_nodes, "a cell has an unknown node");
        found.push_back({node, vec_at(cells, at + 1)});
    }
    return found;
}

}  // namespace latcover
