//===- LibraryMetadata.cpp - What a library knows of itself ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Library/LibraryMetadata.h"
#include "DeviceMetadata.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"
#include "nnet3/Target/Cpu/CpuTarget.h"
#include "nnet3/Target/Library/WeightPacker.h"
#include "nnet3/Target/Program/AttributeEmitter.h"
#include "nnet3/Target/Program/LoopedLists.h"
#include "nnet3/runtime/Container.h"
#include "nnet3/runtime/library_generated.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::nnet3;
namespace schema = ::nnet3::rt::schema;

namespace {
class Collector {
public:
  Collector(ModuleOp module, std::vector<std::string> cpuFeatures,
            const DeviceProgram *device, bool takeParameters)
      : module(module), cpuFeatures(std::move(cpuFeatures)), device(device),
        takeParameters(takeParameters) {}

  FailureOr<LibraryData> collect();

private:
  LogicalResult findCalledComponents();
  LogicalResult collectWeights();
  LogicalResult emitComponents();
  LogicalResult emitCall(kernel::CallAttr call);
  LogicalResult emitCalls();
  void emitRequest(kernel::EntryOp entry);
  std::string describeLayers();
  flatbuffers::Offset<schema::Stream> emitStream(StreamOp stream);
  std::vector<flatbuffers::Offset<schema::PlacedMatrix>>
  emitMatrices(ArrayAttr matrices, RequestOp request);
  flatbuffers::Offset<schema::IoMatrix> emitIo(kernel::IoAttr matrix,
                                               RequestOp request);

  ModuleOp module;
  kernel::ResourcesOp resources;
  std::vector<std::string> cpuFeatures;
  const DeviceProgram *device; ///< null for the CPU
  bool takeParameters;
  SymbolTableCollection symbols;
  LibraryData data;
  /// Of the components that the runtime runs; there is one network.
  std::optional<ParameterBlob> tensors;
  flatbuffers::FlatBufferBuilder builder;
  SmallVector<ComponentOpInterface> components;
  std::vector<flatbuffers::Offset<schema::Component>> emittedComponents;
  std::vector<flatbuffers::Offset<schema::Call>> calls;
  std::vector<flatbuffers::Offset<schema::LibraryRequest>> requests;
  /// The number of each request.
  llvm::StringMap<int32_t> requestNumbers;
};
} // namespace

/// A line for each component with packed weights: its name, its precision, and
/// the error if it was measured. Empty if all are f32.
std::string Collector::describeLayers() {
  std::string text;
  if (resources.getPrecision() == Precision::F32)
    return text;
  llvm::raw_string_ostream os(text);
  llvm::StringSet<> seen;
  for (auto part : resources.getLayout().getAsRange<kernel::PackedAttr>()) {
    StringRef name = part.getComponent().getLeafReference();
    if (part.getPart() != kernel::PackedPart::Panels ||
        !seen.insert(name).second)
      continue;
    os << name << " " << getPrecisionName(part.getPrecision());
    if (FloatAttr error = part.getError())
      os << " " << llvm::formatv("{0:F6}", error.getValueAsDouble());
    os << "\n";
  }
  return text;
}

/// The components of the runtime's calls, each once.
LogicalResult Collector::findCalledComponents() {
  for (auto call : resources.getCalls().getAsRange<kernel::CallAttr>()) {
    auto component = symbols.lookupNearestSymbolFrom<ComponentOpInterface>(
        module, call.getComponent());
    if (!component)
      return resources.emitError("expects calls of components, but got ")
             << call.getComponent();
    if (!llvm::is_contained(components, component))
      components.push_back(component);
  }
  return success();
}

LogicalResult Collector::collectWeights() {
  const uint64_t packedBytes =
      ::nnet3::rt::alignContainerOffset(resources.getSize() * 4);
  tensors.emplace();
  if (!components.empty()) {
    auto blob = ParameterBlob::create(components, packedBytes);
    if (failed(blob))
      return failure();
    tensors = *blob;
  }
  auto packed =
      packWeights(resources, packedBytes + tensors->getSize(), takeParameters);
  if (failed(packed))
    return failure();
  data.weights = std::move(*packed);
  if (tensors->getSize())
    std::memcpy(data.weights.data() + packedBytes, tensors->getData().get(),
                tensors->getSize());
  return success();
}

LogicalResult Collector::emitComponents() {
  for (ComponentOpInterface component : components) {
    auto emitted = emitComponent(builder, component, *tensors);
    if (failed(emitted))
      return failure();
    emittedComponents.push_back(*emitted);
  }
  return success();
}

LogicalResult Collector::emitCall(kernel::CallAttr call) {
  auto component = symbols.lookupNearestSymbolFrom<ComponentOpInterface>(
      module, call.getComponent());
  flatbuffers::Offset<schema::Precomputed> precomputed;
  if (DictionaryAttr given = call.getPrecomputed()) {
    auto emitted = emitPrecomputed(builder, component, given);
    if (failed(emitted))
      return failure();
    precomputed = *emitted;
  }
  int32_t position = llvm::find(components, component) - components.begin();
  calls.push_back(schema::CreateCall(
      builder, position, call.getInputRows(), component.getComponentInputDim(),
      call.getOutputRows(), component.getComponentOutputDim(), precomputed,
      call.getDraw().value_or(0)));
  return success();
}

LogicalResult Collector::emitCalls() {
  for (auto call : resources.getCalls().getAsRange<kernel::CallAttr>())
    if (failed(emitCall(call)))
      return failure();
  return success();
}

/// An input or output of a function, with its rows' indexes as the request
/// says.
flatbuffers::Offset<schema::IoMatrix> Collector::emitIo(kernel::IoAttr matrix,
                                                        RequestOp request) {
  StringAttr node = matrix.getNode();
  std::vector<int32_t> n, t, x;
  if (request)
    for (Operation &io : request.getBody().front())
      if (io.getAttr("name") == node)
        for (const Index &index :
             io.getAttrOfType<IndexesAttr>("indexes").expand()) {
          n.push_back(index.n);
          t.push_back(index.t);
          x.push_back(index.x);
        }
  const bool known = !n.empty();
  const bool hasX = llvm::any_of(x, [](int32_t value) { return value != 0; });
  const ListCode nList = getIntegerList(n), tList = getIntegerList(t),
                 xList = getIntegerList(x);
  const int64_t blocks = request ? request.getNumBlocks() : 1;
  return schema::CreateIoMatrixDirect(
      builder, node.str().c_str(), matrix.getRows() * blocks, matrix.getCols(),
      /*is_derivative=*/false, known ? &nList : nullptr,
      known ? &tList : nullptr, hasX ? &xList : nullptr);
}

std::vector<flatbuffers::Offset<schema::PlacedMatrix>>
Collector::emitMatrices(ArrayAttr matrices, RequestOp request) {
  std::vector<flatbuffers::Offset<schema::PlacedMatrix>> result;
  for (auto matrix : matrices.getAsRange<kernel::IoAttr>())
    result.push_back(
        schema::CreatePlacedMatrix(builder, emitIo(matrix, request),
                                   matrix.getOffset(), matrix.getCols()));
  return result;
}

/// The request that a computation was compiled from; its name has a suffix.
static RequestOp findRequest(ModuleOp module, StringRef function) {
  function.consume_back("_computation");
  return dyn_cast_or_null<RequestOp>(
      SymbolTable::lookupSymbolIn(module, function));
}

void Collector::emitRequest(kernel::EntryOp entry) {
  StringRef name = entry.getFunction();
  RequestOp request = findRequest(module, name);
  auto inputs = emitMatrices(entry.getInputs(), request);
  auto outputs = emitMatrices(entry.getOutputs(), request);
  StringRef label = request ? request.getSymName() : name;
  requestNumbers[label] = requests.size();
  const auto *onDevice =
      device ? &device->requests[requests.size()].request : nullptr;
  flatbuffers::Optional<uint64_t> random;
  if (onDevice && onDevice->random)
    random = *onDevice->random;
  requests.push_back(schema::CreateLibraryRequestDirect(
      builder, label.str().c_str(), entry.getArenaSize(), &inputs, &outputs,
      onDevice ? &onDevice->launches : nullptr, random,
      request ? int32_t(request.getMinOutputs().value_or(0)) : 0,
      request ? int32_t(request.getNumBlocks()) : 1));
  if (!device)
    data.functions.push_back(name.str());
}

flatbuffers::Offset<schema::Stream> Collector::emitStream(StreamOp stream) {
  std::vector<flatbuffers::Offset<schema::StreamState>> states;
  for (auto state : stream.getBody().getOps<StreamStateOp>()) {
    const std::optional<StringRef> output = state.getOutput();
    std::vector<int32_t> times;
    if (!output)
      for (const Index &row : state.getIndexes().expand())
        times.push_back(row.t);
    states.push_back(schema::CreateStreamStateDirect(
        builder, state.getNode().str().c_str(),
        output ? output->str().c_str() : nullptr, output ? nullptr : &times));
  }
  std::vector<flatbuffers::Offset<schema::StreamChunk>> chunks;
  for (auto chunk : stream.getBody().getOps<StreamChunkOp>())
    chunks.push_back(schema::CreateStreamChunk(
        builder, chunk.getNumFrames(), chunk.getNumSequences(),
        chunk.getFirst() ? requestNumbers.lookup(*chunk.getFirst()) : -1,
        requestNumbers.lookup(chunk.getNext())));
  return schema::CreateStreamDirect(
      builder, stream.getLeft(), stream.getRight(),
      stream.getFrameSubsamplingFactor(), stream.getIvectorPeriod(),
      stream.getDependsOnChunks(), &states, &chunks, stream.getDependsOnEnd());
}

FailureOr<LibraryData> Collector::collect() {
  resources = kernel::ResourcesOp::find(module);
  if (!resources)
    return module.emitError("expects 'kernel.resources', as "
                            "convert-nnet3-to-kernels adds it");
  if (failed(findCalledComponents()) || failed(collectWeights()) ||
      failed(emitComponents()) || failed(emitCalls()))
    return failure();
  for (auto entry : module.getOps<kernel::EntryOp>())
    emitRequest(entry);
  data.isForGpu = device;
  auto networks = module.getOps<NetworkOp>();
  std::string network =
      networks.empty() ? "" : (*networks.begin()).getSymName().str();
  flatbuffers::Offset<schema::DeviceCode> deviceCode;
  if (device) {
    deviceCode = emitDeviceCode(builder, device->code);
    data.tuningBytes = getTuningBytes(device->code);
  }
  flatbuffers::Offset<schema::Stream> stream;
  for (auto op : module.getOps<StreamOp>())
    stream = emitStream(op);
  ListCode rowTables;
  if (RowTableAttr tables = resources.getRowTablesAttr())
    rowTables = getRowList(tables);
  for (kernel::DotProductAttr instruction : getDotProducts(module))
    cpuFeatures.push_back(instruction.getFeature().str());
  std::vector<flatbuffers::Offset<flatbuffers::String>> features;
  for (const std::string &name : cpuFeatures)
    features.push_back(builder.CreateString(name));
  const std::string layers = describeLayers();
  builder.Finish(
      schema::CreateLibraryDirect(
          builder, "nnet3-mlir", network.c_str(), &emittedComponents, &calls,
          &requests, data.weights.size(),
          ::nnet3::rt::checksum(data.weights.data(), data.weights.size()),
          resources.getPrecision() == Precision::F32
              ? nullptr
              : getPrecisionName(resources.getPrecision()).data(),
          &features, deviceCode, &rowTables, stream,
          layers.empty() ? nullptr : layers.c_str()),
      schema::LibraryIdentifier());
  data.metadata.assign(
      reinterpret_cast<const char *>(builder.GetBufferPointer()),
      builder.GetSize());
  return std::move(data);
}

FailureOr<LibraryData> mlir::nnet3::collectLibraryData(
    ModuleOp module, std::vector<std::string> cpuFeatures,
    const DeviceProgram *device, bool takeParameters) {
  return Collector(module, std::move(cpuFeatures), device, takeParameters)
      .collect();
}
