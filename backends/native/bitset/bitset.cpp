#include "bitset/bitset.hpp"

#include <limits>
#include <utility>

#include "bitset/cover_matrix.hpp"
#include "bitset/main_walk.hpp"
#include "bitset/memo_count.hpp"
#include "cover/dlx.hpp"
#include "kernel/kernel_units.hpp"

namespace latcover {
namespace {

BitsetOutcome by_dancing_links(const Problem& problem, const Limits& limits, Sink& sink, std::string why) {
    return {dlx_search(problem, DlxOptions{true}, limits, sink), "",
            std::move(why) + ": dancing links searched instead"};
}

BitsetOutcome search_matrix(const Problem& problem, const CoverMatrix& matrix, const KernelUnit& unit,
                            const BitsetOptions& options, const Limits& limits, Sink& sink) {
    if (auto note = matrix.too_large(); !note.empty()) return by_dancing_links(problem, limits, sink, std::move(note));
    return walk_matrix(matrix, unit, options, limits, sink);
}

}  // namespace

std::vector<KernelName> kernels() {
    std::vector<KernelName> names;
    for (const KernelUnit& unit : kernel_units) names.push_back({unit.name, unit.runs_here()});
    return names;
}

BitsetOutcome bitset_search(const Problem& problem, const BitsetOptions& options, const Limits& limits, Sink& sink) {
    return search_matrix(problem, CoverMatrix(problem), unit_named(options.kernel), options, limits, sink);
}

BitsetCount bitset_count(const Problem& problem, BitsetOptions options, const Limits& limits, const MemoOptions& memo,
                         Sink& sink) {
    BitsetCount count;
    const KernelUnit& unit = unit_named(options.kernel);
    const CoverMatrix matrix(problem);
    const bool may_save = limits.branches == std::numeric_limits<std::uint64_t>::max();
    if (memo.bytes > 0 && may_save && matrix.too_large().empty() && memo_applies(matrix)) {
        MemoCount counted = count_with_memo(matrix, unit, memo.bytes, memo.most_nodes, limits.seconds, sink);
        count.result.outcome = {counted.stop, std::move(counted.statistics)};
        count.result.kernel = unit.name;
        count.covers = counted.covers;
        count.with_memo = true;
        count.memo_entries = counted.entries;
        count.memo_bytes = counted.bytes;
        count.memo_hits = counted.hits;
        return count;
    }
    options.counts = true;
    options.ordered = false;
    count.result = search_matrix(problem, matrix, unit, options, limits, sink);
    count.covers.words[0] = count.result.outcome.statistics.covers;
    return count;
}

}  // namespace latcover
