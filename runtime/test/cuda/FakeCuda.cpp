//===- FakeCuda.cpp - A driver and cuBLAS without a GPU -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeCudaState.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>

namespace nnet3 {
namespace rt {
namespace cuda {
struct ContextImpl {};
struct ModuleImpl {};
struct FunctionImpl {
  std::string name;
  test::FakeCuda::KernelFn run;
  int numPlaces;
};
struct EventImpl {
  float time = 0;
  Stream stream = nullptr;
  bool isCaptured = false;
  uint64_t position = 0; ///< number of pieces of work of `stream` before it
};
struct GraphExecImpl {
  std::vector<std::function<void()>> work;
};
} // namespace cuda

namespace test {

using namespace cuda;

FakeCuda *fake = nullptr;
/// The alignment that cuMemAlloc guarantees.
static constexpr size_t kAlignment = 256;
static ContextImpl theContext;
/// The contexts that a thread has pushed.
static thread_local std::vector<Context> contexts;
static std::deque<FunctionImpl> functions;

bool hasContext() { return !contexts.empty(); }

static Error allocate(void **memory, size_t bytes,
                      std::map<const char *, size_t> &known) {
  if (!hasContext())
    return kInvalidContext;
  if (fails() || posix_memalign(memory, kAlignment, bytes) != 0)
    return kFailed;
  // Fill with NaN, except most of cuBLAS's workspace.
  std::memset(*memory, 0xff, std::min(bytes, size_t(8) << 20));
  ++fake->numAlive;
  const std::lock_guard<std::mutex> lock(fake->mutex);
  known[static_cast<char *>(*memory)] = bytes;
  return 0;
}

static Error release(void *memory, std::map<const char *, size_t> &known) {
  ++fake->numCalls;
  {
    const std::lock_guard<std::mutex> lock(fake->mutex);
    known.erase(static_cast<char *>(memory));
  }
  std::free(memory);
  --fake->numAlive;
  return 0;
}

static Error copy(void *to, const void *from, size_t bytes, Stream stream,
                  const char *what) {
  if (fails())
    return kFailed;
  if (!hasContext())
    return kInvalidContext;
  const bool isUp = isOnDevice(to, bytes);
  if (!isUp && !isOnDevice(from, bytes))
    return kInvalidValue;
  // Copies of a graph need pinned memory.
  if (isCapturing(stream) && !fake->isPinned(isUp ? from : to, bytes))
    return kCaptureUnsupported;
  enqueue(stream, what + std::to_string(bytes),
          [=] { std::memcpy(to, from, bytes); });
  return 0;
}

/// Whether all rows are in device memory.
static bool areOnDevice(Pointer rows, size_t pitch, const Copy2d &copy) {
  return fake->takesAnyAddress ||
         isOnDevice(reinterpret_cast<const void *>(rows),
                    (copy.height - 1) * pitch + copy.widthBytes);
}

static Error copyOnDevice(Pointer to, Pointer from, size_t bytes,
                          Stream stream) {
  auto *target = reinterpret_cast<void *>(to);
  const auto *source = reinterpret_cast<const void *>(from);
  if (fails())
    return kFailed;
  if (!hasContext())
    return kInvalidContext;
  if (!fake->takesAnyAddress &&
      (!isOnDevice(target, bytes) || !isOnDevice(source, bytes)))
    return kInvalidValue;
  enqueue(stream, "on device " + std::to_string(bytes),
          [=] { std::memcpy(target, source, bytes); });
  return 0;
}

static Error copy2d(const Copy2d *copy, Stream stream) {
  if (fails() || copy->sourceX || copy->sourceY || copy->destX || copy->destY ||
      copy->sourceType != kMemoryDevice || copy->destType != kMemoryDevice ||
      copy->sourcePitch < copy->widthBytes ||
      copy->destPitch < copy->widthBytes)
    return kFailed;
  if (!hasContext())
    return kInvalidContext;
  if (!areOnDevice(copy->source, copy->sourcePitch, *copy) ||
      !areOnDevice(copy->dest, copy->destPitch, *copy))
    return kInvalidValue;
  auto work = [copy = *copy] {
    for (size_t row = 0; row < copy.height; ++row)
      std::memcpy(
          reinterpret_cast<void *>(copy.dest + row * copy.destPitch),
          reinterpret_cast<const void *>(copy.source + row * copy.sourcePitch),
          copy.widthBytes);
  };
  enqueue(stream,
          "on device " + std::to_string(copy->height * copy->widthBytes), work);
  return 0;
}

static Error setWords(Pointer to, unsigned word, size_t count, Stream stream) {
  if (fails())
    return kFailed;
  auto *words = reinterpret_cast<unsigned *>(to);
  if (!hasContext())
    return kInvalidContext;
  if (!isOnDevice(words, count * sizeof(unsigned)))
    return kInvalidValue;
  enqueue(stream, "set " + std::to_string(word),
          [=] { std::fill_n(words, count, word); });
  return 0;
}

/// Whether a device supports the sizes of a launch.
static bool isLaunchable(unsigned blocksX, unsigned blocksY, unsigned blocksZ,
                         unsigned threads) {
  return blocksX - 1 < 0x7fffffffu && blocksY - 1 < 65535 && blocksZ == 1 &&
         threads - 1 < 1024;
}

static Error launchKernel(Function function, unsigned blocksX, unsigned blocksY,
                          unsigned blocksZ, unsigned threadsX,
                          unsigned threadsY, unsigned threadsZ, unsigned,
                          Stream stream, void **parameters, void **) {
  if (fake->onLaunch)
    fake->onLaunch();
  if (fails())
    return kFailed;
  if (!hasContext())
    return kInvalidContext;
  if (!isLaunchable(blocksX, blocksY, blocksZ, threadsX * threadsY * threadsZ))
    return kInvalidValue;
  if (!isLoaded(stream, function->name))
    return kCaptureUnsupported;
  auto pointer = [&](int i) { return *static_cast<Pointer *>(parameters[i]); };
  KernelLaunch launch{reinterpret_cast<float *>(pointer(0)),
                      reinterpret_cast<const float *>(pointer(1)),
                      reinterpret_cast<const int32_t *>(pointer(2)),
                      {},
                      {blocksX, blocksY, blocksZ},
                      {threadsX, threadsY, threadsZ}};
  for (int i = 0; i < function->numPlaces; ++i)
    launch.places.push_back(*static_cast<int64_t *>(parameters[3 + i]));
  enqueue(stream, function->name, [run = function->run, launch] {
    if (run)
      run(launch);
  });
  return 0;
}

static const char *getErrorName(Error error) {
  switch (error) {
  case kInvalidValue:
    return "CUDA_ERROR_INVALID_VALUE";
  case kInvalidContext:
    return "CUDA_ERROR_INVALID_CONTEXT";
  case kMisalignedAddress:
    return "CUDA_ERROR_MISALIGNED_ADDRESS";
  case kCaptureUnsupported:
    return "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED";
  case kCaptureInvalidated:
    return "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED";
  default:
    return "FAKE_ERROR";
  }
}

static Error endCapture(Stream stream, Graph *graph) {
  *graph = nullptr;
  if (!isCapturing(stream))
    return kInvalidValue;
  GraphImpl *captured = stream->capture;
  stream->capture = nullptr;
  bool isSpoilt;
  {
    const std::lock_guard<std::mutex> lock(fake->mutex);
    fake->capturing.erase(stream);
    isSpoilt = stream->isSpoilt;
  }
  const bool isFailing = fails();
  if (!isSpoilt && !isFailing) {
    *graph = captured;
    return 0;
  }
  destroy(captured);
  return isSpoilt ? Error(kCaptureInvalidated) : kFailed;
}

static DriverApi makeDriver() {
  DriverApi driver;
  driver.init = [](unsigned) { return 0; };
  driver.deviceGetCount = [](int *count) {
    *count = 1;
    return fails() ? kFailed : 0;
  };
  driver.deviceGet = [](Device *device, int number) {
    *device = number;
    return fails() || number != 0 ? kFailed : 0;
  };
  driver.deviceGetAttribute = [](int *value, int attribute, Device) {
    *value = attribute == kComputeCapabilityMajor ? fake->arch / 10
                                                  : fake->arch % 10;
    return fails() ? kFailed : 0;
  };
  driver.deviceGetName = [](char *name, int size, Device) {
    std::snprintf(name, size, "%s", fake->deviceName.c_str());
    return fails() ? kFailed : 0;
  };
  driver.primaryRetain = [](Context *context, Device) {
    *context = &theContext;
    return fails() ? kFailed : 0;
  };
  driver.contextPush = [](Context context) {
    if (fake->isOver)
      return Error(kDeinitialized);
    if (fails())
      return kFailed;
    contexts.push_back(context);
    return 0;
  };
  driver.contextPop = [](Context *context) {
    if (!hasContext())
      return kInvalidContext;
    *context = contexts.back();
    contexts.pop_back();
    return Error(0);
  };
  driver.moduleLoad = [](Module *module, const void *image, unsigned count,
                         int *options, void **values) {
    if (!hasContext())
      return kInvalidContext;
    const std::lock_guard<std::mutex> lock(fake->mutex);
    fake->ptx = static_cast<const char *>(image);
    if (fake->takesCode)
      return make(module);
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == kJitErrorLog)
        std::strcpy(static_cast<char *>(values[i]), "ptxas fatal");
    return kFailed;
  };
  driver.moduleUnload = [](Module module) {
    spoilCaptures();
    return destroy(module);
  };
  driver.moduleGetFunction = [](Function *function, Module, const char *name) {
    if (fails() || (!fake->ignoresKernels && !fake->kernels.count(name)))
      return kFailed;
    const std::lock_guard<std::mutex> lock(fake->mutex);
    const auto known = fake->kernels.find(name);
    const auto [run, numPlaces] = known == fake->kernels.end()
                                      ? std::pair(FakeCuda::KernelFn(), 0)
                                      : known->second;
    *function = &functions.emplace_back(FunctionImpl{name, run, numPlaces});
    return 0;
  };
  driver.memAlloc = [](Pointer *pointer, size_t bytes) {
    void *memory = nullptr;
    const Error error = allocate(&memory, bytes, fake->device);
    *pointer = error ? 0 : reinterpret_cast<Pointer>(memory);
    return error;
  };
  driver.memFree = [](Pointer pointer) {
    if (fake->isOver)
      return Error(kDeinitialized);
    spoilCaptures();
    return release(reinterpret_cast<void *>(pointer), fake->device);
  };
  driver.hostAlloc = [](void **memory, size_t bytes) {
    return allocate(memory, bytes, fake->pinned);
  };
  driver.hostFree = [](void *memory) { return release(memory, fake->pinned); };
  driver.copyToDevice = [](Pointer to, const void *from, size_t bytes,
                           Stream stream) {
    return copy(reinterpret_cast<void *>(to), from, bytes, stream,
                "to device ");
  };
  driver.copyToHost = [](void *to, Pointer from, size_t bytes, Stream stream) {
    return copy(to, reinterpret_cast<const void *>(from), bytes, stream,
                "to host ");
  };
  driver.copyOnDevice = copyOnDevice;
  driver.copy2d = copy2d;
  driver.setWords = setWords;
  driver.streamCreate = [](Stream *stream, unsigned) {
    const Error error = hasContext() ? make(stream) : kInvalidContext;
    const std::lock_guard<std::mutex> lock(fake->mutex);
    if (error == 0)
      (*stream)->number = ++fake->numStreams;
    return error;
  };
  driver.streamDestroy = [](Stream stream) {
    runAll(stream);
    return destroy(stream);
  };
  driver.streamSynchronize = [](Stream stream) {
    if (fails())
      return kFailed;
    runAll(stream);
    return isCapturing(stream) ? kCaptureUnsupported : Error(0);
  };
  driver.streamWaitEvent = [](Stream stream, Event event, unsigned) {
    if (fails())
      return kFailed;
    if (isCapturing(stream) || event->isCaptured)
      return kCaptureUnsupported;
    enqueue(stream, [of = event->stream, position = event->position] {
      runFirst(of, position);
    });
    return Error(0);
  };
  driver.streamBeginCapture = [](Stream stream, int) {
    if (!resolve(stream) || isCapturing(stream))
      return kCaptureUnsupported;
    const Error error = make(&stream->capture);
    const std::lock_guard<std::mutex> lock(fake->mutex);
    stream->isSpoilt = false;
    if (error == 0)
      fake->capturing.insert(stream);
    return error;
  };
  driver.streamEndCapture = endCapture;
  driver.streamIsCapturing = [](Stream stream, int *status) {
    *status = isCapturing(stream) ? 1 : kCaptureNone;
    return fails() ? kFailed : 0;
  };
  driver.eventCreate = [](Event *event, unsigned) {
    return hasContext() ? make(event) : kInvalidContext;
  };
  driver.eventDestroy = [](Event event) { return destroy(event); };
  driver.eventRecord = [](Event event, Stream stream) {
    const std::lock_guard<std::mutex> lock(fake->mutex);
    fake->stream = stream;
    *event = {fake->clock, stream, isCapturing(stream),
              resolve(stream) ? stream->numEnqueued : 0};
    return fails() ? kFailed : 0;
  };
  driver.eventElapsedTime = [](float *time, Event begin, Event end) {
    *time = end->time - begin->time;
    return fails() ? kFailed : 0;
  };
  driver.eventQuery = [](Event event) {
    if (fails())
      return kFailed;
    if (event->isCaptured)
      return kCapturedEvent;
    return runNext(event->stream, event->position) ? kNotReady : Error(0);
  };
  driver.eventSynchronize = [](Event event) {
    note(fake->timeline, inStream(event->stream, "wait"));
    if (fails())
      return kFailed;
    runFirst(event->stream, event->position);
    return event->isCaptured ? kCapturedEvent : Error(0);
  };
  driver.graphInstantiate = [](GraphExec *exec, Graph graph,
                               unsigned long long) {
    if (const Error error = make(exec))
      return error;
    (*exec)->work = graph->work;
    return 0;
  };
  driver.graphDestroy = [](Graph graph) { return destroy(graph); };
  driver.graphExecDestroy = [](GraphExec exec) { return destroy(exec); };
  driver.graphLaunch = [](GraphExec exec, Stream stream) {
    if (fails())
      return kFailed;
    if (!hasContext())
      return kInvalidContext;
    if (isCapturing(stream))
      return kCaptureUnsupported;
    note(fake->calls, "graph");
    note(fake->timeline, inStream(stream, "graph"));
    for (const auto &work : exec->work)
      enqueue(stream, work);
    return Error(0);
  };
  driver.launchKernel = launchKernel;
  driver.getErrorName = [](Error error, const char **name) {
    *name = getErrorName(error);
    return 0;
  };
  return driver;
}

FakeCuda::FakeCuda()
    : api{makeDriver(),
          makeFakeBlas(),
          makeFakeBlasLt(),
          /*hasBlasLt=*/true,
          {}} {
  fake = this;
}

FakeCuda::~FakeCuda() {
  fake = nullptr;
  functions.clear();
}

} // namespace test
} // namespace rt
} // namespace nnet3
