#include "module/bound_problem.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>

#include "cover/safety.hpp"

namespace latcover {

namespace nb = nanobind;

namespace {

template <typename T>
std::vector<T> copy_of(const Input<T>& array) {
    return {array.data(), array.data() + array.size()};
}

template <typename T>
std::vector<T> copy_of(const std::optional<Input<T>>& array) {
    return array ? copy_of(*array) : std::vector<T>{};
}

}  // namespace

BoundProblem::BoundProblem(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                           const Input<std::int32_t>& low, const Input<std::int32_t>& high,
                           const std::optional<Input<std::int32_t>>& option_colours, std::int32_t n_cells,
                           std::int32_t n_parts, const std::optional<Input<std::int64_t>>& neighbour_starts,
                           const std::optional<Input<std::int32_t>>& neighbours)
    : option_starts_(copy_of(option_starts)), neighbour_starts_(copy_of(neighbour_starts)),
      option_items_(copy_of(option_items)), low_(copy_of(low)), high_(copy_of(high)),
      option_colours_(copy_of(option_colours)), neighbours_(copy_of(neighbours)) {
    problem_.option_starts = option_starts_;
    problem_.option_items = option_items_;
    problem_.low = low_;
    problem_.high = high_;
    problem_.n_cells = n_cells;
    problem_.n_parts = n_parts;
    problem_.neighbour_starts = neighbour_starts_;
    problem_.neighbours = neighbours_;
    problem_.option_colours = option_colours_;
    require_safe(problem_);
}

void BoundProblem::require_order(std::span<const std::int32_t> order) const {
    std::vector<char> there(low_.size(), 0);
    for (const auto item : order)
        if (item >= 0 && item < problem_.n_items()) there[item] = 1;
    if (order.size() != there.size() || std::count(there.begin(), there.end(), 1) != problem_.n_items())
        throw nb::value_error("the order must hold every item once");
}

void define_problem(nb::module_& m) {
    using namespace nb::literals;
    using Longs = Input<std::int64_t>;
    using Ints = Input<std::int32_t>;
    nb::class_<BoundProblem>(m, "Problem", "A cover problem whose arrays were checked and copied.")
        .def(nb::init<const Longs&, const Ints&, const Ints&, const Ints&, const std::optional<Ints>&, std::int32_t,
                      std::int32_t, const std::optional<Longs>&, const std::optional<Ints>&>(),
             "option_starts"_a.noconvert(), "option_items"_a.noconvert(), "low"_a.noconvert(), "high"_a.noconvert(),
             nb::kw_only(), "option_colours"_a.noconvert().none() = nb::none(), "n_cells"_a = 0, "n_parts"_a = 0,
             "neighbour_starts"_a.noconvert().none() = nb::none(), "neighbours"_a.noconvert().none() = nb::none());
}

}  // namespace latcover
