//===- CudaDeclarationsTest.cpp - Our declarations against NVIDIA's -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled where CUDA's headers are; what is there to test is tested by then.
//
//===----------------------------------------------------------------------===//

#include "nnet3/runtime/cuda/CudaApi.h"
#include "nnet3/runtime/cuda/DeviceCode.h"

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <gtest/gtest.h>

namespace {

using namespace nnet3::rt::cuda;

/// Whether two types are passed alike: pointers, enumerations as int, numbers
/// of the same size.
template <typename Ours, typename Theirs> constexpr bool isAlike() {
  if (std::is_pointer_v<Ours> || std::is_pointer_v<Theirs>)
    return std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>;
  return sizeof(Ours) == sizeof(Theirs) &&
         std::is_floating_point_v<Ours> == std::is_floating_point_v<Theirs>;
}

template <typename Ours, typename Theirs> struct Alike;
template <typename... Ours, typename Result, typename... Theirs>
struct Alike<Error (*)(Ours...), Result(Theirs...)> {
  static constexpr bool areAlike() {
    if constexpr (sizeof...(Ours) != sizeof...(Theirs))
      return false;
    else
      return (isAlike<Ours, Theirs>() && ... && true);
  }
  static constexpr bool value = areAlike();
};

#define NNET3_CUDA_SAME(api, name, function)                                   \
  static_assert(Alike<decltype(api::name), decltype(function)>::value)
NNET3_CUDA_SAME(DriverApi, deviceGetCount, cuDeviceGetCount);
NNET3_CUDA_SAME(DriverApi, deviceGet, cuDeviceGet);
NNET3_CUDA_SAME(DriverApi, deviceGetAttribute, cuDeviceGetAttribute);
NNET3_CUDA_SAME(DriverApi, deviceGetName, cuDeviceGetName);
NNET3_CUDA_SAME(DriverApi, primaryRetain, cuDevicePrimaryCtxRetain);
NNET3_CUDA_SAME(DriverApi, contextPush, cuCtxPushCurrent);
NNET3_CUDA_SAME(DriverApi, contextPop, cuCtxPopCurrent);
NNET3_CUDA_SAME(DriverApi, moduleLoad, cuModuleLoadDataEx);
NNET3_CUDA_SAME(DriverApi, moduleGetFunction, cuModuleGetFunction);
NNET3_CUDA_SAME(DriverApi, memAlloc, cuMemAlloc);
NNET3_CUDA_SAME(DriverApi, memFree, cuMemFree);
NNET3_CUDA_SAME(DriverApi, hostAlloc, cuMemAllocHost);
NNET3_CUDA_SAME(DriverApi, hostFree, cuMemFreeHost);
NNET3_CUDA_SAME(DriverApi, copyToDevice, cuMemcpyHtoDAsync);
NNET3_CUDA_SAME(DriverApi, copyToHost, cuMemcpyDtoHAsync);
NNET3_CUDA_SAME(DriverApi, copyOnDevice, cuMemcpyDtoDAsync);
NNET3_CUDA_SAME(DriverApi, copy2d, cuMemcpy2DAsync);
NNET3_CUDA_SAME(DriverApi, setWords, cuMemsetD32Async);
NNET3_CUDA_SAME(DriverApi, streamCreate, cuStreamCreate);
NNET3_CUDA_SAME(DriverApi, streamWaitEvent, cuStreamWaitEvent);
NNET3_CUDA_SAME(DriverApi, streamBeginCapture, cuStreamBeginCapture);
NNET3_CUDA_SAME(DriverApi, streamEndCapture, cuStreamEndCapture);
NNET3_CUDA_SAME(DriverApi, streamIsCapturing, cuStreamIsCapturing);
NNET3_CUDA_SAME(DriverApi, eventCreate, cuEventCreate);
NNET3_CUDA_SAME(DriverApi, eventDestroy, cuEventDestroy);
NNET3_CUDA_SAME(DriverApi, eventRecord, cuEventRecord);
NNET3_CUDA_SAME(DriverApi, eventElapsedTime, cuEventElapsedTime);
NNET3_CUDA_SAME(DriverApi, eventQuery, cuEventQuery);
NNET3_CUDA_SAME(DriverApi, eventSynchronize, cuEventSynchronize);
NNET3_CUDA_SAME(DriverApi, graphInstantiate, cuGraphInstantiateWithFlags);
NNET3_CUDA_SAME(DriverApi, graphLaunch, cuGraphLaunch);
NNET3_CUDA_SAME(DriverApi, launchKernel, cuLaunchKernel);
NNET3_CUDA_SAME(DriverApi, init, cuInit);
NNET3_CUDA_SAME(DriverApi, moduleUnload, cuModuleUnload);
NNET3_CUDA_SAME(DriverApi, streamDestroy, cuStreamDestroy);
NNET3_CUDA_SAME(DriverApi, streamSynchronize, cuStreamSynchronize);
NNET3_CUDA_SAME(DriverApi, graphDestroy, cuGraphDestroy);
NNET3_CUDA_SAME(DriverApi, graphExecDestroy, cuGraphExecDestroy);
NNET3_CUDA_SAME(DriverApi, getErrorName, cuGetErrorName);
NNET3_CUDA_SAME(BlasApi, create, cublasCreate_v2);
NNET3_CUDA_SAME(BlasApi, setStream, cublasSetStream_v2);
NNET3_CUDA_SAME(BlasApi, setWorkspace, cublasSetWorkspace_v2);
NNET3_CUDA_SAME(BlasLtApi, create, cublasLtCreate);
NNET3_CUDA_SAME(BlasLtApi, descCreate, cublasLtMatmulDescCreate);
NNET3_CUDA_SAME(BlasLtApi, descSet, cublasLtMatmulDescSetAttribute);
NNET3_CUDA_SAME(BlasLtApi, layoutCreate, cublasLtMatrixLayoutCreate);
NNET3_CUDA_SAME(BlasLtApi, layoutSet, cublasLtMatrixLayoutSetAttribute);
NNET3_CUDA_SAME(BlasLtApi, preferenceCreate, cublasLtMatmulPreferenceCreate);
NNET3_CUDA_SAME(BlasLtApi, preferenceSet, cublasLtMatmulPreferenceSetAttribute);
NNET3_CUDA_SAME(BlasLtApi, heuristic, cublasLtMatmulAlgoGetHeuristic);
NNET3_CUDA_SAME(BlasLtApi, getProperty, cublasLtGetProperty);
NNET3_CUDA_SAME(BlasLtApi, check, cublasLtMatmulAlgoCheck);
NNET3_CUDA_SAME(BlasLtApi, matmul, cublasLtMatmul);
#undef NNET3_CUDA_SAME
// In C++ it is one of two.
using Gemm = cublasStatus_t(cublasHandle_t, cublasOperation_t,
                            cublasOperation_t, int, int, int, const void *,
                            const void *, cudaDataType, int, long long,
                            const void *, cudaDataType, int, long long,
                            const void *, void *, cudaDataType, int, long long,
                            int, cublasComputeType_t, cublasGemmAlgo_t);
static_assert(Alike<decltype(BlasApi::gemm),
                    std::remove_pointer_t<decltype(static_cast<Gemm *>(
                        cublasGemmStridedBatchedEx))>>::value);
using GemmSingle = cublasStatus_t(cublasHandle_t, cublasOperation_t,
                                  cublasOperation_t, int, int, int,
                                  const void *, const void *, cudaDataType, int,
                                  const void *, cudaDataType, int, const void *,
                                  void *, cudaDataType, int,
                                  cublasComputeType_t, cublasGemmAlgo_t);
static_assert(Alike<decltype(BlasApi::gemmSingle),
                    std::remove_pointer_t<decltype(static_cast<GemmSingle *>(
                        cublasGemmEx))>>::value);

static_assert(sizeof(Copy2d) == sizeof(CUDA_MEMCPY2D));
static_assert(offsetof(Copy2d, source) == offsetof(CUDA_MEMCPY2D, srcDevice));
static_assert(offsetof(Copy2d, dest) == offsetof(CUDA_MEMCPY2D, dstDevice));
static_assert(offsetof(Copy2d, destPitch) == offsetof(CUDA_MEMCPY2D, dstPitch));
static_assert(sizeof(BlasLtAlgo) == sizeof(cublasLtMatmulAlgo_t));
static_assert(sizeof(BlasLtHeuristic) ==
              sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(kMemoryDevice == CU_MEMORYTYPE_DEVICE);
static_assert(kCaptureRelaxed == CU_STREAM_CAPTURE_MODE_RELAXED);
static_assert(kCaptureNone == CU_STREAM_CAPTURE_STATUS_NONE);
static_assert(kCaptureInvalidated == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
static_assert(kNotReady == CUDA_ERROR_NOT_READY);
static_assert(kDeinitialized == CUDA_ERROR_DEINITIALIZED);
static_assert(kJitErrorLog == CU_JIT_ERROR_LOG_BUFFER &&
              kJitErrorLogBytes == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
static_assert(kStreamNonBlocking == CU_STREAM_NON_BLOCKING);
static_assert(kEventDisableTiming == CU_EVENT_DISABLE_TIMING &&
              kEventDefault == CU_EVENT_DEFAULT);
static_assert(kVersionMajor == MAJOR_VERSION &&
              kVersionMinor == MINOR_VERSION && kVersionPatch == PATCH_LEVEL);
static_assert(kEpilogueNone == CUBLASLT_EPILOGUE_DEFAULT);
static_assert(kComputeCapabilityMajor ==
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(kComputeCapabilityMinor ==
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(kTranspose == CUBLAS_OP_T && kNoTranspose == CUBLAS_OP_N);
static_assert(kFloat16 == CUDA_R_16F && kBfloat16 == CUDA_R_16BF);
static_assert(kFloat32 == CUDA_R_32F && kDefaultAlgo == CUBLAS_GEMM_DEFAULT);
static_assert(kCompute32 == CUBLAS_COMPUTE_32F &&
              kComputeTf32 == CUBLAS_COMPUTE_32F_FAST_TF32 &&
              kComputeBf16 == CUBLAS_COMPUTE_32F_FAST_16BF &&
              kComputeFp16 == CUBLAS_COMPUTE_32F_FAST_16F);
static_assert(kBlasNotSupported ==
              kBlasErrors + static_cast<int>(CUBLAS_STATUS_NOT_SUPPORTED));
static_assert(offsetof(BlasLtHeuristic, workspaceBytes) ==
              offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(BlasLtHeuristic, status) ==
              offsetof(cublasLtMatmulHeuristicResult_t, state));
static_assert(kDescTransposeA == CUBLASLT_MATMUL_DESC_TRANSA &&
              kDescEpilogue == CUBLASLT_MATMUL_DESC_EPILOGUE &&
              kDescBias == CUBLASLT_MATMUL_DESC_BIAS_POINTER);
static_assert(kLayoutBatchCount == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT &&
              kLayoutBatchDistance ==
                  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
static_assert(kPreferenceWorkspace == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
static_assert(kPreferenceAlignments[0] ==
                  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES &&
              kPreferenceAlignments[3] ==
                  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
static_assert(Product::kRelu == CUBLASLT_EPILOGUE_RELU &&
              Product::kBias == CUBLASLT_EPILOGUE_BIAS &&
              (Product::kRelu | Product::kBias) == CUBLASLT_EPILOGUE_RELU_BIAS);

TEST(CudaDeclarationsTest, AreThoseOfTheHeaders) { SUCCEED(); }

} // namespace
