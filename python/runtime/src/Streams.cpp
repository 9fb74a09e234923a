//===- Streams.cpp - Streams of libraries in Python -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Library.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <new>

using namespace nanobind::literals;
namespace nb = nanobind;

namespace nnet3::python {

namespace {
struct StreamInfo : nnet3lib_stream_info {
  std::vector<nnet3lib_chunk_info> chunks;
};

/// The bytes of a stream's state.
class State {
public:
  State(const Library &library, uint64_t size)
      : library(library), size(size),
        bytes(static_cast<char *>(
            ::operator new(size, std::align_val_t(NNET3LIB_ALIGNMENT)))) {}
  State(const State &other) : State(other.library, other.size) {
    std::memcpy(bytes, other.bytes, size);
  }
  State &operator=(const State &) = delete;
  ~State() { ::operator delete(bytes, std::align_val_t(NNET3LIB_ALIGNMENT)); }

  char *data() { return bytes; }
  void init() {
    library.check("state_init", library.model->getFunctions().state_init(
                                    library.model->get(), bytes, size));
  }
  nb::bytes save() const;
  static std::unique_ptr<State> load(const Library &library, nb::bytes saved);

private:
  Library library;
  uint64_t size;
  char *bytes;
};

/// The memory to compute chunks of any number of streams.
class Stepper {
public:
  Stepper(const Library &library, int32_t numThreads);
  ~Stepper() { library.model->getFunctions().stepper_destroy(stepper); }
  Stepper(const Stepper &) = delete;
  Stepper &operator=(const Stepper &) = delete;

  /// Computes the next chunk of each stream. Returns the outputs, and for each
  /// stream None or its error.
  nb::tuple step(int32_t numFrames, const std::vector<State *> &states,
                 const std::vector<std::vector<InputMatrix>> &inputs,
                 int32_t outputRows, int32_t outputCols);

private:
  Library library;
  nnet3lib_stepper *stepper = nullptr;
};
} // namespace

static StreamInfo getStreamInfo(const Library &library) {
  const auto &functions = library.model->getFunctions();
  StreamInfo info = {};
  info.struct_size = sizeof(nnet3lib_stream_info);
  library.check("get_stream_info",
                functions.get_stream_info(library.model->get(), &info));
  for (int32_t i = 0; i < info.num_chunks; ++i) {
    nnet3lib_chunk_info chunk = {};
    chunk.struct_size = sizeof(chunk);
    library.check("get_chunk_info",
                  functions.get_chunk_info(library.model->get(), i, &chunk));
    info.chunks.push_back(chunk);
  }
  return info;
}

static std::unique_ptr<State> beginState(const Library &library) {
  auto state =
      std::make_unique<State>(library, getStreamInfo(library).state_bytes);
  state->init();
  return state;
}

nb::bytes State::save() const {
  State sealed(*this);
  library.check("state_seal", library.model->getFunctions().state_seal(
                                  library.model->get(), sealed.bytes));
  return nb::bytes(sealed.bytes, size);
}

std::unique_ptr<State> State::load(const Library &library, nb::bytes saved) {
  auto state = std::make_unique<State>(library, saved.size());
  std::memcpy(state->bytes, saved.c_str(), saved.size());
  library.check("state_check",
                library.model->getFunctions().state_check(
                    library.model->get(), state->bytes, state->size));
  return state;
}

Stepper::Stepper(const Library &library, int32_t numThreads)
    : library(library) {
  char message[512] = "";
  nnet3lib_instance_options options = {};
  options.struct_size = sizeof(options);
  options.num_threads = numThreads;
  options.message = message;
  options.message_size = sizeof(message);
  library.check("stepper_create",
                library.model->getFunctions().stepper_create(
                    library.model->get(), &options, &stepper),
                message);
}

nb::tuple Stepper::step(int32_t numFrames, const std::vector<State *> &states,
                        const std::vector<std::vector<InputMatrix>> &inputs,
                        int32_t outputRows, int32_t outputCols) {
  if (states.size() != inputs.size())
    throw Error("expects inputs for " + std::to_string(states.size()) +
                " streams, but got " + std::to_string(inputs.size()));
  const size_t count = states.size();
  std::vector<std::vector<nnet3lib_input>> given(count);
  std::vector<nnet3lib_output> described(count);
  std::vector<nnet3lib_step> steps(count);
  nb::list outputs, errors;
  for (size_t i = 0; i < count; ++i) {
    for (const InputMatrix &input : inputs[i])
      given[i].push_back(describe(input));
    OutputMatrix output = makeMatrix<float>(outputRows, outputCols);
    described[i] = describeOutput(output);
    outputs.append(output);
    steps[i] = {states[i]->data(), given[i].data(), &described[i],
                static_cast<int32_t>(given[i].size()), NNET3LIB_OK};
  }
  nnet3lib_status status;
  {
    nb::gil_scoped_release release;
    status = library.model->getFunctions().stepper_step_batch(
        stepper, numFrames, steps.data(), static_cast<int32_t>(count));
  }
  bool hasError = false;
  for (const nnet3lib_step &step : steps) {
    hasError |= step.status != NNET3LIB_OK;
    if (step.status == NNET3LIB_OK)
      errors.append(nb::none());
    else
      errors.append(library.model->getFunctions().error_text(step.status));
  }
  if (!hasError) // an error of the call, not of a stream
    library.check("stepper_step_batch", status);
  return nb::make_tuple(outputs, errors);
}

void bindStreams(nb::module_ &module) {
  nb::class_<nnet3lib_chunk_info>(module, "ChunkInfo")
      .def_ro("num_frames", &nnet3lib_chunk_info::num_frames)
      .def_ro("can_begin", &nnet3lib_chunk_info::can_begin)
      .def_ro("first_input_rows", &nnet3lib_chunk_info::first_input_rows)
      .def_ro("first_ivector_rows", &nnet3lib_chunk_info::first_ivector_rows)
      .def_ro("next_input_rows", &nnet3lib_chunk_info::next_input_rows)
      .def_ro("next_ivector_rows", &nnet3lib_chunk_info::next_ivector_rows)
      .def_ro("output_rows", &nnet3lib_chunk_info::output_rows);
  nb::class_<StreamInfo>(module, "StreamInfo")
      .def_ro("chunks", &StreamInfo::chunks)
      .def_ro("left_context", &StreamInfo::left_context)
      .def_ro("right_context", &StreamInfo::right_context)
      .def_ro("frame_subsampling_factor", &StreamInfo::frame_subsampling_factor)
      .def_ro("ivector_period", &StreamInfo::ivector_period)
      .def_ro("depends_on_chunks", &StreamInfo::depends_on_chunks)
      .def_ro("depends_on_end", &StreamInfo::depends_on_end)
      .def_ro("input_dim", &StreamInfo::input_dim)
      .def_ro("ivector_dim", &StreamInfo::ivector_dim)
      .def_ro("output_dim", &StreamInfo::output_dim)
      .def_ro("state_bytes", &StreamInfo::state_bytes)
      .def_prop_ro("batch_sizes", [](const StreamInfo &info) {
        return std::vector<int32_t>(info.batch_sizes,
                                    info.batch_sizes + info.num_batch_sizes);
      });
  module.def("stream_info", getStreamInfo, "library"_a);
  nb::class_<State>(module, "State")
      .def_static("begin", beginState, "library"_a)
      .def_static("load", &State::load, "library"_a, "saved"_a)
      .def("copy", [](const State &self) { return new State(self); })
      .def("save", &State::save);
  nb::class_<Stepper>(module, "Stepper")
      .def(nb::init<const Library &, int32_t>(), "library"_a,
           "num_threads"_a = 1)
      .def("step", &Stepper::step, "num_frames"_a, "states"_a, "inputs"_a,
           "output_rows"_a, "output_cols"_a);
}

} // namespace nnet3::python
