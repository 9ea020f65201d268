// The states of a frontier's layer, in memory and on disk.

#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "frontier/frontier_file.hpp"
#include "frontier/frontier_ways.hpp"
#include "ground/threads.hpp"

namespace latcover {

template <int W>
bool less(const Key<W>& a, const Key<W>& b) {
    if constexpr (W == 1) return a[0] < b[0];
    for (int w = 0; w < W - 1; ++w)
        if (a[w] != b[w]) return a[w] < b[w];
    return a[W - 1] < b[W - 1];
}

template <int W>
bool equal(const Key<W>& a, const Key<W>& b) {
    std::uint64_t differs = 0;
    for (int w = 0; w < W; ++w) differs |= a[w] ^ b[w];
    return !differs;
}

// A file that nobody else sees. It disappears with its last user, however the process ends.
class HiddenFile {
public:
    explicit HiddenFile(const std::string& folder)
        : path_(folder + "/latcover-" + std::to_string(std::random_device{}()) +
                std::to_string(std::random_device{}())) {
        file_.open(path_, std::ios::in | std::ios::out | std::ios::binary | std::ios::trunc);
        if (!file_) throw Unsupported("no temporary file can be made in " + folder);
        hidden_ = std::remove(path_.c_str()) == 0;  // Windows removes no open file
    }
    HiddenFile(const HiddenFile&) = delete;
    ~HiddenFile() {
        file_.close();
        if (!hidden_) std::remove(path_.c_str());
    }

    // Append bytes, and tell where they begin.
    std::uint64_t append(const void* first, std::size_t n_first, const void* second, std::size_t n_second) {
        const std::lock_guard hold(lock_);
        const auto at = size_;
        file_.seekp(static_cast<std::streamoff>(at));
        file_.write(static_cast<const char*>(first), static_cast<std::streamsize>(n_first));
        file_.write(static_cast<const char*>(second), static_cast<std::streamsize>(n_second));
        file_.flush();
        if (!file_) throw Unsupported("the disk of " + path_ + " is full");
        size_ += n_first + n_second;
        return at;
    }

    void read(std::uint64_t at, void* first, std::size_t n_first, void* second, std::size_t n_second) {
        const std::lock_guard hold(lock_);
        file_.seekg(static_cast<std::streamoff>(at));
        file_.read(static_cast<char*>(first), static_cast<std::streamsize>(n_first));
        file_.read(static_cast<char*>(second), static_cast<std::streamsize>(n_second));
        if (!file_) throw Unsupported("a temporary file cannot be read: " + path_);
    }

private:
    std::string path_;
    std::fstream file_;
    std::uint64_t size_ = 0;
    bool hidden_ = false;
    Mutex lock_;
};

// How much room states may take, and take.
struct Room {
    std::size_t most_bytes = 0;
    std::uint64_t most_on_disk = 0;
    std::string folder;  // for what is on disk
    bool may_use_disk = false;
    std::atomic<std::size_t> bytes = 0, peak = 0;
    std::atomic<std::uint64_t> on_disk = 0, peak_on_disk = 0;

    bool is_full() const { return bytes > most_bytes; }
    void take(std::size_t more) { raise(peak, bytes += more); }
    void take_on_disk(std::uint64_t more) { raise(peak_on_disk, on_disk += more); }

private:
    template <typename Number>
    static void raise(std::atomic<Number>& most, Number now) {
        for (auto before = most.load(); before < now && !most.compare_exchange_weak(before, now);) continue;
    }
};

inline constexpr std::size_t states_in_a_block = 1 << 10;

// States in ascending order, and how many ways lead to each, `limbs` words each.
template <int W>
class Block {
public:
    Block(Room& room, std::size_t limbs, std::size_t capacity)
        : keys(new Key<W>[capacity]), counts(new std::uint64_t[capacity * limbs]), room_(&room),
          bytes_(capacity * (sizeof(Key<W>) + 8 * limbs)) {
        room.take(bytes_);
    }
    Block(const Block&) = delete;
    ~Block() {
        room_->bytes -= bytes_;
        if (file_) room_->on_disk -= on_disk_;
    }

    bool is_on_disk() const { return file_ != nullptr; }

    void move_to_disk(std::shared_ptr<HiddenFile> file, std::size_t limbs) {
        on_disk_ = size * (sizeof(Key<W>) + 8 * limbs);
        if (room_->on_disk + on_disk_ > room_->most_on_disk)
            throw Unsupported("the frontier takes more space on disk than it may, or than is free");
        at_ = file->append(keys.get(), size * sizeof(Key<W>), counts.get(), 8 * size * limbs);
        file_ = std::move(file);
        keys.reset();
        counts.reset();
        room_->bytes -= std::exchange(bytes_, 0);
        room_->take_on_disk(on_disk_);
    }

    void read(std::size_t limbs, Key<W>* to_keys, std::uint64_t* to_counts) const {
        file_->read(at_, to_keys, size * sizeof(Key<W>), to_counts, 8 * size * limbs);
    }

    std::size_t size = 0;
    Key<W> first{};
    std::unique_ptr<Key<W>[]> keys;
    std::unique_ptr<std::uint64_t[]> counts;

private:
    Room* room_;
    std::size_t bytes_;
    std::uint64_t at_ = 0, on_disk_ = 0;
    std::shared_ptr<HiddenFile> file_;
};

// The contents of a block, which may be on disk.
template <int W>
class Reader {
public:
    void open(const Block<W>& block, std::size_t limbs) {
        keys = block.keys.get();
        counts = block.counts.get();
        if (!block.is_on_disk()) return;
        own_keys_.resize(states_in_a_block);
        own_counts_.resize(states_in_a_block * limbs);
        block.read(limbs, own_keys_.data(), own_counts_.data());
        keys = own_keys_.data();
        counts = own_counts_.data();
    }

    const Key<W>* keys = nullptr;
    const std::uint64_t* counts = nullptr;

private:
    std::vector<Key<W>> own_keys_;
    std::vector<std::uint64_t> own_counts_;
};

template <int W>
using Blocks = std::vector<std::unique_ptr<Block<W>>>;

// A state of a layer: its block, and its place there.
struct Place {
    std::size_t block = 0, at = 0;
};

template <int W>
class Layer {
public:
    std::size_t limbs = 1, size = 0;
    Blocks<W> blocks;                        // null where states were given back
    std::vector<std::uint64_t> total{0, 0};  // the sum of all counts

    void clear(std::size_t new_limbs) {
        limbs = new_limbs;
        size = given_back_ = 0;
        blocks.clear();
        file_.reset();
        total.assign(limbs + 1, 0);
    }

    void append(Blocks<W>&& more) {
        for (auto& block : more) {
            size += block->size;
            blocks.push_back(std::move(block));
        }
    }

    // The first state that is not less than `key`, from a state on.
    Place not_less(const Key<W>& key, Place from) const {
        const auto first = blocks.begin() + static_cast<std::ptrdiff_t>(from.block);
        if (first == blocks.end()) return from;
        auto found = std::partition_point(first + 1, blocks.end(),
                                          [&](const auto& block) { return !less<W>(key, block->first); });
        --found;  // the last block that begins with `key` or before
        Reader<W> reader;
        reader.open(**found, limbs);
        const auto* keys = reader.keys;
        const auto at = std::partition_point(keys + (found == first ? from.at : 0), keys + (*found)->size,
                                             [&](const auto& other) { return less<W>(other, key); });
        Place place{static_cast<std::size_t>(found - blocks.begin()), static_cast<std::size_t>(at - keys)};
        if (place.at == (*found)->size) place = {place.block + 1, 0};
        return place;
    }

    // Give back the memory of all blocks before one. They must not be read any more.
    void give_back(std::size_t block) {
        for (; given_back_ < block; ++given_back_) blocks[given_back_].reset();
    }

    // A block that is done goes to disk if memory is full.
    void settle(Block<W>& block, const Room& room) {
        if (!room.may_use_disk || !room.is_full()) return;
        {
            const std::lock_guard hold(*lock_);
            if (!file_) file_ = std::make_shared<HiddenFile>(room.folder);
        }
        block.move_to_disk(file_, limbs);
    }

    // The states that were not given back.
    void write(WordsOut& out) const {
        out.put(limbs - 1);
        out.put(size);
        out.put(total.data(), limbs + 1);
        out.put(blocks.size());
        out.put(given_back_);
        Reader<W> reader;
        for (auto k = given_back_; k < blocks.size(); ++k) {
            reader.open(*blocks[k], limbs);
            out.put(blocks[k]->size - 1);
            out.put(reader.keys->data(), blocks[k]->size * W);
            out.put(reader.counts, blocks[k]->size * limbs);
        }
    }

    // Whoever made the file, what is read is safe to count with.
    void read(WordsIn& in, Room& room, bool may_miss_some) {
        clear(1 + in.take_up_to(in.size));
        size = in.take();
        in.take(total.data(), limbs + 1);
        blocks.resize(in.take_up_to(in.size));
        given_back_ = in.take_up_to(may_miss_some ? blocks.size() : 0);
        for (auto k = given_back_; k < blocks.size(); ++k) {
            const auto n = 1 + in.take_up_to(std::min<std::uint64_t>(states_in_a_block - 1, in.size / limbs));
            auto& block = blocks[k] = std::make_unique<Block<W>>(room, limbs, n);
            block->size = n;
            in.take(block->keys[0].data(), n * W);
            in.take(block->counts.get(), n * limbs);
            block->first = block->keys[0];
            size = std::max<std::size_t>(size, n);
            settle(*block, room);
        }
    }

    std::size_t given_back() const { return given_back_; }

private:
    std::size_t given_back_ = 0;
    std::shared_ptr<HiddenFile> file_;
    std::unique_ptr<Mutex> lock_ = std::make_unique<Mutex>();
};

}  // namespace latcover
