//===- CudaBackend.h - Libraries for a GPU ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_CUDABACKEND_H
#define NNET3_RUNTIME_LIBRARY_CUDABACKEND_H

#include "Backend.h"
#include "nnet3/runtime/cuda/CudaApi.h"

namespace nnet3 {
namespace rt {

/// Implements nnet3lib_cuda_backend. The first instance calls \p loadApi, which
/// is loadCudaApi() outside of tests.
OpenResult loadCudaModel(const nnet3lib_model &model,
                         Result<const cuda::CudaApi *> (*loadApi)(),
                         std::unique_ptr<BackendModel> &loaded);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_CUDABACKEND_H
