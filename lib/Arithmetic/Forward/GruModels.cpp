//===- GruModels.cpp - The gates of GRUs ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GruLayout.h"
#include "KernelModels.h"
#include "RowArithmetic.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// The matrix w_h, which multiplies r (.) s_prev (spec: components.md 6.23).
struct GruWeights
    : public AffineKernelInterface::ExternalModel<GruWeights,
                                                  GruNonlinearityOp> {
  bool isAffine(Operation *) const { return false; }
  bool readsWholeRows(Operation *) const { return false; }
  StringAttr getWeightsName(Operation *op) const {
    return StringAttr::get(op->getContext(), "w_h");
  }
  StringAttr getBiasName(Operation *) const { return {}; }
  int64_t getWeightColumns(Operation *op) const {
    return GruLayout(op).recurrent;
  }
  /// h and c.
  int64_t getNumBlocks(Operation *) const { return 2; }
  SmallVector<AffineTerm> getTerms(Operation *, int64_t) const { return {}; }
};

struct GruFactor
    : public FactorKernelInterface::ExternalModel<GruFactor,
                                                  GruNonlinearityOp> {
  void emitFactor(Operation *op, RowEmission &row) const {
    const GruLayout at(op);
    RowArithmetic a(row);
    row.forEach(at.recurrent, [&](Value c) {
      row.store(a.multiply(row.load(a.shift(c, at.r)),
                           row.load(a.shift(c, at.sPrev))),
                c);
    });
  }
};

/// h = tanh(hpart + product), c = (1 - z) h + z c_prev.
struct GruModel
    : public RowKernelInterface::ExternalModel<GruModel, GruNonlinearityOp> {
  bool isRowKernel(Operation *, bool) const { return true; }
  void emitRow(Operation *op, RowEmission &row) const {
    const GruLayout at(op);
    RowArithmetic a(row);
    row.forEach(at.cell, [&](Value c) {
      Value h =
          a.tanh(a.add(row.load(a.shift(c, at.hpart)), row.loadOutput(c)));
      Value z = row.load(c), cPrev = row.load(a.shift(c, at.cPrev));
      Value kept = a.multiply(a.subtract(a.number(1), z), h);
      row.store(h, c);
      row.store(a.multiplyAdd(z, cPrev, kept), a.shift(c, at.cell));
    });
  }
};

/// The one with an output gate (spec: components.md 6.24).
struct OutputGruModel
    : public BlockKernelInterface::ExternalModel<OutputGruModel,
                                                 OutputGruNonlinearityOp> {
  int64_t getBlockColumns(Operation *op) const {
    return cast<OutputGruNonlinearityOp>(op).getCellDim();
  }
  unsigned getNumInputBlocks(Operation *) const { return 3; }
  unsigned getNumOutputBlocks(Operation *) const { return 2; }
  unsigned getNumKernelVectors(Operation *) const { return 1; }
  FailureOr<SmallVector<SmallVector<float>>>
  getKernelVectors(Operation *op) const {
    auto weights = getTensorVector(op, "w_h", getBlockColumns(op));
    if (failed(weights))
      return failure();
    return SmallVector<SmallVector<float>>{*weights};
  }
  SmallVector<Value> emitBlocks(Operation *, OpBuilder &builder, Location loc,
                                ValueRange inputs, ValueRange,
                                ValueRange vectors) const {
    Value z = inputs[0], hpart = inputs[1], cPrev = inputs[2];
    Value h = math::TanhOp::create(
        builder, loc,
        math::FmaOp::create(builder, loc, vectors[0], cPrev, hpart));
    Value rest =
        arith::SubFOp::create(builder, loc, createSplat(builder, loc, z, 1), z);
    Value kept = arith::MulFOp::create(builder, loc, rest, h);
    return {h, math::FmaOp::create(builder, loc, z, cPrev, kept)};
  }
};

} // namespace

void mlir::nnet3::attachGruModels(MLIRContext &context) {
  GruNonlinearityOp::attachInterface<GruWeights, GruFactor, GruModel>(context);
  OutputGruNonlinearityOp::attachInterface<OutputGruModel>(context);
}
