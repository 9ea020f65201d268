#include "many_assemblies.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>

#include "search.hpp"
#include "team.hpp"
#include "threads.hpp"

namespace latcover {

namespace {

constexpr std::uint64_t easy_states = 20'000;  // an assembly with more is taken by all threads together
constexpr auto between_looks = std::chrono::milliseconds(50);

}  // namespace

std::vector<TakenApart> take_all_apart(Shapes& shapes, const std::vector<Assembly>& assemblies, const Groups& groups,
                                       const ManyLimits& limits,
                                       const std::function<bool(const ManyProgress&)>& on_progress) {
    const Clock clock;
    std::vector<TakenApart> found(assemblies.size());
    std::vector<char> is_hard(assemblies.size());
    std::atomic<std::size_t> done{0};
    std::atomic<std::uint64_t> states{0};
    Brake brake;
    std::mutex lock;
    std::condition_variable over;
    bool is_over = false;
    std::exception_ptr fault;

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
    const auto work = [&] {
        try {
            const std::uint64_t most = limits.threads > 1 ? std::min(easy_states, limits.states) : limits.states;
            together(limits.threads, assemblies.size(), [&](std::size_t k, unsigned) { take(k, most, 1); });
            for (std::size_t k = 0; k < assemblies.size(); ++k)
                if (is_hard[k]) take(k, limits.states, limits.threads);
        } catch (...) { fault = std::current_exception(); }
        const std::lock_guard hold(lock);
        is_over = true;
        over.notify_all();
    };
    {
        JoiningThread worker(work);
        std::unique_lock hold(lock);
        try {
            while (!over.wait_for(hold, between_looks, [&] { return is_over; })) {
                hold.unlock();
                const double now = clock.seconds();
                if (!on_progress({done, states, now})) brake.pull(Cut::cancelled);
                if (now > limits.seconds && !brake.pulled()) brake.pull(Cut::time);
                hold.lock();
            }
        } catch (...) {
            brake.pull(Cut::cancelled);
            throw;  // the worker is joined first
        }
    }
    if (fault) std::rethrow_exception(fault);
    return found;
}

}  // namespace latcover
