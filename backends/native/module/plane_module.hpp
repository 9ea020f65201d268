// The part of the module that looks for tilings of the plane.

#pragma once

#include <nanobind/nanobind.h>

namespace latcover {

void define_plane(nanobind::module_& m);

}  // namespace latcover
