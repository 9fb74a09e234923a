//===- DeviceMetadata.h - What a library has for a GPU ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_TARGET_LIBRARY_DEVICEMETADATA_H
#define LIB_TARGET_LIBRARY_DEVICEMETADATA_H

#include "nnet3/runtime/cuda/DeviceCode.h"
#include "nnet3/runtime/library_generated.h"

namespace mlir::nnet3 {

/// Kernels; launches are with the requests.
flatbuffers::Offset<::nnet3::rt::schema::DeviceCode>
emitDeviceCode(flatbuffers::FlatBufferBuilder &builder,
               const ::nnet3::rt::cuda::DeviceCode &code);

/// The bytes that a library keeps free in its file for algorithms of the
/// products.
size_t getTuningBytes(const ::nnet3::rt::cuda::DeviceCode &code);

} // namespace mlir::nnet3

#endif // LIB_TARGET_LIBRARY_DEVICEMETADATA_H
