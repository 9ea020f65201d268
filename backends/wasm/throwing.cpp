// What happens where the native code throws, and where memory ends.
//
// The code is compiled without unwinding: WebAssembly has two forms of it, and neither runs in all browsers and
// runtimes of today. So a throw ends the call. The host throws an error of its own, which says what the exception says.
// Nothing here
// catches: where a search goes on after a fault, the native code says so by a result.

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

#include "host.hpp"

namespace {

[[noreturn]] void fail(const char* why) { host_fail(why, std::strlen(why)); }

void* memory_or_fail(void* memory) {
    if (memory == nullptr) fail("there is not enough memory for this");
    return memory;
}

}  // namespace

// The three functions that a throw calls. Every exception of the native code derives from std::exception, its first
// base.
extern "C" {

void* __cxa_allocate_exception(std::size_t bytes) noexcept { return memory_or_fail(std::malloc(bytes)); }
void __cxa_free_exception(void* thrown) noexcept { std::free(thrown); }
void __cxa_throw(void* thrown, std::type_info*, void (*)(void*)) { fail(static_cast<std::exception*>(thrown)->what()); }
}

void* operator new(std::size_t bytes) { return memory_or_fail(std::malloc(bytes > 0 ? bytes : 1)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    const auto unit = static_cast<std::size_t>(alignment);
    return memory_or_fail(std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
