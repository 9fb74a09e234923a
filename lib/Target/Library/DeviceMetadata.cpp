//===- DeviceMetadata.cpp - What a library has for a GPU ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceMetadata.h"

#include "nnet3/runtime/cuda/AlgorithmTable.h"

using namespace ::nnet3::rt;

static flatbuffers::Offset<schema::DeviceProduct>
emitProduct(flatbuffers::FlatBufferBuilder &builder,
            const cuda::Product &product) {
  assert(product.factors == cuda::ProductFactors::Forward &&
         "libraries have no backward pass");
  return schema::CreateDeviceProduct(
      builder, product.rows, product.columns, product.depth,
      product.inputStride, product.weightsStride, product.outputStride,
      product.batches, product.inputBatch, product.outputBatch, product.beta,
      product.epilogue, product.factorType);
}

static flatbuffers::Offset<schema::DeviceKernel>
emitKernel(flatbuffers::FlatBufferBuilder &builder,
           const cuda::Kernel &kernel) {
  if (!kernel.name.empty())
    return schema::CreateDeviceKernelDirect(
        builder, kernel.name.c_str(), kernel.blocksX, kernel.blocksY,
        kernel.threads, kernel.numPlaces, /*product=*/0,
        static_cast<uint8_t>(kernel.form));
  return schema::CreateDeviceKernelDirect(
      builder, /*name=*/nullptr, /*blocks_x=*/0, /*blocks_y=*/0, /*threads=*/0,
      kernel.numPlaces, emitProduct(builder, kernel.product),
      static_cast<uint8_t>(kernel.form));
}

flatbuffers::Offset<schema::DeviceCode>
mlir::nnet3::emitDeviceCode(flatbuffers::FlatBufferBuilder &builder,
                            const cuda::DeviceCode &code) {
  std::vector<flatbuffers::Offset<schema::DevicePtx>> ptx;
  for (const cuda::DevicePtx &one : code.ptx)
    ptx.push_back(
        schema::CreateDevicePtxDirect(builder, one.arch, one.text.c_str()));
  std::vector<flatbuffers::Offset<schema::DeviceKernel>> kernels;
  for (const cuda::Kernel &kernel : code.kernels)
    kernels.push_back(emitKernel(builder, kernel));
  return schema::CreateDeviceCodeDirect(builder, &ptx, &kernels);
}

size_t mlir::nnet3::getTuningBytes(const cuda::DeviceCode &code) {
  return cuda::getAlgorithmBytes(
      llvm::count_if(code.kernels, [](const cuda::Kernel &kernel) {
        return kernel.name.empty() && kernel.form != cuda::Form::Apart;
      }));
}
