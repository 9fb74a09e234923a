//===- RandomComponents.cpp - Networks that draw numbers ------------------===//

#include "RandomComponents.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir::nnet3;

bool nnet3::property::drawNumbers(NetworkOp network, Random &random) {
  mlir::Builder builder(network.getContext());
  bool draws = false;
  network.walk([&](mlir::Operation *op) {
    if (llvm::isa<DropoutOp, GeneralDropoutOp, SpecAugmentTimeMaskOp,
                  DropoutMaskOp>(op)) {
      op->setAttr("test_mode", builder.getBoolAttr(false));
      draws = true;
    }
    if (auto dropout = llvm::dyn_cast<DropoutOp>(op))
      dropout.setDropoutPerFrame(random.chance(0.5));
    if (auto mask = llvm::dyn_cast<DropoutMaskOp>(op))
      mask.setContinuous(random.chance(0.3));
    if (auto dropout = llvm::dyn_cast<GeneralDropoutOp>(op)) {
      if (random.chance(0.3)) {
        dropout.setSpecaugmentMaxProportionAttr(builder.getF32FloatAttr(0.6f));
        dropout.setSpecaugmentMaxRegions(random.between(1, 3));
      } else {
        dropout.setContinuous(random.chance(0.5));
      }
    }
  });
  return draws;
}
