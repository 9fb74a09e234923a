//===- LibraryWriter.cpp - The metadata of libraries for tests ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryWriter.h"
#include "nnet3/runtime/Container.h"
#include "nnet3/runtime/library_generated.h"

#include <cstring>

namespace nnet3 {
namespace rt {
namespace test {

using Builder = flatbuffers::FlatBufferBuilder;

template <typename Item>
static std::vector<flatbuffers::Offset<schema::PlacedMatrix>>
writeMatrices(Builder &builder, const std::vector<Item> &matrices) {
  auto list = [](const std::vector<int32_t> &code) {
    return code.empty() ? nullptr : &code;
  };
  std::vector<flatbuffers::Offset<schema::PlacedMatrix>> out;
  for (const Item &matrix : matrices) {
    const auto n = listCode(matrix.n), t = listCode(matrix.t),
               x = listCode(matrix.x);
    auto io = schema::CreateIoMatrixDirect(
        builder, matrix.name.c_str(), matrix.rows, matrix.cols,
        /*is_derivative=*/false, list(n), list(t), list(x));
    out.push_back(
        schema::CreatePlacedMatrix(builder, io, matrix.offset, matrix.stride));
  }
  return out;
}

static flatbuffers::Offset<schema::DeviceCode>
writeDevice(Builder &builder, const cuda::DeviceCode &code) {
  if (code.kernels.empty())
    return {};
  std::vector<flatbuffers::Offset<schema::DevicePtx>> ptx;
  for (const cuda::DevicePtx &one : code.ptx)
    ptx.push_back(
        schema::CreateDevicePtxDirect(builder, one.arch, one.text.c_str()));
  std::vector<flatbuffers::Offset<schema::DeviceKernel>> kernels;
  for (const cuda::Kernel &kernel : code.kernels) {
    const cuda::Product &p = kernel.product;
    flatbuffers::Offset<schema::DeviceProduct> product;
    if (kernel.name.empty())
      product = schema::CreateDeviceProduct(
          builder, p.rows, p.columns, p.depth, p.inputStride, p.weightsStride,
          p.outputStride, p.batches, p.inputBatch, p.outputBatch, p.beta,
          p.epilogue);
    kernels.push_back(schema::CreateDeviceKernelDirect(
        builder, kernel.name.empty() ? nullptr : kernel.name.c_str(),
        kernel.blocksX, kernel.blocksY, kernel.threads, kernel.numPlaces,
        product, static_cast<uint8_t>(kernel.form)));
  }
  return schema::CreateDeviceCodeDirect(builder, &ptx, &kernels);
}

static flatbuffers::Offset<schema::Stream>
writeStream(Builder &builder, const LibraryWriter::StreamData &stream) {
  std::vector<flatbuffers::Offset<schema::StreamState>> states;
  for (const LibraryWriter::StateData &state : stream.states)
    states.push_back(schema::CreateStreamStateDirect(
        builder, state.node.c_str(),
        state.output.empty() ? nullptr : state.output.c_str(), &state.times));
  std::vector<flatbuffers::Offset<schema::StreamChunk>> chunks;
  for (const LibraryWriter::ChunkData &chunk : stream.chunks)
    chunks.push_back(schema::CreateStreamChunk(
        builder, chunk.numFrames, chunk.numStreams, chunk.first, chunk.next));
  return schema::CreateStreamDirect(builder, stream.left, stream.right,
                                    stream.factor, stream.period, false,
                                    &states, &chunks);
}

std::vector<uint8_t> LibraryWriter::finish() {
  Builder builder;
  weights.resize(codeWeights.size() * sizeof(float));
  if (!weights.empty())
    std::memcpy(weights.data(), codeWeights.data(), weights.size());
  std::vector<flatbuffers::Offset<schema::Component>> componentList;
  for (const ComponentData &data : components) {
    AttributeList attrs = writeAttributes(builder, data.attrs, weights);
    componentList.push_back(schema::CreateComponentDirect(
        builder, data.name.c_str(), data.type.c_str(), &attrs));
  }
  std::vector<flatbuffers::Offset<schema::Call>> callList;
  for (const CallData &call : calls) {
    flatbuffers::Offset<schema::Precomputed> precomputed;
    if (!call.precomputed.empty()) {
      AttributeList attrs = writeAttributes(builder, call.precomputed, weights);
      precomputed = schema::CreatePrecomputedDirect(builder, &attrs);
    }
    callList.push_back(schema::CreateCall(
        builder, call.component, call.inRows, call.inCols, call.outRows,
        call.outCols, precomputed, call.number));
  }
  std::vector<flatbuffers::Offset<schema::LibraryRequest>> requestList;
  for (const RequestData &request : requests) {
    auto inputs = writeMatrices(builder, request.inputs);
    auto outputs = writeMatrices(builder, request.outputs);
    requestList.push_back(schema::CreateLibraryRequestDirect(
        builder, request.name.c_str(), request.arenaFloats, &inputs, &outputs,
        request.launches.empty() ? nullptr : &request.launches,
        request.random ? flatbuffers::Optional<uint64_t>(*request.random)
                       : flatbuffers::nullopt,
        /*min_outputs=*/0, request.blocks));
  }
  const auto deviceCode = writeDevice(builder, device);
  flatbuffers::Offset<schema::Stream> streamTable;
  if (stream)
    streamTable = writeStream(builder, *stream);
  std::vector<flatbuffers::Offset<flatbuffers::String>> features;
  for (const std::string &name : cpuFeatures)
    features.push_back(builder.CreateString(name));
  schema::FinishLibraryBuffer(
      builder,
      schema::CreateLibraryDirect(
          builder, producer.c_str(), network.c_str(), &componentList, &callList,
          &requestList, weights.size(),
          weights.empty() ? 0 : checksum(weights.data(), weights.size()),
          precision.empty() ? nullptr : precision.c_str(), &features,
          deviceCode, &rowTables, streamTable,
          layers.empty() ? nullptr : layers.c_str()));
  return {builder.GetBufferPointer(),
          builder.GetBufferPointer() + builder.GetSize()};
}

} // namespace test
} // namespace rt
} // namespace nnet3
