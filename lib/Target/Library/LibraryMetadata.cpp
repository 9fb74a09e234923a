//===- LibraryMetadata.cpp - What a library knows of itself ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Library/LibraryMetadata.h"
#include "DeviceMetadata.h"
#include "nnet3/Compile/Padding.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Target/Cpu/CpuTarget.h"
#include "nnet3/Target/Library/WeightPacker.h"
#include "nnet3/Target/Program/AttributeEmitter.h"
#include "nnet3/Target/Program/LoopedLists.h"
#include "nnet3/runtime/Container.h"
#include "nnet3/runtime/library_generated.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

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
  LogicalResult emitCall(DictionaryAttr call);
  LogicalResult emitCalls();
  void emitRequest(Operation *function);
  std::vector<flatbuffers::Offset<schema::PlacedMatrix>>
  emitMatrices(ArrayAttr matrices, RequestOp request);
  flatbuffers::Offset<schema::IoMatrix> emitIo(DictionaryAttr matrix,
                                               RequestOp request);

  ModuleOp module;
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
};
} // namespace

static ArrayAttr getList(Operation *op, StringRef name) {
  if (auto list = op->getAttrOfType<ArrayAttr>(name))
    return list;
  return ArrayAttr::get(op->getContext(), {});
}

static int64_t getInt(DictionaryAttr entry, StringRef name) {
  return entry.getAs<IntegerAttr>(name).getInt();
}

/// The components of the runtime's calls, each once.
LogicalResult Collector::findCalledComponents() {
  for (auto call :
       getList(module, "nnet3.runtime_calls").getAsRange<DictionaryAttr>()) {
    auto component = symbols.lookupNearestSymbolFrom<ComponentOpInterface>(
        module, call.getAs<SymbolRefAttr>("component"));
    if (!component)
      return module.emitError("expects calls of components, but got ")
             << call.get("component");
    if (!llvm::is_contained(components, component))
      components.push_back(component);
  }
  return success();
}

LogicalResult Collector::collectWeights() {
  const uint64_t packedBytes =
      ::nnet3::rt::alignContainerOffset(getPackedWeightsSize(module) * 4);
  tensors.emplace();
  if (!components.empty()) {
    auto blob = ParameterBlob::create(components, packedBytes);
    if (failed(blob))
      return failure();
    tensors = *blob;
  }
  data.weights = ZeroedBytes(packedBytes + tensors->getSize());
  auto *packed = reinterpret_cast<float *>(data.weights.data());
  if (failed(packWeights(module, MutableArrayRef(packed, packedBytes / 4),
                         takeParameters)))
    return failure();
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

LogicalResult Collector::emitCall(DictionaryAttr call) {
  auto component = symbols.lookupNearestSymbolFrom<ComponentOpInterface>(
      module, call.getAs<SymbolRefAttr>("component"));
  flatbuffers::Offset<schema::Precomputed> precomputed;
  if (auto given = call.getAs<DictionaryAttr>("precomputed")) {
    auto emitted = emitPrecomputed(builder, component, given);
    if (failed(emitted))
      return failure();
    precomputed = *emitted;
  }
  int32_t position = llvm::find(components, component) - components.begin();
  calls.push_back(schema::CreateCall(
      builder, position, getInt(call, "input_rows"),
      component.getComponentInputDim(), getInt(call, "output_rows"),
      component.getComponentOutputDim(), precomputed,
      call.contains("draw") ? getInt(call, "draw") : 0));
  return success();
}

LogicalResult Collector::emitCalls() {
  for (auto call :
       getList(module, "nnet3.runtime_calls").getAsRange<DictionaryAttr>())
    if (failed(emitCall(call)))
      return failure();
  return success();
}

/// An input or output of a function, with its rows' indexes as the request
/// says.
flatbuffers::Offset<schema::IoMatrix> Collector::emitIo(DictionaryAttr matrix,
                                                        RequestOp request) {
  auto node = matrix.getAs<StringAttr>("node");
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
  return schema::CreateIoMatrixDirect(
      builder, node.str().c_str(), getInt(matrix, "rows"),
      getInt(matrix, "cols"), /*is_derivative=*/false, known ? &nList : nullptr,
      known ? &tList : nullptr, hasX ? &xList : nullptr);
}

std::vector<flatbuffers::Offset<schema::PlacedMatrix>>
Collector::emitMatrices(ArrayAttr matrices, RequestOp request) {
  std::vector<flatbuffers::Offset<schema::PlacedMatrix>> result;
  for (auto matrix : matrices.getAsRange<DictionaryAttr>())
    result.push_back(schema::CreatePlacedMatrix(
        builder, emitIo(matrix, request), getInt(matrix, "place"),
        getInt(matrix, "cols")));
  return result;
}

/// The request that a computation was compiled from; its name has a suffix.
static RequestOp findRequest(ModuleOp module, StringRef function) {
  function.consume_back("_computation");
  return dyn_cast_or_null<RequestOp>(
      SymbolTable::lookupSymbolIn(module, function));
}

void Collector::emitRequest(Operation *function) {
  StringRef name = SymbolTable::getSymbolName(function).getValue();
  RequestOp request = findRequest(module, name);
  auto inputs = emitMatrices(getList(function, "nnet3.inputs"), request);
  auto outputs = emitMatrices(getList(function, "nnet3.outputs"), request);
  StringRef label = request ? request.getSymName() : name;
  const auto *onDevice =
      device ? &device->requests[requests.size()].request : nullptr;
  flatbuffers::Optional<uint64_t> random;
  if (onDevice && onDevice->random)
    random = *onDevice->random;
  auto minOutputs =
      request ? request->getAttrOfType<IntegerAttr>(kMinOutputsAttr) : nullptr;
  requests.push_back(schema::CreateLibraryRequestDirect(
      builder, label.str().c_str(),
      function->getAttrOfType<IntegerAttr>("nnet3.arena_size").getInt(),
      &inputs, &outputs, onDevice ? &onDevice->launches : nullptr, random,
      minOutputs ? int32_t(minOutputs.getInt()) : 0));
  if (!device)
    data.functions.push_back(name.str());
}

/// An attribute of the module, or null.
static const char *getText(ModuleOp module, StringRef name) {
  auto text = module->getAttrOfType<StringAttr>(name);
  return text ? text.getValue().data() : nullptr;
}

FailureOr<LibraryData> Collector::collect() {
  if (failed(findCalledComponents()) || failed(collectWeights()) ||
      failed(emitComponents()) || failed(emitCalls()))
    return failure();
  for (Operation &op : *module.getBody()) {
    if (!op.hasAttr("nnet3.arena_size"))
      continue;
    if (device && !isa<func::FuncOp>(op))
      return op.emitOpError("expects a function of launches");
    emitRequest(&op);
  }
  data.isForGpu = device;
  auto networks = module.getOps<NetworkOp>();
  std::string network =
      networks.empty() ? "" : (*networks.begin()).getSymName().str();
  flatbuffers::Offset<schema::DeviceCode> deviceCode;
  if (device) {
    deviceCode = emitDeviceCode(builder, device->code);
    data.tuningBytes = getTuningBytes(device->code);
  }
  if (failed(expandRowTables(module)))
    return failure();
  ListCode rowTables;
  if (auto code =
          module->getAttrOfType<DenseI32ArrayAttr>(kernel::kRowTablesAttr))
    rowTables.assign(code.asArrayRef().begin(), code.asArrayRef().end());
  if (kernel::DotProductAttr instruction = getDotProduct(module))
    cpuFeatures.push_back(instruction.getFeature().str());
  std::vector<flatbuffers::Offset<flatbuffers::String>> features;
  for (const std::string &name : cpuFeatures)
    features.push_back(builder.CreateString(name));
  builder.Finish(
      schema::CreateLibraryDirect(
          builder, "nnet3-mlir", network.c_str(), &emittedComponents, &calls,
          &requests, data.weights.size(),
          ::nnet3::rt::checksum(data.weights.data(), data.weights.size()),
          getText(module, "nnet3.precision"), &features, deviceCode,
          &rowTables),
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
