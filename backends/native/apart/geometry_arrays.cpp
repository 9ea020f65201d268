#include "apart/geometry_arrays.hpp"

#include <stdexcept>

#include "apart/taking_apart.hpp"

namespace latcover {

namespace {

constexpr int most_coordinate = 1 << 20;
constexpr int most_of_map = 600;  // so that no coordinate which is mapped leaves 32 bits

}  // namespace

void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

Vec vec_at(Numbers numbers, std::size_t at) {
    const Vec v{numbers[at], numbers[at + 1], numbers[at + 2]};
    for (const int x : v) require(x >= -most_coordinate && x <= most_coordinate, "a coordinate is too large");
    return v;
}

std::pair<std::vector<Direction>, std::vector<std::vector<Vec>>> sliding_of(Numbers directions, int n_nodes,
                                                                            Longs hit_starts, Numbers hits) {
    require(directions.size() > 0 && directions.size() % 12 == 0, "a direction has 12 numbers");
    require(n_nodes > 0 && n_nodes <= 1000, "there are 1 to 1000 nodes");
    const std::size_t n = directions.size() / 12;
    require(n <= 1000, "there are at most 1000 directions");
    const std::size_t lists = n * n_nodes * n_nodes;
    std::vector<Direction> all(n);
    for (std::size_t d = 0; d < n; ++d) {
        all[d].step = vec_at(directions, 12 * d);
        for (std::size_t row = 0; row < 3; ++row) {
            all[d].map[row] = vec_at(directions, 12 * d + 3 + 3 * row);
            for (const int x : all[d].map[row]) require(x >= -most_of_map && x <= most_of_map, "a map is too large");
        }
        require(all[d].mapped(all[d].step) == Vec{1, 0, 0}, "a map does not turn its direction onto the first axis");
    }
    require(hit_starts.size() == lists + 1 && hit_starts[0] == 0, "hit_starts do not fit the nodes");
    std::vector<std::vector<Vec>> met(lists);
    for (std::size_t k = 0; k < lists; ++k) {
        const auto from = hit_starts[k], to = hit_starts[k + 1];
        require(from >= 0 && from <= to && static_cast<std::uint64_t>(to) <= hits.size() / 3,
                "hit_starts do not fit the hits");
        for (auto x = from; x < to; ++x) met[k].push_back(vec_at(hits, 3 * static_cast<std::size_t>(x)));
    }
    return {std::move(all), std::move(met)};
}

std::vector<Cell> cells_of(Numbers cells, int n_nodes) {
    require(cells.size() > 0 && cells.size() % 4 == 0, "a cell has 4 numbers");
    std::vector<Cell> found;
    for (std::size_t at = 0; at < cells.size(); at += 4) {
        const int node = cells[at];
        require(node >= 0 && node < n_nodes, "a cell has an unknown node");
        found.push_back({node, vec_at(cells, at + 1)});
    }
    return found;
}

std::vector<Assembly> assemblies_of(Longs starts, Numbers parts, int n_kinds, int n_shapes) {
    require(!starts.empty() && starts[0] == 0 && parts.size() % 6 == 0, "starts do not fit the parts");
    std::vector<Assembly> assemblies(starts.size() - 1);
    for (std::size_t k = 0; k < assemblies.size(); ++k) {
        const auto from = starts[k], to = starts[k + 1];
        require(from < to && to - from <= most_parts && static_cast<std::uint64_t>(to) <= parts.size() / 6,
                "starts do not fit the parts");
        for (auto at = 6 * static_cast<std::size_t>(from); at < 6 * static_cast<std::size_t>(to); at += 6) {
            require(parts[at] >= 0 && parts[at] < n_shapes, "a part has an unknown shape");
            require(parts[at + 1] >= 0 && parts[at + 1] < n_kinds, "a part has an unknown kind");
            assemblies[k].parts.push_back({parts[at], vec_at(parts, at + 3), parts[at + 1], parts[at + 2]});
        }
    }
    return assemblies;
}

Groups groups_of(Numbers limits, int n_kinds) {
    require(n_kinds >= 1 && limits.size() % n_kinds == 0, "limits do not fit the kinds");
    Groups groups;
    for (std::size_t at = 0; at < limits.size(); at += n_kinds)
        groups.emplace_back(limits.begin() + at, limits.begin() + at + n_kinds);
    return groups;
}

}  // namespace latcover
