#include "module/arrays.hpp"

#include <string>

namespace latcover {

namespace nb = nanobind;

nb::object as_int(std::span<const std::uint64_t> words) {
    std::string bytes;
    for (const auto word : words)
        for (int k = 0; k < 8; ++k) bytes.push_back(static_cast<char>(word >> 8 * k & 255));
    const auto type = nb::borrow(reinterpret_cast<PyObject*>(&PyLong_Type));
    return type.attr("from_bytes")(nb::bytes(bytes.data(), bytes.size()), "little");
}

}  // namespace latcover
