// A problem as Python hands it over: checked once, and kept.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cover/search.hpp"
#include "module/arrays.hpp"

namespace latcover {

// It owns copies of the arrays, so that nobody can change them after they were checked.
class BoundProblem {
public:
    // throws: std::invalid_argument, as `require_safe`.
    BoundProblem(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                 const Input<std::int32_t>& low, const Input<std::int32_t>& high,
                 const std::optional<Input<std::int32_t>>& option_colours, std::int32_t n_cells, std::int32_t n_parts,
                 const std::optional<Input<std::int64_t>>& neighbour_starts,
                 const std::optional<Input<std::int32_t>>& neighbours);
    BoundProblem(const BoundProblem&) = delete;
    BoundProblem& operator=(const BoundProblem&) = delete;

    const Problem& problem() const { return problem_; }

    // throws: nanobind::value_error, if `order` is not a permutation of the items.
    void require_order(std::span<const std::int32_t> order) const;

private:
    std::vector<std::int64_t> option_starts_, neighbour_starts_;
    std::vector<std::int32_t> option_items_, low_, high_, option_colours_, neighbours_;
    Problem problem_;
};

void define_problem(nanobind::module_& m);

}  // namespace latcover
