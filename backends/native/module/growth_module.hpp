// Regions made of copies, as Python calls it.

#pragma once

#include <nanobind/nanobind.h>

namespace latcover {

void define_growth(nanobind::module_& m);

}  // namespace latcover
