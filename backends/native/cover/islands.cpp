#include "cover/islands.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

namespace latcover {
namespace {

constexpr std::int32_t unset = -1;
constexpr std::int32_t unlimited = std::numeric_limits<std::int32_t>::max() / 2;
constexpr std::size_t most_sums = 1 << 14;  // entries that are remembered; a full table is emptied

}  // namespace

template <typename Visit>
void Islands::for_each_cell(std::int32_t option, Visit visit) const {
    for (auto k = problem_.option_starts[option]; k < problem_.option_starts[option + 1]; ++k) {
        const auto cell = problem_.option_items[k];
        if (cell >= problem_.n_cells) break;
        if (problem_.low[cell] > 0) visit(cell);
    }
}

Islands::Islands(const Problem& problem, Stranding stranding, std::string* refusal)
    : problem_(problem), stranding_(stranding), refusal_(refusal) {
    if (stranding == Stranding::none) return;
    if (problem.n_cells == 0) {
        refuse("stranding needs cells, and this problem has none");
        return;
    }
    for (std::int32_t cell = 0; cell < problem.n_cells; ++cell) {
        if (problem.high[cell] > 1) {
            refuse("stranding needs cells that are covered once");
            return;
        }
        empty_.push_back(problem.low[cell] > 0);
    }
    seen_.assign(problem.n_cells, 0);
    find_kinds();
}

void Islands::find_kinds() {
    const auto n_options = static_cast<std::int32_t>(problem_.n_options());
    const auto n_parts = problem_.n_parts;
    std::vector<std::int32_t> part_of(n_options, n_parts);  // n_parts if no part limits the option
    std::vector<std::vector<std::int32_t>> weights(n_parts + 1);
    for (std::int32_t option = 0; option < n_options; ++option) {
        bool usable = true;
        for (auto k = problem_.option_starts[option + 1]; k-- > problem_.option_starts[option];) {
            const auto item = problem_.option_items[k], part = item - problem_.n_cells;
            usable = usable && problem_.high[item] > 0;
            // options that hold a part in one colour may be chosen together, so that the part does not limit them
            if (part >= 0 && part < n_parts && problem_.colour(k) == 0) part_of[option] = part;
        }
        const auto weight = usable ? weight_of(option) : 0;
        auto& known = weights[part_of[option]];
        const auto at = std::lower_bound(known.begin(), known.end(), weight);
        if (weight == 0) part_of[option] = unset;
        else if (at == known.end() || *at != weight) known.insert(at, weight);
    }
    std::map<std::pair<std::vector<std::int32_t>, bool>, std::int64_t> copies;
    for (std::int32_t part = 0; part <= n_parts; ++part)
        if (!weights[part].empty())
            copies[{weights[part], part == n_parts}] +=
                part == n_parts ? unlimited : problem_.high[problem_.n_cells + part];
    std::uint64_t stride = 1;
    for (const auto& [kind, left] : copies) {
        const bool limited = !kind.second && stride < (std::uint64_t{1} << 62) / (left + 1);
        kinds_.push_back(
            {kind.first, limited ? left : unlimited, limited ? stride : 0});  // unlimited is weaker, and still correct
        if (!limited) continue;
        key_ += stride * left;
        stride *= left + 1;
    }
    kind_.assign(n_options, unset);
    for (std::int32_t option = 0; option < n_options; ++option) {
        if (part_of[option] == unset) continue;
        const auto found = copies.find({weights[part_of[option]], part_of[option] == n_parts});
        kind_[option] = static_cast<std::int32_t>(std::distance(copies.begin(), found));
    }
}

void Islands::refuse(const char* why) {
    if (refusal_ == nullptr) throw Unsupported(why);
    *refusal_ = why;
}

// The number of mandatory cells that an option covers. Refuses if they are not connected.
std::int32_t Islands::weight_of(std::int32_t option) {
    std::int32_t start = unset, weight = 0;
    for_each_cell(option, [&](std::int32_t cell) {
        if (weight++ == 0) start = cell;
        empty_[cell] = 2;  // within the option
    });
    if (weight == 0) return 0;
    ++island_number_;
    std::int32_t met = 0;
    stack_.assign(1, start);
    seen_[start] = island_number_;
    while (!stack_.empty()) {
        const auto cell = stack_.back();
        stack_.pop_back();
        ++met;
        for (auto k = problem_.neighbour_starts[cell]; k < problem_.neighbour_starts[cell + 1]; ++k) {
            const auto next = problem_.neighbours[k];
            if (empty_[next] != 2 || seen_[next] == island_number_) continue;
            seen_[next] = island_number_;
            stack_.push_back(next);
        }
    }
    for_each_cell(option, [&](std::int32_t cell) { empty_[cell] = 1; });
    if (met != weight)
        refuse(
            "stranding is unsound here: a placement covers mandatory cells that are not connected to one another "
            "(optional cells between them, or a part in pieces); search without it");
    return weight;
}

void Islands::change(std::int32_t option, std::int32_t by) {
    for_each_cell(option, [&](std::int32_t cell) { empty_[cell] = by > 0; });
    if (kind_[option] == unset) return;
    auto& kind = kinds_[kind_[option]];
    if (kind.stride == 0) return;
    kind.left += by;
    key_ += kind.stride * static_cast<std::uint64_t>(by);
}

std::int32_t Islands::smallest_left() const {
    for (const auto& kind : kinds_)
        if (kind.left > 0) return kind.weights.front();
    return unlimited;
}

// The number of cells in the island around `start`. The count may stop at `enough`.
std::int32_t Islands::island(std::int32_t start, std::int32_t enough) {
    std::int32_t met = 1;
    stack_.assign(1, start);
    seen_[start] = island_number_;
    while (!stack_.empty() && met < enough) {
        const auto cell = stack_.back();
        stack_.pop_back();
        for (auto k = problem_.neighbour_starts[cell]; k < problem_.neighbour_starts[cell + 1]; ++k) {
            const auto next = problem_.neighbours[k];
            if (!empty_[next] || seen_[next] == island_number_) continue;
            seen_[next] = island_number_;
            stack_.push_back(next);
            ++met;
        }
    }
    return met;
}

bool Islands::strands() {
    const auto* const first = static_cast<const char*>(std::memchr(empty_.data(), 1, empty_.size()));
    if (first == nullptr) return false;
    ++island_number_;
    const auto start = static_cast<std::int32_t>(first - empty_.data());
    if (stranding_ == Stranding::anchor) {
        const auto enough = smallest_left();
        return island(start, enough) < enough;
    }
    const auto& sums = sums_left();
    for (auto cell = start; cell < problem_.n_cells; ++cell)
        if (empty_[cell] && seen_[cell] != island_number_ && !sums[island(cell, unlimited)]) return true;
    return false;
}

// Most options cut nothing off: the empty cells around such an option are connected by others nearby. Then there is no
// new island.
bool Islands::strands_after(std::int32_t option) {
    constexpr std::size_t nearby = 300;  // cells
    const auto beside = ++island_number_;
    around_.clear();
    for_each_cell(option, [&](std::int32_t cell) {
        for (auto k = problem_.neighbour_starts[cell]; k < problem_.neighbour_starts[cell + 1]; ++k) {
            const auto next = problem_.neighbours[k];
            if (!empty_[next] || seen_[next] == beside) continue;
            seen_[next] = beside;
            around_.push_back(next);
        }
    });
    if (around_.size() < 2) return false;
    const auto met = ++island_number_;
    std::size_t apart = around_.size() - 1;
    stack_.assign(1, around_.front());
    seen_[around_.front()] = met;
    for (std::size_t at = 0; at < std::min(stack_.size(), nearby); ++at) {
        for (auto k = problem_.neighbour_starts[stack_[at]]; k < problem_.neighbour_starts[stack_[at] + 1]; ++k) {
            const auto next = problem_.neighbours[k];
            if (!empty_[next] || seen_[next] == met) continue;
            if (seen_[next] == beside && --apart == 0) return false;
            seen_[next] = met;
            stack_.push_back(next);
        }
    }
    return strands();
}

bool Islands::cuts_off(std::int32_t option) {
    take(option);
    const auto enough = smallest_left();
    bool cut = false;
    for_each_cell(option, [&](std::int32_t cell) {
        for (auto k = problem_.neighbour_starts[cell]; k < problem_.neighbour_starts[cell + 1] && !cut; ++k) {
            ++island_number_;
            cut = empty_[problem_.neighbours[k]] && island(problem_.neighbours[k], enough) < enough;
        }
    });
    give_back(option);
    return cut;
}

// For each size up to all cells: whether it is a sum of weights of options left.
const std::vector<bool>& Islands::sums_left() {
    if (const auto found = sums_.find(key_); found != sums_.end()) return found->second;
    if (sums_.size() >= most_sums) sums_.clear();
    const auto most = problem_.n_cells;
    constexpr std::int64_t unreachable = 2 * std::int64_t{unlimited};
    std::vector<bool> sums(most + 1, false);
    sums[0] = true;
    std::vector<std::int64_t> copies(most + 1);  // of one kind: the least number that a sum takes
    for (const auto& kind : kinds_) {
        for (std::int32_t size = 0; size <= most; ++size) {
            copies[size] = sums[size] ? 0 : unreachable;
            for (const auto weight : kind.weights)
                if (weight <= size) copies[size] = std::min(copies[size], copies[size - weight] + 1);
            if (copies[size] <= kind.left) sums[size] = true;
            else copies[size] = unreachable;
        }
    }
    return sums_.emplace(key_, std::move(sums)).first->second;
}

}  // namespace latcover
