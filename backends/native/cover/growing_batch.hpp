// Covers that wait to be handed over together.

#pragma once

#include <algorithm>
#include <utility>

#include "cover/search.hpp"

namespace latcover {

// A batch is full when it reaches its capacity. The capacity is one cover at first, so that the first cover is handed
// over at once. It doubles each time a batch goes out.
class GrowingBatch {
public:
    // No batch holds more than `largest` covers. Covers are old after `oldest` seconds.
    GrowingBatch(std::size_t largest, double oldest) : largest_(largest), oldest_(oldest) {}

    bool is_empty() const { return batch_.size() == 0; }
    bool is_full() const { return batch_.size() >= capacity_; }
    bool is_old(double now) const { return !is_empty() && now - since_ >= oldest_; }
    const Batch& batch() const { return batch_; }

    // See Batch::add. The time of the first cover is read from `clock`.
    template <typename Write>
    void add(const Clock& clock, Write write) {
        if (is_empty()) since_ = clock.seconds();
        batch_.add(write);
    }

    // Empty the batch after it was handed over, and keep its memory.
    void clear() {
        batch_.clear();
        grow();
    }

    // Hand over the batch itself.
    Batch take() {
        grow();
        return std::exchange(batch_, Batch());
    }

private:
    void grow() { capacity_ = std::min(largest_, 2 * capacity_); }

    const std::size_t largest_;
    const double oldest_;
    Batch batch_;
    std::size_t capacity_ = 1;
    double since_ = 0;
};

}  // namespace latcover
