// A table of counts in bounded memory. The key of a count is the set of columns still to be covered; the count is the
// number of ways to cover them.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace latcover {

// A natural number of 256 bits.
struct Big {
    std::array<std::uint64_t, 4> words{};

    Big& operator+=(const Big& other);  // throws std::overflow_error
    Big& operator-=(const Big& other);  // require: other <= *this
    Big& operator*=(const Big& other);  // throws std::overflow_error
    bool is_zero() const { return words == decltype(words){}; }
};

class Memo {
public:
    // The table takes at most `most_bytes`. A key has `key_words` words.
    Memo(std::size_t key_words, std::size_t most_bytes);

    // The count kept for a key, if any.
    std::optional<Big> find(std::span<const std::uint64_t> key) const;

    // Keep a count. If there is no room, it replaces the count near it that took the least work to find.
    void keep(std::span<const std::uint64_t> key, const Big& count, std::uint64_t work);

    std::size_t size() const { return size_; }
    std::size_t bytes() const { return slots_.size() * sizeof(std::uint64_t); }

private:
    static constexpr std::size_t probes = 8;

    // A slot holds the work (0: the slot is empty), the key, and the count. They lie in one piece, because every look
    // at a slot is a cache miss. For the same reason counts have two words until one of them needs four.
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
    std::vector<std::uint64_t> slots_;  // n_slots_ slots, a power of two
};

}  // namespace latcover
