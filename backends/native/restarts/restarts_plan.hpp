// What `restarts` knows of a problem before it searches: the order in which heads cover items, the options for each of
// them, and how hard each option is to place.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cover/islands.hpp"
#include "cover/search.hpp"

namespace latcover {

class RestartsPlan {
public:
    static constexpr std::int32_t none = -1;

    explicit RestartsPlan(const Problem& problem);

    const Problem& problem;
    std::vector<std::int32_t>
        scanned;  // the items that heads cover, in the order in which they do: mandatory cells, for example
    std::vector<char> is_scanned;       // of each item
    std::vector<std::int32_t> part_of;  // of each option; none without a part
    std::vector<float> hardness;        // of each option, by its part: 0 on average, deviation 1
    std::vector<std::int32_t> weight;   // of each option: its scanned items
    // Options by the scanned item that comes first in that order; the last list holds those without one.
    std::vector<std::int64_t> first_starts;
    std::vector<std::int32_t> by_first;
    double average = 1;  // scanned items of an option, over parts
    std::int64_t need = 0;
    std::optional<Islands> islands;  // where islands prove something

    std::span<const std::int32_t> items(std::int32_t option) const {
        const auto begin = problem.option_starts[option];
        return problem.option_items.subspan(begin, problem.option_starts[option + 1] - begin);
    }
    std::span<const std::int32_t> starting_at(std::int32_t item) const {
        return {by_first.data() + first_starts[item],
                static_cast<std::size_t>(first_starts[item + 1] - first_starts[item])};
    }

private:
    void find_hardness();
    void find_order();
};

}  // namespace latcover
