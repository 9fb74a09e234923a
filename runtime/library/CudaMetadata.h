//===- CudaMetadata.h - GPU code in a library's metadata --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_CUDAMETADATA_H
#define NNET3_RUNTIME_LIBRARY_CUDAMETADATA_H

#include "LibraryModel.h"
#include "nnet3/runtime/cuda/DeviceCode.h"

namespace nnet3 {
namespace rt {

/// Copies the code and the requests of \p model, which is loaded except for its
/// backend. Checks everything that needs no device.
Status readCudaMetadata(const nnet3lib_model &model, cuda::DeviceCode &code,
                        std::vector<cuda::DeviceRequest> &requests);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_CUDAMETADATA_H
