#include "bitset/delivery.hpp"

#include <utility>

namespace latcover {

void Delivery::share_with(Walkers& walkers, std::uint64_t first) {
    walkers_ = &walkers;
    awaited_ = first;
}

void Delivery::receive() {
    for (Package& package : walkers_->fetch()) {
        if (ordered_) {
            Kept& kept = kept_[package.number];
            kept.batches.push_back(std::move(package.batch));
            kept.complete |= package.last;
        } else {
            deliver(package.batch);
            walkers_->note_delivered(awaited_, package.batch.size());
        }
    }
    if (ordered_) deliver_kept();
}

void Delivery::keep_own(std::uint64_t number, bool complete) {
    walkers_->note_kept(own_.size());
    Kept& kept = kept_[number];
    kept.batches.push_back(std::exchange(own_, Batch()));
    kept.complete = complete;
    deliver_kept();
}

void Delivery::deliver(const Batch& batch) {
    for (std::size_t k = 0; k < batch.size() && !run_.stopped(); ++k)
        run_.cover([&](std::vector<std::int32_t>& options) {
            options.insert(options.end(), batch.options.begin() + batch.starts[k],
                           batch.options.begin() + batch.starts[k + 1]);
        });
}

void Delivery::deliver_kept() {
    std::size_t covers = 0;
    for (auto next = kept_.find(awaited_); next != kept_.end(); next = kept_.find(awaited_)) {
        for (const Batch& batch : next->second.batches) {
            deliver(batch);
            covers += batch.size();
        }
        next->second.batches.clear();
        if (!next->second.complete) break;
        kept_.erase(next);
        ++awaited_;
    }
    walkers_->note_delivered(awaited_, covers);
}

}  // namespace latcover
