//===- LibraryRun.cpp - Runs of instances ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryInstance.h"
#include "cpu/RowCommands.h"

using namespace nnet3::rt;

/// The rows of a block in the arena.
static MatrixView getBlock(const nnet3lib_instance &instance,
                           const PlacedMatrix &matrix) {
  return MatrixView(instance.arena + matrix.offset,
                    matrix.info.rows / instance.request->blocks,
                    matrix.info.cols, matrix.stride);
}

MatrixView nnet3::rt::getBlockInput(nnet3lib_instance &instance,
                                    int32_t index) {
  return instance.backend ? instance.backend->getInput(index)
                          : getBlock(instance, instance.request->inputs[index]);
}

ConstMatrixView nnet3::rt::getBlockOutput(const nnet3lib_instance &instance,
                                          int32_t index) {
  if (instance.backend)
    return instance.backend->getOutput(index);
  return getBlock(instance, instance.request->outputs[index]);
}

static ConstMatrixView getOutput(const nnet3lib_instance &instance,
                                 int32_t index) {
  const PlacedMatrix &output = instance.request->outputs[index];
  if (instance.request->blocks > 1)
    return ConstMatrixView(instance.outputs + output.whole, output.info.rows,
                           output.info.cols, output.info.cols);
  return getBlockOutput(instance, index);
}

/// Whether \p given, an input or an output, matches the signature.
template <typename Given>
static bool fits(const Given &given, const PlacedMatrix &matrix) {
  return given.rows == matrix.info.rows && given.cols == matrix.info.cols &&
         (!given.data || given.stride >= given.cols);
}

static nnet3lib_status checkInputs(const LibraryRequest &request,
                                   const nnet3lib_input *inputs,
                                   int32_t numInputs) {
  if (!inputs && numInputs != 0)
    return NNET3LIB_NULL_ARGUMENT;
  if (static_cast<size_t>(numInputs) != request.inputs.size())
    return NNET3LIB_WRONG_DIMS;
  for (int32_t i = 0; i < numInputs; ++i) {
    if (!inputs[i].data)
      return NNET3LIB_NULL_ARGUMENT;
    if (!fits(inputs[i], request.inputs[i]))
      return NNET3LIB_WRONG_DIMS;
  }
  return NNET3LIB_OK;
}

static nnet3lib_status checkOutputs(const LibraryRequest &request,
                                    const nnet3lib_output *outputs,
                                    int32_t numOutputs) {
  if (!outputs)
    return numOutputs ? NNET3LIB_NULL_ARGUMENT : NNET3LIB_OK;
  if (static_cast<size_t>(numOutputs) != request.outputs.size())
    return NNET3LIB_WRONG_DIMS;
  for (int32_t i = 0; i < numOutputs; ++i)
    if (!fits(outputs[i], request.outputs[i]))
      return NNET3LIB_WRONG_DIMS;
  return NNET3LIB_OK;
}

/// Restarts the threads of an instance in the child of a fork(). The pool of
/// the parent leaks: its threads do not exist here, and its lock may be held.
static nnet3lib_status renewPool(nnet3lib_instance &instance) {
  if (!instance.pool || instance.pool->isHere())
    return NNET3LIB_OK;
  auto pool = ThreadPool::create(instance.pool->numThreads());
  if (!pool)
    return NNET3LIB_NO_THREADS;
  instance.pool = pool.release();
  return NNET3LIB_OK;
}

/// Runs generated code, or starts a run of the backend.
static nnet3lib_status begin(nnet3lib_instance &instance,
                             const nnet3lib_input *inputs) {
  if (const nnet3lib_status status = renewPool(instance))
    return status;
  instance.isSubmitted = true;
  if (instance.backend) {
    for (size_t i = 0; i < instance.request->inputs.size(); ++i)
      copyMatrix(getBlockInput(instance, int32_t(i)),
                 ConstMatrixView(inputs[i].data, inputs[i].rows, inputs[i].cols,
                                 inputs[i].stride),
                 1.0f);
    return instance.backend->submit();
  }
  runBlocks(instance, inputs);
  ++instance.numRuns;
  return instance.isDamaged ? NNET3LIB_DAMAGED : NNET3LIB_OK;
}

nnet3lib_status nnet3::rt::runInPlace(nnet3lib_instance &instance) {
  if (const nnet3lib_status status = renewPool(instance))
    return status;
  if (instance.backend) {
    const nnet3lib_status status = instance.backend->submit();
    return status == NNET3LIB_OK ? instance.backend->wait() : status;
  }
  runCode(instance);
  return instance.isDamaged ? NNET3LIB_DAMAGED : NNET3LIB_OK;
}

nnet3lib_status nnet3lib_instance_submit(nnet3lib_instance *instance,
                                         const nnet3lib_input *inputs,
                                         int32_t numInputs) {
  if (!instance)
    return NNET3LIB_NULL_ARGUMENT;
  if (const nnet3lib_status status =
          checkInputs(*instance->request, inputs, numInputs))
    return status;
  if (instance->isSubmitted)
    return NNET3LIB_BUSY;
  instance->hasOutputs = false;
  const nnet3lib_status status = begin(*instance, inputs);
  instance->isSubmitted = status == NNET3LIB_OK;
  return status;
}

nnet3lib_status nnet3lib_instance_submit_on_device(
    nnet3lib_instance *instance, const nnet3lib_input *inputs,
    int32_t numInputs, const nnet3lib_output *outputs, int32_t numOutputs) {
  if (!instance)
    return NNET3LIB_NULL_ARGUMENT;
  if (!instance->backend)
    return NNET3LIB_NO_DEVICE;
  if (const nnet3lib_status status =
          checkInputs(*instance->request, inputs, numInputs))
    return status;
  if (const nnet3lib_status status =
          checkOutputs(*instance->request, outputs, numOutputs))
    return status;
  if (instance->isSubmitted)
    return NNET3LIB_BUSY;
  instance->hasOutputs = false;
  return instance->backend->submitOnDevice(inputs, outputs);
}

/// Waits for a started run, if there is one.
static nnet3lib_status finish(nnet3lib_instance &instance) {
  const bool isSubmitted = instance.isSubmitted;
  instance.isSubmitted = false;
  if (instance.backend)
    if (const nnet3lib_status status = instance.backend->wait())
      return status;
  instance.hasOutputs |= isSubmitted;
  return NNET3LIB_OK;
}

nnet3lib_status nnet3lib_instance_wait(nnet3lib_instance *instance,
                                       const nnet3lib_output *outputs,
                                       int32_t numOutputs) {
  if (!instance)
    return NNET3LIB_NULL_ARGUMENT;
  if (const nnet3lib_status status =
          checkOutputs(*instance->request, outputs, numOutputs))
    return status;
  if (const nnet3lib_status status = finish(*instance))
    return status;
  if (outputs && !instance->hasOutputs)
    return NNET3LIB_NOT_READY;
  for (int32_t i = 0; i < numOutputs; ++i)
    if (outputs[i].data)
      copyMatrix(MatrixView(outputs[i].data, outputs[i].rows, outputs[i].cols,
                            outputs[i].stride),
                 getOutput(*instance, i), 1.0f);
  return NNET3LIB_OK;
}

nnet3lib_status nnet3lib_instance_run(nnet3lib_instance *instance,
                                      const nnet3lib_input *inputs,
                                      int32_t numInputs,
                                      const nnet3lib_output *outputs,
                                      int32_t numOutputs) {
  if (!instance)
    return NNET3LIB_NULL_ARGUMENT;
  // Check the outputs first, so that errors compute nothing.
  nnet3lib_status status =
      checkOutputs(*instance->request, outputs, numOutputs);
  if (status == NNET3LIB_OK)
    status = nnet3lib_instance_submit(instance, inputs, numInputs);
  if (status == NNET3LIB_OK)
    status = nnet3lib_instance_wait(instance, outputs, numOutputs);
  return status;
}

nnet3lib_status nnet3lib_instance_get_output(const nnet3lib_instance *instance,
                                             int32_t index, const float **data,
                                             int64_t *stride) {
  if (!data)
    return NNET3LIB_NULL_ARGUMENT;
  *data = nullptr;
  if (!instance)
    return NNET3LIB_NULL_ARGUMENT;
  const auto &outputs = instance->request->outputs;
  if (index < 0 || static_cast<size_t>(index) >= outputs.size())
    return NNET3LIB_NO_SUCH_MATRIX;
  if (!instance->hasOutputs)
    return NNET3LIB_NOT_READY;
  const ConstMatrixView view = getOutput(*instance, index);
  *data = view.data;
  if (stride)
    *stride = view.stride;
  return NNET3LIB_OK;
}
