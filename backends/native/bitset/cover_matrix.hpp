// A problem in the form that the kernel takes: rows and columns in place of options and items.

#pragma once

#include <string>
#include <vector>

#include "cover/search.hpp"
#include "kernel/kernel.hpp"

namespace latcover {

struct CoverMatrix {
    std::vector<std::int64_t> starts{0};
    std::vector<std::int32_t> columns;
    std::vector<std::int32_t> options;    // the option of each row
    std::vector<std::int32_t> low, high;  // of each column
    std::int32_t n_primary = 0;
    std::int32_t longest = 0;
    std::int32_t extension = -1;
    std::int32_t first_pair = 0;       // columns from here on are pairs: see kernel.hpp
    std::vector<std::int32_t> groups;  // where the columns of each item that need not be covered begin, and their end

    explicit CoverMatrix(const Problem& problem);

    std::int32_t n_rows() const { return static_cast<std::int32_t>(options.size()); }
    std::int32_t n_columns() const { return static_cast<std::int32_t>(low.size()); }
    KernelProblem view() const;
    bool is_counted() const;  // an item may be held more than once, or there is an extension
    bool fits_bitmaps() const;
    bool has_pairs() const { return first_pair < n_columns(); }
    // Why the kernel should not search this matrix. Empty if it should.
    std::string too_large() const;
};

}  // namespace latcover
