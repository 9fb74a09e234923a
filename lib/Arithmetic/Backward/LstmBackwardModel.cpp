//===- LstmBackwardModel.cpp - The backward pass of an LSTM's gates -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Forward/KernelModels.h"
#include "Forward/LstmCell.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

struct LstmModel
    : public BackwardKernelInterface::ExternalModel<LstmModel,
                                                    LstmNonlinearityOp> {
  /// The peepholes.
  unsigned getNumBackwardVectors(Operation *) const { return 3; }

  void emitBackwardRow(Operation *op, BackwardEmission &row) const {
    auto lstm = cast<LstmNonlinearityOp>(op);
    const int64_t dim = lstm.getCellDim();
    row.forEach(dim, [&](Value c) {
      CellDerivatives d = LstmCell(row, lstm, c).compute();
      for (auto [block, dx] :
           llvm::enumerate(ArrayRef{d.i, d.f, d.g, d.o, d.previous}))
        row.store(dx, row.shift(c, block * dim));
    });
    // The scales of the gates get none (spec: quirk Q12).
    if (lstm.getUseDropout())
      row.forEach(
          3, [&](Value c) { row.store(row.number(0), row.shift(c, 5 * dim)); });
  }

  /// The peepholes of i, f and o.
  SmallVector<StringRef> getSums(Operation *) const {
    return {"params", "params", "params"};
  }
  int64_t getSumColumns(Operation *op, unsigned) const {
    return cast<LstmNonlinearityOp>(op).getCellDim();
  }
  Value emitSum(Operation *op, BackwardEmission &row, unsigned sum,
                Value c) const {
    auto lstm = cast<LstmNonlinearityOp>(op);
    CellDerivatives d = LstmCell(row, lstm, c).compute();
    if (sum == 2)
      return row.multiply(d.cell, d.o);
    Value previous = row.loadInput(row.shift(c, 4 * lstm.getCellDim()));
    return row.multiply(previous, sum == 0 ? d.i : d.f);
  }
};

} // namespace

void mlir::nnet3::attachLstmBackwardModel(MLIRContext &context) {
  LstmNonlinearityOp::attachInterface<LstmModel>(context);
}
