// Counting covers without listing them, item after item.
//
// The count keeps, for each state (frontier_plan.hpp), the number of ways that lead to it. This is the broken-profile
// method, which Conway and Guttmann call a transfer matrix. It works for any problem whose items are held at most once.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

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
    FrontierKeeping keeping;
};

struct FrontierCount {
    Stop stop = Stop::exhausted;       // branch_limit: it has done the work that it was to do
    std::vector<std::uint64_t> limbs;  // the number of covers, the least significant limb first; only if it finished
    std::int32_t order = 0;            // which order won
    std::int32_t width = 0;            // the most items that are open at once
    std::uint64_t states = 0;          // the most states at once
    std::uint64_t work = 0;            // ways compared with states, and states added up, in all orders
    double left = 0;                   // the work that seems to be left in the best order
    std::size_t bytes = 0;             // the most that states took
    std::uint64_t bytes_on_disk = 0;
    double seconds = 0;
};

// The width of the frontier: the most items that are open at once, when items are taken in this order.
std::int32_t frontier_width(const Problem& problem, std::span<const std::int32_t> order);

// A count in the best of several orders, which can pause. Each order gets a budget of work by turns. After each turn the
// half with the least promise drops out, and the budget doubles. Of the last two the one works that seems to take less
// work in all; what it does not keep of that promise is the other's turn. The first that ends wins.
class FrontierSearch {
public:
    // require: every item has high <= 1; each order is a permutation of the items. `problem` outlives the search.
    // throws: Unsupported, if the frontier is wider than 256 items in all orders.
    FrontierSearch(const Problem& problem, const std::vector<std::span<const std::int32_t>>& orders,
                   FrontierOptions options);
    ~FrontierSearch();

    // Begin or go on, until all orders together have done so much work, or for so many seconds. Reports name the work
    // so far as branches. The work depends on nothing but the problem and the orders; the count, its states and its
    // work are the same on any number of threads, and however often it paused or was kept.
    // throws: Unsupported, if it takes more memory than it may; std::invalid_argument, if the count to go on with is
    // not what was kept. It ends with both.
    FrontierCount count(std::uint64_t until_work, double seconds, Sink& sink);

private:
    struct Held;
    std::unique_ptr<Held> held_;
};

}  // namespace latcover
