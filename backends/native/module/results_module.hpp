// The results of searches and counts, as Python sees them.

#pragma once

#include <nanobind/nanobind.h>

namespace latcover {

void define_results(nanobind::module_& m);

}  // namespace latcover
