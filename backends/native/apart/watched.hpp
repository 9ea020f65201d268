// Work on assemblies that the thread of the caller watches.

#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>

#include "apart/many_assemblies.hpp"
#include "cover/search.hpp"
#include "ground/threads.hpp"

namespace latcover {

// Run `work` on a thread of its own. Meanwhile ask `on_progress` some twenty times a second; if it returns false, or the
// time is over, the brake is pulled.
template <typename Work>
void watched(double seconds, Brake& brake, const std::function<bool(double now)>& on_progress, const Work& work) {
    constexpr auto between_looks = std::chrono::milliseconds(50);
    const Clock clock;
    std::mutex lock;
    std::condition_variable over;
    bool is_over = false;
    std::exception_ptr fault;
    const auto all = [&] {
        try {
            work();
        } catch (...) { fault = std::current_exception(); }
        const std::lock_guard hold(lock);
        is_over = true;
        over.notify_all();
    };
    {
        JoiningThread worker(all);
        std::unique_lock hold(lock);
        try {
            while (!over.wait_for(hold, between_looks, [&] { return is_over; })) {
                hold.unlock();
                const double now = clock.seconds();
                if (!on_progress(now)) brake.pull(Cut::cancelled);
                if (now > seconds && !brake.pulled()) brake.pull(Cut::time);
                hold.lock();
            }
        } catch (...) {
            brake.pull(Cut::cancelled);
            throw;  // the worker is joined first
        }
    }
    if (fault) std::rethrow_exception(fault);
}

}  // namespace latcover
