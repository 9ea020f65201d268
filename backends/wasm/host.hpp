// What the host of the module, engine.js, gives it: functions that the module imports.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#define LATCOVER_IMPORT(name) __attribute__((import_module("latcover"), import_name(name)))
#define LATCOVER_EXPORT(name) __attribute__((export_name(name)))

extern "C" {

// Ends the call with an error: the host throws, and forgets this instance.
LATCOVER_IMPORT("fail") [[noreturn]] void host_fail(const char* text, std::size_t length);

// Takes the answer of a call, as JSON.
LATCOVER_IMPORT("answer") void host_answer(const char* text, std::size_t length);

// Take covers in compressed rows, and a report. 0 stops the search.
LATCOVER_IMPORT("covers")
int host_covers(const std::int64_t* starts, std::size_t n_covers, const std::int32_t* options);
LATCOVER_IMPORT("progress") int host_progress(double share, double branches, double covers, double seconds);
}

namespace latcover {

// An array that the host has written.
template <typename T>
struct Given {
    const T* data;
    std::size_t size;
};

inline void answer(const std::string& json) { host_answer(json.data(), json.size()); }

}  // namespace latcover
