//===- StatisticsLayout.cpp - Layout of statistics ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StatisticsLayout.h"

#include "nnet3/Arithmetic/StatisticsInterface.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentProperties.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

using namespace mlir;
using namespace mlir::nnet3;

StatisticsLayout::StatisticsLayout(ComputationOp computation) {
  Block &commands = computation.getBody().front();
  const bool isBackward = !commands.getOps<BackpropOp>().empty();
  if (!isBackward && commands.getOps<StoreStatsOp>().empty())
    return;
  auto network = SymbolTable::lookupNearestSymbolFrom<NetworkOp>(
      computation->getParentOp(), computation.getNetworkAttr());
  auto components = network.getBody().front().getOps<ComponentOpInterface>();
  for (ComponentOpInterface component : components)
    add(component, /*ofGradient=*/false);
  for (ComponentOpInterface component : components)
    if (isBackward &&
        has(component.getComponentProperties(), ComponentProperties::Updatable))
      add(component, /*ofGradient=*/true);
  size = llvm::alignTo(size, 64);
}

void StatisticsLayout::addPart(Operation *component, bool ofGradient) {
  auto statistics = dyn_cast<StatisticsKernelInterface>(component);
  if (!statistics)
    return;
  places[ofGradient][component] = size;
  for (int64_t numbers : statistics.getStatisticSizes())
    size += 2 * numbers;
}

void StatisticsLayout::add(ComponentOpInterface component, bool ofGradient) {
  const int64_t begin = size;
  forEachPart(component, [&](ComponentOpInterface part, StringRef) {
    addPart(part, ofGradient);
  });
  if (size > begin)
    entries.push_back({SymbolTable::getSymbolName(component), ofGradient, begin,
                       (size - begin) / 2});
}

ArrayAttr StatisticsLayout::get(int64_t begin) const {
  if (entries.empty())
    return {};
  MLIRContext *context = entries.front().component.getContext();
  return ArrayAttr::get(
      context, llvm::map_to_vector(entries, [&](const Entry &e) -> Attribute {
        return kernel::StatisticAttr::get(context, e.component, e.ofGradient,
                                          begin + e.place, e.size);
      }));
}
