//===- ComponentPrecisions.cpp - The precision of each matmul -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComponentPrecisions.h"

#include "nnet3/Dialect/Nnet3/Analysis/InputReaders.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Feature columns differ in magnitude: the bf16 rounding error of the largest
/// column may exceed all values of a small one. So components that read inputs
/// keep f32 rows, and their weights are fp16 if other matmuls use integers. The
/// outputs of affine maps of features differ too much for one scale of int8,
/// but not for int16 and bf16.
void ComponentPrecisions::chooseForReadersOfInputs(ModuleOp module) {
  const bool isInt8 = precision == Precision::Int8;
  const Precision direct =
      hasIntegers(precision) ? Precision::FP16 : Precision::F32;
  // On CPUs without bf16 dot products, bf16 matmuls are slower than f32.
  const Precision throughMaps =
      target && target.multipliesInt16()                ? Precision::Int16
      : target && target.getDotProduct(Precision::BF16) ? Precision::BF16
                                                        : Precision::FP16;
  for (auto network : module.getOps<NetworkOp>()) {
    SymbolTable symbols(network);
    for (auto node : network.getBody().getOps<ComponentNodeOp>()) {
      Operation *component = symbols.lookup(node.getComponent());
      if (hasInputColumns(node.getInput()))
        others[component] = direct;
      else if (isInt8 && hasInputColumns(node.getInput(), /*throughMaps=*/true))
        others.try_emplace(component, throughMaps);
    }
  }
}

/// Returns the component `name`, or else the parts that network passes have
/// split it into, which are called NAME.COLUMN.
static SmallVector<Operation *> findComponents(NetworkOp network,
                                               StringRef name) {
  if (Operation *component = SymbolTable::lookupSymbolIn(network, name))
    return {component};
  SmallVector<Operation *> parts;
  for (auto component : network.getBody().getOps<SymbolOpInterface>()) {
    StringRef rest = component.getName();
    if (rest.consume_front(name) && rest.consume_front(".") && !rest.empty() &&
        llvm::all_of(rest, llvm::isDigit))
      parts.push_back(component);
  }
  return parts;
}

LogicalResult ComponentPrecisions::choose(ModuleOp module, StringRef choice) {
  auto chosen = parseComponentPrecision(choice);
  if (!chosen)
    return emitError(module.getLoc())
           << "expects NAME:PRECISION or NAME:PRECISION:ERROR, but got '"
           << choice << "'";
  auto [name, wanted, error] = *chosen;
  const bool isBesideInt8 =
      wanted == Precision::BF16 || wanted == Precision::Int16;
  if (wanted != Precision::F32 && wanted != precision &&
      !(isBesideInt8 && precision == Precision::Int8) &&
      !(wanted == Precision::FP16 && convertsRows(precision)))
    return emitError(module.getLoc())
           << "component '" << name << "' cannot have "
           << getPrecisionName(wanted) << " where others have "
           << getPrecisionName(precision);
  bool isFound = false;
  for (auto network : module.getOps<NetworkOp>())
    for (Operation *component : findComponents(network, name)) {
      others[component] = getFast(wanted);
      if (error)
        errors[component] = *error;
      isFound = true;
    }
  if (!isFound)
    return emitError(module.getLoc())
           << "there is no component '" << name << "' to compute in "
           << getPrecisionName(wanted);
  return success();
}

FailureOr<ComponentPrecisions>
ComponentPrecisions::get(ModuleOp module, kernel::TargetAttr target,
                         Precision precision, ArrayRef<std::string> choices) {
  ComponentPrecisions result(precision, target);
  if (convertsRows(precision))
    result.chooseForReadersOfInputs(module);
  for (StringRef choice : choices)
    if (failed(result.choose(module, choice)))
      return failure();
  return result;
}

/// Returns the component of the network that contains `component`.
static Operation *getWhole(Operation *component) {
  while (!isa<NetworkOp>(component->getParentOp()))
    component = component->getParentOp();
  return component;
}

FloatAttr ComponentPrecisions::lookupError(Operation *component) const {
  auto found = errors.find(getWhole(component));
  return found == errors.end()
             ? FloatAttr()
             : Builder(component->getContext()).getF64FloatAttr(found->second);
}

/// Without an int16 instruction, int16 is as slow as fp16 and less accurate.
Precision ComponentPrecisions::getFast(Precision wanted) const {
  return wanted == Precision::Int16 && target && !target.multipliesInt16()
             ? Precision::FP16
             : wanted;
}

Precision ComponentPrecisions::lookup(Operation *component) const {
  auto found = others.find(getWhole(component));
  return found == others.end() ? getFast(precision) : found->second;
}
