// Cutting regions, as Python calls it.

#pragma once

#include <nanobind/nanobind.h>

namespace latcover {

void define_cutter(nanobind::module_& m);

}  // namespace latcover
