// Certificates of counts, as Python calls them.

#pragma once

#include <nanobind/nanobind.h>

namespace latcover {

void define_certificates(nanobind::module_& m);

}  // namespace latcover
