// Counting covers without listing them, item after item.
//
// The count keeps, for each state (frontier_plan.hpp), the number of ways that lead to it. This is the broken-profile
// method, which Conway and Guttmann call a transfer matrix. It works for any problem whose items are held at most once.

#pragma once

#include <functional>
#include <string>

#include "cover/search.hpp"

namespace latcover {

// How a count is kept, so that it can go on after any end.
struct FrontierKeeping {
    // Appends the count as it stands to a file, with this seed of the checksum. Returns whether all was written.
    using Append = std::function<bool(const std::string& path, std::uint64_t seed)>;

    std::function<void(double share, const Append& append)> keep;  // null: it is not kept
    double seconds = 0;  // the least time from one to the next; keeping takes a twentieth of all time, at most
    std::string path;    // where a count stands to go on with; "": it begins
    std::uint64_t from = 0, seed = 0;
};

struct FrontierOptions {
    std::size_t most_bytes;          // that all states may take in memory
    std::uint64_t most_on_disk = 0;  // bytes for states that do not fit
    std::string folder;              // for these
    unsigned threads = 1;
    double seconds;
    std::uint64_t report_after;  // work; there is a report after so much, and again whenever it has doubled
    FrontierKeeping keeping;
};

struct FrontierCount {
    Stop stop = Stop::exhausted;
    std::vector<std::uint64_t> limbs;  // the number of covers, the least significant limb first; only if it finished
    std::int32_t order = 0;            // which order won
    std::int32_t width = 0;            // the most items that are open at once
    std::uint64_t states = 0;          // the most states at once
    std::uint64_t work = 0;            // ways compared with states, and states added up, in all orders
    std::size_t bytes = 0;             // the most that states took
    std::uint64_t bytes_on_disk = 0;
    double seconds = 0;
};

// The width of the frontier: the most items that are open at once, when items are taken in this order.
std::int32_t frontier_width(const Problem& problem, std::span<const std::int32_t> order);

// Count in the best of several orders. Each gets a budget of work by turns. After each turn the half with the least
// promise drops out, and the budget doubles. Of the last two the one works that seems to take less work in all; what it
// does not keep of that promise is the other's turn. The first that ends wins.
//
// require: every item has high <= 1; each order is a permutation of the items.
// throws: Unsupported, if the frontier is wider than 256 items in all orders, or takes more memory than it may;
// std::invalid_argument, if the count to go on with is not what was kept.
// Reports name the work so far as branches. The work depends on nothing but the problem and the orders; the count, its
// states and its work are the same on any number of threads, and however often it was kept and went on.
FrontierCount frontier_count(const Problem& problem, const std::vector<std::span<const std::int32_t>>& orders,
                             const FrontierOptions& options, Sink& sink);

}  // namespace latcover
