// Answers as JSON text.

#pragma once

#include <string>
#include <string_view>
#include <type_traits>

namespace latcover {

inline std::string json(bool truth) { return truth ? "true" : "false"; }

template <typename Whole>
    requires std::is_integral_v<Whole>
std::string json(Whole number) {
    return std::to_string(number);
}

// Seconds, to the microsecond. (The standard's own way of writing numbers would double the module's data.)
inline std::string json(double seconds) {
    const auto micro = static_cast<long long>(seconds * 1e6);
    const std::string below = std::to_string(1'000'000 + micro % 1'000'000);
    return std::to_string(micro / 1'000'000) + '.' + below.substr(1);
}

inline std::string json(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c >= 0 && c < ' ' ? ' ' : c;
    }
    return quoted + '"';
}
inline std::string json(const char* text) { return json(std::string_view(text)); }

// A list; `write` turns a member into JSON.
template <typename Members, typename Write>
std::string json_list(const Members& members, Write write) {
    std::string list = "[";
    for (const auto& member : members) {
        if (list.size() > 1) list += ',';
        list += write(member);
    }
    return list + ']';
}

template <typename Members>
std::string json_list(const Members& members) {
    return json_list(members, [](const auto& member) { return json(member); });
}

// An object, one pair after the other.
class JsonObject {
public:
    template <typename Value>
    JsonObject& with(std::string_view name, const Value& value) {
        return with_text(name, json(value));
    }
    JsonObject& with_text(std::string_view name, const std::string& value) {
        if (text_.size() > 1) text_ += ',';
        text_ += json(name) + ':' + value;
        return *this;
    }
    std::string text() const { return text_ + '}'; }

private:
    std::string text_ = "{";
};

}  // namespace latcover
