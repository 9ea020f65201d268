#include "turning/turning_arrays.hpp"

#include <cmath>

namespace latcover {

Ring points_of(Reals numbers) {
    require(numbers.size() % 2 == 0, "a point has 2 numbers");
    Ring points;
    for (std::size_t k = 0; k < numbers.size(); k += 2) points.push_back({numbers[k], numbers[k + 1]});
    for (const Point p : points)
        require(std::abs(p.x) < 1e6 && std::abs(p.y) < 1e6, "a coordinate is too large or no number");
    return points;
}

Prisms prisms_of(Longs starts, const Ring& corners, Ring centres, Numbers layers, const Ring& steps, Numbers rises) {
    const std::size_t n = layers.size();
    require(n > 0 && starts.size() == n + 1 && centres.size() == n && steps.size() == 3 && rises.size() == 3,
            "the arrays of the nodes do not fit");
    Prisms prisms{
        {}, std::move(centres), {layers.begin(), layers.end()}, {steps[0], steps[1], steps[2]}, vec_at(rises, 0)};
    for (std::size_t u = 0; u < n; ++u) {
        require(starts[u] >= 0 && starts[u] + 3 <= starts[u + 1] &&
                    static_cast<std::size_t>(starts[u + 1]) <= corners.size(),
                "a section has three corners at least");
        prisms.sections.emplace_back(corners.begin() + starts[u], corners.begin() + starts[u + 1]);
    }
    return prisms;
}

std::vector<LatticeMap> maps_of(Numbers rows, int n_nodes) {
    const std::size_t n = n_nodes, width = 4 * n + 9;
    require(!rows.empty() && rows.size() % width == 0, "a map does not fit the nodes");
    std::vector<LatticeMap> maps;
    for (std::size_t at = 0; at < rows.size(); at += width) {
        LatticeMap map;
        for (std::size_t u = 0; u < n; ++u) {
            require(rows[at + u] >= 0 && rows[at + u] < n_nodes, "a map takes a node to an unknown one");
            map.nodes.push_back(rows[at + u]);
            map.shifts.push_back(vec_at(rows, at + n + 9 + 3 * u));
        }
        for (std::size_t k = 0; k < 3; ++k) map.matrix[k] = vec_at(rows, at + n + 3 * k);
        maps.push_back(std::move(map));
    }
    return maps;
}

}  // namespace latcover
