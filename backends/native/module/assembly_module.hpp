// The part of the module that takes assemblies apart.

#pragma once

#include <nanobind/nanobind.h>

namespace latcover {

void define_assembler(nanobind::module_& m);

}  // namespace latcover
