// The results of searches and counts, as Python sees them.

#pragma once

#include <nanobind/nanobind.h>

#include "cover/search.hpp"

namespace latcover {

// The member of Python's own enumeration.
nanobind::object as_python(Stop stop);

void define_results(nanobind::module_& m);

}  // namespace latcover
