// The part of the module that turns parts.

#pragma once

#include <nanobind/nanobind.h>

namespace latcover {

void define_turner(nanobind::module_& m);
void define_turning_assembler(nanobind::module_& m);

}  // namespace latcover
