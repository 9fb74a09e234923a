//===- CudaBackend.h - Libraries for a GPU ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_CUDABACKEND_H
#define NNET3_RUNTIME_LIBRARY_CUDABACKEND_H

#include "Backend.h"
#include "nnet3/runtime/cuda/CudaApi.h"

namespace nnet3 {
namespace rt {

/// What nnet3lib_cuda_backend does, with \p loadApi for loadCudaApi(), which
/// the first instance calls.
OpenResult loadCudaModel(const nnet3lib_model &model,
                         Result<const cuda::CudaApi *> (*loadApi)(),
                         std::unique_ptr<BackendModel> &loaded);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_CUDABACKEND_H
