#include "arrays.hpp"

#include <algorithm>

#include "safety.hpp"

namespace latcover {
namespace {

namespace nb = nanobind;

// View an object as an array, without conversion. The caller keeps the object alive.
template <typename T>
std::span<const T> as_it_is(const nb::object& object, const char* refusal) {
    Input<T> array;
    if (!nb::try_cast(object, array, false)) throw nb::type_error(refusal);
    return view(array);
}

Problem with_cells(Problem problem, const Cells& cells) {
    std::tie(problem.n_cells, problem.n_parts) = std::tie(std::get<0>(cells), std::get<1>(cells));
    problem.neighbour_starts =
        as_it_is<std::int64_t>(std::get<2>(cells), "neighbour_starts must be one row of numbers of 64 bits");
    problem.neighbours = as_it_is<std::int32_t>(std::get<3>(cells), "neighbours must be one row of numbers of 32 bits");
    return problem;
}

}  // namespace

Problem safe_problem(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                     const Input<std::int32_t>& low, const Input<std::int32_t>& high, const Colours& colours,
                     const std::optional<Cells>& cells) {
    Problem problem{view(option_starts), view(option_items), view(low), view(high)};
    if (colours) problem.option_colours = view(*colours);
    if (cells) problem = with_cells(problem, *cells);
    require_safe(problem);
    return problem;
}

void require_order(const Problem& problem, std::span<const std::int32_t> order) {
    std::vector<char> there(problem.low.size(), 0);
    for (const auto item : order)
        if (item >= 0 && item < problem.n_items()) there[item] = 1;
    if (order.size() != there.size() || std::count(there.begin(), there.end(), 1) != problem.n_items())
        throw nb::value_error("the order must hold every item once");
}

}  // namespace latcover
