//===- LibraryCalls.cpp - Calls of a library, right and wrong -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryCalls.h"
#include "demo_code.h"
#include "test/support/CallChoices.h"

#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static void write(const std::string &path, const std::vector<char> &bytes) {
  FILE *file = std::fopen(path.c_str(), "wb");
  require(file &&
              std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size(),
          "cannot write the weights");
  std::fclose(file);
}

WeightsFiles::WeightsFiles(const std::string &folder)
    : whole(folder + "/nnet3_calls_whole"),
      shortened(folder + "/nnet3_calls_short"),
      damaged(folder + "/nnet3_calls_damaged") {
  const auto *begin = static_cast<const char *>(demo_image.weights);
  std::vector<char> bytes(begin, begin + demo_image.weights_size);
  write(whole, bytes);
  bytes[bytes.size() / 2] ^= 0x20;
  write(damaged, bytes);
  bytes.pop_back();
  write(shortened, bytes);
}

WeightsFiles::~WeightsFiles() {
  for (const std::string *path : {&whole, &shortened, &damaged})
    std::remove(path->c_str());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {

/// An instance, and its memory where that is of the caller.
struct Held {
  nnet3lib_instance *instance = nullptr;
  std::unique_ptr<Memory> memory;
};

/// The state between calls.
class Caller {
public:
  Caller(const uint8_t *data, size_t size, const WeightsFiles &files,
         StatusCounts &counts)
      : choices(data, size), files(files), counts(counts) {}
  ~Caller();
  void makeAll();

private:
  nnet3lib_status note(nnet3lib_status status);
  void makeOne();
  void openModel();
  const char *choosePath();
  void askAboutModel();
  void askForTarget();
  void tune();
  void askAboutRequest();
  void askForRequest();
  void askAboutMatrix();
  void create();
  void createIn();
  void run();
  void askForOutput();
  void stream();
  nnet3lib_model *model() { return models[choices.below(models.size())]; }
  Held &held() { return instances[choices.below(instances.size())]; }
  int32_t request() { return choices.mostly<int32_t>(0, {1, 2, -1}); }
  template <typename Info> std::unique_ptr<Memory> makeInfo();
  static void destroy(Held &held);

  Choices choices;
  const WeightsFiles &files;
  StatusCounts &counts;
  /// The last ones stay null.
  std::array<nnet3lib_model *, 3> models = {};
  std::array<Held, 4> instances;
};

} // namespace

Caller::~Caller() {
  for (Held &one : instances)
    destroy(one);
  for (nnet3lib_model *one : models)
    nnet3lib_model_close(one);
}

void Caller::destroy(Held &held) {
  nnet3lib_instance_destroy(held.instance);
  held.instance = nullptr;
  held.memory.reset();
}

nnet3lib_status Caller::note(nnet3lib_status status) {
  require(status >= 0 && status <= NNET3LIB_WRONG_STATE, "unknown status");
  ++counts[status];
  return status;
}

/// A struct of the size that it claims; null for size 0.
template <typename Info> std::unique_ptr<Memory> Caller::makeInfo() {
  const auto size = choices.mostly<uint8_t>(
      sizeof(Info), {0, 4, sizeof(Info) - 1, sizeof(Info) + 16});
  if (size < sizeof(uint32_t))
    return nullptr;
  auto memory = std::make_unique<Memory>(size);
  *memory->as<uint32_t>() = size;
  return memory;
}

const char *Caller::choosePath() {
  switch (choices.below(8)) {
  case 0:
    return files.whole.c_str();
  case 1:
    return files.shortened.c_str();
  case 2:
    return files.damaged.c_str();
  case 3:
    return "/nowhere/at/all";
  case 4:
    return "/";
  default:
    return nullptr;
  }
}

void Caller::openModel() {
  nnet3lib_model *&slot = models[choices.below(models.size() - 1)];
  nnet3lib_model_close(slot);
  slot = nullptr;
  nnet3lib_image image = demo_image;
  if (choices.once(4)) {
    image.weights = nullptr;
    image.weights_size = 0;
  }
  image.version = choices.mostly<uint32_t>(NNET3LIB_IMAGE_VERSION);
  const uint64_t messageSize = choices.below(64);
  const Memory message(messageSize);
  nnet3lib_open_options options = {};
  options.struct_size =
      choices.mostly<uint32_t>(sizeof(options), {0, 8, sizeof(options) - 1});
  options.weights_path = choosePath();
  options.message = choices.once(4) ? nullptr : message.as<char>();
  options.message_size = messageSize;
  nnet3lib_model *opened = nullptr;
  const nnet3lib_status status = note(nnet3lib_model_open_image(
      choices.mostly<uint32_t>(NNET3LIB_ABI_VERSION, {0, 1}),
      choices.once(3) ? nullptr : &options,
      choices.once(16) ? nullptr : &opened,
      choices.once(16) ? nullptr : &image));
  require((status == NNET3LIB_OK) == (opened != nullptr), "model and status");
  slot = opened;
}

void Caller::askAboutModel() {
  const auto info = makeInfo<nnet3lib_model_info>();
  if (note(nnet3lib_get_model_info(
          model(), info ? info->as<nnet3lib_model_info>() : nullptr)) ==
      NNET3LIB_OK)
    require(std::strlen(info->as<nnet3lib_model_info>()->network) > 0,
            "no name of the network");
}

void Caller::askForTarget() {
  const char *target = nullptr;
  if (note(nnet3lib_get_target(model(), choices.once(4) ? nullptr : &target)) ==
      NNET3LIB_OK)
    require(std::strcmp(target, "cpu") == 0, "another target");
}

/// A library for the CPU has nothing to tune.
void Caller::tune() {
  const auto info = makeInfo<nnet3lib_tuning_info>();
  if (note(nnet3lib_get_tuning_info(
          model(), info ? info->as<nnet3lib_tuning_info>() : nullptr)) ==
      NNET3LIB_OK)
    require(info->as<nnet3lib_tuning_info>()->bytes == 0, "room for tuning");
  const Memory memory(choices.below(64));
  nnet3lib_instance_options options = {};
  options.struct_size =
      choices.mostly<uint32_t>(sizeof(options), {0, 4, sizeof(options) - 1});
  require(note(nnet3lib_tune(model(), choices.once(4) ? nullptr : &options,
                             choices.once(4) ? nullptr : memory.as<char>(),
                             64)) != NNET3LIB_OK,
          "something to tune");
}

void Caller::askAboutRequest() {
  const auto info = makeInfo<nnet3lib_request_info>();
  note(nnet3lib_get_request_info(
      model(), request(), info ? info->as<nnet3lib_request_info>() : nullptr));
}

void Caller::askForRequest() {
  const char *const names[] = {"chunk", "single", "", "chunks", nullptr};
  int32_t number = 0;
  note(nnet3lib_find_request(model(), names[choices.below(5)],
                             choices.once(8) ? nullptr : &number));
}

void Caller::askAboutMatrix() {
  const auto memory = makeInfo<nnet3lib_matrix_info>();
  auto *info = memory ? memory->as<nnet3lib_matrix_info>() : nullptr;
  auto *ask =
      choices.once(2) ? nnet3lib_get_input_info : nnet3lib_get_output_info;
  const int32_t index = choices.mostly<int32_t>(0, {1, 2, -1});
  if (note(ask(model(), request(), index, info)) != NNET3LIB_OK)
    return;
  int64_t sum = 0;
  for (const int32_t *list : {info->n, info->t, info->x})
    for (int32_t row = 0; list && row < info->rows; ++row)
      sum += list[row];
  require(std::strlen(info->name) > 0 && sum < 100, "wrong signature");
}

void Caller::create() {
  Held &slot = instances[choices.below(instances.size() - 1)];
  destroy(slot);
  nnet3lib_instance_options options = {};
  options.struct_size =
      choices.mostly<uint32_t>(sizeof(options), {0, 4, sizeof(options) - 1});
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  const int32_t numThreads[] = {0, 1, 2, 3, -1, 257, kMax, -kMax - 1};
  options.num_threads = numThreads[choices.below(8)];
  options.seed = choices.byte();
  nnet3lib_instance **created = choices.once(16) ? nullptr : &slot.instance;
  const nnet3lib_status status = note(
      choices.once(2) ? nnet3lib_instance_create(model(), request(), created)
                      : nnet3lib_instance_create_with(
                            model(), request(),
                            choices.once(4) ? nullptr : &options, created));
  require((status == NNET3LIB_OK) == (slot.instance != nullptr),
          "instance and status");
}

void Caller::createIn() {
  Held &slot = instances[choices.below(instances.size() - 1)];
  destroy(slot);
  nnet3lib_request_info about = {};
  about.struct_size = sizeof(about);
  nnet3lib_model *const of = model();
  const int32_t number = request();
  nnet3lib_get_request_info(of, number, &about);
  const uint64_t needed = about.instance_bytes;
  const auto size =
      choices.mostly<uint16_t>(static_cast<uint16_t>(needed),
                               {0, 1, 64, static_cast<uint16_t>(needed - 1),
                                static_cast<uint16_t>(needed + 100)});
  const uint64_t shift = choices.mostly<uint8_t>(0, {1, 4, 16, 32, 64});
  slot.memory = std::make_unique<Memory>(size, 64, shift);
  const nnet3lib_status status = note(nnet3lib_instance_create_in(
      of, number, choices.once(16) ? nullptr : slot.memory->get(), size,
      choices.once(16) ? nullptr : &slot.instance));
  require((status == NNET3LIB_OK) == (slot.instance != nullptr),
          "instance and status");
}

void Caller::run() {
  // Right for request 0 unless chosen to be wrong. Memory exists for all dims
  // that are claimed to be right.
  const Memory in(sizeof(float) * 3 * 8), hidden(sizeof(float) * 3 * 8),
      out(sizeof(float) * 2 * 8);
  auto number = [&](int32_t right) {
    return choices.mostly<int32_t>(right, {0, 1, -1, right + 1});
  };
  auto stride = [&](int64_t right) {
    return choices.mostly<int64_t>(right, {8, 0, -right, right - 1});
  };
  auto fill = [&](auto &matrix, const Memory &memory, int32_t rows,
                  int32_t cols) {
    matrix.data = choices.once(16) ? nullptr : memory.as<float>();
    matrix.rows = number(rows);
    matrix.cols = number(cols);
    matrix.stride = stride(cols);
    // A stride that fits cannot be checked, so it must be true.
    if (matrix.stride > 8)
      matrix.stride = 8;
  };
  nnet3lib_input input;
  nnet3lib_output outputs[2];
  fill(input, in, 3, 4);
  fill(outputs[0], hidden, 3, 5);
  fill(outputs[1], out, 2, 2);
  nnet3lib_instance *const instance = held().instance;
  const nnet3lib_input *const inputs = choices.once(16) ? nullptr : &input;
  const nnet3lib_output *const wanted = choices.once(8) ? nullptr : outputs;
  const int32_t numInputs = number(1), numOutputs = number(2);
  switch (choices.below(6)) {
  case 0:
    note(nnet3lib_instance_submit(instance, inputs, numInputs));
    return;
  case 1:
    note(nnet3lib_instance_wait(instance, wanted, numOutputs));
    return;
  case 2:
    note(nnet3lib_instance_submit_on_device(instance, inputs, numInputs, wanted,
                                            numOutputs));
    return;
  default:
    note(
        nnet3lib_instance_run(instance, inputs, numInputs, wanted, numOutputs));
  }
}

void Caller::askForOutput() {
  const float *data = nullptr;
  int64_t stride = 0;
  const nnet3lib_status status = note(nnet3lib_instance_get_output(
      held().instance, choices.mostly<int32_t>(0, {1, 2, -1}),
      choices.once(16) ? nullptr : &data, choices.once(8) ? nullptr : &stride));
  require((status == NNET3LIB_OK) == (data != nullptr), "output and status");
  volatile float first = data ? data[0] : 0;
  (void)first;
}

/// The library does not support streams: all calls are errors.
void Caller::stream() {
  const auto info = makeInfo<nnet3lib_stream_info>();
  const auto chunk = makeInfo<nnet3lib_chunk_info>();
  note(nnet3lib_get_stream_info(model(), info ? info->as<nnet3lib_stream_info>()
                                              : nullptr));
  note(nnet3lib_get_chunk_info(
      model(), request(), chunk ? chunk->as<nnet3lib_chunk_info>() : nullptr));
  const uint64_t size = choices.below(256);
  const Memory memory(size, 64, choices.mostly<uint8_t>(0, {1, 4, 32}));
  void *const state = choices.once(8) ? nullptr : memory.get();
  for (const nnet3lib_status status :
       {nnet3lib_state_init(model(), state, size),
        nnet3lib_state_seal(model(), state),
        nnet3lib_state_check(model(), state, size)})
    require(note(status) != NNET3LIB_OK, "a state of no stream");
  nnet3lib_stepper *stepper = nullptr;
  note(nnet3lib_stepper_create(model(), nullptr,
                               choices.once(8) ? nullptr : &stepper));
  require(!stepper, "a stepper of no stream");
  note(nnet3lib_stepper_step(stepper, state, 1, nullptr, 0, nullptr));
  nnet3lib_step step = {state, nullptr, nullptr, 0, NNET3LIB_OK};
  require(note(nnet3lib_stepper_step_batch(
              stepper, 1, choices.once(2) ? nullptr : &step, 1)) != NNET3LIB_OK,
          "a step of no stream");
  nnet3lib_stepper_destroy(stepper);
}

void Caller::makeOne() {
  switch (choices.below(19)) {
  case 0:
    return openModel();
  case 1: {
    nnet3lib_model *&slot = models[choices.below(models.size())];
    nnet3lib_model_close(slot);
    slot = nullptr;
    return;
  }
  case 2:
    return askAboutModel();
  case 3:
    return askAboutRequest();
  case 4:
    return askForRequest();
  case 5:
  case 6:
    return askAboutMatrix();
  case 7:
  case 8:
    return create();
  case 9:
    return createIn();
  case 10:
    require(nnet3lib_error_text(choices.mostly<int32_t>(0)), "no text");
    return;
  case 11:
    return destroy(held());
  case 12:
    return askForOutput();
  case 13:
    return askForTarget();
  case 14:
    return tune();
  case 15:
    return stream();
  default:
    return run();
  }
}

void Caller::makeAll() {
  while (!choices.isOver())
    makeOne();
}

void makeCalls(const uint8_t *data, size_t size, const WeightsFiles &files,
               StatusCounts &counts) {
  Caller(data, size, files, counts).makeAll();
}

} // namespace test
} // namespace rt
} // namespace nnet3
