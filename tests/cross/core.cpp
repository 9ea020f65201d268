// The search core without Python: a program that any compiler for any system can make, and that shows that it works
// there.
//
// It reads a problem from standard input, as numbers: how many options, items, cells, parts and entries of
// `neighbours`; then the arrays of search.hpp in their order. It searches by every method, and prints a line for each:
//
//     METHOD STOP COVERS BRANCHES FINGERPRINT
//
// The fingerprint is that of all covers in their order. Who knows the right answers compares: see
// tests/backends/test_cross.py.

#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "bitset/bitset.hpp"
#include "cover/backtrack.hpp"
#include "cover/components.hpp"
#include "cover/dlx.hpp"
#include "restarts/restarts.hpp"

using namespace latcover;

namespace {

constexpr auto most = std::numeric_limits<std::uint64_t>::max();
const Limits no_limits{most, most, std::numeric_limits<double>::infinity()};
const char* const stops[] = {"exhausted", "cover_limit", "branch_limit", "time_limit", "cancelled"};

class Fingerprint : public Sink {
public:
    bool covers(const Batch& batch) override {
        for (std::size_t k = 0; k < batch.size(); ++k) {
            for (auto at = batch.starts[k]; at < batch.starts[k + 1]; ++at) take(batch.options[at]);
            take(-1);
        }
        return true;
    }
    bool progress(double, const Statistics&) override { return true; }
    std::uint64_t value() const { return value_; }

private:
    void take(std::int32_t number) { value_ = (value_ ^ static_cast<std::uint32_t>(number)) * 0x100000001b3u; }

    std::uint64_t value_ = 0xcbf29ce484222325u;
};

template <typename Number>
std::vector<Number> numbers(std::size_t n) {
    std::vector<Number> read(n);
    for (Number& number : read)
        if (!(std::cin >> number)) throw std::runtime_error("the problem ends too early");
    return read;
}

void say(const std::string& method, const std::function<Outcome(Sink&)>& search) {
    try {
        Fingerprint sink;
        const Outcome outcome = search(sink);
        const Statistics& s = outcome.statistics;
        std::cout << method << ' ' << stops[static_cast<int>(outcome.stop)] << ' ' << s.covers << ' ' << s.branches
                  << ' ' << sink.value() << std::endl;
    } catch (const std::exception& refused) { std::cout << method << " refused: " << refused.what() << std::endl; }
}

}  // namespace

int main() {
    const auto sizes = numbers<std::int64_t>(5);
    const auto n_options = static_cast<std::size_t>(sizes[0]), n_items = static_cast<std::size_t>(sizes[1]);
    const auto starts = numbers<std::int64_t>(n_options + 1);
    const auto items = numbers<std::int32_t>(static_cast<std::size_t>(starts.back()));
    const auto low = numbers<std::int32_t>(n_items), high = numbers<std::int32_t>(n_items);
    const auto neighbour_starts = numbers<std::int64_t>(static_cast<std::size_t>(sizes[2]) + 1);
    const auto neighbours = numbers<std::int32_t>(static_cast<std::size_t>(sizes[4]));
    const auto n_cells = static_cast<std::int32_t>(sizes[2]), n_parts = static_cast<std::int32_t>(sizes[3]);
    const Problem problem{starts, items, low, high, n_cells, n_parts, neighbour_starts, neighbours, {}};

    say("dlx", [&](Sink& sink) { return dlx_search(problem, {}, no_limits, sink); });
    say("backtrack", [&](Sink& sink) { return backtrack_search(problem, {}, no_limits, sink); });
    std::string fastest;
    for (const KernelName& kernel : kernels()) {
        if (!kernel.runs_here) continue;
        fastest = kernel.name;
        say("bitset-" + kernel.name,
            [&](Sink& sink) { return bitset_search(problem, {kernel.name, 1}, no_limits, sink).outcome; });
    }
    say("bitset-threads",
        [&](Sink& sink) { return bitset_search(problem, {fastest, 4, true}, no_limits, sink).outcome; });
    say("restarts",
        [&](Sink& sink) { return restarts_search(problem, {fastest, 2}, {1, most, no_limits.seconds}, sink).outcome; });
    say("nothing", [&](Sink& sink) { return bitset_search(problem, {"nothing", 1}, no_limits, sink).outcome; });
    return 0;
}
