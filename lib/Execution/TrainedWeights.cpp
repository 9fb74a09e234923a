//===- TrainedWeights.cpp - How kernel constants derive from parameters ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Components compute their per-column constants from their parameters. To find
// which parameter element each constant is, a copy of the component computes
// the constants with parameters whose elements are their own indices.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Execution/TrainedWeights.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using kernel::PackedPart;
using Derived = rt::cuda::DeviceTrainingRequest::Derived;
using Vectors = SmallVector<SmallVector<float>>;

/// Integers up to here, and integers plus one half, are exact floats.
static constexpr uint64_t kMostElements = uint64_t(1) << 22;

namespace {
class Finder {
public:
  Finder(ModuleOp module, ArrayRef<DeviceProgram::Parameter> parameters)
      : module(module), parameters(parameters) {}

  FailureOr<std::vector<Derived>> find();

private:
  LogicalResult addVector(ComponentOpInterface component, int64_t number,
                          Derived derived);
  void addMatrix(AffineKernelInterface affine, StringAttr name, bool isInBlocks,
                 Derived derived);
  FailureOr<Vectors> ask(ComponentOpInterface component,
                         function_ref<float(uint64_t)> getElement);
  const DeviceProgram::Parameter *find(ComponentOpInterface component,
                                       StringRef name);
  /// Returns the parameters of a component, or of a part of it, with their
  /// names there.
  SmallVector<std::pair<StringRef, const DeviceProgram::Parameter *>>
  find(ComponentOpInterface component);

  ModuleOp module;
  ArrayRef<DeviceProgram::Parameter> parameters;
  std::vector<Derived> result;
};
} // namespace

SmallVector<std::pair<StringRef, const DeviceProgram::Parameter *>>
Finder::find(ComponentOpInterface component) {
  SmallVector<std::pair<StringRef, const DeviceProgram::Parameter *>> found;
  Operation *whole = getPartNumber(component) ? component->getParentOp()
                                              : component.getOperation();
  const std::string prefix = getPartPrefix(component);
  for (const DeviceProgram::Parameter &parameter : parameters) {
    StringRef name = parameter.parameter;
    if (parameter.component == SymbolTable::getSymbolName(whole).getValue() &&
        name.consume_front(prefix))
      found.push_back({name, &parameter});
  }
  return found;
}

const DeviceProgram::Parameter *Finder::find(ComponentOpInterface component,
                                             StringRef name) {
  for (auto [known, parameter] : find(component))
    if (known == name)
      return parameter;
  return nullptr;
}

/// Computes the per-column constants of the component, with element i of its
/// concatenated parameters set to `getElement`(i).
FailureOr<Vectors> Finder::ask(ComponentOpInterface component,
                               function_ref<float(uint64_t)> getElement) {
  Operation *copy = component->clone();
  uint64_t next = 0;
  for (auto [name, parameter] : find(component)) {
    auto tensor = copy->getAttrOfType<ElementsAttr>(name);
    SmallVector<float> values(parameter->size);
    for (float &value : values)
      value = getElement(next++);
    copy->setAttr(name,
                  DenseElementsAttr::get(
                      RankedTensorType::get(tensor.getShapedType().getShape(),
                                            tensor.getElementType()),
                      ArrayRef<float>(values)));
  }
  auto vectors = getColumnConstants(copy);
  copy->destroy();
  return vectors;
}

LogicalResult Finder::addVector(ComponentOpInterface component, int64_t number,
                                Derived derived) {
  SmallVector<uint64_t> places;
  for (auto [name, parameter] : find(component))
    for (uint64_t i = 0; i < parameter->size; ++i)
      places.push_back(parameter->place + i);
  auto numbers = ask(component, [](uint64_t i) { return i + 1; });
  auto shifted = ask(component, [](uint64_t i) { return i + 1.5f; });
  auto zeros = ask(component, [](uint64_t) { return 0; });
  if (places.size() >= kMostElements || failed(numbers) || failed(shifted) ||
      failed(zeros))
    return component->emitError("cannot be trained on a device");
  // The constant does not depend on parameters that training changes.
  if ((*numbers)[number] == (*shifted)[number])
    return success();
  for (auto [index, twice] :
       llvm::zip_equal((*numbers)[number], (*shifted)[number])) {
    if (index != std::floor(index) || twice != index + 0.5f || index < 1 ||
        index > places.size())
      return component->emitError("cannot be trained on a device: its code "
                                  "reads numbers that are no parameters");
    derived.table.push_back(places[uint64_t(index) - 1]);
  }
  derived.least = (*zeros)[number].front();
  result.push_back(std::move(derived));
  return success();
}

void Finder::addMatrix(AffineKernelInterface affine, StringAttr name,
                       bool isInBlocks, Derived derived) {
  const DeviceProgram::Parameter *parameter =
      find(cast<ComponentOpInterface>(affine.getOperation()), name);
  if (parameter->place == derived.place)
    return;
  const int64_t columns = affine.getWeightColumns();
  for (uint64_t i = 0; i < parameter->size; ++i)
    derived.table.push_back(
        parameter->place +
        (isInBlocks ? affine.getWeightPlace(i / columns, i % columns) : i));
  result.push_back(std::move(derived));
}

FailureOr<std::vector<Derived>> Finder::find() {
  SymbolTableCollection symbols;
  ArrayAttr layout = kernel::ResourcesOp::find(module).getLayout();
  for (auto part : layout.getAsRange<kernel::PackedAttr>()) {
    auto component = cast<ComponentOpInterface>(
        symbols.lookupNearestSymbolFrom(module, part.getComponent()));
    if (find(component).empty())
      continue;
    Derived derived;
    derived.place = part.getOffset();
    auto affine = dyn_cast<AffineKernelInterface>(component.getOperation());
    if (part.getPart() == PackedPart::Vector &&
        failed(addVector(component, part.getNumber(), std::move(derived))))
      return failure();
    if (part.getPart() == PackedPart::Panels)
      addMatrix(affine, affine.getWeightsName(), affine.hasWeightsPerBlock(),
                std::move(derived));
    else if (part.getPart() == PackedPart::Bias && affine.getBiasName())
      addMatrix(affine, affine.getBiasName(), /*isInBlocks=*/false,
                std::move(derived));
  }
  return std::move(result);
}

FailureOr<std::vector<Derived>>
mlir::nnet3::findDerivedWeights(ModuleOp module,
                                ArrayRef<DeviceProgram::Parameter> parameters) {
  return Finder(module, parameters).find();
}
