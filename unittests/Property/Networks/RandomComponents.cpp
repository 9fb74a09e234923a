//===- RandomComponents.cpp - Random components and self-repair -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RandomComponents.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir::nnet3;

bool mlir::nnet3::property::drawNumbers(NetworkOp network, Random &random) {
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

/// Returns random self-repair thresholds and scales of an LSTM's
/// nonlinearities.
static mlir::Attribute makeRepairConfig(mlir::Builder &builder,
                                        mlir::nnet3::property::Random &random) {
  llvm::SmallVector<float> config;
  for (double threshold : {0.25, 0.25, 1.0, 0.25, 1.0})
    config.push_back(threshold * random.real(0.5, 1));
  for (int i = 0; i < 5; ++i)
    config.push_back(random.real(0, 0.1));
  auto type = mlir::RankedTensorType::get({10}, builder.getF32Type());
  return mlir::DenseElementsAttr::get(type, llvm::ArrayRef(config));
}

bool mlir::nnet3::property::repairAndClip(NetworkOp network, Random &random) {
  mlir::Builder builder(network.getContext());
  auto number = [&](double value) { return builder.getF32FloatAttr(value); };
  bool repairs = false;
  network.walk([&](mlir::Operation *op) {
    // Averages are about the thresholds.
    if (llvm::isa<RectifiedLinearOp, SigmoidOp, TanhOp>(op)) {
      op->setAttr("self_repair_scale", number(random.real(0.01, 0.09)));
      op->setAttr("self_repair_lower_threshold",
                  number(llvm::isa<SigmoidOp>(op) ? random.real(0.1, 0.25)
                                                  : random.real(0.2, 0.9)));
      repairs = true;
    }
    if (llvm::isa<GruNonlinearityOp, OutputGruNonlinearityOp>(op)) {
      op->setAttr("self_repair_scale", number(random.real(0.01, 0.09)));
      op->setAttr("self_repair_threshold", number(random.real(0.3, 1)));
      repairs = true;
    }
    if (llvm::isa<LstmNonlinearityOp>(op)) {
      op->setAttr("self_repair_config", makeRepairConfig(builder, random));
      repairs = true;
    }
    if (llvm::isa<BackpropTruncationOp, ClipGradientOp>(op))
      op->setAttr("clipping_threshold", number(random.real(0.1, 2)));
    if (auto clip = llvm::dyn_cast<ClipGradientOp>(op)) {
      clip.setNormBasedClipping(random.chance(0.7));
      clip.setSelfRepairScaleAttr(number(random.real(0, 0.5)));
      clip.setSelfRepairTargetAttr(number(random.real(0, 0.5)));
      repairs = true;
    }
    if (auto truncation = llvm::dyn_cast<BackpropTruncationOp>(op)) {
      truncation.setZeroingThresholdAttr(number(random.real(0.1, 2)));
      truncation.setZeroingInterval(random.between(1, 4));
    }
  });
  return repairs;
}
