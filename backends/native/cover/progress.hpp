// Progress reports of a search to its caller.

#pragma once

#include <algorithm>
#include <utility>

#include "cover/search.hpp"

namespace latcover {

class Progress {
public:
    explicit Progress(Sink& sink) : sink_(sink) {}

    // Whether the last report is old enough for another. `now` counts seconds from the start of the search.
    bool is_due(double now) const { return now - told_at_ >= between_reports; }

    // Report the share of the tree that is done. Returns false when the caller wants the search to stop.
    bool tell(double now, double share, Statistics so_far) {
        told_at_ = now;
        share_ = std::clamp(share, share_, 1.0);  // a sum over threads may be rounded below the last report
        so_far.search_seconds = now;
        return sink_.progress(share_, so_far);
    }

private:
    static constexpr double between_reports = 0.05;  // seconds

    Sink& sink_;
    double told_at_ = 0;
    double share_ = 0;  // of the last report
};

}  // namespace latcover
