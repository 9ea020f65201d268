// A sink that calls Python.

#pragma once

#include <nanobind/nanobind.h>

#include <utility>

#include "cover/search.hpp"
#include "module/arrays.hpp"

namespace latcover {

// The searches run without the lock of the interpreter. This sink takes the lock for each call.
class PythonSink final : public Sink {
public:
    PythonSink(nanobind::object on_covers, nanobind::object on_progress, nanobind::object prunes = nanobind::none(),
               nanobind::object on_pause = nanobind::none())
        : on_covers_(std::move(on_covers)), on_progress_(std::move(on_progress)), prunes_(std::move(prunes)),
          on_pause_(std::move(on_pause)) {}

    bool covers(const Batch& batch) override {
        nanobind::gil_scoped_acquire lock;
        return nanobind::cast<bool>(on_covers_(as_numpy(batch.starts), as_numpy(batch.options)));
    }

    bool progress(double share, const Statistics& so_far) override {
        nanobind::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();  // Ctrl-C becomes KeyboardInterrupt
        if (on_progress_.is_none()) return true;
        return nanobind::cast<bool>(on_progress_(share, so_far.branches, so_far.covers, so_far.search_seconds));
    }

    bool prunes(const std::vector<std::int32_t>& options) override {
        nanobind::gil_scoped_acquire lock;
        return nanobind::cast<bool>(prunes_(as_numpy(options)));
    }

    std::uint64_t pause(double share, const Statistics& so_far) override {
        nanobind::gil_scoped_acquire lock;
        return nanobind::cast<std::uint64_t>(on_pause_(so_far.branches, so_far.covers, share));
    }

private:
    nanobind::object on_covers_;
    nanobind::object on_progress_;
    nanobind::object prunes_;    // none: nobody asks
    nanobind::object on_pause_;  // none: the search never pauses
};

}  // namespace latcover
