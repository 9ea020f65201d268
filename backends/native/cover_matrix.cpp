// The matrix leaves out what cannot matter. These are options with an item that no option may hold, and items that need no
// option and may be held by all options that hold them. If options may be added to a finished cover, they hold one more
// column, the extension.

#include "cover_matrix.hpp"

#include <algorithm>
#include <limits>

namespace latcover {
namespace {

template <typename Test>
bool all_items(const Problem& problem, std::int64_t option, Test test) {
    const auto begin = problem.option_items.begin();
    return std::all_of(begin + problem.option_starts[option], begin + problem.option_starts[option + 1], test);
}

}  // namespace

CoverMatrix::CoverMatrix(const Problem& problem) {
    std::vector<std::int32_t> holders(problem.n_items(), 0);
    std::vector<bool> extending;
    bool any_extending = false;
    for (std::int64_t o = 0; o < problem.n_options(); ++o) {
        if (!all_items(problem, o, [&](auto item) { return problem.high[item] > 0; })) continue;
        options.push_back(static_cast<std::int32_t>(o));
        for (auto k = problem.option_starts[o]; k < problem.option_starts[o + 1]; ++k) ++holders[problem.option_items[k]];
        extending.push_back(all_items(problem, o, [&](auto item) { return problem.low[item] < problem.high[item]; }));
        any_extending |= extending.back();
    }

    std::vector<std::int32_t> column(problem.n_items(), -1);
    for (const bool primary : {true, false}) {
        for (std::int32_t i = 0; i < problem.n_items(); ++i) {
            if ((problem.low[i] > 0) != primary || (!primary && holders[i] <= problem.high[i])) continue;
            column[i] = n_columns();
            items.push_back(i);
            low.push_back(problem.low[i]);
            high.push_back(problem.high[i]);
        }
        if (primary) n_primary = n_columns();
    }
    if (any_extending) {
        extension = n_columns();
        items.push_back(-1);
        low.push_back(0);
        high.push_back(std::numeric_limits<std::int32_t>::max());
    }

    for (std::int32_t row = 0; row < n_rows(); ++row) {
        const auto first = columns.size();
        for (auto k = problem.option_starts[options[row]]; k < problem.option_starts[options[row] + 1]; ++k)
            if (column[problem.option_items[k]] >= 0) columns.push_back(column[problem.option_items[k]]);
        if (extending[row]) columns.push_back(extension);
        std::sort(columns.begin() + static_cast<std::ptrdiff_t>(first), columns.end());
        starts.push_back(static_cast<std::int64_t>(columns.size()));
        longest = std::max(longest, static_cast<std::int32_t>(columns.size() - first));
    }
}

KernelProblem CoverMatrix::view() const {
    return {n_rows(),       n_columns(), n_primary,   longest,   starts.data(),
            columns.data(), low.data(),  high.data(), extension, is_counted()};
}

bool CoverMatrix::is_counted() const {
    return extension >= 0 || std::any_of(high.begin(), high.end(), [](auto most) { return most > 1; });
}

bool CoverMatrix::fits_bitmaps() const {
    const auto words = (n_rows() + 63) / 64 * static_cast<std::int64_t>(n_columns());
    return n_rows() <= most_rows && n_columns() <= most_columns && words <= most_words;
}

std::string CoverMatrix::too_large() const {
    if (!is_counted() || fits_bitmaps()) return "";
    return std::to_string(n_rows()) + " options on " + std::to_string(n_columns()) +
           " items are too many for bitmaps";
}

}  // namespace latcover
