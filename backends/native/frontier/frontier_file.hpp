// The states of a frontier in a file, so that a count can go on from there.
//
// The file is a stream of words of 64 bits, in the byte order of the machine. A checksum ends it. Each step of the
// checksum can be undone, so one word that is changed changes it for sure.

#pragma once

#include <bit>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace latcover {

class Checksum {
public:
    explicit Checksum(std::uint64_t seed) : sum_(seed) {}
    void add(const std::uint64_t* words, std::size_t n) {
        for (std::size_t k = 0; k < n; ++k) {
            sum_ = (sum_ ^ words[k]) * 0x9e3779b97f4a7c15;
            sum_ ^= sum_ >> 29;
        }
    }
    std::uint64_t value() const { return ~sum_; }  // not the sum itself, which would take it back to zero

private:
    std::uint64_t sum_;
};

// Appends words to a file.
class WordsOut {
public:
    WordsOut(const std::string& path, std::uint64_t seed)
        : file_(path, std::ios::binary | std::ios::app), checksum_(seed) {}

    void put(const std::uint64_t* words, std::size_t n) {
        checksum_.add(words, n);
        write(words, n);
    }
    void put(std::uint64_t word) { put(&word, 1); }
    void put_number(double number) { put(std::bit_cast<std::uint64_t>(number)); }

    // Write the checksum. Returns whether all was written.
    bool end() {
        const auto sum = checksum_.value();
        write(&sum, 1);
        file_.flush();
        return file_.good();
    }

private:
    void write(const std::uint64_t* words, std::size_t n) {
        file_.write(reinterpret_cast<const char*>(words), static_cast<std::streamsize>(8 * n));
    }

    std::ofstream file_;
    Checksum checksum_;
};

// Reads what WordsOut wrote with the same seed, from a byte of a file to its end.
class WordsIn {
public:
    // throws: std::invalid_argument, if these are not the words that were written
    WordsIn(const std::string& path, std::uint64_t from, std::uint64_t seed) : file_(path, std::ios::binary) {
        constexpr std::size_t at_once = 1 << 15;
        std::vector<std::uint64_t> words(at_once);
        Checksum checksum(seed);
        std::uint64_t last = 0, n_words = 0;
        file_.seekg(static_cast<std::streamoff>(from));
        std::size_t n_bytes = 0;
        do {
            file_.read(reinterpret_cast<char*>(words.data()), 8 * at_once);
            n_bytes = static_cast<std::size_t>(file_.gcount());
            const auto n = n_bytes / 8;
            if (n == 0) break;
            if (n_words > 0) checksum.add(&last, 1);
            checksum.add(words.data(), n - 1);
            last = words[n - 1];
            n_words += n;
        } while (n_bytes == 8 * at_once);
        if (n_bytes % 8 != 0 || n_words == 0 || last != checksum.value())
            throw std::invalid_argument("the states in it are not those that were written");
        size = n_words;
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(from));
    }

    void take(std::uint64_t* words, std::size_t n) {
        file_.read(reinterpret_cast<char*>(words), static_cast<std::streamsize>(8 * n));
        if (!file_) throw std::invalid_argument("the states in it end too early");
    }
    std::uint64_t take() {
        std::uint64_t word = 0;
        take(&word, 1);
        return word;
    }
    std::uint64_t take_up_to(std::uint64_t most) {
        const auto word = take();
        if (word > most) throw std::invalid_argument("the states in it contradict each other");
        return word;
    }
    double take_number() { return std::bit_cast<double>(take()); }

    std::uint64_t size = 0;  // in words

private:
    std::ifstream file_;
};

}  // namespace latcover
