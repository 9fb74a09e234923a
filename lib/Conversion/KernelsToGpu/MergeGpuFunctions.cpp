//===- MergeGpuFunctions.cpp - Deduplicate GPU functions ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Conversion/KernelsToGpu/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OperationSupport.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3MERGEGPUFUNCTIONS
#include "nnet3/Conversion/KernelsToGpu/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;

namespace {
struct MergeGpuFunctions
    : public mlir::nnet3::impl::Nnet3MergeGpuFunctionsBase<MergeGpuFunctions> {
  void runOnOperation() override;
};
} // namespace

/// Returns the attributes of the function without its name.
static DictionaryAttr getSignature(gpu::GPUFuncOp function) {
  NamedAttrList attributes(function->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  return attributes.getDictionary(function.getContext());
}

/// Returns a hash of a function, equal for equal functions.
static llvm::hash_code getHash(gpu::GPUFuncOp function) {
  llvm::hash_code hash = hash_value(Attribute(getSignature(function)));
  function.getBody().walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

static bool areEqual(gpu::GPUFuncOp a, gpu::GPUFuncOp b) {
  return getSignature(a) == getSignature(b) &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

void MergeGpuFunctions::runOnOperation() {
  DenseMap<size_t, SmallVector<gpu::GPUFuncOp, 1>> known;
  DenseMap<StringAttr, StringAttr> names;
  for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
    for (auto function :
         llvm::make_early_inc_range(module.getOps<gpu::GPUFuncOp>())) {
      auto &candidates = known[getHash(function)];
      auto *same = llvm::find_if(candidates, [&](gpu::GPUFuncOp other) {
        return other->getParentOp() == module && areEqual(function, other);
      });
      if (same == candidates.end()) {
        candidates.push_back(function);
        continue;
      }
      names[function.getNameAttr()] = same->getNameAttr();
      function.erase();
      ++numMerged;
    }
  getOperation().walk([&](gpu::LaunchFuncOp launch) {
    if (StringAttr name = names.lookup(launch.getKernelName()))
      launch.setKernelAttr(SymbolRefAttr::get(launch.getKernelModuleName(),
                                              FlatSymbolRefAttr::get(name)));
  });
}
