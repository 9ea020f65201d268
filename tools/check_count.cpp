// Checks a certificate of a count. Written from docs/reference/count-certificates.md alone: it shares no code with
// latcover, nor with tools/check_count.py.
//
//     g++ -O3 -march=native -std=c++20 -o check_count tools/check_count.cpp
//     zcat CERTIFICATE | ./check_count PROBLEM
//
// It returns 0 and prints what the certificate proves, 1 if it refuses the certificate, 2 if it cannot read a file.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace {

using Bits = std::vector<std::uint64_t>;
using Permutation = std::vector<int>;

struct Refusal : std::runtime_error {  // of the certificate
    using std::runtime_error::runtime_error;
};
struct BadFile : std::runtime_error {  // the problem cannot be read
    using std::runtime_error::runtime_error;
};

void require(bool holds, const std::string& complaint) {
    if (!holds) throw Refusal(complaint);
}

// --- Whole numbers without a bound ------------------------------------------------------------------------------

class Number {
public:
    Number(std::uint64_t value = 0) : low_(value) {}

    bool operator==(const Number& other) const = default;
    bool is_zero() const { return low_ == 0 && high_ == 0 && digits_.empty(); }

    Number& operator+=(const Number& other) {
        if (digits_.empty() && other.digits_.empty()) {
            Half low, high;
            const bool carries = __builtin_add_overflow(low_, other.low_, &low);
            if (!__builtin_add_overflow(high_, other.high_, &high) && !__builtin_add_overflow(high, carries, &high)) {
                low_ = low, high_ = high;
                return *this;
            }
        }
        auto left = as_digits(), right = other.as_digits();
        if (left.size() < right.size()) left.swap(right);
        std::uint64_t carry = 0;
        for (std::size_t k = 0; k < left.size(); ++k) {
            carry += std::uint64_t(left[k]) + (k < right.size() ? right[k] : 0);
            left[k] = std::uint32_t(carry);
            carry >>= 32;
        }
        if (carry) left.push_back(std::uint32_t(carry));
        set(std::move(left));
        return *this;
    }

    Number operator*(const Number& other) const {
        if (is_word() && other.is_word()) {
            Number product;
            product.low_ = low_ * other.low_;
            return product;
        }
        const auto left = as_digits(), right = other.as_digits();
        std::vector<std::uint32_t> made(left.size() + right.size(), 0);
        for (std::size_t a = 0; a < left.size(); ++a) {
            std::uint64_t carry = 0;
            for (std::size_t b = 0; b < right.size() || carry; ++b) {
                carry += made[a + b] + (b < right.size() ? std::uint64_t(left[a]) * right[b] : 0);
                made[a + b] = std::uint32_t(carry);
                carry >>= 32;
            }
        }
        Number product;
        product.set(std::move(made));
        return product;
    }

    std::string text() const {
        auto digits = as_digits();
        std::string found;
        while (!digits.empty()) {
            std::uint64_t rest = 0;
            for (std::size_t k = digits.size(); k-- > 0;) {
                rest = rest << 32 | digits[k];
                digits[k] = std::uint32_t(rest / 10);
                rest %= 10;
            }
            while (!digits.empty() && digits.back() == 0) digits.pop_back();
            found.push_back(char('0' + rest));
        }
        if (found.empty()) return "0";
        std::reverse(found.begin(), found.end());
        return found;
    }

    static Number of(const std::string& text) {
        Number value;
        for (char digit : text) value = value * Number(10), value += Number(std::uint64_t(digit - '0'));
        return value;
    }

private:
    using Half = unsigned __int128;

    bool is_word() const { return digits_.empty() && high_ == 0 && !(low_ >> 64); }
    std::vector<std::uint32_t> as_digits() const {
        if (!digits_.empty()) return digits_;
        std::vector<std::uint32_t> made;
        for (int k = 0; k < 8; ++k) made.push_back(std::uint32_t((k < 4 ? low_ : high_) >> 32 * (k % 4)));
        while (!made.empty() && made.back() == 0) made.pop_back();
        return made;
    }
    void set(std::vector<std::uint32_t> digits) {
        while (!digits.empty() && digits.back() == 0) digits.pop_back();
        low_ = high_ = 0;
        digits_.clear();
        if (digits.size() > 8) {
            digits_ = std::move(digits);
            return;
        }
        for (std::size_t k = 0; k < digits.size(); ++k) (k < 4 ? low_ : high_) |= Half(digits[k]) << 32 * (k % 4);
    }

    Half low_, high_ = 0;                // the value, if there are no digits
    std::vector<std::uint32_t> digits_;  // of 32 bits, the least first, if the value needs more than eight
};

// --- SHA-256 (FIPS 180-4) -----------------------------------------------------------------------------------------

class Sha256 {
public:
    void add(const char* data, std::size_t size) {
        length_ += size;
        while (size > 0) {
            const std::size_t part = std::min(size, block_.size() - filled_);
            std::memcpy(block_.data() + filled_, data, part);
            filled_ += part, data += part, size -= part;
            if (filled_ == block_.size()) mix();
        }
    }
    std::string hex() {
        const std::uint64_t bits = length_ * 8;
        add("\x80", 1);
        while (filled_ != 56) add("\0", 1);
        char size[8];
        for (int k = 0; k < 8; ++k) size[k] = char(bits >> (56 - 8 * k));
        add(size, 8);
        std::string found;
        for (std::uint32_t word : state_) {
            char text[9];
            std::snprintf(text, sizeof text, "%08x", word);
            found += text;
        }
        return found;
    }

private:
    void mix() {
        filled_ = 0;
        std::array<std::uint32_t, 64> w;
        for (int k = 0; k < 16; ++k) {
            const unsigned char* at = block_.data() + 4 * k;
            w[k] = std::uint32_t(at[0]) << 24 | std::uint32_t(at[1]) << 16 | std::uint32_t(at[2]) << 8 | at[3];
        }
        for (int k = 16; k < 64; ++k) {
            const auto a = std::rotr(w[k - 15], 7) ^ std::rotr(w[k - 15], 18) ^ w[k - 15] >> 3;
            const auto b = std::rotr(w[k - 2], 17) ^ std::rotr(w[k - 2], 19) ^ w[k - 2] >> 10;
            w[k] = w[k - 16] + a + w[k - 7] + b;
        }
        auto s = state_;
        for (int k = 0; k < 64; ++k) {
            const auto one = std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25);
            const auto t = s[7] + one + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants()[k] + w[k];
            const auto two = std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22);
            const auto u = two + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            s = {t + u, s[0], s[1], s[2], s[3] + t, s[4], s[5], s[6]};
        }
        for (int k = 0; k < 8; ++k) state_[k] += s[k];
    }
    // The first bits of the fractions of roots of primes: cube roots for the rounds, square roots for the start.
    static std::uint32_t fraction(int prime, int root) {
        using Wide = unsigned __int128;
        std::uint64_t low = 0, high = std::uint64_t(1) << 37;  // the root times 2 ** 32
        while (high - low > 1) {
            const Wide middle = (low + high) / 2;
            // middle ** root <= prime * 2 ** (32 * root); a cube may need 111 bits
            const bool is_below =
                root == 2 ? middle * middle <= Wide(prime) << 64 : middle * middle * middle <= Wide(prime) << 96;
            (is_below ? low : high) = std::uint64_t(middle);
        }
        return std::uint32_t(low);
    }
    static std::vector<int> primes(std::size_t number) {
        std::vector<int> found;
        for (int n = 2; found.size() < number; ++n)
            if (std::none_of(found.begin(), found.end(), [n](int p) { return n % p == 0; })) found.push_back(n);
        return found;
    }
    static const std::array<std::uint32_t, 64>& constants() {
        static const auto made = [] {
            std::array<std::uint32_t, 64> k;
            const auto p = primes(64);
            for (int n = 0; n < 64; ++n) k[n] = fraction(p[n], 3);
            return k;
        }();
        return made;
    }
    static std::array<std::uint32_t, 8> start() {
        std::array<std::uint32_t, 8> h;
        const auto p = primes(8);
        for (int n = 0; n < 8; ++n) h[n] = fraction(p[n], 2);
        return h;
    }

    std::array<std::uint32_t, 8> state_ = start();
    std::array<unsigned char, 64> block_;
    std::size_t filled_ = 0;
    std::uint64_t length_ = 0;
};

// --- The problem --------------------------------------------------------------------------------------------------

// JSON as far as a problem needs it: what is of no interest is read over.
class Json {
public:
    explicit Json(std::string text) : text_(std::move(text)) {}

    // Calls `read` at the value of each key of an object; it must read the value.
    template <class Read>
    void object(Read read) {
        expect('{');
        std::set<std::string> keys;
        if (take('}')) return;
        do {
            const std::string key = string();
            if (!keys.insert(key).second) fault("'" + key + "' stands twice in an object");
            expect(':');
            read(key);
        } while (take(','));
        expect('}');
    }
    template <class Read>
    void list(Read read) {
        expect('[');
        if (take(']')) return;
        do read();
        while (take(','));
        expect(']');
    }
    std::vector<int> numbers() {
        std::vector<int> found;
        list([&] { found.push_back(number()); });
        return found;
    }
    int number() {
        blank();
        std::size_t end = at_;
        while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
        if (end == at_ || end - at_ > 9) fault("a whole number from 0 on was expected");
        const int value = std::atoi(text_.substr(at_, end - at_).c_str());
        at_ = end;
        if (at_ < text_.size() && std::strchr(".eE", text_[at_])) fault("a whole number was expected");
        return value;
    }
    std::string string() {
        expect('"');
        std::string found;
        while (at_ < text_.size() && text_[at_] != '"') {
            if (text_[at_] == '\\') found += text_[at_++];
            if (at_ < text_.size()) found += text_[at_++];
        }
        expect('"');
        return found;
    }
    void skip(int depth = 0) {
        if (depth > 100) fault("lists are nested too deep");
        const char first = peek();
        if (first == '{') {
            object([=, this](const std::string&) { skip(depth + 1); });
        } else if (first == '[') {
            list([=, this] { skip(depth + 1); });
        } else if (first == '"') {
            string();
        } else {
            const std::size_t begin = at_;
            while (at_ < text_.size() && (std::isalnum((unsigned char)text_[at_]) || std::strchr("+-.", text_[at_])))
                ++at_;
            if (at_ == begin) fault("a value was expected");
        }
    }
    void end() {
        blank();
        if (at_ != text_.size()) fault("nothing was expected any more");
    }

private:
    void blank() {
        while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_])) ++at_;
    }
    char peek() {
        blank();
        if (at_ == text_.size()) fault("the file ends too early");
        return text_[at_];
    }
    bool take(char wanted) {
        if (peek() != wanted) return false;
        ++at_;
        return true;
    }
    void expect(char wanted) {
        if (!take(wanted)) fault(std::string("'") + wanted + "' was expected");
    }
    [[noreturn]] void fault(const std::string& complaint) const {
        throw BadFile("no problem in JSON: " + complaint + " at byte " + std::to_string(at_));
    }

    std::string text_;
    std::size_t at_ = 0;
};

struct Held {  // an item that an option holds
    int item, colour;
    auto operator<=>(const Held&) const = default;
};
using Option = std::vector<Held>;

struct Problem {
    std::vector<int> low, high;
    std::vector<Option> options;
    std::vector<char> coloured;  // each item

    int items() const { return int(low.size()); }
    bool is_exact(int item) const { return low[item] == 1 && high[item] == 1 && !coloured[item]; }
    std::set<int> holders(int item) const {
        std::set<int> found;
        for (int o = 0; o < int(options.size()); ++o)
            for (const Held& held : options[o])
                if (held.item == item) found.insert(o);
        return found;
    }
};

void require_file(bool holds, const std::string& complaint) {
    if (!holds) throw BadFile(complaint);
}

Problem problem_in(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    require_file(bool(file), path + " cannot be read");
    Json json(std::string(std::istreambuf_iterator<char>(file), {}));
    Problem problem;
    std::vector<std::vector<int>> options, colours;
    bool has_colours = false, has_options = false, is_there = false;
    json.object([&](const std::string& outer) {
        if (outer != "problem") return json.skip();
        is_there = true;
        json.object([&](const std::string& key) {
            if (key == "low") problem.low = json.numbers();
            else if (key == "high") problem.high = json.numbers();
            else if (key == "options") has_options = true, json.list([&] { options.push_back(json.numbers()); });
            else if (key == "option_colours") has_colours = true, json.list([&] { colours.push_back(json.numbers()); });
            else json.skip();
        });
    });
    json.end();
    require_file(is_there && has_options, path + " has no problem with options");
    require_file(problem.low.size() == problem.high.size(), "there are not as many low bounds as high ones");
    require_file(!has_colours || colours.size() == options.size(), "there are not as many lists of colours as options");
    problem.coloured.assign(problem.low.size(), 0);
    for (std::size_t o = 0; o < options.size(); ++o) {
        const std::string name = "option " + std::to_string(o);
        require_file(!has_colours || colours[o].size() == options[o].size(), name + " has other colours than items");
        Option option;
        for (std::size_t k = 0; k < options[o].size(); ++k) {
            const int item = options[o][k], colour = has_colours ? colours[o][k] : 0;
            require_file(item < problem.items(), name + " holds an item that is not there");
            require_file(k == 0 || options[o][k - 1] < item, name + " does not hold its items by ascending number");
            if (colour) problem.coloured[item] = 1;
            option.push_back({item, colour});
        }
        problem.options.push_back(std::move(option));
    }
    for (int i = 0; i < problem.items(); ++i) {
        require_file(problem.low[i] <= problem.high[i],
                     "item " + std::to_string(i) + " has a low bound above the high one");
        require_file(!problem.coloured[i] || (problem.low[i] == 0 && problem.high[i] == 1),
                     "the coloured item " + std::to_string(i) + " has other bounds than 0 and 1");
    }
    return problem;
}

std::string digest_of(const Problem& problem) {
    std::string text =
        "items " + std::to_string(problem.items()) + " options " + std::to_string(problem.options.size()) + "\n";
    for (int i = 0; i < problem.items(); ++i)
        text += std::to_string(problem.low[i]) + " " + std::to_string(problem.high[i]) + "\n";
    for (const Option& option : problem.options) {
        for (std::size_t k = 0; k < option.size(); ++k) {
            text += (k ? " " : "") + std::to_string(option[k].item);
            if (option[k].colour) text += ":" + std::to_string(option[k].colour);
        }
        text += "\n";
    }
    Sha256 sum;
    sum.add(text.data(), text.size());
    return sum.hex();
}

// --- The text of a certificate ------------------------------------------------------------------------------------

struct Word {
    enum Kind { decide, keep, split } kind;
    int item;
};

// Reads lines, and the words of sections as they are asked for. All that is read goes into the checksum.
class Text {
public:
    explicit Text(std::FILE* file) : file_(file) {}

    std::string line() {
        std::string found;
        for (int c; (c = next()) != '\n';) {
            require(c >= 0, "line " + std::to_string(number_) + " does not end: the certificate is cut short");
            found += char(c);
            require(c < 128, "line " + std::to_string(number_) + " is not in ASCII");
            require(found.size() < (std::size_t(1) << 30), "a line is too long");
        }
        return found;
    }
    bool begins(std::string_view word) {
        while (end_ - at_ < word.size() && refill()) {}
        return std::string_view(buffer_.data() + at_, std::min(word.size(), end_ - at_)) == word;
    }
    // The next word of a section.
    Word word() {
        if (at_line_) {
            need(!begins("end "), "a word is missing before the end of the section");
            at_line_ = false;
        }
        Word found{Word::decide, 0};
        int c = next();
        if (c == '/') {
            found.kind = Word::split;
            c = next();
        } else {
            need(c >= '0' && c <= '9', "this is no word of a section");
            const bool is_zero = c == '0';
            std::int64_t value = 0;
            for (int digits = 0; c >= '0' && c <= '9'; c = next()) {
                value = value * 10 + (c - '0');
                need(++digits < 11 && (digits == 1 || !is_zero), "this is no number of an item");
            }
            found.item = int(std::min<std::int64_t>(value, 1 << 30));
            if (c == '!') found.kind = Word::keep, c = next();
        }
        if (c == '\n') at_line_ = true;
        else need(c == ' ', "words are not separated by single blanks");
        ++words_;
        return found;
    }
    void begin_section() { at_line_ = true, words_ = 0; }
    std::uint64_t words() const { return words_; }
    void end_section() { need(at_line_, "words are left over at the end of a section"); }
    std::string checksum() {  // of all before this place
        hash();
        return sum_.hex();
    }
    bool is_at_end() { return at_ == end_ && !refill(); }
    // Refuses the certificate at this line; the words are put together only then, since this is asked for each word.
    void need(bool holds, const char* what) const {
        if (!holds) throw Refusal(complaint(what));
    }
    std::string complaint(const std::string& what) const { return "line " + std::to_string(number_) + ": " + what; }

private:
    int next() {
        if (at_ == end_ && !refill()) return -1;
        const unsigned char c = (unsigned char)buffer_[at_++];
        number_ += c == '\n';
        return c;
    }
    void hash() {
        sum_.add(buffer_.data() + hashed_, at_ - hashed_);
        hashed_ = at_;
    }
    bool refill() {
        hash();
        std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
        end_ -= at_, at_ = hashed_ = 0;
        const std::size_t more = std::fread(buffer_.data() + end_, 1, buffer_.size() - end_, file_);
        end_ += more;
        return more > 0;
    }

    std::FILE* file_;
    std::vector<char> buffer_ = std::vector<char>(1 << 16);
    std::size_t at_ = 0, end_ = 0, hashed_ = 0;
    std::uint64_t number_ = 1, words_ = 0;
    bool at_line_ = true;
    Sha256 sum_;
};

// --- States -------------------------------------------------------------------------------------------------------

constexpr std::uint64_t MOST_STATES = std::uint64_t(1) << 32;
constexpr std::size_t MOST_DEPTH = 5'000;       // of a tree: each level takes room on the stack
constexpr std::size_t MOST_CHILDREN = 1 << 24;  // of one state

// The options of a section: those of the problem, or the orbits of a symmetry. What holds an item, by ascending number.
struct Choices {
    std::vector<std::vector<Option>> options;  // each a list of options of the problem, chosen one after another
    std::vector<std::vector<int>> holding;     // of each item
    Option begun;                              // what is chosen before all
    int without_items = 0;
};

// A state as a value of each item: 0 while it is free or not yet covered, how often it is covered, or the number of its
// colour; FULL is the greatest that its bits can hold. The values lie side by side, none across two words.
class AnyStates {
public:
    using State = Bits;

    AnyStates(const Problem& problem, const Choices& choices) : problem_(problem), choices_(choices) {
        std::vector<std::set<int>> colours(problem.items());
        for (const Option& option : problem.options)
            for (const Held& held : option)
                if (held.colour) colours[held.item].insert(held.colour);
        std::size_t word = 0, used = 0;
        for (int i = 0; i < problem.items(); ++i) {
            const std::uint64_t values = problem.coloured[i] ? colours[i].size() + 1 : std::max(problem.high[i], 1);
            const int width = std::bit_width(values);  // there is room for FULL, which is not among the values
            if (used + width > 64) ++word, used = 0;
            places_.push_back({word, int(used), (std::uint64_t(1) << width) - 1});
            used += width;
        }
        words_ = word + 1;
        for (const auto& option : choices.options) steps_.push_back(steps_of(option, colours));
        begun_ = steps_of({choices.begun}, colours);
        done_.assign(words_, 0);
        for (int i = 0; i < problem.items(); ++i) close(done_.data(), i);
    }

    std::size_t words() const { return words_; }
    static const std::uint64_t* packed(const State& state) { return state.data(); }
    State empty() const {
        State state(words_, 0);
        for (int i = 0; i < problem_.items(); ++i)
            if (problem_.high[i] == 0) close(state, i);
        return state;
    }
    bool is_done(const State& state) const { return state == done_; }
    bool is_open(const std::uint64_t* state, int item) const {
        const Place& at = places_[item];
        return at.value(state) != at.full;
    }
    bool is_open(const State& state, int item) const { return is_open(state.data(), item); }
    bool fits(const State& state, int option) const {
        State copy = state;
        return choose(copy, option);
    }
    // Whether it fits; the state is of no use if not.
    bool choose(State& state, int option) const { return choose(state.data(), steps_[option]); }
    bool begin(State& state) const { return choose(state.data(), begun_); }
    void close(State& state, int item) const { close(state.data(), item); }
    bool lacks(const State& state, int item) const { return lacks(state.data(), item); }
    std::vector<State> children(const State& state, int item) const {
        std::vector<State> found;
        Bits room;
        visit(state.data(), item, room, [&](const std::uint64_t* child) { found.emplace_back(child, child + words_); });
        return found;
    }
    // Makes the children in this room, and shows them.
    template <class See>
    void visit(const std::uint64_t* state, int item, Bits& room, See see) const {
        room.assign(state, state + words_);
        for (int option : choices_.holding[item]) {
            for (std::size_t at = 0, end = room.size(); at < end; at += words_) {
                room.resize(room.size() + words_);
                std::uint64_t* child = room.data() + room.size() - words_;
                std::copy_n(room.data() + at, words_, child);
                if (!choose(child, steps_[option])) room.resize(room.size() - words_);
            }
            if (room.size() > MOST_CHILDREN * words_)
                throw BadFile("a state has more children than this program can hold");
        }
        for (std::size_t at = 0; at < room.size(); at += words_) {
            std::uint64_t* child = room.data() + at;
            if (lacks(child, item)) continue;
            close(child, item);
            see(child);
        }
    }

private:
    struct Place {
        std::size_t word;
        int shift;
        std::uint64_t full;  // a bit for each of the item's
        std::uint64_t value(const std::uint64_t* state) const { return state[word] >> shift & full; }
    };
    // What it takes to choose an option: of each item that it holds, in turn.
    struct Step {
        Place at;
        std::uint64_t colour;  // by its number among those of the item; 0 if the option holds it without one
        std::uint64_t high;    // 0 if the item is coloured
    };

    std::vector<Step> steps_of(const std::vector<Option>& options, const std::vector<std::set<int>>& colours) const {
        std::vector<Step> steps;
        for (const Option& option : options)
            for (const auto& [item, colour] : option) {
                const auto& own = colours[item];
                const auto number = colour ? 1 + std::distance(own.begin(), own.find(colour)) : 0;
                steps.push_back({places_[item], std::uint64_t(number), own.empty() ? problem_.high[item] : 0u});
            }
        return steps;
    }
    static bool choose(std::uint64_t* state, const std::vector<Step>& steps) {
        for (const auto& [at, colour, high] : steps) {
            const std::uint64_t value = at.value(state);
            if (value == at.full) return false;
            std::uint64_t changed = high;
            if (high) changed = value + 1 == high ? at.full : value + 1;
            else if (value == 0 || value == colour) changed = colour ? colour : at.full;
            else return false;
            state[at.word] ^= (value ^ changed) << at.shift;
        }
        return true;
    }
    void close(std::uint64_t* state, int item) const {
        const Place& at = places_[item];
        state[at.word] |= at.full << at.shift;
    }
    bool lacks(const std::uint64_t* state, int item) const {
        if (problem_.coloured[item] || !is_open(state, item)) return false;
        return places_[item].value(state) < std::uint64_t(problem_.low[item]);
    }

    const Problem& problem_;
    const Choices& choices_;
    std::vector<Place> places_;
    std::size_t words_ = 0;
    std::vector<std::vector<Step>> steps_;  // of each option of the section
    std::vector<Step> begun_;
    State done_;
};

// The same where no item has a colour or a bound above 1: the set of full items, and that of the options that fit.
class PlainStates {
public:
    struct State {
        Bits full;  // items, and then the options that do not fit
        int open;   // how many items are open
        bool operator==(const State& other) const = default;
    };

    PlainStates(const Problem& problem, const Choices& choices)
        : problem_(problem), choices_(choices), words_((problem.items() + 63) / 64),
          all_words_(words_ + (choices.options.size() + 63) / 64) {
        std::vector<std::vector<int>> items(choices.options.size());
        for (std::size_t o = 0; o < items.size(); ++o)
            for (const Option& each : choices.options[o])
                for (const Held& held : each) items[o].push_back(held.item);
        closing_.assign(problem.items(), Bits(all_words_, 0));
        for (int i = 0; i < problem.items(); ++i) {
            set(closing_[i], i);
            for (int o : choices.holding[i]) set(closing_[i], out(o));
        }
        for (const auto& own : items) {
            Bits taken(all_words_, 0);
            for (int i : own)
                for (std::size_t k = 0; k < all_words_; ++k) taken[k] |= closing_[i][k];
            taking_.push_back(std::move(taken));
            sizes_.push_back(int(own.size()));
        }
        for (int i = 0; i < problem.items(); ++i) {  // where the options that hold an item are
            std::vector<Place> places;
            for (int o : choices.holding[i]) {
                if (places.empty() || places.back().word != out(o) / 64) places.push_back({out(o) / 64, 0});
                places.back().mask |= std::uint64_t(1) << out(o) % 64;
            }
            places_.push_back(std::move(places));
        }
    }

    static bool serves(const Problem& problem) {
        for (int i = 0; i < problem.items(); ++i)
            if (problem.high[i] > 1 || problem.coloured[i]) return false;
        return true;
    }
    State empty() const {
        State state{Bits(all_words_, 0), problem_.items()};
        for (int i = 0; i < problem_.items(); ++i)
            if (problem_.high[i] == 0) close(state, i);
        for (std::size_t k = 64 * words_ + choices_.options.size(); k < 64 * all_words_; ++k) set(state.full, k);
        return state;
    }
    static bool is_done(const State& state) { return state.open == 0; }
    static bool is_open(const std::uint64_t* full, int item) { return !(full[item / 64] >> item % 64 & 1); }
    static bool is_open(const State& state, int item) { return is_open(state.full.data(), item); }
    bool fits(const State& state, int option) const { return !(state.full[out(option) / 64] >> out(option) % 64 & 1); }
    void close(State& state, int item) const {
        if (!is_open(state, item)) return;
        merge(state.full, closing_[item]);
        --state.open;
    }
    bool lacks(const State& state, int item) const { return is_open(state, item) && problem_.low[item] > 0; }
    bool begin(State& state) const {
        for (const Held& held : choices_.begun) {
            if (!is_open(state, held.item)) return false;
            close(state, held.item);
        }
        return true;
    }
    // Makes the children one after another in this room, and shows them.
    template <class See>
    void visit_children(const State& state, int item, State& room, See see) const {
        if (problem_.low[item] == 0) {
            room = state;
            close(room, item);
            see(room);
        }
        for (const Place& place : places_[item]) {
            for (auto left = place.mask & ~state.full[place.word]; left; left &= left - 1) {
                const int option = int(place.word * 64 + std::countr_zero(left) - 64 * words_);
                const Bits& taken = taking_[option];
                for (std::size_t k = 0; k < all_words_; ++k) room.full[k] = state.full[k] | taken[k];
                room.open = state.open - sizes_[option];
                see(room);
            }
        }
    }

    // The same for the items that are full alone: which options fit follows from them.
    std::size_t words() const { return words_; }
    static const std::uint64_t* packed(const State& state) { return state.full.data(); }
    template <class See>
    void visit(const std::uint64_t* full, int item, Bits& room, See see) const {
        room.assign(full, full + words_);
        if (problem_.low[item] == 0) {
            set(room, item);
            see(room.data());
        }
        for (int option : choices_.holding[item]) {
            const Bits& taken = taking_[option];
            std::uint64_t met = 0;
            for (std::size_t k = 0; k < words_; ++k) met |= full[k] & taken[k];
            if (met) continue;
            for (std::size_t k = 0; k < words_; ++k) room[k] = full[k] | taken[k];
            see(room.data());
        }
    }

private:
    struct Place {
        std::size_t word;
        std::uint64_t mask;
    };
    std::size_t out(int option) const { return 64 * words_ + std::size_t(option); }
    static void set(Bits& bits, std::size_t k) { bits[k / 64] |= std::uint64_t(1) << k % 64; }
    static void merge(Bits& bits, const Bits& more) {
        for (std::size_t k = 0; k < bits.size(); ++k) bits[k] |= more[k];
    }

    const Problem& problem_;
    const Choices& choices_;
    std::size_t words_, all_words_;
    std::vector<Bits> closing_, taking_;
    std::vector<int> sizes_;
    std::vector<std::vector<Place>> places_;
};

struct Hash {
    static std::size_t of(const std::uint64_t* words, std::size_t size) {
        std::uint64_t found = 0;
        for (std::size_t k = 0; k < size; ++k) {
            found = (std::rotl(found, 23) ^ words[k]) * 0x9E3779B97F4A7C15u;
            found ^= found >> 32;
        }
        return found;
    }
    std::size_t operator()(const AnyStates::State& state) const { return of(state.data(), state.size()); }
    std::size_t operator()(const PlainStates::State& state) const { return of(state.full.data(), state.full.size()); }
};

// Different packed states, each with a weight.
class Layer {
public:
    explicit Layer(std::size_t words) : words_(words), table_(1024, 0) {}

    std::size_t size() const { return weights_.size(); }
    const std::uint64_t* state(std::size_t k) const { return states_.data() + k * words_; }
    const Number& weight(std::size_t k) const { return weights_[k]; }

    void add(const std::uint64_t* state, const Number& weight) {
        if (2 * size() >= table_.size()) grow();
        std::size_t at = place(state);
        for (; table_[at] != 0; at = (at + 1) & (table_.size() - 1)) {
            const std::size_t known = table_[at] - 1;
            if (std::equal(state, state + words_, this->state(known))) {
                weights_[known] += weight;
                return;
            }
        }
        require(size() + 1 < MOST_STATES, "there are too many states");
        states_.insert(states_.end(), state, state + words_);
        weights_.push_back(weight);
        table_[at] = std::uint32_t(size());
    }
    void clear() {
        std::fill(table_.begin(), table_.end(), 0);
        states_.clear();
        weights_.clear();
    }

private:
    std::size_t place(const std::uint64_t* state) const { return Hash::of(state, words_) & (table_.size() - 1); }
    void grow() {
        table_.assign(2 * table_.size(), 0);
        for (std::size_t k = 0; k < size(); ++k) {
            std::size_t at = place(this->state(k));
            while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
            table_[at] = std::uint32_t(k + 1);
        }
    }

    std::size_t words_;
    std::vector<std::uint32_t> table_;  // numbers of states, from 1 on; its size is a power of two
    Bits states_;
    std::vector<Number> weights_;
};

// --- Sections -----------------------------------------------------------------------------------------------------

template <class States>
class Section {
public:
    using State = typename States::State;

    Section(const Problem& problem, const Choices& choices, Text& text)
        : problem_(problem), choices_(choices), states_(problem, choices), text_(text) {}

    // The value of the empty state, or of the state after the option with which the section begins.
    Number value(const std::string& method) {
        State start = states_.empty();
        require(states_.begin(start), "the option of a section does not fit the empty state");
        text_.begin_section();
        if (method == "tree") {
            const Number found = tree(start, 0);
            steps_ = text_.words();
            return found;
        }
        return sweep(start);
    }
    std::uint64_t steps() const { return steps_; }

private:
    Number tree(const State& state, std::size_t depth) {
        if (states_.is_done(state)) return 1;
        if (!remembered_.empty())
            if (const auto known = remembered_.find(state); known != remembered_.end()) return known->second;
        if (depth > MOST_DEPTH) throw BadFile("the tree is deeper than this program can follow");
        const Word word = text_.word();
        if (word.kind == Word::split) return product(state, depth);
        text_.need(word.item < problem_.items(), "there is no such item");
        text_.need(states_.is_open(state, word.item), "the item is full already");
        Number sum;
        if constexpr (std::is_same_v<States, PlainStates>) {
            if (rooms_.size() <= depth) rooms_.resize(depth + 1);
            State room = std::move(rooms_[depth]);
            room.full.resize(state.full.size());
            states_.visit_children(state, word.item, room, [&](const State& child) { sum += tree(child, depth + 1); });
            rooms_[depth] = std::move(room);
        } else {
            for (const State& child : states_.children(state, word.item)) sum += tree(child, depth + 1);
        }
        if (word.kind == Word::keep) remembered_.emplace(state, sum);
        return sum;
    }

    Number product(const State& state, std::size_t depth) {
        State rest = state;
        std::vector<int> root(problem_.items());
        std::iota(root.begin(), root.end(), 0);
        const auto find = [&](int i) {
            while (root[i] != i) i = root[i] = root[root[i]];
            return i;
        };
        std::vector<char> held(problem_.items(), 0);
        for (int o = 0; o < int(choices_.options.size()); ++o) {
            if (!states_.fits(state, o)) continue;
            int first = -1;
            for (const Option& each : choices_.options[o]) {
                for (const Held& one : each) {
                    if (!states_.is_open(state, one.item)) continue;
                    held[one.item] = 1;
                    if (first < 0) first = find(one.item);
                    const int a = find(one.item), b = find(first);
                    root[std::max(a, b)] = std::min(a, b);
                }
            }
        }
        bool has_closed = false;
        for (int i = 0; i < problem_.items(); ++i) {
            if (held[i] || !states_.is_open(state, i)) continue;
            if (states_.lacks(rest, i)) return 0;
            states_.close(rest, i);
            has_closed = true;
        }
        std::vector<int> parts;
        for (int i = 0; i < problem_.items(); ++i)
            if (states_.is_open(rest, i) && find(i) == i) parts.push_back(i);
        text_.need(parts.size() != 1 || has_closed, "the state does not fall into parts");
        Number made = 1;
        for (int part : parts) {
            State own = rest;
            for (int i = 0; i < problem_.items(); ++i)
                if (states_.is_open(rest, i) && find(i) != part) states_.close(own, i);
            made = made * tree(own, depth + 1);
            if (made.is_zero()) return 0;
        }
        return made;
    }

    Number sweep(const State& start) {
        Layer layer(states_.words()), next = layer;
        layer.add(States::packed(start), 1);
        Bits room;
        std::vector<char> seen(problem_.items(), 0);
        for (int number = 0; number < problem_.items(); ++number) {
            const Word word = text_.word();
            text_.need(word.kind == Word::decide && word.item < problem_.items() && !seen[word.item],
                       "a sweep must name each item once");
            seen[word.item] = 1;
            steps_ += layer.size();
            next.clear();
            for (std::size_t k = 0; k < layer.size(); ++k) {
                const std::uint64_t* state = layer.state(k);
                const Number& weight = layer.weight(k);
                const auto add = [&](const std::uint64_t* child) { next.add(child, weight); };
                if (states_.is_open(state, word.item)) states_.visit(state, word.item, room, add);
                else add(state);
            }
            std::swap(layer, next);
        }
        return layer.size() == 0 ? Number(0) : layer.weight(0);
    }

    const Problem& problem_;
    const Choices& choices_;
    States states_;
    Text& text_;
    std::uint64_t steps_ = 0;
    std::unordered_map<State, Number, Hash> remembered_;
    std::vector<State> rooms_;  // of each depth, the child that is being looked at
};

// --- Symmetry -----------------------------------------------------------------------------------------------------

struct Condition {
    int low, high;
    std::vector<int> plain;                  // the options that hold the item with 0
    std::vector<std::vector<int>> coloured;  // for each colour, those that hold it in this colour
    auto operator<=>(const Condition&) const = default;
};

std::vector<Condition> conditions_of(const Problem& problem, const Permutation& image) {
    std::vector<Condition> found(problem.items());
    std::vector<std::map<int, std::vector<int>>> by_colour(problem.items());
    for (int o = 0; o < int(problem.options.size()); ++o)
        for (const Held& held : problem.options[o]) by_colour[held.item][held.colour].push_back(image[o]);
    for (int i = 0; i < problem.items(); ++i) {
        found[i].low = problem.low[i], found[i].high = problem.high[i];
        for (auto& [colour, options] : by_colour[i]) {
            std::sort(options.begin(), options.end());
            if (colour) found[i].coloured.push_back(options);
            else found[i].plain = options;
        }
        std::sort(found[i].coloured.begin(), found[i].coloured.end());
    }
    std::sort(found.begin(), found.end());
    return found;
}

Permutation after(const Permutation& last, const Permutation& first) {
    Permutation found(first.size());
    for (std::size_t o = 0; o < first.size(); ++o) found[o] = last[first[o]];
    return found;
}

Permutation identity(std::size_t size) {
    Permutation found(size);
    std::iota(found.begin(), found.end(), 0);
    return found;
}

Permutation inverse(const Permutation& one) {
    Permutation found(one.size());
    for (std::size_t o = 0; o < one.size(); ++o) found[one[o]] = int(o);
    return found;
}

constexpr std::size_t MOST_ELEMENTS = 1'000'000;

// The elements of a group, each with the number of its class of conjugates; class 0 is the identity.
std::map<Permutation, int> classes_of(const std::vector<Permutation>& generators, std::size_t size) {
    std::map<Permutation, int> group{{identity(size), -1}};
    std::vector<Permutation> queue{identity(size)};
    for (std::size_t k = 0; k < queue.size(); ++k) {
        for (const Permutation& generator : generators) {
            Permutation made = after(generator, queue[k]);
            if (group.emplace(made, -1).second) queue.push_back(std::move(made));
            require(queue.size() <= MOST_ELEMENTS, "the group of symmetries is too large");
        }
    }
    std::vector<Permutation> backwards;
    for (const Permutation& generator : generators) backwards.push_back(inverse(generator));
    int classes = 0;
    for (const Permutation& first : queue) {
        if (group[first] >= 0) continue;
        const int own = classes++;
        std::vector<const Permutation*> alike{&group.find(first)->first};
        group[first] = own;
        for (std::size_t k = 0; k < alike.size(); ++k) {
            for (std::size_t g = 0; g < generators.size(); ++g) {
                const auto place = group.find(after(generators[g], after(*alike[k], backwards[g])));
                if (place->second < 0) {
                    place->second = own;
                    alike.push_back(&place->first);
                }
            }
        }
    }
    return group;
}

// Whether no cover can be fixed: an item that is covered once, by options that a symmetry exchanges, each for another.
bool fixes_nothing(const Problem& problem, const Permutation& image) {
    for (int i = 0; i < problem.items(); ++i) {
        if (!problem.is_exact(i)) continue;
        const auto holders = problem.holders(i);
        if (std::all_of(holders.begin(), holders.end(),
                        [&](int o) { return image[o] != o && holders.contains(image[o]); }))
            return true;
    }
    return false;
}

// --- A whole certificate ------------------------------------------------------------------------------------------

class Checker {
public:
    Checker(const Problem& problem, Text& text) : problem_(problem), text_(text) {}

    std::string check() {
        require(text_.line() == "latcover count certificate 1", "this is no certificate of a count");
        require(text_.line() == "problem " + digest_of(problem_), "the certificate is of another problem");
        while (text_.begins("note ")) text_.line();
        if (text_.begins("generators ")) read_generators();
        if (text_.begins("pivot ")) read_pivot();
        read_sections();
        Number covers = all_;
        if (pivot_ >= 0) covers = sum_of_orbits();
        require(value_of("covers ") == covers, text_.complaint("the number of covers is " + covers.text()));
        std::string said = "covers " + covers.text();
        if (text_.begins("different ")) {
            said += check_different(covers);
        } else {
            require(fixed_.empty(), "sections of fixed covers are there, but no number of different ones");
        }
        const std::string checksum = text_.checksum();
        text_.need(text_.line() == "sha256 " + checksum, "the checksum is wrong");
        require(text_.is_at_end(), "something comes after the checksum");
        return said;
    }

private:
    static std::vector<int> numbers_in(const std::string& line, std::size_t from, const std::string& complaint) {
        std::vector<int> found;
        while (from < line.size()) {
            const std::size_t end = std::min(line.find(' ', from), line.size());
            const std::string word = line.substr(from, end - from);
            require(!word.empty() && word.size() < 10 && word.find_first_not_of("0123456789") == std::string::npos &&
                        (word.size() == 1 || word[0] != '0'),
                    complaint);
            found.push_back(std::atoi(word.c_str()));
            require(end == line.size() || end + 1 < line.size(), complaint);
            from = end + 1;
        }
        return found;
    }
    int number_after(std::string_view key) {
        const std::string line = text_.line(), complaint = text_.complaint("'" + std::string(key) + "N' was expected");
        require(line.starts_with(key), complaint);
        const auto found = numbers_in(line, key.size(), complaint);
        require(found.size() == 1, complaint);
        return found[0];
    }
    Number value_of(std::string_view key) {
        const std::string line = text_.line(), complaint = text_.complaint("'" + std::string(key) + "N' was expected");
        require(line.starts_with(key), complaint);
        return big(line.substr(key.size()), complaint);
    }
    static Number big(const std::string& word, const std::string& complaint) {
        require(!word.empty() && word.find_first_not_of("0123456789") == std::string::npos &&
                    (word.size() == 1 || word[0] != '0'),
                complaint);
        return Number::of(word);
    }

    void read_generators() {
        const int number = number_after("generators ");
        text_.need(number > 0, "no generators: the line must be missing");
        const auto conditions = conditions_of(problem_, identity(problem_.options.size()));
        for (int k = 0; k < number; ++k) {
            const std::string line = text_.line(), name = "generator " + std::to_string(k);
            Permutation image = numbers_in(line, 0, name + " is no list of options");
            Permutation ordered = image;
            std::sort(ordered.begin(), ordered.end());
            require(ordered == identity(problem_.options.size()), name + " is no permutation of the options");
            require(conditions_of(problem_, image) == conditions, name + " is no symmetry of the problem");
            generators_.push_back(std::move(image));
        }
    }

    void read_pivot() {
        pivot_ = number_after("pivot ");
        require(!generators_.empty(), "a pivot needs generators");
        require(pivot_ < problem_.items() && problem_.is_exact(pivot_), "the pivot is no item that is covered once");
        const auto holders = problem_.holders(pivot_);
        for (const Permutation& image : generators_)
            for (int o : holders) require(holders.contains(image[o]), "a generator moves the pivot");
    }

    Choices all_options() const {
        Choices made;
        for (const Option& option : problem_.options) {
            made.without_items += option.empty();
            made.options.push_back({option});
        }
        hold(made);
        return made;
    }
    // Orbits that do not fit the empty state are left out: their list of options is empty, and nothing holds them.
    Choices orbits_of(const Permutation& image, const Choices& plain) const {
        Choices made;
        const AnyStates states(problem_, plain);
        std::vector<char> seen(image.size(), 0);
        for (int first = 0; first < int(image.size()); ++first) {
            if (seen[first]) continue;
            std::vector<int> orbit;
            for (int o = first; !seen[o]; o = image[o]) seen[o] = 1, orbit.push_back(o);
            std::sort(orbit.begin(), orbit.end());
            std::vector<Option> own;
            AnyStates::State state = states.empty();
            bool fits = true;
            for (int o : orbit) {
                own.push_back(problem_.options[o]);
                fits = fits && states.choose(state, o);
            }
            if (!fits) continue;
            made.without_items += own[0].empty();
            made.options.push_back(std::move(own));
        }
        hold(made);
        return made;
    }
    void hold(Choices& made) const {
        made.holding.assign(problem_.items(), {});
        for (int o = 0; o < int(made.options.size()); ++o)
            for (const Option& each : made.options[o])
                for (const Held& held : each) {
                    auto& holding = made.holding[held.item];
                    if (holding.empty() || holding.back() != o) holding.push_back(o);
                }
    }

    void read_sections() {
        const Choices plain = all_options();
        while (text_.begins("tree ") || text_.begins("sweep ")) {
            const std::string line = text_.line();
            const std::size_t blank = line.find(' ');
            const std::string method = line.substr(0, blank), purpose = line.substr(blank + 1);
            if (purpose == "all") {
                text_.need(pivot_ < 0 && !has_all_ && fixed_.empty(), "a section 'all' has no place here");
                has_all_ = true;
                all_ = counted(plain, method);
            } else if (purpose.starts_with("with ")) {
                const auto option = numbers_in(purpose, 5, text_.complaint("'with O' was expected"));
                text_.need(pivot_ >= 0 && fixed_.empty(), "a section 'with' has no place here");
                text_.need(option.size() == 1 && option[0] < int(problem_.options.size()), "there is no such option");
                text_.need(!with_.contains(option[0]), "the option has a section already");
                with_[option[0]] = counted(after_option(plain, option[0]), method);
            } else if (purpose.starts_with("fixed ")) {
                const auto word = numbers_in(purpose, 6, text_.complaint("'fixed G …' was expected"));
                text_.need(!word.empty() && (has_all_ || pivot_ >= 0), "a section 'fixed' has no place here");
                Permutation image = identity(problem_.options.size());
                for (int g : word) {
                    text_.need(g < int(generators_.size()), "there is no such generator");
                    image = after(generators_[g], image);
                }
                const Number found = counted(orbits_of(image, plain), method);
                fixed_.emplace_back(std::move(image), found);
            } else {
                throw Refusal(text_.complaint("a section of an unknown purpose"));
            }
        }
        require(pivot_ >= 0 || has_all_, "there is no section 'all'");
    }

    // The choices that are left after an option: the others that do not fit with it are not looked at again.
    Choices after_option(const Choices& plain, int option) const {
        Choices made;
        made.begun = problem_.options[option];
        made.without_items = plain.without_items;
        const AnyStates states(problem_, plain);
        AnyStates::State start = states.empty();
        if (states.choose(start, option))
            for (int o = 0; o < int(plain.options.size()); ++o)
                if (states.fits(start, o)) made.options.push_back(plain.options[o]);
        hold(made);
        return made;
    }

    Number counted(const Choices& choices, const std::string& method) {
        Number found;
        std::uint64_t steps = 0;
        if (PlainStates::serves(problem_)) {
            Section<PlainStates> section(problem_, choices, text_);
            found = section.value(method);
            steps = section.steps();
        } else {
            Section<AnyStates> section(problem_, choices, text_);
            found = section.value(method);
            steps = section.steps();
        }
        for (int k = 0; k < choices.without_items; ++k) found = found * Number(2);
        text_.end_section();
        const std::string line = text_.line(), wanted = "end " + found.text() + " " + std::to_string(steps);
        require(line == wanted,
                text_.complaint("the section ends with '" + line.substr(0, 80) + "', not '" + wanted + "'"));
        return found;
    }

    Number sum_of_orbits() {
        const auto holders = problem_.holders(pivot_);
        const Choices plain = all_options();
        const AnyStates states(problem_, plain);
        std::set<int> left = holders;
        Number sum;
        std::size_t used = 0;
        while (!left.empty()) {
            std::set<int> orbit{*left.begin()};
            std::vector<int> queue{*left.begin()};
            for (std::size_t k = 0; k < queue.size(); ++k)
                for (const Permutation& image : generators_)
                    if (orbit.insert(image[queue[k]]).second) queue.push_back(image[queue[k]]);
            int sections = 0;
            for (int o : orbit) {
                left.erase(o);
                if (const auto found = with_.find(o); found != with_.end()) {
                    ++sections, ++used;
                    sum += found->second * Number(orbit.size());
                }
            }
            require(sections == 1 || (sections == 0 && !states.fits(states.empty(), *orbit.begin())),
                    "an orbit of the pivot's options has " + std::to_string(sections) + " sections, not one");
        }
        require(used == with_.size(), "a section is of an option that does not hold the pivot");
        return sum;
    }

    std::string check_different(const Number& covers) {
        const Number different = value_of("different ");
        const int order = number_after("symmetries ");
        const auto group = classes_of(generators_, problem_.options.size());
        require(std::size_t(order) == group.size(),
                text_.complaint("the group has " + std::to_string(group.size()) + " elements"));
        std::map<int, Number> by_class;
        std::map<int, std::uint64_t> sizes;
        std::map<int, const Permutation*> one_of;
        for (const auto& [element, own] : group) ++sizes[own], one_of[own] = &element;
        const int trivial = group.at(identity(problem_.options.size()));
        by_class[trivial] = covers;
        for (const auto& [image, number] : fixed_)
            require(by_class.emplace(group.at(image), number).second, "a class of symmetries has two sections");
        Number sum;
        for (const auto& [own, size] : sizes) {
            if (const auto known = by_class.find(own); known != by_class.end()) sum += known->second * Number(size);
            else
                require(fixes_nothing(problem_, *one_of[own]),
                        "a class of symmetries that may fix covers has no section");
        }
        require(sum == different * Number(group.size()),
                "the number of different covers is wrong: the fixed covers are " + sum.text() + " over " +
                    std::to_string(group.size()) + " symmetries");
        return " different " + different.text() + " symmetries " + std::to_string(group.size());
    }

    const Problem& problem_;
    Text& text_;
    std::vector<Permutation> generators_;
    int pivot_ = -1;
    bool has_all_ = false;
    Number all_;
    std::map<int, Number> with_;
    std::vector<std::pair<Permutation, Number>> fixed_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) {
        std::cerr << "usage: zcat CERTIFICATE | check_count PROBLEM, or: check_count PROBLEM TEXT\n";
        return 2;
    }
    try {
        const Problem problem = problem_in(argv[1]);
        std::FILE* file = argc == 3 ? std::fopen(argv[2], "rb") : stdin;
        if (!file) throw BadFile(std::string(argv[2]) + " cannot be read");
        Text text(file);
        const std::string proved = Checker(problem, text).check();
        std::cout << proved << "\n";
        return 0;
    } catch (const Refusal& refusal) {
        std::cerr << "refused: " << refusal.what() << "\n";
        return 1;
    } catch (const std::exception& fault) {
        std::cerr << "error: " << fault.what() << "\n";
        return 2;
    }
}
