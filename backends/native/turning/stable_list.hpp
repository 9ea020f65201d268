// A list that grows while others read it: what is in it stays where it is.

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <utility>

namespace latcover {

// One thread adds at a time. Others may read what they know to be there.
template <typename Value>
class StableList {
public:
    const Value& operator[](std::size_t k) const { return chunks_[chunk(k)][place(k)]; }
    std::size_t size() const { return size_; }
    void push_back(Value value) {
        auto& here = chunks_[chunk(size_)];
        if (here == nullptr) here = std::make_unique<Value[]>(std::size_t{1} << chunk(size_));
        here[place(size_)] = std::move(value);
        ++size_;
    }

private:
    static std::size_t chunk(std::size_t k) { return static_cast<std::size_t>(std::bit_width(k + 1)) - 1; }
    static std::size_t place(std::size_t k) { return k + 1 - (std::size_t{1} << chunk(k)); }

    std::array<std::unique_ptr<Value[]>, 48> chunks_;  // each twice as long as the one before
    std::size_t size_ = 0;
};

}  // namespace latcover
