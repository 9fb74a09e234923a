//===- GruModels.cpp - The gates of GRUs ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GruCell.h"
#include "KernelModels.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Arithmetic/RowEmission.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// The matrix w_h, which multiplies r (.) s_prev (spec: components.md 6.23).
struct GruWeights
    : public AffineKernelInterface::ExternalModel<GruWeights,
                                                  GruNonlinearityOp> {
  bool readsWholeRows(Operation *) const { return false; }
  /// The output blocks h and c.
  int64_t getNumBlocks(Operation *) const { return 2; }
  SmallVector<AffineTerm> getTerms(Operation *, int64_t) const { return {}; }
};

struct GruFactor
    : public FactorKernelInterface::ExternalModel<GruFactor,
                                                  GruNonlinearityOp> {
  void emitFactor(Operation *op, RowEmission &row) const {
    const GruLayout at(op);
    ScalarArithmetic &a = row;
    row.forEach(at.recurrent, [&](Value c) {
      row.store(a.multiply(row.load(a.shift(c, at.r)),
                           row.load(a.shift(c, at.sPrev))),
                c);
    });
  }
};

/// h = tanh(hpart + w_h (r (.) s_prev)), c = (1 - z) h + z c_prev.
struct GruModel
    : public RowKernelInterface::ExternalModel<GruModel, GruNonlinearityOp> {
  bool isRowKernel(Operation *, bool) const { return true; }
  void emitRow(Operation *op, RowEmission &row) const {
    const GruLayout at(op);
    ScalarArithmetic &a = row;
    row.forEach(at.cell, [&](Value c) {
      Value h =
          a.tanh(a.add(row.load(a.shift(c, at.hpart)), row.loadStored(c)));
      GruCell cell(row, row.load(c), h, row.load(a.shift(c, at.cPrev)));
      row.store(h, c);
      row.store(cell.getState(), a.shift(c, at.cell));
    });
  }
};

/// The factors are the derivative d of the candidate, r (.) s_prev, which is
/// multiplied with w_h, and q = d w_h.
struct GruBackward
    : public BackwardKernelInterface::ExternalModel<GruBackward,
                                                    GruNonlinearityOp> {
  int64_t getFactorColumns(Operation *op) const {
    const GruLayout at(op);
    return at.cell + 2 * at.recurrent;
  }
  void emitFactors(Operation *op, RowEmission &row) const {
    const GruLayout at(op);
    row.forEach(at.cell, [&](Value c) {
      Value dc = row.loadDerivative(row.shift(c, at.cell));
      row.store(GruCell::load(row, c, at.cPrev)
                    .differentiateCandidate(row.loadDerivative(c), dc,
                                            row.hasRepairs() ? row.loadRepair(c)
                                                             : Value()),
                c);
    });
    row.forEach(at.recurrent, [&](Value c) {
      row.store(row.multiply(row.load(row.shift(c, at.r)),
                             row.load(row.shift(c, at.sPrev))),
                row.shift(c, at.cell));
    });
  }
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    const GruLayout at(op);
    const bool isShared = at.sPrev == at.cPrev;
    // Returns the derivatives of r and of s_prev.
    auto differentiateGated = [&](Value c) {
      Value q = row.loadFactor(row.shift(c, at.cell + at.recurrent));
      return std::pair(row.multiply(q, row.load(row.shift(c, at.sPrev))),
                       row.multiply(q, row.load(row.shift(c, at.r))));
    };
    row.forEach(at.cell, [&](Value c) {
      auto [dz, dPrevious] =
          GruCell::load(row, c, at.cPrev)
              .differentiateGate(row.loadDerivative(row.shift(c, at.cell)));
      row.store(dz, c);
      row.store(row.loadFactor(c), row.shift(c, at.hpart));
      if (isShared) {
        auto [dr, dState] = differentiateGated(c);
        row.store(dr, row.shift(c, at.r));
        dPrevious = row.add(dPrevious, dState);
      }
      row.store(dPrevious, row.shift(c, at.cPrev));
    });
    if (isShared)
      return;
    row.forEach(at.recurrent, [&](Value c) {
      auto [dr, dState] = differentiateGated(c);
      row.store(dr, row.shift(c, at.r));
      row.store(dState, row.shift(c, at.sPrev));
    });
  }
};

/// The GRU with an output gate (spec: components.md 6.24).
struct OutputGruModel
    : public BlockKernelInterface::ExternalModel<OutputGruModel,
                                                 OutputGruNonlinearityOp> {
  int64_t getBlockColumns(Operation *op) const {
    return cast<OutputGruNonlinearityOp>(op).getCellDim();
  }
  unsigned getNumInputBlocks(Operation *) const { return 3; }
  unsigned getNumOutputBlocks(Operation *) const { return 2; }
  unsigned getNumColumnConstants(Operation *) const { return 1; }
  FailureOr<SmallVector<SmallVector<float>>>
  getColumnConstants(Operation *op) const {
    auto weights = getTensorVector(op, "w_h", getBlockColumns(op));
    if (failed(weights))
      return failure();
    return SmallVector<SmallVector<float>>{*weights};
  }
  SmallVector<Value> emitBlocks(Operation *, OpBuilder &builder, Location loc,
                                ValueRange inputs, ValueRange,
                                ValueRange vectors) const {
    Value z = inputs[0], hpart = inputs[1], previous = inputs[2];
    ScalarArithmetic a(builder, loc);
    Value h = a.tanh(a.multiplyAdd(vectors[0], previous, hpart));
    return {h, GruCell(a, z, h, previous).getState()};
  }
};

struct OutputGruBackward
    : public BackwardKernelInterface::ExternalModel<OutputGruBackward,
                                                    OutputGruNonlinearityOp> {
  static int64_t getCell(Operation *op) {
    return cast<OutputGruNonlinearityOp>(op).getCellDim();
  }
  static Value differentiateCandidate(Operation *op, RowEmission &row,
                                      GruCell &cell, Value c) {
    return cell.differentiateCandidate(
        row.loadDerivative(c), row.loadDerivative(row.shift(c, getCell(op))),
        row.hasRepairs() ? row.loadRepair(c) : Value());
  }
  unsigned getNumBackwardVectors(Operation *) const { return 1; }
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    const int64_t dim = getCell(op);
    row.forEach(dim, [&](Value c) {
      GruCell cell = GruCell::load(row, c, 2 * dim);
      Value dh = differentiateCandidate(op, row, cell, c);
      auto [dz, dPrevious] =
          cell.differentiateGate(row.loadDerivative(row.shift(c, dim)));
      row.store(dz, c);
      row.store(dh, row.shift(c, dim));
      row.store(row.add(dPrevious, row.multiply(dh, row.loadVector(0, c))),
                row.shift(c, 2 * dim));
    });
  }
  SmallVector<StringRef> getSums(Operation *) const { return {"w_h"}; }
  int64_t getSumColumns(Operation *op) const { return getCell(op); }
  SmallVector<Value> emitSums(Operation *op, RowEmission &row, Value c) const {
    GruCell cell = GruCell::load(row, c, 2 * getCell(op));
    return {row.multiply(cell.getPrevious(),
                         differentiateCandidate(op, row, cell, c))};
  }
};

} // namespace

void mlir::nnet3::attachGruModels(MLIRContext &context) {
  GruNonlinearityOp::attachInterface<GruWeights, GruFactor, GruModel,
                                     GruBackward>(context);
  OutputGruNonlinearityOp::attachInterface<OutputGruModel, OutputGruBackward>(
      context);
}
