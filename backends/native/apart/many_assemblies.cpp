#include "apart/many_assemblies.hpp"

#include <algorithm>

#include "apart/watched.hpp"
#include "ground/team.hpp"

namespace latcover {

namespace {

constexpr std::uint64_t easy_states = 20'000;  // an assembly with more is taken by all threads together

}  // namespace

std::vector<TakenApart> take_all_apart(Shapes& shapes, const std::vector<Assembly>& assemblies, const Groups& groups,
                                       const ManyLimits& limits,
                                       const std::function<bool(const ManyProgress&)>& on_progress) {
    std::vector<TakenApart> found(assemblies.size());
    std::vector<char> is_hard(assemblies.size());
    std::atomic<std::size_t> done{0};
    std::atomic<std::uint64_t> states{0};
    Brake brake;

    const auto take = [&](std::size_t k, std::uint64_t most, unsigned threads) {
        try {
            found[k] = take_apart(shapes, assemblies[k], groups, {most, threads}, brake);
        } catch (...) {
            brake.pull(Cut::cancelled);
            throw;
        }
        states += found[k].states;
        is_hard[k] = found[k].result == Result::unknown && found[k].cut == Cut::states && most < limits.states;
        if (!is_hard[k]) ++done;
    };
    watched(
        limits.seconds, brake, [&](double now) { return on_progress({done, states, now}); },
        [&] {
            const std::uint64_t most = limits.threads > 1 ? std::min(easy_states, limits.states) : limits.states;
            together(limits.threads, assemblies.size(), [&](std::size_t k, unsigned) { take(k, most, 1); });
            for (std::size_t k = 0; k < assemblies.size(); ++k)
                if (is_hard[k]) take(k, limits.states, limits.threads);
        });
    return found;
}

}  // namespace latcover
