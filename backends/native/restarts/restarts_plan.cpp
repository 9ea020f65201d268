#include "restarts/restarts_plan.hpp"

#include <algorithm>
#include <cmath>

namespace latcover {

RestartsPlan::RestartsPlan(const Problem& given) : problem(given), is_scanned(given.n_items(), 0) {
    const auto n_items = problem.n_items();
    const auto n_options = static_cast<std::int32_t>(problem.n_options());
    const auto n_scannable = problem.n_cells > 0 ? problem.n_cells : n_items;
    for (std::int32_t item = 0; item < n_scannable; ++item) {
        // An item with other bounds may be held again once it is held often enough, by an option that begins with it.
        if (problem.low[item] == 0 || problem.low[item] != problem.high[item]) continue;
        scanned.push_back(item);
        is_scanned[item] = 1;
        need += problem.low[item];
    }
    part_of.assign(n_options, none);
    weight.assign(n_options, 0);
    std::vector<char> usable(n_options, 1);
    for (std::int32_t option = 0; option < n_options; ++option) {
        for (const auto item : items(option)) {
            usable[option] = usable[option] && problem.high[item] > 0;
            weight[option] += is_scanned[item];
            const auto part = item - problem.n_cells;
            if (problem.n_cells > 0 && part >= 0 && part < problem.n_parts) part_of[option] = part;
        }
    }
    find_hardness();
    find_order();

    std::vector<std::int32_t> rank(n_items, n_items);
    for (std::size_t place = 0; place < scanned.size(); ++place)
        rank[scanned[place]] = static_cast<std::int32_t>(place);
    std::vector<std::int32_t> first(n_options, n_items);
    first_starts.assign(n_items + 2, 0);
    for (std::int32_t option = 0; option < n_options; ++option) {
        std::int32_t least = n_items;
        for (const auto item : items(option))
            if (rank[item] < least) {
                least = rank[item];
                first[option] = item;
            }
        if (!usable[option]) first[option] = none;
        else ++first_starts[first[option] + 1];
    }
    for (std::int32_t item = 0; item <= n_items; ++item) first_starts[item + 1] += first_starts[item];
    by_first.resize(first_starts.back());
    auto at = first_starts;
    for (std::int32_t option = 0; option < n_options; ++option)
        if (first[option] != none) by_first[at[first[option]]++] = option;
    std::string refusal;
    islands.emplace(problem, Stranding::sums, &refusal);
    if (!refusal.empty()) islands.reset();
}

// A part is hard to place if it has few options, and if its outline is long.
void RestartsPlan::find_hardness() {
    const auto n_options = static_cast<std::int32_t>(problem.n_options());
    std::vector<double> n_of(problem.n_parts, 0), outline(problem.n_parts, 0), size(problem.n_parts, 0);
    std::vector<char> own(problem.n_items(), 0);
    for (std::int32_t option = 0; option < n_options; ++option) {
        const auto part = part_of[option];
        if (part == none) continue;
        ++n_of[part];
        size[part] += weight[option];
        if (n_of[part] > 4 || problem.neighbour_starts.empty()) continue;
        // sides inside it: the more, the shorter its outline
        for (const auto item : items(option)) own[item] = 1;
        for (const auto item : items(option))
            if (item < problem.n_cells)
                for (auto k = problem.neighbour_starts[item]; k < problem.neighbour_starts[item + 1]; ++k)
                    outline[part] -= own[problem.neighbours[k]];
        for (const auto item : items(option)) own[item] = 0;
    }
    double parts = 0, sizes = 0;
    std::vector<double> value(problem.n_parts, 0);
    double sum = 0, squares = 0;
    for (std::int32_t part = 0; part < problem.n_parts; ++part) {
        if (n_of[part] == 0) continue;
        value[part] = 0.5 * outline[part] / std::min(n_of[part], 4.0) - std::log(n_of[part]);
        sum += value[part];
        squares += value[part] * value[part];
        ++parts;
        sizes += size[part] / n_of[part];
    }
    hardness.assign(n_options, 0);
    if (parts == 0) {
        double all = 0;
        for (const auto w : weight) all += w;
        average = n_options > 0 ? std::max(1.0, all / n_options) : 1;
        return;
    }
    average = std::max(1.0, sizes / parts);
    const double mean = sum / parts, deviation = std::sqrt(std::max(1e-9, squares / parts - mean * mean));
    for (std::int32_t option = 0; option < n_options; ++option)
        if (part_of[option] != none) hardness[option] = static_cast<float>((value[part_of[option]] - mean) / deviation);
}

// What is left for the tail should be compact: a narrow front has few notches that no part fits. In a wide region the
// first cells in their order would leave a thin strip as wide as the region. So the last of the cells, as many as make
// the front of the tail the narrowest, are covered from far to near, as seen from the last one.
void RestartsPlan::find_order() {
    constexpr double tail_parts[] = {8, 12, 16, 20, 24};
    constexpr double better = 0.8;  // times the front, or the order stays as it is
    if (problem.neighbour_starts.empty() || scanned.empty() || scanned.back() >= problem.n_cells) return;
    const auto n = scanned.size();
    std::vector<std::int32_t> rank(problem.n_cells, none);
    // The mean number of cells of a tail that lie against a cell covered earlier.
    const auto front_of = [&](const std::vector<std::int32_t>& order) {
        for (std::size_t place = 0; place < n; ++place) rank[order[place]] = static_cast<std::int32_t>(place);
        double front = 0;
        for (const auto parts : tail_parts) {
            const auto begin = n - std::min(n, static_cast<std::size_t>(parts * average));
            for (auto place = begin; place < n; ++place) {
                const auto cell = order[place];
                bool against = false;
                for (auto k = problem.neighbour_starts[cell]; k < problem.neighbour_starts[cell + 1]; ++k) {
                    const auto beside = rank[problem.neighbours[k]];
                    against = against || (beside != none && static_cast<std::size_t>(beside) < begin);
                }
                front += against;
            }
        }
        return front;
    };
    const auto from_far_to_near = [&](std::size_t last) {
        std::vector<std::int32_t> distance(problem.n_cells, none), met{scanned.back()}, order = scanned;
        std::vector<char> within(problem.n_cells, 0);
        for (auto place = n - last; place < n; ++place) within[scanned[place]] = 1;
        distance[met.front()] = 0;
        for (std::size_t at = 0; at < met.size(); ++at)
            for (auto k = problem.neighbour_starts[met[at]]; k < problem.neighbour_starts[met[at] + 1]; ++k) {
                const auto next = problem.neighbours[k];
                if (!within[next] || distance[next] != none) continue;
                distance[next] = distance[met[at]] + 1;
                met.push_back(next);
            }
        for (const auto cell : scanned)
            if (distance[cell] == none) distance[cell] = problem.n_cells;  // cut off from the last one: early
        std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(n - last), order.end(),
                         [&](auto a, auto b) { return distance[a] > distance[b]; });
        return order;
    };
    double least = better * front_of(scanned);
    auto best = scanned;
    for (int halves = 2; halves <= 24; ++halves) {
        const auto last = std::min(n, static_cast<std::size_t>(0.5 * halves * tail_parts[2] * average));
        const auto order = from_far_to_near(last);
        if (const auto front = front_of(order); front < least) {
            least = front;
            best = order;
        }
        if (last == n) break;
    }
    scanned = std::move(best);
}

}  // namespace latcover
