// A sweep over all items in one order, as a section `sweep` of a certificate has it
// (docs/reference/count-certificates.md). Such a section holds nothing but the order.

#pragma once

#include <span>

#include "certificate/certified_tree.hpp"

namespace latcover {

struct SweepOptions {
    std::int32_t chosen = -1;    // the option that is chosen at the start; -1: none
    std::size_t limbs = 1;       // the number of covers must fit so many
    std::size_t most_bytes = 0;  // that two layers may take
    std::uint64_t most_states = std::numeric_limits<std::uint64_t>::max();
    double seconds = std::numeric_limits<double>::infinity();
};

// require: `order` is a permutation of the items, and the chosen option fits the empty state.
// throws: Unsupported, if the layers take more memory than they may.
SectionCount count_sweep(const CertifiedProblem& problem, std::span<const std::int32_t> order,
                         const SweepOptions& options, Sink& sink);

}  // namespace latcover
