// Threads and locks of the native searches. WebAssembly has one thread: there locks hold nothing, and no thread starts.

#pragma once

#if defined(__wasm__)

#include <mutex>
#include <system_error>

namespace latcover {

struct Mutex {
    void lock() {}
    void unlock() {}
    void lock_shared() {}
    void unlock_shared() {}
};
using SharedMutex = Mutex;
struct SharedLock {
    explicit SharedLock(Mutex&) {}
};

struct ConditionVariable {
    void notify_all() {}
    template <typename... Anything>
    void wait(const Anything&...) {}
    template <typename... Anything>
    void wait_for(const Anything&...) {}
};

// Those who start threads ask for none beside the calling one, or can do with fewer.
class Thread {
public:
    template <typename... Work>
    explicit Thread(const Work&...) {
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    }
    void join() {}
};
using JoiningThread = Thread;

}  // namespace latcover

#else

#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>

namespace latcover {

using Mutex = std::mutex;
using SharedMutex = std::shared_mutex;
using SharedLock = std::shared_lock<std::shared_mutex>;
using ConditionVariable = std::condition_variable;
using Thread = std::thread;

// A thread that is waited for when it goes: std::jthread, which the C++ library of Xcode still lacks.
class JoiningThread {
public:
    template <typename Work, typename... Given>
    explicit JoiningThread(Work&& work, Given&&... given)
        : thread_(std::forward<Work>(work), std::forward<Given>(given)...) {}
    JoiningThread(JoiningThread&&) = default;
    ~JoiningThread() {
        if (thread_.joinable()) thread_.join();
    }

private:
    std::thread thread_;
};

}  // namespace latcover

#endif
