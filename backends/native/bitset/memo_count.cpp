#include "bitset/memo_count.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <vector>

#include "bitset/hosted_walk.hpp"
#include "cover/run.hpp"

namespace latcover {
namespace {

constexpr std::size_t rows_not_worth_a_memo = 6;  // a node that misses at most so many rows is not kept

// How many columns that must be covered a row holds at most.
std::int64_t longest_primary(const CoverMatrix& matrix) {
    std::int64_t longest = 0;
    for (std::int32_t row = 0; row < matrix.n_rows(); ++row) {
        const auto begin = matrix.columns.begin() + matrix.starts[row],
                   end = matrix.columns.begin() + matrix.starts[row + 1];
        longest = std::max<std::int64_t>(longest, std::lower_bound(begin, end, matrix.n_primary) - begin);
    }
    return longest;
}

// This walk looks up every node before its visit, and keeps its count after the last of its children.
class MemoWalk final : public HostedWalk {
public:
    MemoWalk(const CoverMatrix& matrix, std::size_t most_bytes, std::uint64_t most_nodes, double seconds, Sink& sink)
        : HostedWalk(matrix), n_words_((static_cast<std::size_t>(matrix.n_columns()) + 63) / 64),
          n_primary_(static_cast<std::size_t>(matrix.n_primary)),
          least_columns_(rows_not_worth_a_memo * static_cast<std::size_t>(longest_primary(matrix)) + 1),
          memo_(n_words_, most_bytes), most_nodes_(most_nodes), run_({most, most, seconds}, sink, matrix.n_rows()),
          keys_(tried_.size() * n_words_), began_(tried_.size()) {
        counts = watches_leave = true;
        watched = ~std::uint32_t{0};
        masks_.resize(static_cast<std::size_t>(matrix.n_rows()) * n_words_);
        for (std::int32_t row = 0; row < matrix.n_rows(); ++row)
            for (auto k = matrix.starts[row]; k < matrix.starts[row + 1]; ++k)
                masks_[static_cast<std::size_t>(row) * n_words_ + static_cast<std::size_t>(matrix.columns[k] / 64)] |=
                    std::uint64_t{1} << matrix.columns[k] % 64;
        for (std::int32_t column = 0; column < matrix.n_columns(); ++column)
            keys_[static_cast<std::size_t>(column / 64)] |= std::uint64_t{1} << column % 64;
        find_guards(matrix);
    }

    MemoCount count(const KernelUnit& unit) {
        if (run_.start()) walk_with(unit);
        gather();
        run_.statistics.deepest = deepest();
        Outcome outcome = run_.finish();
        const bool cut = stopped && outcome.stop == Stop::exhausted;
        return {cut ? Stop::branch_limit : outcome.stop,
                total_,
                std::move(outcome.statistics),
                memo_.size(),
                memo_.bytes(),
                hits_};
    }

    bool enter() override {
        const std::size_t child = depth + 1;
        const std::uint64_t* const row = masks_.data() + open_levels()[depth].row * n_words_;
        for (std::size_t g = 0; g < n_words_; ++g)
            keys_[child * n_words_ + g] = keys_[(child - 1) * n_words_ + g] & ~row[g];
        forget(row, {keys_.data() + child * n_words_, n_words_});
        began_[child].keeps = false;
        if (columns_left(key(child)) < least_columns_) return true;
        if (const auto known = memo_.find(key(child))) {
            total_ += *known;
            ++hits_;
            tell();
            return false;
        }
        gather();
        began_[child] = {total_, work_, true};
        return true;
    }

    void leave() override {
        ++work_;
        if (depth == 0 || !began_[depth].keeps) return;
        gather();
        Big count = total_;
        count -= began_[depth].total;
        memo_.keep(key(depth), count, work_ - began_[depth].work);
    }

    void cover(std::uint32_t) override { ++found; }

    void look() override {
        until_look = pace;
        gather();
        nothing_visited(depth);
        run_.statistics.branches = 0;
        run_.look([&] { return share(0, depth); });
        stopped = run_.stopped() || work_ >= most_nodes_;
    }

private:
    static constexpr auto most = std::numeric_limits<std::uint64_t>::max();

    // The figures when a node was entered, and whether its count is to be kept.
    struct Began {
        Big total;
        std::uint64_t work = 0;
        bool keeps = false;
    };

    std::span<const std::uint64_t> key(std::size_t level) const { return {keys_.data() + level * n_words_, n_words_}; }

    // Whether two sets of columns have one in common.
    static bool meet(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
        for (std::size_t g = 0; g < a.size(); ++g)
            if (a[g] & b[g]) return true;
        return false;
    }

    // Each row that holds a column of a group also holds a guard of it: a column that must be covered.
    void find_guards(const CoverMatrix& matrix) {
        const std::size_t n_groups = matrix.groups.size() - 1;
        groups_.resize(n_groups * n_words_);
        guards_.resize(n_groups * n_words_);
        guarded_.resize(n_primary_);
        std::vector<std::size_t> group(static_cast<std::size_t>(matrix.n_columns()));
        for (std::size_t k = 0; k < n_groups; ++k)
            for (std::int32_t q = matrix.groups[k]; q < matrix.groups[k + 1]; ++q) {
                group[static_cast<std::size_t>(q)] = k;
                groups_[k * n_words_ + static_cast<std::size_t>(q / 64)] |= std::uint64_t{1} << q % 64;
            }
        for (std::int32_t row = 0; row < matrix.n_rows(); ++row)
            for (auto k = matrix.starts[row]; k < matrix.starts[row + 1]; ++k) {
                if (matrix.columns[k] < matrix.n_primary) continue;
                const std::int32_t guard = matrix.columns[matrix.starts[row]];
                const std::size_t held = group[static_cast<std::size_t>(matrix.columns[k])];
                std::uint64_t& word = guards_[held * n_words_ + static_cast<std::size_t>(guard / 64)];
                if (!(word >> guard % 64 & 1)) guarded_[static_cast<std::size_t>(guard)].push_back(held);
                word |= std::uint64_t{1} << guard % 64;
            }
    }

    // Take from a key the groups whose guards are all covered now, after this row: no row that is left holds them.
    void forget(const std::uint64_t* row, std::span<std::uint64_t> key) const {
        for (std::size_t g = 0; g < n_words_ && 64 * g < n_primary_; ++g)
            for (std::uint64_t columns = row[g]; columns; columns &= columns - 1) {
                const std::size_t column = 64 * g + static_cast<std::size_t>(std::countr_zero(columns));
                if (column >= n_primary_) return;
                for (const std::size_t k : guarded_[column])
                    if (!meet({guards_.data() + k * n_words_, n_words_}, key))
                        for (std::size_t i = 0; i < n_words_; ++i) key[i] &= ~groups_[k * n_words_ + i];
            }
    }

    // How many needed columns a key holds.
    std::size_t columns_left(std::span<const std::uint64_t> key) const {
        std::size_t n = 0;
        for (std::size_t g = 0; g < n_words_ && 64 * g < n_primary_; ++g) {
            const std::size_t in_word = std::min<std::size_t>(64, n_primary_ - 64 * g);
            n += static_cast<std::size_t>(
                std::popcount(in_word == 64 ? key[g] : key[g] & ~(~std::uint64_t{0} << in_word)));
        }
        return n;
    }

    // Add the covers that the kernel has counted since the last call.
    void gather() {
        if (found == 0) return;
        total_ += Big{{found}};
        found = 0;
        tell();
    }

    void tell() {
        const bool fits =
            std::all_of(total_.words.begin() + 1, total_.words.end(), [](auto word) { return word == 0; });
        run_.counted(fits ? total_.words[0] : most);
    }

    std::size_t n_words_;
    std::size_t n_primary_;
    std::size_t least_columns_;
    Memo memo_;
    std::uint64_t most_nodes_;
    Run run_;
    std::vector<std::uint64_t> masks_;               // of each row: its columns
    std::vector<std::uint64_t> groups_, guards_;     // of each group of columns that need not be covered
    std::vector<std::vector<std::size_t>> guarded_;  // by guard: the groups
    std::vector<std::uint64_t> keys_;                // by level: the columns not covered yet
    std::vector<Began> began_;                       // by level: the node that is open
    Big total_;
    std::uint64_t work_ = 0;  // nodes searched
    std::uint64_t hits_ = 0;
};

}  // namespace

bool memo_applies(const CoverMatrix& matrix) {
    return matrix.extension < 0 && std::all_of(matrix.high.begin(), matrix.high.end(), [](auto n) { return n <= 1; });
}

MemoCount count_with_memo(const CoverMatrix& matrix, const KernelUnit& unit, std::size_t most_bytes,
                          std::uint64_t most_nodes, double seconds, Sink& sink) {
    return MemoWalk(matrix, most_bytes, most_nodes, seconds, sink).count(unit);
}

}  // namespace latcover
