// Whether a search can trust the arrays of a problem.

#pragma once

#include "cover/search.hpp"

namespace latcover {

// throws: std::invalid_argument, if a search could read or write outside of the arrays. Whether the problem is sensible
// is checked in latcover/core/cover/problem.py.
void require_safe(const Problem& problem);

}  // namespace latcover
