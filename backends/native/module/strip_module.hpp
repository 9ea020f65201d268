// Strips, as Python calls them.

#pragma once

#include <nanobind/nanobind.h>

namespace latcover {

void define_strips(nanobind::module_& m);

}  // namespace latcover
