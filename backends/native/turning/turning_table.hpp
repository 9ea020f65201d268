// Values by keys other than 0. References to them stay.

#pragma once

#include <cstdint>
#include <deque>
#include <vector>

namespace latcover {

template <typename Value>
class Table {
public:
    Table() : slots_(1024) {}

    Value& operator[](std::uint64_t key) {
        Slot* slot = find(key);
        if (slot->key == 0) {
            if (2 * values_.size() >= slots_.size()) {
                std::vector<Slot> old(2 * slots_.size());
                old.swap(slots_);
                for (const Slot& one : old)
                    if (one.key != 0) *find(one.key) = one;
                slot = find(key);
            }
            *slot = {key, &values_.emplace_back()};
        }
        return *slot->value;
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        Value* value = nullptr;
    };

    Slot* find(std::uint64_t key) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = (key * 0x9e3779b97f4a7c15) >> 32 & mask;
        while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & mask;
        return &slots_[at];
    }

    std::vector<Slot> slots_;
    std::deque<Value> values_;
};

}  // namespace latcover
