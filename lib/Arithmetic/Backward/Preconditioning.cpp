//===- Preconditioning.cpp - What natural gradient works on ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Arithmetic/Preconditioning.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

template <typename OpTy>
static Preconditioning ifNatural(OpTy op, Preconditioning kind) {
  return op.getUseNaturalGradient() ? kind : Preconditioning::None;
}

Preconditioning mlir::nnet3::getPreconditioning(Operation *component) {
  using Result = Preconditioning;
  return TypeSwitch<Operation *, Result>(component)
      .Case<NaturalGradientAffineOp>([](auto) { return Result::Rows; })
      .Case<LinearOp, TdnnOp>(
          [](auto op) { return ifNatural(op, Result::Rows); })
      .Case<NaturalGradientRepeatedAffineOp>(
          [](auto) { return Result::Products; })
      .Case<TimeHeightConvolutionOp>(
          [](auto op) { return ifNatural(op, Result::Products); })
      .Case<LstmNonlinearityOp>([](auto) { return Result::Sums; })
      .Case<NaturalGradientPerElementScaleOp, OutputGruNonlinearityOp>(
          [](auto) { return Result::Terms; })
      .Case<ScaleAndOffsetOp, PerElementOffsetOp, ConstantOp,
            ConstantFunctionOp>(
          [](auto op) { return ifNatural(op, Result::Terms); })
      .Case<GruNonlinearityOp>([](auto) { return Result::Factors; })
      .Default([](Operation *) { return Result::None; });
}
