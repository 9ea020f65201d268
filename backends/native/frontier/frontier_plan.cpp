#include "frontier/frontier_plan.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace latcover {
namespace {

constexpr std::size_t most_exceptions = 64;
constexpr std::int32_t never = -1;

// A plan in the making. Steps have the numbers of items and single options first; those that forget come in at the end.
class Planning {
public:
    Planning(const Problem& problem, std::span<const std::int32_t> order) {
        plan_.problem = problem;
        plan_.has_colours = items_with_colours(problem);
        const auto n = static_cast<std::size_t>(problem.n_items());
        plan_.position.assign(n, never);
        plan_.opens.assign(n, problem.n_items());
        plan_.slot.assign(n, no_slot);
        plan_.holders.resize(n);
        lay_steps(order);
        if (problem.has_colours()) {
            plan_.slots.resize(n);
            plan_.n_codes.assign(n, 1);
            plan_.codes.assign(problem.option_items.size(), 1);
            plan_.is_sure.assign(problem.option_items.size(), false);
            find_openings();
            for (std::int32_t item = 0; item < problem.n_items(); ++item)
                if (plan_.has_colours[item]) number_colours(item);
            close_items_with_colours();
        }
        give_slots();
        if (problem.has_colours()) find_sure_items();
    }

    Plan plan() { return std::move(plan_); }

private:
    // A step for each item without colours, and for each option that holds no such item. The latter stand where the
    // order has the first of their items.
    void lay_steps(std::span<const std::int32_t> order) {
        const auto& p = plan_.problem;
        const auto n_items = p.n_items(), n_options = static_cast<std::int32_t>(p.n_options());
        std::vector<std::int32_t> place(order.size());  // those of items with colours come after all others
        for (std::int32_t k = 0; k < n_items; ++k) place[order[k]] = plan_.has_colours[order[k]] ? n_items + k : k;
        std::vector<std::vector<std::int32_t>> begun(order.size()), single(p.has_colours() ? order.size() : 0);
        for (std::int32_t option = 0; option < n_options; ++option) {
            const auto items = plan_.items_of(option);
            if (items.empty()) ++plan_.empty_options;
            if (items.empty() || std::any_of(items.begin(), items.end(), [&](auto i) { return p.high[i] == 0; }))
                continue;
            std::int32_t first = 2 * n_items;
            for (const auto item : items) first = std::min(first, place[item]);
            (first < n_items ? begun[first] : single[first - n_items]).push_back(option);
            for (const auto item : items) {
                plan_.holders[item].push_back(option);
                if (place[item] != first) plan_.opens[item] = std::min(plan_.opens[item], first);
            }
        }
        plan_.first.assign(static_cast<std::size_t>(n_options), never);
        const auto add = [&](Step step) {
            for (const auto option : step.begun) plan_.first[option] = plan_.n_steps();
            plan_.steps.push_back(std::move(step));
        };
        plan_.steps.reserve(order.size());
        for (std::size_t k = 0; k < order.size(); ++k) {
            if (!plan_.has_colours[order[k]]) {
                plan_.position[order[k]] = plan_.n_steps();
                add({order[k], std::move(begun[k]), no_item});
            } else
                for (const auto option : single[k]) add({no_item, {option}, no_item});
        }
        for (auto& first : plan_.first)
            if (first == never) first = plan_.n_steps();
    }

    // The same as above, by steps: there are others than those of the items in their order.
    void find_openings() {
        const auto n_steps = plan_.n_steps();
        plan_.opens.assign(plan_.position.size(), n_steps);
        for (std::size_t item = 0; item < plan_.holders.size(); ++item)
            for (const auto option : plan_.holders[item]) {
                const auto first = plan_.first[option];
                if (plan_.has_colours[item]) plan_.position[item] = std::max(plan_.position[item], first);
                if (plan_.has_colours[item] || plan_.position[item] != first)
                    plan_.opens[item] = std::min(plan_.opens[item], first);
            }
    }

    // Number the colours in which options hold an item. An item that hinders nobody is never open.
    void number_colours(std::int32_t item) {
        const auto& p = plan_.problem;
        std::vector<std::int32_t> colours;
        std::vector<std::size_t> entries;
        for (const auto option : plan_.holders[item])
            plan_.for_each_entry(option, [&](auto held, auto entry) {
                if (held != item) return;
                entries.push_back(entry);
                colours.push_back(p.colour(static_cast<std::int64_t>(entry)));
            });
        auto known = colours;
        std::sort(known.begin(), known.end());
        known.erase(std::unique(known.begin(), known.end()), known.end());
        plan_.n_codes[item] = static_cast<std::int32_t>(known.size());
        if ((known.size() == 1 && known[0] > 0) || plan_.opens[item] >= plan_.position[item]) {
            plan_.opens[item] = plan_.n_steps();
            return;
        }
        const auto codes = alike_codes(known.size());
        for (std::size_t k = 0; k < entries.size(); ++k)
            plan_.codes[entries[k]] = codes[std::lower_bound(known.begin(), known.end(), colours[k]) - known.begin()];
    }

    // The least numbers of as many bits, half of which are ones.
    static std::vector<std::uint32_t> alike_codes(std::size_t n) {
        std::uint32_t n_bits = 1;
        for (std::uint64_t known = 1; known < n; known = known * n_bits / ((n_bits + 1) / 2)) ++n_bits;
        std::vector<std::uint32_t> codes{(std::uint32_t{1} << (n_bits + 1) / 2) - 1};
        while (codes.size() < n) {  // the next number with as many ones (Gosper)
            const auto code = codes.back(), lowest = code & -code, carried = code + lowest;
            codes.push_back(carried | ((code ^ carried) >> 2) / lowest);
        }
        return codes;
    }

    // The last step whose options hold an item clears its bits if all ways of the step hold the item. Otherwise another
    // step follows, which forgets it.
    void close_items_with_colours() {
        const auto n = plan_.n_steps();
        std::vector<std::vector<std::int32_t>> forgotten(static_cast<std::size_t>(n));
        for (std::int32_t item = 0; item < plan_.problem.n_items(); ++item) {
            if (!plan_.has_colours[item] || plan_.opens[item] == n) continue;
            const auto& step = plan_.steps[plan_.position[item]];
            const auto holding =
                std::count_if(plan_.holders[item].begin(), plan_.holders[item].end(),
                              [&](auto option) { return plan_.first[option] == plan_.position[item]; });
            const bool must_begin =
                step.item != no_item && plan_.problem.low[step.item] > 0 && plan_.opens[step.item] == n;
            if (!must_begin || holding < static_cast<std::ptrdiff_t>(step.begun.size()))
                forgotten[plan_.position[item]].push_back(item);
        }
        std::vector<Step> steps;
        std::vector<std::int32_t> now(static_cast<std::size_t>(n) + 1);
        for (std::int32_t k = 0; k < n; ++k) {
            now[k] = static_cast<std::int32_t>(steps.size());
            steps.push_back(std::move(plan_.steps[k]));
            for (const auto item : forgotten[k]) steps.push_back({no_item, {}, item});
        }
        now[n] = static_cast<std::int32_t>(steps.size());
        for (auto* numbers : {&plan_.position, &plan_.opens, &plan_.first})
            for (auto& number : *numbers)
                if (number != never) number = now[number];
        plan_.steps = std::move(steps);
        for (std::int32_t k = 0; k < plan_.n_steps(); ++k)
            if (plan_.steps[k].forgets != no_item) plan_.position[plan_.steps[k].forgets] = k;
    }

    void give_slots() {
        const auto n_steps = static_cast<std::size_t>(plan_.n_steps());
        std::vector<std::vector<std::int32_t>> opened(n_steps), closed(n_steps);
        for (std::int32_t item = 0; item < plan_.problem.n_items(); ++item)
            if (plan_.opens[item] < plan_.n_steps()) {
                opened[plan_.opens[item]].push_back(item);
                closed[plan_.position[item]].push_back(item);
            }
        std::vector<std::int32_t> free;
        const auto next = [&] {
            if (free.empty()) free.push_back(plan_.width++);
            const auto slot = free.back();
            free.pop_back();
            return slot;
        };
        for (std::size_t k = 0; k < n_steps; ++k) {
            for (const auto item : opened[k])
                if (!plan_.has_colours[item]) plan_.slot[item] = next();
                else
                    for (auto n = n_bits_of(item); n > 0; --n) plan_.slots[item].push_back(next());
            for (const auto item : closed[k])  // free again from the next step on
                if (!plan_.has_colours[item]) free.push_back(plan_.slot[item]);
                else free.insert(free.end(), plan_.slots[item].begin(), plan_.slots[item].end());
        }
    }

    std::int32_t n_bits_of(std::int32_t item) const {
        return std::bit_width(alike_codes(static_cast<std::size_t>(plan_.n_codes[item])).back());
    }

    // An item with colours is held wherever an option fits if an earlier item must be covered, and all options that
    // cover it and leave room for this one hold the item. Of a tile that is put down, the sides to tiles before it are.
    void find_sure_items() {
        std::vector<std::int32_t> held(plan_.position.size(), 0);  // how many options of an item hold the one at hand
        std::vector<bool> holds(plan_.first.size());
        std::vector<std::int32_t> unsure(plan_.first.size(), 0);
        for (std::int32_t item = 0; item < plan_.problem.n_items(); ++item) {
            if (!plan_.has_colours[item] || plan_.slots[item].empty()) continue;
            std::vector<std::int32_t> near;
            for (const auto option : plan_.holders[item]) {
                holds[option] = true;
                for (const auto other : plan_.items_of(option))
                    if (!plan_.has_colours[other] && plan_.problem.low[other] > 0 && held[other]++ == 0)
                        near.push_back(other);
            }
            std::vector<Deciding> deciding;
            for (const auto other : near)
                if (plan_.holders[other].size() - static_cast<std::size_t>(held[other]) <= most_exceptions) {
                    auto& one = deciding.emplace_back(Deciding{plan_.position[other], {}});
                    for (const auto option : plan_.holders[other])
                        if (!holds[option]) one.exceptions.push_back(option);
                }
            for (const auto option : plan_.holders[item])
                plan_.for_each_entry(option, [&](auto it, auto entry) {
                    if (it != item || plan_.opens[item] == plan_.first[option] || !plan_.may_share(entry)) return;
                    plan_.is_sure[entry] = std::any_of(deciding.begin(), deciding.end(),
                                                       [&](const auto& one) { return decides(one, option); });
                    if (!plan_.is_sure[entry] && ++unsure[option] > most_unsure)
                        throw Unsupported("the frontier takes no option with so many sides that others may leave open");
                });
            for (const auto other : near) held[other] = 0;
            for (const auto option : plan_.holders[item]) holds[option] = false;
        }
    }

    struct Deciding {
        std::int32_t position;                 // of an item that must be covered
        std::vector<std::int32_t> exceptions;  // its options that do not hold the item with colours
    };

    bool decides(const Deciding& one, std::int32_t option) const {
        return one.position < plan_.first[option] &&
               std::all_of(
                   one.exceptions.begin(), one.exceptions.end(),
                   [&](auto other) {
                       const auto items = plan_.items_of(option), others = plan_.items_of(other);
                       return std::any_of(items.begin(), items.end(), [&](auto item) {
                           return !plan_.has_colours[item] && std::binary_search(others.begin(), others.end(), item);
                       });
                   });
    }

    Plan plan_;
};

}  // namespace

std::vector<std::uint8_t> items_with_colours(const Problem& problem) {
    std::vector<std::uint8_t> found(static_cast<std::size_t>(problem.n_items()));
    for (std::size_t entry = 0; entry < problem.option_colours.size(); ++entry)
        if (problem.option_colours[entry]) found[problem.option_items[entry]] = true;
    return found;
}

Plan make_plan(const Problem& problem, std::span<const std::int32_t> order) { return Planning(problem, order).plan(); }

}  // namespace latcover
