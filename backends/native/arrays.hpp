// NumPy arrays as the native searches take and return them.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "search.hpp"

namespace latcover {

template <typename T>
using Input = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// A colour for each entry of option_items.
using Colours = std::optional<Input<std::int32_t>>;

// n_cells, n_parts, neighbour_starts, neighbours. The arrays are plain objects here: within a tuple nanobind would convert an
// array of another type, and numbers could get lost.
using Cells = std::tuple<std::int32_t, std::int32_t, nanobind::object, nanobind::object>;

template <typename T>
std::span<const T> view(const Input<T>& array) {
    return {array.data(), array.size()};
}

template <typename T>
nanobind::object as_numpy(std::vector<T> values) {
    auto* owned = new std::vector<T>(std::move(values));
    nanobind::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nanobind::cast(nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(owned->data(), {owned->size()}, owner));
}

// The problem that the arrays hold. It refers to the arrays, which must outlive it.
//
// throws: std::invalid_argument, as `require_safe`; nanobind::type_error, if an array of `cells` has another type.
Problem safe_problem(const Input<std::int64_t>& option_starts, const Input<std::int32_t>& option_items,
                     const Input<std::int32_t>& low, const Input<std::int32_t>& high,
                     const Colours& colours = std::nullopt, const std::optional<Cells>& cells = std::nullopt);

// throws: nanobind::value_error, if `order` is not a permutation of the items.
void require_order(const Problem& problem, std::span<const std::int32_t> order);

}  // namespace latcover
