//===- CudaApi.h - The functions of CUDA ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver and cuBLAS are loaded at run time, because a program that links
// them does not start without a driver. Declares the functions that the runtime
// uses, after their documentation, in the versions of CUDA 12 and 13.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CUDA_CUDAAPI_H
#define NNET3_RUNTIME_CUDA_CUDAAPI_H

#include "nnet3/runtime/Status.h"

#include <cstddef>
#include <cstdint>

namespace nnet3 {
namespace rt {
namespace cuda {

/// 0 is success, in both libraries.
using Error = int;
using Device = int;
using Pointer = uint64_t; ///< a device address
struct ContextImpl;
struct ModuleImpl;
struct FunctionImpl;
struct StreamImpl;
struct EventImpl;
struct GraphImpl;
struct GraphExecImpl;
struct BlasImpl;
struct BlasLtImpl;
struct BlasLtDescImpl;
struct BlasLtLayoutImpl;
struct BlasLtPreferenceImpl;
using Context = ContextImpl *;
using Module = ModuleImpl *;
using Function = FunctionImpl *;
using Stream = StreamImpl *;
using Event = EventImpl *;
using Graph = GraphImpl *;
using GraphExec = GraphExecImpl *;
using Blas = BlasImpl *;
using BlasLt = BlasLtImpl *;
using BlasLtDesc = BlasLtDescImpl *;
using BlasLtLayout = BlasLtLayoutImpl *;
using BlasLtPreference = BlasLtPreferenceImpl *;

/// Mode of streamBeginCapture: the driver does not reject calls that are unsafe
/// during a capture. cuBLAS may then load modules; other unsafe calls are
/// avoided by lockRecording().
enum : int { kCaptureRelaxed = 2 };
enum : int { kCaptureNone = 0 }; ///< of streamIsCapturing
/// Options of moduleLoad: the error log of the JIT compiler.
enum : int { kJitErrorLog = 5, kJitErrorLogBytes = 6 };
enum : int { kStreamNonBlocking = 1 }; ///< of streamCreate
/// Flags of eventCreate.
enum : int { kEventDefault = 0, kEventDisableTiming = 2 };
/// Attributes of deviceGetAttribute; the values are 9 and 0 for sm_90.
enum : int { kComputeCapabilityMajor = 75, kComputeCapabilityMinor = 76 };
enum : int { kMemoryDevice = 2 }; ///< of Copy2d
enum : int { kTranspose = 1, kNoTranspose = 0 };
/// A cudaDataType.
enum : int { kFloat32 = 0, kFloat16 = 2, kBfloat16 = 14 };
enum : int { kDefaultAlgo = -1 }; ///< a cublasGemmAlgo_t
/// The type that operands are rounded to, a cublasComputeType_t; accumulators
/// are float32.
enum : int {
  kCompute32 = 68,
  kComputeFp16 = 74,
  kComputeBf16 = 75,
  kComputeTf32 = 77
};

/// The driver has shut down, which happens before the last destructors run.
enum : Error { kDeinitialized = 4 };
/// The result of eventQuery() before the event.
enum : Error { kNotReady = 600 };
/// A stream capture was invalidated, by this thread or another one.
enum : Error { kCaptureInvalidated = 901 };
/// Offset of the statuses of cuBLAS, which tells them from driver errors.
enum : Error { kBlasErrors = 10000 };
enum : Error { kBlasNotSupported = kBlasErrors + 15 };

/// Converts a status of cuBLAS or cuBLASLt to an Error.
inline Error ofBlas(int status) { return status ? kBlasErrors + status : 0; }

/// Attributes of cuBLASLt's descriptors, layouts and preferences.
enum : int { kEpilogueNone = 1 }; ///< a cublasLtEpilogue_t
enum : int { kVersionMajor = 0, kVersionMinor = 1, kVersionPatch = 2 };
enum : int { kDescTransposeA = 3, kDescEpilogue = 7, kDescBias = 8 };
enum : int { kLayoutBatchCount = 5, kLayoutBatchDistance = 6 };
enum : int { kPreferenceWorkspace = 1 };
constexpr int kPreferenceAlignments[] = {5, 6, 7, 8}; ///< of A, B, C, D

/// cublasLtMatmulAlgo_t.
struct BlasLtAlgo {
  uint64_t data[8] = {};
};

/// cublasLtMatmulHeuristicResult_t.
struct BlasLtHeuristic {
  BlasLtAlgo algo;
  size_t workspaceBytes = 0;
  int status = 0;
  float waves = 0;
  int reserved[4] = {};
};

/// CUDA_MEMCPY2D: copies `height` rows of `widthBytes` bytes; the pitches are
/// the row strides in bytes.
struct Copy2d {
  size_t sourceX = 0, sourceY = 0;
  int sourceType = kMemoryDevice;
  const void *sourceHost = nullptr;
  Pointer source = 0;
  void *sourceArray = nullptr;
  size_t sourcePitch = 0;
  size_t destX = 0, destY = 0;
  int destType = kMemoryDevice;
  void *destHost = nullptr;
  Pointer dest = 0;
  void *destArray = nullptr;
  size_t destPitch = 0;
  size_t widthBytes = 0, height = 0;
};

/// The functions of the driver: result type, name here, symbol, parameters.
#define NNET3_CUDA_DRIVER(X)                                                   \
  X(init, "cuInit", (unsigned flags))                                          \
  X(deviceGetCount, "cuDeviceGetCount", (int *count))                          \
  X(deviceGet, "cuDeviceGet", (Device * device, int number))                   \
  X(deviceGetAttribute, "cuDeviceGetAttribute",                                \
    (int *value, int attribute, Device))                                       \
  X(deviceGetName, "cuDeviceGetName", (char *name, int size, Device))          \
  X(primaryRetain, "cuDevicePrimaryCtxRetain", (Context *, Device))            \
  X(contextPush, "cuCtxPushCurrent_v2", (Context))                             \
  X(contextPop, "cuCtxPopCurrent_v2", (Context *))                             \
  X(moduleLoad, "cuModuleLoadDataEx",                                          \
    (Module *, const void *image, unsigned count, int *options,                \
     void **values))                                                           \
  X(moduleUnload, "cuModuleUnload", (Module))                                  \
  X(moduleGetFunction, "cuModuleGetFunction",                                  \
    (Function *, Module, const char *name))                                    \
  X(memAlloc, "cuMemAlloc_v2", (Pointer *, size_t bytes))                      \
  X(memFree, "cuMemFree_v2", (Pointer))                                        \
  X(hostAlloc, "cuMemAllocHost_v2", (void **, size_t bytes))                   \
  X(hostFree, "cuMemFreeHost", (void *))                                       \
  X(copyToDevice, "cuMemcpyHtoDAsync_v2",                                      \
    (Pointer, const void *, size_t bytes, Stream))                             \
  X(copyToHost, "cuMemcpyDtoHAsync_v2",                                        \
    (void *, Pointer, size_t bytes, Stream))                                   \
  X(copyOnDevice, "cuMemcpyDtoDAsync_v2",                                      \
    (Pointer to, Pointer from, size_t bytes, Stream))                          \
  X(copy2d, "cuMemcpy2DAsync_v2", (const Copy2d *, Stream))                    \
  X(setWords, "cuMemsetD32Async",                                              \
    (Pointer, unsigned word, size_t count, Stream))                            \
  X(streamCreate, "cuStreamCreate", (Stream *, unsigned flags))                \
  X(streamDestroy, "cuStreamDestroy_v2", (Stream))                             \
  X(streamSynchronize, "cuStreamSynchronize", (Stream))                        \
  X(streamWaitEvent, "cuStreamWaitEvent", (Stream, Event, unsigned flags))     \
  X(streamBeginCapture, "cuStreamBeginCapture_v2", (Stream, int mode))         \
  X(streamEndCapture, "cuStreamEndCapture", (Stream, Graph *))                 \
  X(streamIsCapturing, "cuStreamIsCapturing", (Stream, int *status))           \
  X(eventCreate, "cuEventCreate", (Event *, unsigned flags))                   \
  X(eventDestroy, "cuEventDestroy_v2", (Event))                                \
  X(eventRecord, "cuEventRecord", (Event, Stream))                             \
  X(eventElapsedTime, "cuEventElapsedTime",                                    \
    (float *milliseconds, Event begin, Event end))                             \
  X(eventQuery, "cuEventQuery", (Event))                                       \
  X(eventSynchronize, "cuEventSynchronize", (Event))                           \
  X(graphInstantiate, "cuGraphInstantiateWithFlags",                           \
    (GraphExec *, Graph, unsigned long long flags))                            \
  X(graphDestroy, "cuGraphDestroy", (Graph))                                   \
  X(graphExecDestroy, "cuGraphExecDestroy", (GraphExec))                       \
  X(graphLaunch, "cuGraphLaunch", (GraphExec, Stream))                         \
  X(launchKernel, "cuLaunchKernel",                                            \
    (Function, unsigned blocksX, unsigned blocksY, unsigned blocksZ,           \
     unsigned threadsX, unsigned threadsY, unsigned threadsZ,                  \
     unsigned sharedBytes, Stream, void **parameters, void **extra))           \
  X(getErrorName, "cuGetErrorName", (Error, const char **))

/// The functions of cuBLAS, whose matrices are column-major.
#define NNET3_CUDA_BLAS(X)                                                     \
  X(create, "cublasCreate_v2", (Blas *))                                       \
  X(destroy, "cublasDestroy_v2", (Blas))                                       \
  X(setStream, "cublasSetStream_v2", (Blas, Stream))                           \
  X(setWorkspace, "cublasSetWorkspace_v2", (Blas, void *, size_t bytes))       \
  X(gemmSingle, "cublasGemmEx",                                                \
    (Blas, int transposeA, int transposeB, int m, int n, int k,                \
     const void *alpha, const void *a, int typeA, int lda, const void *b,      \
     int typeB, int ldb, const void *beta, void *c, int typeC, int ldc,        \
     int computeType, int algo))                                               \
  X(gemm, "cublasGemmStridedBatchedEx",                                        \
    (Blas, int transposeA, int transposeB, int m, int n, int k,                \
     const void *alpha, const void *a, int typeA, int lda, long long strideA,  \
     const void *b, int typeB, int ldb, long long strideB, const void *beta,   \
     void *c, int typeC, int ldc, long long strideC, int batches,              \
     int computeType, int algo))

/// The functions of cuBLASLt, which may be missing.
#define NNET3_CUDA_BLASLT(X)                                                   \
  X(create, "cublasLtCreate", (BlasLt *))                                      \
  X(destroy, "cublasLtDestroy", (BlasLt))                                      \
  X(getProperty, "cublasLtGetProperty", (int property, int *value))            \
  X(descCreate, "cublasLtMatmulDescCreate",                                    \
    (BlasLtDesc *, int computeType, int scaleType))                            \
  X(descDestroy, "cublasLtMatmulDescDestroy", (BlasLtDesc))                    \
  X(descSet, "cublasLtMatmulDescSetAttribute",                                 \
    (BlasLtDesc, int attribute, const void *value, size_t bytes))              \
  X(layoutCreate, "cublasLtMatrixLayoutCreate",                                \
    (BlasLtLayout *, int type, uint64_t rows, uint64_t columns, int64_t ld))   \
  X(layoutDestroy, "cublasLtMatrixLayoutDestroy", (BlasLtLayout))              \
  X(layoutSet, "cublasLtMatrixLayoutSetAttribute",                             \
    (BlasLtLayout, int attribute, const void *value, size_t bytes))            \
  X(preferenceCreate, "cublasLtMatmulPreferenceCreate", (BlasLtPreference *))  \
  X(preferenceDestroy, "cublasLtMatmulPreferenceDestroy", (BlasLtPreference))  \
  X(preferenceSet, "cublasLtMatmulPreferenceSetAttribute",                     \
    (BlasLtPreference, int attribute, const void *value, size_t bytes))        \
  X(heuristic, "cublasLtMatmulAlgoGetHeuristic",                               \
    (BlasLt, BlasLtDesc, BlasLtLayout a, BlasLtLayout b, BlasLtLayout c,       \
     BlasLtLayout d, BlasLtPreference, int wanted, BlasLtHeuristic *results,   \
     int *count))                                                              \
  X(check, "cublasLtMatmulAlgoCheck",                                          \
    (BlasLt, BlasLtDesc, BlasLtLayout a, BlasLtLayout b, BlasLtLayout c,       \
     BlasLtLayout d, const BlasLtAlgo *, BlasLtHeuristic *result))             \
  X(matmul, "cublasLtMatmul",                                                  \
    (BlasLt, BlasLtDesc, const void *alpha, const void *a, BlasLtLayout,       \
     const void *b, BlasLtLayout, const void *beta, const void *c,             \
     BlasLtLayout, void *d, BlasLtLayout, const BlasLtAlgo *, void *workspace, \
     size_t workspaceBytes, Stream))

#define NNET3_CUDA_MEMBER(name, symbol, parameters)                            \
  Error(*name) parameters = nullptr;

struct DriverApi {
  NNET3_CUDA_DRIVER(NNET3_CUDA_MEMBER)
};

struct BlasApi {
  NNET3_CUDA_BLAS(NNET3_CUDA_MEMBER)
};

struct BlasLtApi {
  NNET3_CUDA_BLASLT(NNET3_CUDA_MEMBER)
};

#undef NNET3_CUDA_MEMBER

/// Debugging options from the environment variable NNET3_CUDA, a
/// comma-separated list of words.
struct DebugOptions {
  bool usesGraphs = true;     ///< not with "nographs"
  bool usesBlasLt = true;     ///< not with "nolt"
  bool isSynchronous = false; ///< "sync": waits for each launch
  bool isVerbose = false;     ///< "verbose": reports slow steps to stderr

  static DebugOptions parse(const char *words);
};

struct CudaApi {
  DriverApi driver;
  BlasApi blas;
  BlasLtApi blasLt;
  bool hasBlasLt = false; ///< whether all functions of blasLt were found
  DebugOptions debug;

  /// Returns the name of a driver error or cuBLAS status.
  std::string getName(Error error) const;
  /// Writes \p what to stderr if debug.isVerbose, with the milliseconds since
  /// the first message.
  void tell(const std::string &what) const;
};

/// Loads the driver and cuBLAS of this machine; they stay loaded. Fails with a
/// message that names the missing library or function.
Result<const CudaApi *> loadCudaApi();

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_CUDAAPI_H
