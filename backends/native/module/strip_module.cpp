#include "module/strip_module.hpp"

#include <algorithm>

#include "module/arrays.hpp"
#include "plane/strip_lengths.hpp"

namespace nb = nanobind;

namespace latcover {

namespace {

StripLengths strip_of(int width, const Input<std::uint64_t>& copies, bool mirrored) {
    constexpr int words = static_cast<int>(std::tuple_size_v<StripBits>);
    if (width < 1 || width > static_cast<int>(64 * words)) throw nb::value_error("a column of 1 to 256 cells");
    if (copies.size() % words != 0) throw nb::value_error("each copy takes four words");
    std::vector<StripBits> read(copies.size() / words);
    for (std::size_t k = 0; k < copies.size(); ++k) read[k / words][k % words] = copies.data()[k];
    for (const StripBits& copy : read) {
        for (int cell = 64 * words / width * width; cell < static_cast<int>(64 * words); ++cell)
            if ((copy[cell >> 6] >> (cell & 63) & 1) != 0) throw nb::value_error("a copy ends in a broken column");
        bool begins = false;
        for (int cell = 0; cell < width; ++cell) begins |= (copy[cell >> 6] >> (cell & 63) & 1) != 0;
        if (!begins) throw nb::value_error("a copy covers no cell of the first column");
    }
    return {width, read, mirrored};
}

}  // namespace

void define_strips(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<StripLengths>(m, "StripLengths", "Finds which lengths of a strip are filled, one column at a time.")
        .def(
            "__init__",
            [](StripLengths* made, int width, const Input<std::uint64_t>& copies, bool mirrored) {
                new (made) StripLengths(strip_of(width, copies, mirrored));
            },
            "width"_a, "copies"_a.noconvert(), "mirrored"_a)
        .def("advance", &StripLengths::advance, nb::call_guard<nb::gil_scoped_release>(), "most"_a,
             "Replace so many states at most by those that follow; whether the column is done.")
        .def_prop_ro("filled", &StripLengths::filled)
        .def_prop_ro("states", &StripLengths::states);
}

}  // namespace latcover
