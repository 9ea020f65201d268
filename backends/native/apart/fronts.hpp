// Positions as keys, and the fronts of a search that hold them.

#pragma once

#include <array>
#include <cstring>

#include "apart/apart_context.hpp"

namespace latcover {

inline constexpr int n_shards = 16;

// How positions are written as keys: relative to the first part, equal parts sorted, one or two bytes a coordinate.
class Packing {
public:
    Packing(const Context& context, const std::vector<int>& ids, bool wide)
        : n_(static_cast<int>(ids.size())), wide_(wide) {
        words = (static_cast<std::size_t>(n_ - 1) * 3 * (wide ? 2 : 1) + 7) / 8;
        words = std::max<std::size_t>(words, 1);
        std::vector<bool> taken(n_);
        for (int i = 0; i < n_; ++i) {
            std::vector<int> equal;
            const AssemblyPart& one = context.assembly.parts[ids[i]];
            for (int j = i; j < n_ && !taken[i]; ++j) {
                const AssemblyPart& other = context.assembly.parts[ids[j]];
                if (one.shape == other.shape && one.kind == other.kind) equal.push_back(j);
            }
            for (const int j : equal) taken[j] = true;
            if (equal.size() > 1) classes_.push_back(equal);
        }
    }

    std::size_t words;  // of a key

    // Sort equal parts, and tell where each went: slots[k] is the old number of the part that is now number k.
    void sort(Vec* places, int* slots) const {
        for (const auto& equal : classes_)
            for (std::size_t a = 1; a < equal.size(); ++a)
                for (std::size_t b = a; b > 0 && places[equal[b]] < places[equal[b - 1]]; --b) {
                    std::swap(places[equal[b]], places[equal[b - 1]]);
                    if (slots != nullptr) std::swap(slots[equal[b]], slots[equal[b - 1]]);
                }
    }

    // False: a part is too far away for this form of key.
    [[nodiscard]] bool pack(const Vec* places, std::uint64_t* key) const {
        key[words - 1] = 0;
        auto* bytes = reinterpret_cast<std::uint8_t*>(key);
        const Vec base = places[0];
        std::size_t at = 0;
        int far = 0;
        for (int i = 1; i < n_; ++i)
            for (int c = 0; c < 3; ++c) {
                const int value = places[i][c] - base[c];
                if (wide_) {
                    far |= (value + 32768) & ~65535;
                    const auto half = static_cast<std::int16_t>(value);
                    std::memcpy(bytes + 2 * at++, &half, 2);
                } else {
                    far |= (value + 128) & ~255;
                    bytes[at++] = static_cast<std::uint8_t>(value);
                }
            }
        return far == 0;
    }

    void unpack(const std::uint64_t* key, Vec* places) const {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(key);
        std::size_t at = 0;
        places[0] = {0, 0, 0};
        for (int i = 1; i < n_; ++i)
            for (int c = 0; c < 3; ++c) {
                if (wide_) {
                    std::int16_t half;
                    std::memcpy(&half, bytes + 2 * at++, 2);
                    places[i][c] = half;
                } else {
                    places[i][c] = static_cast<std::int8_t>(bytes[at++]);
                }
            }
    }

    std::uint64_t hash(const std::uint64_t* key) const {
        std::uint64_t h = 0x9e3779b97f4a7c15;
        for (std::size_t k = 0; k < words; ++k) {
            h = (h ^ key[k]) * 0xff51afd7ed558ccd;
            h ^= h >> 32;
        }
        h *= 0xc4ceb9fe1a85ec53;
        return h ^ h >> 29;
    }

    bool equal(const std::uint64_t* a, const std::uint64_t* b) const { return std::memcmp(a, b, words * 8) == 0; }

private:
    int n_;
    bool wide_;
    std::vector<std::vector<int>> classes_;
};

inline int shard_of(std::uint64_t hash) { return static_cast<int>(hash >> 60); }

// The way back from a position: which position of the front before it, and which of that one's moves.
struct Origin {
    std::uint32_t parent, move;
};

// Positions whose hash begins with the same bits.
class Shard {
public:
    std::vector<std::uint64_t> keys;
    std::vector<Origin> origins;

    std::size_t size() const { return origins.size(); }

    bool has(const Packing& packing, const std::uint64_t* key, std::uint64_t hash) const {
        if (slots_.empty()) return false;
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = hash & mask; slots_[at] != 0; at = (at + 1) & mask)
            if (is_at(packing, slots_[at], key, hash)) return true;
        return false;
    }

    void add(const Packing& packing, const std::uint64_t* key, std::uint64_t hash, Origin origin) {
        if (slots_.size() < 2 * (size() + 1)) grow(packing);
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = hash & mask;
        for (; slots_[at] != 0; at = (at + 1) & mask)
            if (is_at(packing, slots_[at], key, hash)) return;
        keys.insert(keys.end(), key, key + packing.words);
        origins.push_back(origin);
        slots_[at] = slot(hash, size());
    }

private:
    // 28 bits of the hash and 36 bits of the number, from 1.
    static std::uint64_t slot(std::uint64_t hash, std::size_t number) {
        return (hash >> 28 & 0xfffffff) << 36 | number;
    }
    bool is_at(const Packing& packing, std::uint64_t entry, const std::uint64_t* key, std::uint64_t hash) const {
        return entry >> 36 == (hash >> 28 & 0xfffffff) &&
               packing.equal(&keys[((entry & 0xfffffffff) - 1) * packing.words], key);
    }
    void grow(const Packing& packing) {
        slots_.assign(std::max<std::size_t>(16, slots_.size() * 2), 0);
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t k = 0; k < size(); ++k) {
            const std::uint64_t hash = packing.hash(&keys[k * packing.words]);
            std::size_t at = hash & mask;
            while (slots_[at] != 0) at = (at + 1) & mask;
            slots_[at] = slot(hash, k + 1);
        }
    }
    std::vector<std::uint64_t> slots_;
};

struct Front {
    std::array<Shard, n_shards> shards;

    bool has(const Packing& packing, const std::uint64_t* key, std::uint64_t hash) const {
        return shards[shard_of(hash)].has(packing, key, hash);
    }
    std::size_t size() const {
        std::size_t n = 0;
        for (const Shard& shard : shards) n += shard.size();
        return n;
    }
    // The key of each position in their order.
    std::vector<const std::uint64_t*> listed(const Packing& packing) const {
        std::vector<const std::uint64_t*> all;
        all.reserve(size());
        for (const Shard& shard : shards)
            for (std::size_t k = 0; k < shard.size(); ++k) all.push_back(&shard.keys[k * packing.words]);
        return all;
    }
};

}  // namespace latcover
