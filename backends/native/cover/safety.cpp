#include "cover/safety.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace latcover {
namespace {

[[noreturn]] void refuse(const char* why) { throw std::invalid_argument(why); }

void require_safe_options(const Problem& p) {
    if (p.option_starts.empty() || p.option_starts.front() != 0 ||
        p.option_starts.back() != static_cast<std::int64_t>(p.option_items.size()))
        refuse("option_starts must begin with 0 and end with the length of option_items");
    if (p.low.size() != p.high.size()) refuse("low and high must be of one length");
    constexpr std::size_t most = 1u << 28;
    if (p.option_items.size() >= most || p.option_starts.size() >= most || p.low.size() >= most)
        refuse("at most 2^28 options, items, and places of items in options");
    for (std::size_t i = 0; i < p.low.size(); ++i)
        if (p.low[i] < 0 || p.low[i] > p.high[i] || static_cast<std::size_t>(p.low[i]) >= most)
            refuse("bounds must satisfy 0 <= low <= high");
    for (std::int64_t o = 0; o < p.n_options(); ++o) {
        if (p.option_starts[o] > p.option_starts[o + 1] || p.option_starts[o] < 0 ||
            p.option_starts[o + 1] > p.option_starts.back())
            refuse("option_starts must not descend");
        for (auto k = p.option_starts[o]; k < p.option_starts[o + 1]; ++k) {
            const auto item = p.option_items[k];
            if (item < 0 || item >= p.n_items()) refuse("an option holds an item that does not exist");
            if (k > p.option_starts[o] && p.option_items[k - 1] >= item) refuse("the items of an option must ascend");
        }
    }
}

void require_safe_colours(const Problem& p) {
    if (p.has_colours() && p.option_colours.size() != p.option_items.size())
        refuse("there must be a colour for each entry of option_items, or none at all");
    for (std::size_t k = 0; k < p.option_colours.size(); ++k) {
        const auto item = p.option_items[k];
        if (p.option_colours[k] < 0) refuse("a colour must not be negative");
        if (p.option_colours[k] > 0 && (p.low[item] != 0 || p.high[item] != 1))
            refuse("an item with a colour must have the bounds [0, 1]");
    }
}

void require_safe_cells(const Problem& p) {
    if (p.neighbour_starts.empty() && p.neighbours.empty() && p.n_cells == 0 && p.n_parts == 0) return;  // none given
    if (p.n_cells < 0 || p.n_parts < 0 || std::int64_t{p.n_cells} + p.n_parts > p.n_items())
        refuse("cells and parts must be items");
    if (p.neighbour_starts.size() != static_cast<std::size_t>(p.n_cells) + 1 || p.neighbour_starts.front() != 0 ||
        p.neighbour_starts.back() != static_cast<std::int64_t>(p.neighbours.size()))
        refuse("neighbour_starts must have one entry a cell and one more, from 0 to the length of neighbours");
    for (std::int32_t cell = 0; cell < p.n_cells; ++cell)
        if (p.neighbour_starts[cell] > p.neighbour_starts[cell + 1]) refuse("neighbour_starts must not descend");
    for (const auto cell : p.neighbours)
        if (cell < 0 || cell >= p.n_cells) refuse("a neighbour is no cell");
}

}  // namespace

void require_safe(const Problem& problem) {
    require_safe_options(problem);
    require_safe_colours(problem);
    require_safe_cells(problem);
}

}  // namespace latcover
