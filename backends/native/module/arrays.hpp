// NumPy arrays and whole numbers as native functions take and return them.

#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace latcover {

template <typename T>
using Input = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <typename T>
std::span<const T> view(const Input<T>& array) {
    return {array.data(), array.size()};
}

template <typename T>
nanobind::object as_numpy(std::vector<T> values) {
    auto* owned = new std::vector<T>(std::move(values));
    nanobind::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nanobind::cast(
        nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>(owned->data(), {owned->size()}, owner));
}

template <typename T>
nanobind::tuple as_tuple(const std::vector<T>& values) {
    nanobind::list list;
    for (const T& value : values) list.append(value);
    return nanobind::tuple(list);
}

// The number whose words these are, the lowest first.
nanobind::object as_int(std::span<const std::uint64_t> words);

}  // namespace latcover
