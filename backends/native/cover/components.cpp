#include "cover/components.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "cover/progress.hpp"

namespace latcover {
namespace {

constexpr std::int32_t most_items = 8192;  // the recursion is at most as deep, and the stack of a thread is small
constexpr std::size_t rows_not_worth_a_memo = 4;  // a component with fewer is counted again each time
constexpr std::size_t rows_between_looks = 1 << 13;

// The rows that can be chosen, and the items that they hold.
struct Matrix {
    std::vector<std::int64_t> starts{0};
    std::vector<std::int32_t> items;
    std::vector<bool> needed;
    std::int32_t loose = 0;  // options without items: each of them may be in a cover or not

    explicit Matrix(const Problem& p) : needed(static_cast<std::size_t>(p.n_items())) {
        for (std::int32_t i = 0; i < p.n_items(); ++i) needed[i] = p.low[i] > 0;
        for (std::int64_t o = 0; o < p.n_options(); ++o) {
            const auto held = p.option_items.subspan(p.option_starts[o], p.option_starts[o + 1] - p.option_starts[o]);
            if (held.empty()) ++loose;
            if (held.empty() || std::any_of(held.begin(), held.end(), [&](auto i) { return p.high[i] == 0; })) continue;
            items.insert(items.end(), held.begin(), held.end());
            starts.push_back(static_cast<std::int64_t>(items.size()));
        }
    }
    std::size_t n_rows() const { return starts.size() - 1; }
    std::span<const std::int32_t> row(std::int32_t r) const {
        return {items.data() + starts[r], items.data() + starts[r + 1]};
    }
};

// Items and rows of a component, as ranges of the two stacks.
struct Component {
    std::size_t items, items_end, rows, rows_end;
};

class Count {
public:
    Count(const Problem& problem, std::size_t most_bytes, std::uint64_t most_nodes, double seconds, Sink& sink)
        : matrix_(problem), n_items_(static_cast<std::size_t>(problem.n_items())),
          n_words_(std::max<std::size_t>(1, (n_items_ + 63) / 64)), memo_(n_words_, most_bytes),
          most_nodes_(most_nodes), seconds_(seconds), progress_(sink), parent_(n_items_), degree_(n_items_),
          number_(n_items_), marked_(n_items_) {}

    ComponentCount run() {
        for (std::size_t i = 0; i < n_items_; ++i) items_.push_back(static_cast<std::int32_t>(i));
        for (std::size_t r = 0; r < matrix_.n_rows(); ++r) rows_.push_back(static_cast<std::int32_t>(r));
        Big covers = rest({0, n_items_, 0, rows_.size()}, 0, 1);
        for (std::int32_t k = 0; k < matrix_.loose && !stopped_; ++k) covers += Big(covers);
        if (!stopped_) result_.covers = covers;
        result_.seconds = clock_.seconds();
        result_.entries = memo_.size();
        result_.bytes = memo_.bytes();
        return std::move(result_);
    }

private:
    std::int32_t root(std::int32_t item) {
        while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
        return item;
    }

    // The covers of what is left of a component, less the items that have the present mark. `from` and `width` place
    // its share in the whole tree.
    Big rest(const Component& of, double from, double width) {
        const auto items_top = items_.size(), rows_top = rows_.size(), parts_top = parts_.size();
        Big product{{1}};
        if (!divide(of)) product = Big{};
        else {
            const auto n_parts = parts_.size() - parts_top;
            result_.splits += n_parts > 1;
            for (std::size_t k = 0; k < n_parts && !product.is_zero() && !stopped_; ++k)
                product *=
                    known(parts_[parts_top + k], from + width * static_cast<double>(k) / static_cast<double>(n_parts),
                          width / static_cast<double>(n_parts));
        }
        items_.resize(items_top);
        rows_.resize(rows_top);
        parts_.resize(parts_top);
        return product;
    }

    // Push the components of what is left, those with few rows first. Returns false when an item cannot be covered.
    bool divide(const Component& of) {
        for (auto k = of.items; k < of.items_end; ++k) {
            parent_[items_[k]] = items_[k];
            degree_[items_[k]] = 0;
        }
        const auto left = rows_.size();
        seen_ += of.rows_end - of.rows;
        for (auto k = of.rows; k < of.rows_end; ++k) {
            const auto row = matrix_.row(rows_[k]);
            if (std::any_of(row.begin(), row.end(), [&](auto item) { return marked_[item] == mark_; })) continue;
            const auto r = rows_[k];
            rows_.push_back(r);
            auto first = root(row[0]);
            ++degree_[row[0]];
            for (std::size_t j = 1; j < row.size(); ++j) {
                ++degree_[row[j]];
                const auto other = root(row[j]);
                if (other != first) parent_[other] = first;
            }
        }
        const auto left_end = rows_.size();
        const auto parts_top = parts_.size();
        for (auto k = of.items; k < of.items_end; ++k) {
            const auto item = items_[k];
            if (marked_[item] == mark_) continue;
            if (degree_[item] == 0) {
                if (matrix_.needed[item]) return false;
                continue;
            }
            if (parent_[item] != item) continue;
            number_[item] = static_cast<std::int32_t>(parts_.size() - parts_top);
            parts_.push_back({0, 0, 0, 0});
        }
        const auto n_parts = parts_.size() - parts_top;
        if (n_parts == 0) return true;
        // Count the members of each component, then put them in their places.
        auto part_of = [&](std::int32_t item) -> Component& {
            return parts_[parts_top + (n_parts == 1 ? 0 : static_cast<std::size_t>(number_[root(item)]))];
        };
        const auto there = [&](std::int32_t item) { return marked_[item] != mark_ && degree_[item] > 0; };
        for (auto k = of.items; k < of.items_end; ++k)
            if (there(items_[k])) ++part_of(items_[k]).items_end;
        for (auto k = left; k < left_end; ++k) ++part_of(matrix_.row(rows_[k])[0]).rows_end;
        auto item_at = items_.size(), row_at = left_end;
        for (auto k = parts_top; k < parts_.size(); ++k) {
            auto& part = parts_[k];
            const auto some_items = part.items_end, some_rows = part.rows_end;
            part = {item_at, item_at, row_at, row_at};
            item_at += some_items;
            row_at += some_rows;
        }
        items_.resize(item_at);
        rows_.resize(row_at);
        for (auto k = of.items; k < of.items_end; ++k)
            if (const auto item = items_[k]; there(item)) items_[part_of(item).items_end++] = item;
        for (auto k = left; k < left_end; ++k) {
            const auto r = rows_[k];
            rows_[part_of(matrix_.row(r)[0]).rows_end++] = r;
        }
        std::stable_sort(parts_.begin() + static_cast<std::ptrdiff_t>(parts_top), parts_.end(),
                         [](const auto& a, const auto& b) { return a.rows_end - a.rows < b.rows_end - b.rows; });
        return true;
    }

    // The covers of a component, from the memo if they are there.
    Big known(const Component part, double from, double width) {
        if (part.rows_end - part.rows < rows_not_worth_a_memo) return count(part, from, width);
        const auto key_at = keys_.size();
        keys_.resize(key_at + n_words_, 0);
        for (auto k = part.items; k < part.items_end; ++k)
            keys_[key_at + static_cast<std::size_t>(items_[k]) / 64] |= std::uint64_t{1} << items_[k] % 64;
        Big covers;
        if (const auto found = memo_.find({keys_.data() + key_at, n_words_})) {
            ++result_.hits;
            covers = *found;
        } else {
            const auto before = result_.nodes;
            covers = count(part, from, width);
            if (!stopped_) memo_.keep({keys_.data() + key_at, n_words_}, covers, result_.nodes - before);
        }
        keys_.resize(key_at);
        return covers;
    }

    // Branch on the item that must be covered and has the fewest rows. If none must, branch on the item with the most
    // rows, and also leave it.
    Big count(const Component& part, double from, double width) {
        if (!look(from)) return Big{};
        ++result_.nodes;
        for (auto k = part.items; k < part.items_end; ++k) degree_[items_[k]] = 0;
        for (auto k = part.rows; k < part.rows_end; ++k)
            for (const auto item : matrix_.row(rows_[k])) ++degree_[item];
        std::int32_t best = items_[part.items];
        for (auto k = part.items + 1; k < part.items_end; ++k) {
            const auto item = items_[k];
            const bool needed = matrix_.needed[item], so_far = matrix_.needed[best];
            if (needed != so_far ? needed : needed ? degree_[item] < degree_[best] : degree_[item] > degree_[best])
                best = item;
        }
        if (part.items_end - part.items == 1) {
            Big n{{static_cast<std::uint64_t>(degree_[best])}};
            return matrix_.needed[best] ? n : n += Big{{1}};
        }
        const auto rows_top = rows_.size();
        for (auto k = part.rows; k < part.rows_end; ++k) {
            const auto row = matrix_.row(rows_[k]);
            if (std::find(row.begin(), row.end(), best) != row.end()) {
                const auto r = rows_[k];
                rows_.push_back(r);
            }
        }
        const auto rows_end = rows_.size();
        const auto n_ways = rows_end - rows_top + !matrix_.needed[best];
        const auto step = width / static_cast<double>(n_ways);
        Big sum;
        for (auto k = rows_top; k < rows_end && !stopped_; ++k) {
            ++mark_;
            for (const auto item : matrix_.row(rows_[k])) marked_[item] = mark_;
            sum += rest(part, from + step * static_cast<double>(k - rows_top), step);
        }
        if (!matrix_.needed[best] && !stopped_) {
            marked_[best] = ++mark_;
            sum += rest(part, from + width - step, step);
        }
        rows_.resize(rows_top);
        return sum;
    }

    bool look(double share) {
        if (stopped_) return false;
        if (result_.nodes >= most_nodes_) stop(Stop::branch_limit);
        if (seen_ < rows_between_looks) return !stopped_;
        seen_ = 0;
        const auto now = clock_.seconds();
        if (now >= seconds_) stop(Stop::time_limit);
        else if (progress_.is_due(now) && !progress_.tell(now, share, Statistics())) stop(Stop::cancelled);
        return !stopped_;
    }

    void stop(Stop why) {
        stopped_ = true;
        result_.stop = why;
    }

    Matrix matrix_;
    std::size_t n_items_, n_words_;
    Memo memo_;
    std::uint64_t most_nodes_;
    double seconds_;
    Progress progress_;
    Clock clock_;
    ComponentCount result_;
    bool stopped_ = false;
    std::vector<std::int32_t> items_, rows_;  // stacks
    std::vector<Component> parts_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::int32_t> parent_, degree_, number_;  // of each item, while a component is divided
    std::vector<std::uint64_t> marked_;                   // an item with the present mark is covered
    std::uint64_t mark_ = 1;
    std::size_t seen_ = rows_between_looks;  // rows since the last look at the clock
};

}  // namespace

ComponentCount count_by_components(const Problem& problem, std::size_t most_bytes, std::uint64_t most_nodes,
                                   double seconds, Sink& sink) {
    if (problem.n_items() > most_items) throw Unsupported("a memo counts problems of at most 8192 items");
    if (std::any_of(problem.high.begin(), problem.high.end(), [](auto high) { return high > 1; }))
        throw Unsupported("a memo counts problems whose items are held at most once");
    return Count(problem, most_bytes, most_nodes, seconds, sink).run();
}

}  // namespace latcover
