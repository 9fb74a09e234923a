//===- BlockRun.cpp - Generated code on blocks of rows --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryInstance.h"
#include "cpu/RowCommands.h"

using namespace nnet3::rt;

void nnet3::rt::runCode(nnet3lib_instance &instance) {
  instance.request->run(
      instance.arena,
      reinterpret_cast<const float *>(instance.model->weights.data),
      instance.model->rowTables.data(), &instance);
}

static void runBlock(nnet3lib_instance &instance, const nnet3lib_input *inputs,
                     int64_t block) {
  const LibraryRequest &request = *instance.request;
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const MatrixView rows = getBlockInput(instance, static_cast<int32_t>(i));
    copyMatrix(
        rows,
        ConstMatrixView(inputs->data + block * rows.rows * inputs->stride,
                        rows.rows, rows.cols, inputs->stride),
        1.0f);
    ++inputs;
  }
  runCode(instance);
  if (request.blocks == 1)
    return;
  for (size_t i = 0; i < request.outputs.size(); ++i) {
    const ConstMatrixView rows =
        getBlockOutput(instance, static_cast<int32_t>(i));
    copyMatrix(MatrixView(instance.outputs + request.outputs[i].whole +
                              block * rows.rows * rows.cols,
                          rows.rows, rows.cols, rows.cols),
               rows, 1.0f);
  }
}

namespace {
/// Runs a contiguous range of blocks on each worker. The arenas of workers
/// follow each other in memory.
struct BlocksTask final : RangeTask {
  BlocksTask(nnet3lib_instance &instance, const nnet3lib_input *inputs)
      : instance(instance), inputs(inputs) {}

  void run(int64_t begin, int64_t end) const override {
    for (int64_t worker = begin; worker < end; ++worker)
      run(worker);
  }

  void run(int64_t worker) const {
    const int64_t bytes =
        worker *
        static_cast<int64_t>(workerBytes(*instance.model, *instance.request));
    nnet3lib_instance own = instance;
    own.pool = nullptr;
    own.arena = reinterpret_cast<float *>(
        reinterpret_cast<char *>(instance.arena) + bytes);
    own.scratch = static_cast<char *>(instance.scratch) + bytes;
    const int64_t blocks = instance.request->blocks;
    for (int64_t block = worker * blocks / instance.numWorkers;
         block < (worker + 1) * blocks / instance.numWorkers; ++block)
      runBlock(own, inputs, block);
    if (own.isDamaged)
      isDamaged = true;
  }

  nnet3lib_instance &instance;
  const nnet3lib_input *inputs;
  mutable std::atomic<bool> isDamaged{false};
};
} // namespace

void nnet3::rt::runBlocks(nnet3lib_instance &instance,
                          const nnet3lib_input *inputs) {
  if (instance.numWorkers == 1) {
    for (int64_t block = 0; block < instance.request->blocks; ++block)
      runBlock(instance, inputs, block);
    return;
  }
  const BlocksTask task(instance, inputs);
  instance.pool->run(task, instance.numWorkers);
  instance.isDamaged |= task.isDamaged;
}
