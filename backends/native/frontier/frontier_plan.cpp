#include "frontier/frontier_plan.hpp"

namespace latcover {

Plan make_plan(const Problem& p, std::span<const std::int32_t> order) {
    const auto n_items = p.n_items();
    Plan plan;
    plan.problem = p;
    plan.order.assign(order.begin(), order.end());
    plan.position.assign(n_items, 0);
    for (std::int32_t k = 0; k < n_items; ++k) plan.position[order[k]] = k;
    plan.begun.resize(n_items);
    plan.slot.assign(n_items, no_slot);
    plan.opens.assign(n_items, n_items);
    plan.first.assign(static_cast<std::size_t>(p.n_options()), n_items);
    plan.holders.resize(n_items);
    for (std::int32_t o = 0; o < p.n_options(); ++o) {
        const auto items = plan.items_of(o);
        if (items.empty()) ++plan.empty_options;
        if (items.empty() || std::any_of(items.begin(), items.end(), [&](auto i) { return p.high[i] == 0; })) continue;
        std::int32_t first = n_items;
        for (const auto item : items) first = std::min(first, plan.position[item]);
        plan.begun[first].push_back(o);
        plan.first[o] = first;
        for (const auto item : items) {
            plan.holders[item].push_back(o);
            if (plan.position[item] != first) plan.opens[item] = std::min(plan.opens[item], first);
        }
    }
    std::vector<std::vector<std::int32_t>> opened(n_items);
    for (std::int32_t item = 0; item < n_items; ++item)
        if (plan.opens[item] < n_items) opened[plan.opens[item]].push_back(item);
    std::vector<std::int32_t> free;
    for (std::int32_t k = 0; k < n_items; ++k) {
        for (const auto item : opened[k]) {
            if (free.empty()) free.push_back(plan.width++);
            plan.slot[item] = free.back();
            free.pop_back();
        }
        if (plan.slot[order[k]] != no_slot) free.push_back(plan.slot[order[k]]);  // free again after its turn
    }
    return plan;
}

}  // namespace latcover
