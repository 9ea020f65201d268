// The matrix leaves out what cannot matter. These are options with an item that no option may hold, and items that need
// no option and may be held by all options that hold them. If options may be added to a finished cover, they hold one
// more column, the extension.
//
// An item that is held in colours becomes pairs of columns, one for each bit of the number of a colour. A row holds
// that column of each pair which the bit of its colour names, so rows of two colours differ in a pair. A row without a
// colour holds both columns of the first pair: it clashes with every row that holds the item.

#include "bitset/cover_matrix.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace latcover {
namespace {

template <typename Test>
bool all_items(const Problem& problem, std::int64_t option, Test test) {
    const auto begin = problem.option_items.begin();
    return std::all_of(begin + problem.option_starts[option], begin + problem.option_starts[option + 1], test);
}

// The colours in which rows hold an item.
struct Coloured {
    std::vector<std::int32_t> colours;  // ascending, 0 (none) left out
    bool plainly = false;               // some row holds the item without a colour
    std::int32_t first_pair = -1;       // -1: all rows that hold the item agree

    std::int32_t n_pairs() const {
        if (colours.size() + plainly < 2) return 0;
        return std::max(1, static_cast<std::int32_t>(std::bit_width(colours.size() - 1)));
    }
    void add_columns(std::int32_t colour, std::vector<std::int32_t>& columns) const {
        if (first_pair < 0) return;
        if (colour == 0) return columns.insert(columns.end(), {first_pair, first_pair + 1}), void();
        const auto number = std::lower_bound(colours.begin(), colours.end(), colour) - colours.begin();
        for (std::int32_t k = 0; k < n_pairs(); ++k)
            columns.push_back(first_pair + 2 * k + static_cast<std::int32_t>(number >> k & 1));
    }
};

// The colours of each item in these options. An item that is never held in a colour has none.
std::vector<Coloured> colours_of_items(const Problem& problem, const std::vector<std::int32_t>& options) {
    std::vector<Coloured> found(problem.has_colours() ? static_cast<std::size_t>(problem.n_items()) : 0);
    if (found.empty()) return found;
    for (const auto o : options)
        for (auto k = problem.option_starts[o]; k < problem.option_starts[o + 1]; ++k) {
            Coloured& item = found[problem.option_items[k]];
            if (problem.option_colours[k] > 0) item.colours.push_back(problem.option_colours[k]);
            else item.plainly = true;
        }
    for (Coloured& item : found) {
        std::sort(item.colours.begin(), item.colours.end());
        item.colours.erase(std::unique(item.colours.begin(), item.colours.end()), item.colours.end());
    }
    return found;
}

}  // namespace

CoverMatrix::CoverMatrix(const Problem& problem) {
    std::vector<std::int32_t> holders(problem.n_items(), 0);
    std::vector<bool> extending;
    bool any_extending = false;
    for (std::int64_t o = 0; o < problem.n_options(); ++o) {
        if (!all_items(problem, o, [&](auto item) { return problem.high[item] > 0; })) continue;
        options.push_back(static_cast<std::int32_t>(o));
        for (auto k = problem.option_starts[o]; k < problem.option_starts[o + 1]; ++k)
            ++holders[problem.option_items[k]];
        extending.push_back(all_items(problem, o, [&](auto item) { return problem.low[item] < problem.high[item]; }));
        any_extending |= extending.back();
    }
    std::vector<Coloured> coloured = colours_of_items(problem, options);
    const auto has_colours = [&](std::int32_t item) { return !coloured.empty() && !coloured[item].colours.empty(); };

    std::vector<std::int32_t> column(problem.n_items(), -1);
    const auto add_column = [this](std::int32_t least, std::int32_t most) {
        low.push_back(least);
        high.push_back(most);
        return n_columns() - 1;
    };
    for (const bool primary : {true, false}) {
        for (std::int32_t i = 0; i < problem.n_items(); ++i) {
            if ((problem.low[i] > 0) != primary || (!primary && holders[i] <= problem.high[i]) || has_colours(i))
                continue;
            column[i] = add_column(problem.low[i], problem.high[i]);
        }
        if (primary) n_primary = n_columns();
    }
    for (std::int32_t q = n_primary; q < n_columns(); ++q) groups.push_back(q);
    if (any_extending) extension = add_column(0, std::numeric_limits<std::int32_t>::max());
    first_pair = n_columns();
    for (std::int32_t i = 0; i < problem.n_items(); ++i) {
        if (!has_colours(i)) continue;
        const std::int32_t n_pairs = coloured[i].n_pairs();
        if (n_pairs == 0) continue;
        coloured[i].first_pair = n_columns();
        groups.push_back(n_columns());
        for (std::int32_t k = 0; k < 2 * n_pairs; ++k) add_column(0, 1);
    }
    groups.push_back(n_columns());

    for (std::int32_t row = 0; row < n_rows(); ++row) {
        const auto first = columns.size();
        for (auto k = problem.option_starts[options[row]]; k < problem.option_starts[options[row] + 1]; ++k) {
            const auto item = problem.option_items[k];
            if (column[item] >= 0) columns.push_back(column[item]);
            else if (has_colours(item)) coloured[item].add_columns(problem.option_colours[k], columns);
        }
        if (extending[row]) columns.push_back(extension);
        std::sort(columns.begin() + static_cast<std::ptrdiff_t>(first), columns.end());
        starts.push_back(static_cast<std::int64_t>(columns.size()));
        longest = std::max(longest, static_cast<std::int32_t>(columns.size() - first));
    }
}

KernelProblem CoverMatrix::view() const {
    return {n_rows(),   n_columns(), n_primary, longest,      starts.data(), columns.data(),
            low.data(), high.data(), extension, is_counted(), first_pair};
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
    return std::to_string(n_rows()) + " options on " + std::to_string(n_columns()) + " items are too many for bitmaps";
}

}  // namespace latcover
