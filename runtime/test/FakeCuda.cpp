//===- FakeCuda.cpp - A driver and cuBLAS without a GPU -------------------===//

#include "FakeCuda.h"

#include <cstdlib>
#include <cstring>

namespace nnet3 {
namespace runtime {
namespace cuda {
struct ContextImpl {};
struct ModuleImpl {};
struct FunctionImpl {
  std::string name;
};
struct StreamImpl {
  GraphImpl *capture = nullptr;
};
struct EventImpl {};
struct GraphImpl {
  std::vector<std::function<void()>> work;
};
struct GraphExecImpl {
  std::vector<std::function<void()>> work;
};
struct BlasImpl {
  StreamImpl *stream = nullptr;
};
} // namespace cuda

namespace test {

using namespace cuda;

static FakeCuda *fake = nullptr;
static ContextImpl theContext;
static std::vector<Context> contexts; ///< those that are pushed
static std::map<std::string, FunctionImpl> functions;

static constexpr Error kFailed = 999;

/// Counts a call; whether it is to fail.
static bool fails() { return fake->numCalls++ == fake->failingCall; }

/// Does \p work now, or later if \p stream is captured.
static void enqueue(Stream stream, const std::string &what,
                    std::function<void()> work) {
  auto logged = [what, work = std::move(work)] {
    fake->calls.push_back(what);
    work();
  };
  if (stream && stream->capture)
    stream->capture->work.push_back(logged);
  else
    logged();
}

template <typename Type> static Error make(Type **object) {
  if (fails())
    return kFailed;
  *object = new Type;
  ++fake->numAlive;
  return 0;
}

template <typename Type> static Error destroy(Type *object) {
  ++fake->numCalls;
  delete object;
  --fake->numAlive;
  return 0;
}

static Error allocate(void **memory, size_t bytes) {
  if (fails() || !(*memory = std::malloc(bytes)))
    return kFailed;
  std::memset(*memory, 0xff, bytes); // not-a-numbers
  ++fake->numAlive;
  return 0;
}

static Error release(void *memory) {
  ++fake->numCalls;
  std::free(memory);
  --fake->numAlive;
  return 0;
}

static Error copy(void *to, const void *from, size_t bytes, Stream stream,
                  const char *what) {
  if (fails())
    return kFailed;
  enqueue(stream, what + std::to_string(bytes),
          [=] { std::memcpy(to, from, bytes); });
  return 0;
}

static Error copy2d(const Copy2d *copy, Stream stream) {
  if (fails() || copy->sourceX || copy->sourceY || copy->destX || copy->destY ||
      copy->sourceType != kMemoryDevice || copy->destType != kMemoryDevice ||
      copy->sourcePitch < copy->widthBytes ||
      copy->destPitch < copy->widthBytes)
    return kFailed;
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

static Error launchKernel(Function function, unsigned, unsigned, unsigned,
                          unsigned, unsigned, unsigned, unsigned, Stream stream,
                          void **parameters, void **) {
  if (fails() || contexts.empty())
    return kFailed;
  const auto &[run, numPlaces] = fake->kernels.at(function->name);
  auto pointer = [&](int i) { return *static_cast<Pointer *>(parameters[i]); };
  std::vector<int64_t> places;
  for (int i = 0; i < numPlaces; ++i)
    places.push_back(*static_cast<int64_t *>(parameters[3 + i]));
  enqueue(stream, function->name,
          [run = run, places, arena = pointer(0), weights = pointer(1),
           tables = pointer(2)] {
            run(reinterpret_cast<float *>(arena),
                reinterpret_cast<const float *>(weights),
                reinterpret_cast<const int32_t *>(tables), places);
          });
  return 0;
}

/// A factor of a product, rounded to so many bits behind its first one. Fp16's
/// smaller range plays no part.
static float roundFactor(float x, int computeType) {
  const int bits = computeType == kComputeBf16 ? 7
                   : computeType == kCompute32 ? 23
                                               : 10;
  uint32_t word;
  std::memcpy(&word, &x, sizeof(word));
  const uint32_t dropped = 23 - bits;
  if (dropped)
    word = (word + (1u << (dropped - 1))) >> dropped << dropped;
  std::memcpy(&x, &word, sizeof(word));
  return x;
}

static Error gemm(Blas blas, int transposeA, int transposeB, int m, int n,
                  int k, const void *alpha, const void *left, int typeA,
                  int lda, long long strideA, const void *right, int typeB,
                  int ldb, long long strideB, const void *betaAt, void *result,
                  int typeC, int ldc, long long strideC, int batches,
                  int computeType, int algo) {
  const float beta = *static_cast<const float *>(betaAt);
  const auto *a = static_cast<const float *>(left),
             *b = static_cast<const float *>(right);
  auto *c = static_cast<float *>(result);
  if (fails() || transposeA != kTranspose || transposeB != kNoTranspose ||
      *static_cast<const float *>(alpha) != 1 || lda < k || ldb < k ||
      ldc < m || typeA != kFloat32 || typeB != kFloat32 || typeC != kFloat32 ||
      algo != kDefaultAlgo)
    return kFailed;
  auto work = [=] {
    for (int batch = 0; batch < batches; ++batch)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
          float sum = 0;
          for (int l = 0; l < k; ++l)
            sum += roundFactor(a[batch * strideA + int64_t(i) * lda + l],
                               computeType) *
                   roundFactor(b[batch * strideB + int64_t(j) * ldb + l],
                               computeType);
          float &y = c[batch * strideC + int64_t(j) * ldc + i];
          y = beta == 0 ? sum : sum + beta * y;
        }
  };
  enqueue(blas->stream, "gemm", work);
  return 0;
}

static DriverApi makeDriver() {
  DriverApi driver;
  driver.init = [](unsigned) { return 0; };
  driver.deviceGet = [](Device *device, int number) {
    *device = number;
    return fails() || number != 0 ? kFailed : 0;
  };
  driver.deviceGetAttribute = [](int *value, int attribute, Device) {
    *value = attribute == kComputeCapabilityMajor ? fake->arch / 10
                                                  : fake->arch % 10;
    return fails() ? kFailed : 0;
  };
  driver.primaryRetain = [](Context *context, Device) {
    *context = &theContext;
    if (fails())
      return kFailed;
    ++fake->numAlive;
    return 0;
  };
  driver.primaryRelease = [](Device) {
    --fake->numAlive;
    return 0;
  };
  driver.contextPush = [](Context context) {
    if (fails())
      return kFailed;
    contexts.push_back(context);
    return 0;
  };
  driver.contextPop = [](Context *context) {
    *context = contexts.back();
    contexts.pop_back();
    return 0;
  };
  driver.moduleLoad = [](Module *module, const void *image) {
    fake->ptx = static_cast<const char *>(image);
    return make(module);
  };
  driver.moduleUnload = [](Module module) { return destroy(module); };
  driver.moduleGetFunction = [](Function *function, Module, const char *name) {
    if (fails() || !fake->kernels.count(name))
      return kFailed;
    functions[name].name = name;
    *function = &functions[name];
    return 0;
  };
  driver.memAlloc = [](Pointer *pointer, size_t bytes) {
    void *memory = nullptr;
    const Error error = allocate(&memory, bytes);
    *pointer = error ? 0 : reinterpret_cast<Pointer>(memory);
    return error;
  };
  driver.memFree = [](Pointer pointer) {
    return release(reinterpret_cast<void *>(pointer));
  };
  driver.hostAlloc = [](void **memory, size_t bytes) {
    return allocate(memory, bytes);
  };
  driver.hostFree = [](void *memory) { return release(memory); };
  driver.copyToDevice = [](Pointer to, const void *from, size_t bytes,
                           Stream stream) {
    return copy(reinterpret_cast<void *>(to), from, bytes, stream,
                "to device ");
  };
  driver.copyToHost = [](void *to, Pointer from, size_t bytes, Stream stream) {
    return copy(to, reinterpret_cast<const void *>(from), bytes, stream,
                "to host ");
  };
  driver.copy2d = copy2d;
  driver.streamCreate = [](Stream *stream, unsigned) { return make(stream); };
  driver.streamDestroy = [](Stream stream) { return destroy(stream); };
  driver.streamSynchronize = [](Stream) { return fails() ? kFailed : 0; };
  driver.streamBeginCapture = [](Stream stream, int) {
    return make(&stream->capture);
  };
  driver.streamEndCapture = [](Stream stream, Graph *graph) {
    *graph = stream->capture;
    stream->capture = nullptr;
    return fails() ? kFailed : 0;
  };
  driver.eventCreate = [](Event *event, unsigned) { return make(event); };
  driver.eventDestroy = [](Event event) { return destroy(event); };
  driver.eventRecord = [](Event, Stream stream) {
    fake->stream = stream;
    return fails() ? kFailed : 0;
  };
  driver.eventSynchronize = [](Event) { return fails() ? kFailed : 0; };
  driver.graphInstantiate = [](GraphExec *exec, Graph graph,
                               unsigned long long) {
    if (const Error error = make(exec))
      return error;
    (*exec)->work = graph->work;
    return 0;
  };
  driver.graphDestroy = [](Graph graph) { return destroy(graph); };
  driver.graphExecDestroy = [](GraphExec exec) { return destroy(exec); };
  driver.graphLaunch = [](GraphExec exec, Stream) {
    if (fails())
      return kFailed;
    fake->calls.push_back("graph");
    for (const auto &work : exec->work)
      work();
    return 0;
  };
  driver.launchKernel = launchKernel;
  driver.getErrorName = [](Error, const char **name) {
    *name = "FAKE_ERROR";
    return 0;
  };
  return driver;
}

static BlasApi makeBlas() {
  BlasApi blas;
  blas.create = [](Blas *handle) { return make(handle); };
  blas.destroy = [](Blas handle) { return destroy(handle); };
  blas.setStream = [](Blas handle, Stream stream) {
    handle->stream = stream;
    return fails() ? kFailed : 0;
  };
  blas.setWorkspace = [](Blas, void *, size_t) {
    return fails() ? kFailed : 0;
  };
  blas.gemm = gemm;
  return blas;
}

FakeCuda::FakeCuda() : api{makeDriver(), makeBlas()} { fake = this; }

FakeCuda::~FakeCuda() { fake = nullptr; }

} // namespace test
} // namespace runtime
} // namespace nnet3
