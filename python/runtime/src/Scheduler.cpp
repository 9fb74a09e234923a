//===- Scheduler.cpp - The scheduler in Python ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Library.h"
#include "nnet3/runtime/nnet3_scheduler.h"
#include "scheduler/SchedulerApi.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cstring>

using namespace nanobind::literals;
namespace nb = nanobind;

namespace nnet3::python {

namespace {
/// A scheduler whose threads pass the outputs to a Python function,
/// `on_result(stream, rows, is_last, error)`.
class Scheduler {
public:
  Scheduler(const Library &library, nb::callable onResult, int32_t numWorkers,
            bool pinWorkers, int32_t maxBatch, double maxWait,
            int32_t maxFrames);
  ~Scheduler() { close(); }
  Scheduler(const Scheduler &) = delete;
  Scheduler &operator=(const Scheduler &) = delete;

  uint64_t open();
  int32_t push(uint64_t stream, const InputMatrix &frames,
               std::optional<InputVector> ivector);
  void finish(uint64_t stream) {
    check("close", nnet3sc_close(scheduler, stream));
  }
  void cancel(uint64_t stream) {
    check("cancel", nnet3sc_cancel(scheduler, stream));
  }
  nb::dict metrics() const;
  void resetMetrics() {
    check("reset_metrics", nnet3sc_reset_metrics(scheduler));
  }
  nnet3sc_info info() const;
  /// Ends the threads. Releases the GIL, which they may wait for.
  void close() {
    nb::gil_scoped_release release;
    nnet3sc_destroy(scheduler);
    scheduler = nullptr;
  }

private:
  static void deliver(void *context, nnet3sc_stream stream,
                      const nnet3sc_result *result);
  void check(const char *function, nnet3sc_status status,
             const char *message = "") const;

  Library library;
  nb::callable onResult;
  nnet3sc_scheduler *scheduler = nullptr;
};
} // namespace

void Scheduler::check(const char *function, nnet3sc_status status,
                      const char *message) const {
  if (status == NNET3SC_OK)
    return;
  if (*message)
    throw Error(message);
  throw Error(std::string(function) + ": " + nnet3sc_error_text(status));
}

Scheduler::Scheduler(const Library &library, nb::callable onResult,
                     int32_t numWorkers, bool pinWorkers, int32_t maxBatch,
                     double maxWait, int32_t maxFrames)
    : library(library), onResult(std::move(onResult)) {
  char message[512] = "";
  nnet3sc_options options = {};
  options.struct_size = sizeof(options);
  options.num_workers = numWorkers;
  options.pin_workers = pinWorkers;
  options.max_batch = maxBatch;
  options.max_wait = maxWait;
  options.max_frames = maxFrames;
  options.on_result = deliver;
  options.context = this;
  options.message = message;
  options.message_size = sizeof(message);
  check("create",
        rt::createScheduler(library.model->getFunctions(), library.model->get(),
                            library.model, &options, &scheduler),
        message);
}

void Scheduler::deliver(void *context, nnet3sc_stream stream,
                        const nnet3sc_result *result) {
  auto *self = static_cast<Scheduler *>(context);
  nb::gil_scoped_acquire acquire;
  try {
    OutputMatrix rows = makeMatrix<float>(result->num_rows, result->num_cols);
    if (result->num_rows > 0)
      std::memcpy(rows.data(), result->rows,
                  sizeof(float) * result->num_rows * result->num_cols);
    nb::object error = nb::none();
    if (result->status != NNET3SC_OK)
      error = nb::str(
          self->library.model->getFunctions().error_text(result->step_status));
    self->onResult(stream, rows, result->is_last != 0, error);
  } catch (nb::python_error &error) {
    error.discard_as_unraisable("nnet3.Scheduler");
  }
}

uint64_t Scheduler::open() {
  nnet3sc_stream stream = 0;
  check("open", nnet3sc_open(scheduler, &stream));
  return stream;
}

int32_t Scheduler::push(uint64_t stream, const InputMatrix &frames,
                        std::optional<InputVector> ivector) {
  const nnet3sc_info dims = info();
  if (static_cast<int32_t>(frames.shape(1)) != dims.input_dim)
    throw Error("expects frames of " + std::to_string(dims.input_dim) +
                " columns, but got " + std::to_string(frames.shape(1)));
  if (ivector && static_cast<int32_t>(ivector->shape(0)) != dims.ivector_dim)
    throw Error("expects an i-vector of " + std::to_string(dims.ivector_dim) +
                " numbers, but got " + std::to_string(ivector->shape(0)));
  int32_t numTaken = 0;
  nnet3sc_status status;
  {
    nb::gil_scoped_release release;
    status = nnet3sc_push(scheduler, stream, frames.data(),
                          static_cast<int32_t>(frames.shape(0)),
                          ivector ? ivector->data() : nullptr, &numTaken);
  }
  if (status != NNET3SC_WOULD_BLOCK)
    check("push", status);
  return numTaken;
}

nnet3sc_info Scheduler::info() const {
  nnet3sc_info info = {};
  info.struct_size = sizeof(info);
  check("get_info", nnet3sc_get_info(scheduler, &info));
  return info;
}

nb::dict Scheduler::metrics() const {
  std::vector<uint64_t> sizes(info().max_batch);
  nnet3sc_metrics metrics = {};
  metrics.struct_size = sizeof(metrics);
  metrics.num_batch_sizes = static_cast<int32_t>(sizes.size());
  metrics.batch_sizes = sizes.data();
  check("get_metrics", nnet3sc_get_metrics(scheduler, &metrics));
  nb::dict result;
#define NNET3_METRIC(name) result[#name] = metrics.name;
  NNET3_METRIC(num_streams)
  NNET3_METRIC(num_ready)
  NNET3_METRIC(num_opened)
  NNET3_METRIC(num_ended)
  NNET3_METRIC(num_failed)
  NNET3_METRIC(num_frames)
  NNET3_METRIC(num_outputs)
  NNET3_METRIC(num_steps)
  NNET3_METRIC(num_chunks)
  NNET3_METRIC(seconds)
  NNET3_METRIC(utilisation)
  NNET3_METRIC(latency_p50)
  NNET3_METRIC(latency_p99)
  NNET3_METRIC(latency_max)
  NNET3_METRIC(delay_p50)
  NNET3_METRIC(delay_p99)
  NNET3_METRIC(delay_max)
#undef NNET3_METRIC
  result["batch_sizes"] = nb::cast(sizes);
  return result;
}

void bindScheduler(nb::module_ &module) {
  nb::class_<nnet3sc_info>(module, "SchedulerInfo")
      .def_ro("input_dim", &nnet3sc_info::input_dim)
      .def_ro("ivector_dim", &nnet3sc_info::ivector_dim)
      .def_ro("output_dim", &nnet3sc_info::output_dim)
      .def_ro("frame_subsampling_factor",
              &nnet3sc_info::frame_subsampling_factor)
      .def_ro("right_context", &nnet3sc_info::right_context)
      .def_ro("shortest_chunk", &nnet3sc_info::shortest_chunk)
      .def_ro("longest_chunk", &nnet3sc_info::longest_chunk)
      .def_ro("max_batch", &nnet3sc_info::max_batch)
      .def_ro("max_frames", &nnet3sc_info::max_frames);
  nb::class_<Scheduler>(module, "Scheduler")
      .def(nb::init<const Library &, nb::callable, int32_t, bool, int32_t,
                    double, int32_t>(),
           "library"_a, "on_result"_a, "num_workers"_a = 1,
           "pin_workers"_a = false, "max_batch"_a = 0, "max_wait"_a = 0.0,
           "max_frames"_a = 0)
      .def_prop_ro("info", &Scheduler::info)
      .def("open", &Scheduler::open)
      .def("push", &Scheduler::push, "stream"_a, "frames"_a,
           "ivector"_a.none() = nb::none(),
           "Returns how many frames there was room for.")
      .def("finish", &Scheduler::finish, "stream"_a)
      .def("cancel", &Scheduler::cancel, "stream"_a)
      .def("metrics", &Scheduler::metrics)
      .def("reset_metrics", &Scheduler::resetMetrics)
      .def("close", &Scheduler::close);
}

} // namespace nnet3::python
