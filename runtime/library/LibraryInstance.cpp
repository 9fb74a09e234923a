//===- LibraryInstance.cpp - Instances and their runs ---------------------===//

#include "LibraryInstance.h"
#include "cpu/RowCommands.h"

#include <cstdlib>
#include <new>

using namespace nnet3::runtime;

namespace nnet3 {
namespace runtime {

static uint64_t arenaBytes(const LibraryRequest &request) {
  return alignInstance(request.arenaFloats * sizeof(float));
}

uint64_t instanceBytes(const nnet3lib_model &model,
                       const LibraryRequest &request) {
  return alignInstance(sizeof(nnet3lib_instance)) + arenaBytes(request) +
         alignInstance(model.scratchBytes);
}

} // namespace runtime
} // namespace nnet3

bool nnet3lib_instance::contains(const ConstMatrixView &view) const {
  const auto begin = reinterpret_cast<uintptr_t>(arena);
  const auto at = reinterpret_cast<uintptr_t>(view.data);
  if (at < begin || (at - begin) % sizeof(float) != 0)
    return false;
  const uint64_t offset = (at - begin) / sizeof(float);
  const auto rows = static_cast<uint64_t>(view.rows),
             cols = static_cast<uint64_t>(view.cols);
  return offset <= request->arenaFloats &&
         cols <= request->arenaFloats - offset && view.stride >= view.cols &&
         rows - 1 <= (request->arenaFloats - offset - cols) /
                         static_cast<uint64_t>(view.stride);
}

/// An instance in memory that is large enough and aligned.
static nnet3lib_instance *makeInstance(const nnet3lib_model &model,
                                       const LibraryRequest &request,
                                       void *memory, bool ownsMemory) {
  auto *instance = new (memory) nnet3lib_instance;
  auto *arena =
      static_cast<char *>(memory) + alignInstance(sizeof(nnet3lib_instance));
  instance->model = &model;
  instance->request = &request;
  instance->arena = reinterpret_cast<float *>(arena);
  instance->scratch = arena + arenaBytes(request);
  instance->ownsMemory = ownsMemory;
  model.retain();
  return instance;
}

static const LibraryRequest *findRequest(const nnet3lib_model &model,
                                         int32_t index) {
  return index >= 0 && static_cast<size_t>(index) < model.requests.size()
             ? &model.requests[index]
             : nullptr;
}

/// The threads that the options ask for; null for one.
static nnet3lib_status makePool(const nnet3lib_instance_options *options,
                                std::unique_ptr<ThreadPool> &pool) {
  if (!options)
    return NNET3LIB_OK;
  if (options->struct_size < sizeof(*options))
    return NNET3LIB_WRONG_VERSION;
  const int32_t numThreads = options->num_threads;
  if (numThreads < 0 || numThreads > NNET3LIB_MAX_THREADS)
    return NNET3LIB_NO_THREADS;
  if (numThreads > 1)
    pool = ThreadPool::create(numThreads);
  return numThreads <= 1 || pool ? NNET3LIB_OK : NNET3LIB_NO_THREADS;
}

nnet3lib_status
nnet3lib_instance_create_with(const nnet3lib_model *model, int32_t request,
                              const nnet3lib_instance_options *options,
                              nnet3lib_instance **instance) {
  if (!instance)
    return NNET3LIB_NULL_ARGUMENT;
  *instance = nullptr;
  if (!model)
    return NNET3LIB_NULL_ARGUMENT;
  const LibraryRequest *found = findRequest(*model, request);
  if (!found)
    return NNET3LIB_NO_SUCH_REQUEST;
  std::unique_ptr<ThreadPool> pool;
  if (const nnet3lib_status status = makePool(options, pool))
    return status;
  void *memory =
      std::aligned_alloc(NNET3LIB_ALIGNMENT, instanceBytes(*model, *found));
  if (!memory)
    return NNET3LIB_OUT_OF_MEMORY;
  *instance = makeInstance(*model, *found, memory, /*ownsMemory=*/true);
  (*instance)->pool = pool.release();
  (*instance)->seed = options ? options->seed : 0;
  return NNET3LIB_OK;
}

nnet3lib_status nnet3lib_instance_create(const nnet3lib_model *model,
                                         int32_t request,
                                         nnet3lib_instance **instance) {
  return nnet3lib_instance_create_with(model, request, nullptr, instance);
}

nnet3lib_status nnet3lib_instance_create_in(const nnet3lib_model *model,
                                            int32_t request, void *memory,
                                            uint64_t size,
                                            nnet3lib_instance **instance) {
  if (!instance)
    return NNET3LIB_NULL_ARGUMENT;
  *instance = nullptr;
  if (!model || !memory)
    return NNET3LIB_NULL_ARGUMENT;
  const LibraryRequest *found = findRequest(*model, request);
  if (!found)
    return NNET3LIB_NO_SUCH_REQUEST;
  if (reinterpret_cast<uintptr_t>(memory) % NNET3LIB_ALIGNMENT != 0)
    return NNET3LIB_MISALIGNED;
  if (size < instanceBytes(*model, *found))
    return NNET3LIB_MEMORY_TOO_SMALL;
  *instance = makeInstance(*model, *found, memory, /*ownsMemory=*/false);
  return NNET3LIB_OK;
}

void nnet3lib_instance_destroy(nnet3lib_instance *instance) {
  if (!instance)
    return;
  const nnet3lib_model *model = instance->model;
  delete instance->pool;
  if (instance->ownsMemory)
    std::free(instance);
  model->release();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static MatrixView viewOf(const nnet3lib_instance &instance,
                         const PlacedMatrix &matrix) {
  return MatrixView(instance.arena + matrix.offset, matrix.info.rows,
                    matrix.info.cols, matrix.stride);
}

/// Whether \p given, an input or an output, fits the signature.
template <typename Given>
static bool fits(const Given &given, const PlacedMatrix &matrix) {
  return given.rows == matrix.info.rows && given.cols == matrix.info.cols &&
         (!given.data || given.stride >= given.cols);
}

static nnet3lib_status checkRun(const LibraryRequest &request,
                                const nnet3lib_input *inputs, int32_t numInputs,
                                const nnet3lib_output *outputs,
                                int32_t numOutputs) {
  if ((!inputs && numInputs != 0) || (!outputs && numOutputs != 0))
    return NNET3LIB_NULL_ARGUMENT;
  if (static_cast<size_t>(numInputs) != request.inputs.size() ||
      (outputs && static_cast<size_t>(numOutputs) != request.outputs.size()))
    return NNET3LIB_WRONG_DIMS;
  for (int32_t i = 0; i < numInputs; ++i) {
    if (!inputs[i].data)
      return NNET3LIB_NULL_ARGUMENT;
    if (!fits(inputs[i], request.inputs[i]))
      return NNET3LIB_WRONG_DIMS;
  }
  for (int32_t i = 0; i < numOutputs; ++i)
    if (!fits(outputs[i], request.outputs[i]))
      return NNET3LIB_WRONG_DIMS;
  return NNET3LIB_OK;
}

nnet3lib_status nnet3lib_instance_run(nnet3lib_instance *instance,
                                      const nnet3lib_input *inputs,
                                      int32_t numInputs,
                                      const nnet3lib_output *outputs,
                                      int32_t numOutputs) {
  if (!instance)
    return NNET3LIB_NULL_ARGUMENT;
  const LibraryRequest &request = *instance->request;
  if (const nnet3lib_status status =
          checkRun(request, inputs, numInputs, outputs, numOutputs))
    return status;
  instance->hasOutputs = false;
  for (int32_t i = 0; i < numInputs; ++i)
    copyMatrix(viewOf(*instance, request.inputs[i]),
               ConstMatrixView(inputs[i].data, inputs[i].rows, inputs[i].cols,
                               inputs[i].stride),
               1.0f);
  request.run(instance->arena,
              reinterpret_cast<const float *>(instance->model->weights.data),
              instance);
  ++instance->numRuns;
  if (instance->isDamaged)
    return NNET3LIB_DAMAGED;
  instance->hasOutputs = true;
  for (int32_t i = 0; i < numOutputs; ++i)
    if (outputs[i].data)
      copyMatrix(MatrixView(outputs[i].data, outputs[i].rows, outputs[i].cols,
                            outputs[i].stride),
                 viewOf(*instance, request.outputs[i]), 1.0f);
  return NNET3LIB_OK;
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
  *data = instance->arena + outputs[index].offset;
  if (stride)
    *stride = outputs[index].stride;
  return NNET3LIB_OK;
}
