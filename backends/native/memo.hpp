// From the set of columns still to be covered to the number of ways to cover them, in bounded memory.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace latcover {

// A whole number of 256 bits: more than any tree can hold whose counts fit into memory.
struct Big {
    std::array<std::uint64_t, 4> words{};

    Big& operator+=(const Big& other);  // throws std::overflow_error
    Big& operator-=(const Big& other);  // require: other <= *this
};

class Memo {
public:
    // At most so many bytes; keys of `key_words` words.
    Memo(std::size_t key_words, std::size_t most_bytes);

    // The count kept for a key, if any.
    std::optional<Big> find(std::span<const std::uint64_t> key) const;

    // Keep a count. Where there is no room, one that took less work to find gives way.
    void keep(std::span<const std::uint64_t> key, const Big& count, std::uint64_t work);

    std::size_t size() const { return size_; }
    std::size_t bytes() const { return slots_.size() * sizeof(std::uint64_t); }

private:
    static constexpr std::size_t probes = 8;

    // A slot: work (0: empty), key, count. In one piece, since every look at one is a cache miss; for the same reason
    // counts have two words until one needs four.
    enum Field : std::size_t { work_field, key_field };

    std::size_t first_slot(std::span<const std::uint64_t> key) const;
    std::size_t next_slot(std::size_t slot) const { return slot + width_ == slots_.size() ? 0 : slot + width_; }
    bool holds(std::size_t slot, std::span<const std::uint64_t> key) const;
    void resize(std::size_t n_slots, std::size_t count_words);
    std::size_t most_slots(std::size_t count_words) const;
    Big count_at(const std::uint64_t* slot, std::size_t count_words) const;

    std::size_t key_words_;
    std::size_t count_words_ = 2;
    std::size_t width_ = 0;  // of a slot, in words
    std::size_t most_bytes_;
    std::size_t size_ = 0;
    std::size_t n_slots_ = 0;
    std::vector<std::uint64_t> slots_;  // a power of two of them
};

}  // namespace latcover
