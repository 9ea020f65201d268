#include "cover/memo.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace latcover {
namespace {

constexpr auto too_many = "there are 2^256 covers and more: too many to count exactly";

}  // namespace

Big& Big::operator+=(const Big& other) {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < words.size(); ++k) {
        const std::uint64_t partial = words[k] + carry;
        carry = partial < carry;
        words[k] = partial + other.words[k];
        carry += words[k] < partial;
    }
    if (carry) throw std::overflow_error(too_many);
    return *this;
}

Big& Big::operator-=(const Big& other) {
    std::uint64_t borrow = 0;
    for (std::size_t k = 0; k < words.size(); ++k) {
        const std::uint64_t before = words[k], taken = other.words[k];
        words[k] = before - taken - borrow;
        borrow = before < taken || (before == taken && borrow);
    }
    return *this;
}

// In digits of 32 bits: the product of two, and two more added to it, fit into 64.
Big& Big::operator*=(const Big& other) {
    constexpr std::size_t n = 8;
    const auto digit = [](const Big& x, std::size_t k) { return x.words[k / 2] >> k % 2 * 32 & 0xffffffff; };
    std::array<std::uint64_t, n> product{};
    for (std::size_t j = 0; j < n; ++j) {
        const std::uint64_t factor = digit(*this, j);
        if (factor == 0) continue;
        std::uint64_t carry = 0;
        for (std::size_t k = 0; k < n; ++k) {
            const std::uint64_t sum = factor * digit(other, k) + carry + (j + k < n ? product[j + k] : 0);
            if (j + k < n) product[j + k] = sum & 0xffffffff;
            else if (sum) throw std::overflow_error(too_many);
            carry = j + k < n ? sum >> 32 : 0;
        }
        if (carry) throw std::overflow_error(too_many);
    }
    for (std::size_t k = 0; k < words.size(); ++k) words[k] = product[2 * k] | product[2 * k + 1] << 32;
    return *this;
}

Memo::Memo(std::size_t key_words, std::size_t most_bytes) : key_words_(key_words), most_bytes_(most_bytes) {
    resize(std::min(most_slots(count_words_), std::size_t{1} << 12), count_words_);
}

std::size_t Memo::most_slots(std::size_t count_words) const {
    std::size_t n = probes;
    while (2 * n * (key_field + key_words_ + count_words) * sizeof(std::uint64_t) <= most_bytes_) n *= 2;
    return n;
}

Big Memo::count_at(const std::uint64_t* slot, std::size_t count_words) const {
    Big count;
    for (std::size_t k = 0; k < count_words; ++k) count.words[k] = slot[key_field + key_words_ + k];
    return count;
}

void Memo::resize(std::size_t n_slots, std::size_t count_words) {
    const std::size_t old_width = std::exchange(width_, key_field + key_words_ + count_words);
    const std::size_t old_count_words = std::exchange(count_words_, count_words);
    const auto old = std::exchange(slots_, std::vector<std::uint64_t>(n_slots * width_));
    n_slots_ = n_slots;
    size_ = 0;
    for (auto slot = old.data(); slot != old.data() + old.size(); slot += old_width)
        if (slot[work_field] > 0)
            keep({slot + key_field, key_words_}, count_at(slot, old_count_words), slot[work_field]);
}

std::size_t Memo::first_slot(std::span<const std::uint64_t> key) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (const auto word : key) {
        hash = (hash ^ word) * 0xff51afd7ed558ccd;
        hash ^= hash >> 32;
    }
    hash *= 0xc4ceb9fe1a85ec53;
    return (static_cast<std::size_t>(hash >> 20) & (n_slots_ - 1)) * width_;
}

bool Memo::holds(std::size_t slot, std::span<const std::uint64_t> key) const {
    if (slots_[slot] == 0) return false;
    std::uint64_t differences = 0;
    for (std::size_t g = 0; g < key.size(); ++g) differences |= slots_[slot + key_field + g] ^ key[g];
    return differences == 0;
}

std::optional<Big> Memo::find(std::span<const std::uint64_t> key) const {
    std::size_t slot = first_slot(key);
    for (std::size_t k = 0; k < probes && slots_[slot] > 0; ++k, slot = next_slot(slot))
        if (holds(slot, key)) return count_at(slots_.data() + slot, count_words_);
    return std::nullopt;
}

void Memo::keep(std::span<const std::uint64_t> key, const Big& count, std::uint64_t work) {
    if (count_words_ == 2 && (count.words[2] > 0 || count.words[3] > 0)) resize(std::min(n_slots_, most_slots(4)), 4);
    if (const auto most = most_slots(count_words_); 2 * size_ >= n_slots_ && 2 * n_slots_ <= most)
        resize(2 * n_slots_, count_words_);
    std::size_t slot = first_slot(key), least = slot;
    for (std::size_t k = 0; k < probes; ++k, slot = next_slot(slot)) {
        if (holds(slot, key)) return;
        if (slots_[slot] < slots_[least]) least = slot;
        if (slots_[slot] == 0) break;
    }
    size_ += slots_[least] == 0;
    slots_[least + work_field] = std::max<std::uint64_t>(work, 1);
    std::copy(key.begin(), key.end(), slots_.data() + least + key_field);
    std::copy_n(count.words.data(), count_words_, slots_.data() + least + key_field + key_words_);
}

}  // namespace latcover
