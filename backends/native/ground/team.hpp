// Several threads for one list of tasks.

#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <vector>

#include "ground/threads.hpp"

namespace latcover {

// Run `task(k, thread)` for k = 0 .. n - 1 on some threads.
template <typename Task>
void together(unsigned threads, std::size_t n, Task task) {
    if (threads <= 1 || n <= 1) {
        for (std::size_t k = 0; k < n; ++k) task(k, 0U);
        return;
    }
    std::atomic<std::size_t> next{0};
    Mutex lock;
    std::exception_ptr fault;
    const auto work = [&](unsigned thread) {
        try {
            for (std::size_t k; (k = next.fetch_add(1)) < n;) task(k, thread);
        } catch (...) {
            const std::lock_guard hold(lock);
            fault = std::current_exception();
            next = n;
        }
    };
    {
        std::vector<JoiningThread> others;
        for (unsigned t = 1; t < std::min<std::size_t>(threads, n); ++t) others.emplace_back(work, t);
        work(0);
    }
    if (fault) std::rethrow_exception(fault);
}

}  // namespace latcover
