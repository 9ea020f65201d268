#include "restarts_plan.hpp"

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
    std::vector<std::int32_t> first(n_options, n_items);
    first_starts.assign(n_items + 2, 0);
    for (std::int32_t option = 0; option < n_options; ++option) {
        bool usable = true;
        for (const auto item : items(option)) {
            usable = usable && problem.high[item] > 0;
            if (is_scanned[item] && weight[option]++ == 0) first[option] = item;
            const auto part = item - problem.n_cells;
            if (problem.n_cells > 0 && part >= 0 && part < problem.n_parts) part_of[option] = part;
        }
        if (!usable) first[option] = none;
        else ++first_starts[first[option] + 1];
    }
    for (std::int32_t item = 0; item <= n_items; ++item) first_starts[item + 1] += first_starts[item];
    by_first.resize(first_starts.back());
    auto at = first_starts;
    for (std::int32_t option = 0; option < n_options; ++option)
        if (first[option] != none) by_first[at[first[option]]++] = option;
    find_hardness();
    try {
        islands.emplace(problem, Stranding::sums);
    } catch (const Unsupported&) {
        islands.reset();
    }
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

}  // namespace latcover
