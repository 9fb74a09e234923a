//===- ExpandComposites.cpp - Commands for the parts of components --------===//

#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Fusion/KernelInterfaces.h"
#include "nnet3/Fusion/Passes.h"

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3EXPANDCOMPOSITES
#include "nnet3/Fusion/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;
using P = ComponentProperties;

namespace {
struct ExpandComposites
    : public nnet3::impl::Nnet3ExpandCompositesBase<ExpandComposites> {
  using Base::Base;
  void runOnOperation() override {
    ComponentTable components(getOperation());
    for (auto op : llvm::make_early_inc_range(
             getOperation().getBody().getOps<PropagateOp>()))
      if (auto composite = dyn_cast<CompositeOp>(
              components.find(op.getComponent()).getOperation()))
        if (!op.getMemo() && canExpand(composite))
          expand(op, composite);
  }

private:
  bool canExpand(CompositeOp composite) {
    return llvm::all_of(composite.getComponents(), [&](Operation *part) {
      return hasKernel(part, device);
    });
  }
  void expand(PropagateOp op, CompositeOp composite);

  PassCount numExpanded{"components expanded"};
};
} // namespace

/// The name of a part of the component called `whole`.
static SymbolRefAttr getPartName(SymbolRefAttr whole,
                                 ComponentOpInterface part) {
  auto nested = llvm::to_vector(whole.getNestedReferences());
  nested.push_back(FlatSymbolRefAttr::get(SymbolTable::getSymbolName(part)));
  return SymbolRefAttr::get(whole.getRootReference(), nested);
}

/// Whether `part` may overwrite its input, what the part `before` computed.
static bool isInPlace(ComponentOpInterface part, ComponentOpInterface before) {
  return has(part.getComponentProperties(), P::PropagateInPlace) &&
         !has(before.getComponentProperties(), P::OutputContiguous);
}

/// Where each part has its output: the last one in `output`, others in memory
/// of their own, or where the next one works in place.
static SmallVector<Value>
getOutputs(MutableArrayRef<ComponentOpInterface> parts, Value output,
           OpBuilder &builder) {
  SmallVector<Value> outputs(parts.size(), output);
  for (size_t i = parts.size() - 1; i-- > 0;) {
    if (isInPlace(parts[i + 1], parts[i])) {
      outputs[i] = outputs[i + 1];
      continue;
    }
    outputs[i] = AllocMatrixUndefinedOp::create(
        builder, output.getLoc(),
        MemRefType::get({numRows(output), parts[i].getComponentOutputDim()},
                        builder.getF32Type()));
  }
  return outputs;
}

void ExpandComposites::expand(PropagateOp op, CompositeOp composite) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto parts =
      llvm::to_vector_of<ComponentOpInterface>(composite.getComponents());
  const bool adds = has(cast<ComponentOpInterface>(composite.getOperation())
                            .getComponentProperties(),
                        P::PropagateAdds);
  SmallVector<Value> outputs = getOutputs(parts, op.getOutput(), builder);
  Value input = op.getInput();
  for (auto [part, output] : llvm::zip_equal(parts, outputs)) {
    // The last part adds where the whole does.
    if (has(part.getComponentProperties(), P::PropagateAdds) &&
        !(adds && output == op.getOutput()))
      SetConstOp::create(builder, loc, output, builder.getF32FloatAttr(0));
    auto propagate =
        PropagateOp::create(builder, loc, /*memo=*/Type(),
                            getPartName(op.getComponent(), part), input, output,
                            /*precomputed=*/DictionaryAttr());
    propagate->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    if (input != op.getInput() && input != output)
      DeallocMatrixOp::create(builder, loc, input);
    input = output;
  }
  op.erase();
  ++numExpanded;
}
