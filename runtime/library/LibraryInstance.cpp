//===- LibraryInstance.cpp - Instances ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryInstance.h"
#include "nnet3/runtime/AlignedMemory.h"

#include <cstddef>
#include <cstdlib>
#include <new>

using namespace nnet3::rt;

namespace nnet3 {
namespace rt {

static uint64_t arenaBytes(const LibraryRequest &request) {
  return alignInstance(request.arenaFloats * sizeof(float));
}

uint64_t workerBytes(const nnet3lib_model &model,
                     const LibraryRequest &request) {
  return arenaBytes(request) + alignInstance(model.scratchBytes);
}

uint64_t instanceBytes(const nnet3lib_model &model,
                       const LibraryRequest &request, int32_t numWorkers) {
  if (model.backend)
    return alignInstance(sizeof(nnet3lib_instance));
  return alignInstance(sizeof(nnet3lib_instance)) +
         static_cast<uint64_t>(numWorkers) * workerBytes(model, request) +
         request.wholeFloats * sizeof(float);
}

} // namespace rt
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

/// Constructs an instance in memory that is large enough and aligned.
static nnet3lib_instance *makeInstance(const nnet3lib_model &model,
                                       const LibraryRequest &request,
                                       int32_t numWorkers, void *memory,
                                       bool ownsMemory) {
  auto *instance = new (memory) nnet3lib_instance;
  auto *arena =
      static_cast<char *>(memory) + alignInstance(sizeof(nnet3lib_instance));
  instance->model = &model;
  instance->request = &request;
  instance->arena = reinterpret_cast<float *>(arena);
  instance->scratch = arena + arenaBytes(request);
  instance->numWorkers = numWorkers;
  instance->outputs = reinterpret_cast<float *>(
      arena + static_cast<uint64_t>(numWorkers) * workerBytes(model, request));
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

/// Bytes of the options in version 2 of the interface.
static constexpr uint32_t kOptionsBytes2 =
    offsetof(nnet3lib_instance_options, device);

/// Converts \p from, of any version, to options of the current version; null
/// gives defaults.
static nnet3lib_status readOptions(const nnet3lib_instance_options *from,
                                   nnet3lib_instance_options &options) {
  options = {};
  if (!from)
    return NNET3LIB_OK;
  if (from->struct_size < kOptionsBytes2)
    return NNET3LIB_WRONG_VERSION;
  const bool isCurrent = from->struct_size >= sizeof(options);
  std::memcpy(&options, from, isCurrent ? sizeof(options) : kOptionsBytes2);
  return NNET3LIB_OK;
}

/// Creates the threads that the options request; null for one thread.
static nnet3lib_status makePool(const nnet3lib_instance_options &options,
                                std::unique_ptr<ThreadPool> &pool) {
  const int32_t numThreads = options.num_threads;
  if (numThreads < 0 || numThreads > NNET3LIB_MAX_THREADS)
    return NNET3LIB_NO_THREADS;
  if (numThreads > 1)
    pool = ThreadPool::create(numThreads);
  return numThreads <= 1 || pool ? NNET3LIB_OK : NNET3LIB_NO_THREADS;
}

/// Threads compute separate blocks if there is at least one for each. Otherwise
/// they share the rows of each command.
static int32_t countWorkers(const LibraryRequest &request,
                            const ThreadPool *pool) {
  return pool && request.blocks >= pool->numThreads() ? pool->numThreads() : 1;
}

/// Creates the backend's instance; null for the CPU.
static nnet3lib_status makeBackend(const nnet3lib_model &model, int32_t request,
                                   const nnet3lib_instance_options &options,
                                   std::unique_ptr<BackendInstance> &backend) {
  if (!model.backend)
    return NNET3LIB_OK;
  try {
    const OpenResult result =
        model.backend->createInstance(request, options, backend);
    tell(options.message, options.message_size, result.message.c_str());
    return result.status;
  } catch (const std::bad_alloc &) {
    return NNET3LIB_OUT_OF_MEMORY;
  }
}

nnet3lib_status nnet3lib_tune(const nnet3lib_model *model,
                              const nnet3lib_instance_options *given,
                              void *memory, uint64_t size) {
  if (!model || !memory)
    return NNET3LIB_NULL_ARGUMENT;
  nnet3lib_instance_options options;
  if (const nnet3lib_status status = readOptions(given, options))
    return status;
  tell(options.message, options.message_size, "");
  if (!model->backend)
    return NNET3LIB_NO_DEVICE;
  if (size < model->tuningSize)
    return NNET3LIB_MEMORY_TOO_SMALL;
  try {
    const OpenResult result =
        model->backend->tune(options.device, memory, size);
    tell(options.message, options.message_size, result.message.c_str());
    return result.status;
  } catch (const std::bad_alloc &) {
    return NNET3LIB_OUT_OF_MEMORY;
  }
}

nnet3lib_status
nnet3lib_instance_create_with(const nnet3lib_model *model, int32_t request,
                              const nnet3lib_instance_options *given,
                              nnet3lib_instance **instance) {
  if (!instance)
    return NNET3LIB_NULL_ARGUMENT;
  *instance = nullptr;
  if (!model)
    return NNET3LIB_NULL_ARGUMENT;
  nnet3lib_instance_options options;
  if (const nnet3lib_status status = readOptions(given, options))
    return status;
  tell(options.message, options.message_size, "");
  const LibraryRequest *found = findRequest(*model, request);
  if (!found)
    return NNET3LIB_NO_SUCH_REQUEST;
  std::unique_ptr<ThreadPool> pool;
  if (const nnet3lib_status status = makePool(options, pool))
    return status;
  std::unique_ptr<BackendInstance> backend;
  if (const nnet3lib_status status =
          makeBackend(*model, request, options, backend))
    return status;
  const int32_t numWorkers = countWorkers(*found, pool.get());
  void *memory = allocateAligned(instanceBytes(*model, *found, numWorkers));
  if (!memory)
    return NNET3LIB_OUT_OF_MEMORY;
  *instance =
      makeInstance(*model, *found, numWorkers, memory, /*ownsMemory=*/true);
  (*instance)->pool = pool.release();
  (*instance)->backend = backend.release();
  (*instance)->seed = options.seed;
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
  std::unique_ptr<BackendInstance> backend;
  if (const nnet3lib_status status = makeBackend(*model, request, {}, backend))
    return status;
  *instance = makeInstance(*model, *found, /*numWorkers=*/1, memory,
                           /*ownsMemory=*/false);
  (*instance)->backend = backend.release();
  return NNET3LIB_OK;
}

void nnet3lib_instance_destroy(nnet3lib_instance *instance) {
  if (!instance)
    return;
  const nnet3lib_model *model = instance->model;
  // In a child of fork() the pool leaks, because its lock may be held.
  if (instance->pool && instance->pool->isHere())
    delete instance->pool;
  delete instance->backend;
  if (instance->ownsMemory)
    std::free(instance);
  model->release();
}
