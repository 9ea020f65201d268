// A thread that is waited for when it goes: std::jthread, which the C++ library of Xcode still lacks.

#pragma once

#include <thread>
#include <utility>

namespace latcover {

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
