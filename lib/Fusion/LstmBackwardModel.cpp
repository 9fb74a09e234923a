//===- LstmBackwardModel.cpp - The backward pass of an LSTM's gates -------===//

#include "KernelModels.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Fusion/BackwardInterface.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// Derivatives by what goes into each of i, f, g and o, by their peepholes'
/// cell values, and by c_prev (spec: components.md 6.15).
struct CellDerivatives {
  Value i, f, g, o, cell, previous;
};

/// The arithmetic of one column.
class Cell {
public:
  Cell(BackwardEmission &row, LstmNonlinearityOp op, Value column)
      : row(row), op(op), column(column), dim(op.getCellDim()) {}

  CellDerivatives compute();

private:
  Value input(int64_t block) { return row.loadInput(at(block)); }
  Value at(int64_t block) {
    return block == 0 ? column : row.shift(column, block * dim);
  }
  /// What gate `number` of i, f and o is multiplied by.
  Value scaled(Value gate, int64_t number) {
    if (!op.getUseDropout())
      return gate;
    Value place = arith::ConstantIndexOp::create(row.getBuilder(), row.getLoc(),
                                                 5 * dim + number);
    return row.multiply(gate, row.loadInput(place));
  }
  Value sigmoid(Value x) {
    return createSigmoid(row.getBuilder(), row.getLoc(), x);
  }
  /// The derivative of a sigmoid that is `y`.
  Value slope(Value y) {
    return row.multiply(y, row.subtract(row.number(1), y));
  }
  Value tanhSlope(Value y) {
    return row.subtract(row.number(1), row.multiply(y, y));
  }
  /// Moves `x` by what self-repair number `k` adds, `amount` times.
  Value repaired(Value x, int64_t k, Value amount) {
    return row.subtract(x, row.multiply(amount, row.loadVector(3 + k, column)));
  }
  /// 2 y - 1.
  Value centered(Value y) { return row.subtract(row.add(y, y), row.number(1)); }

  BackwardEmission &row;
  LstmNonlinearityOp op;
  Value column;
  int64_t dim;
};

} // namespace

CellDerivatives Cell::compute() {
  CellDerivatives result;
  Value wi = row.loadVector(0, column), wf = row.loadVector(1, column),
        wo = row.loadVector(2, column);
  Value previous = input(4);
  Value i = sigmoid(row.add(input(0), row.multiply(wi, previous)));
  Value f = sigmoid(row.add(input(1), row.multiply(wf, previous)));
  Value g = row.tanh(input(2));
  result.cell = row.add(row.multiply(scaled(f, 1), previous),
                        row.multiply(scaled(i, 0), g));
  Value o = sigmoid(row.add(input(3), row.multiply(wo, result.cell)));
  Value t = row.tanh(result.cell);
  Value dcOut = row.loadDerivative(column), dm = row.loadDerivative(at(1));
  result.o = repaired(row.multiply(scaled(slope(o), 2), row.multiply(t, dm)), 3,
                      centered(o));
  Value dc = row.multiply(tanhSlope(t), row.multiply(scaled(o, 2), dm));
  dc = row.add(row.add(dc, dcOut), row.multiply(wo, result.o));
  dc = repaired(dc, 4, t);
  result.f =
      repaired(row.multiply(scaled(slope(f), 1), row.multiply(dc, previous)), 1,
               centered(f));
  result.i = repaired(row.multiply(scaled(slope(i), 0), row.multiply(dc, g)), 0,
                      centered(i));
  result.g = repaired(
      row.multiply(tanhSlope(g), row.multiply(scaled(i, 0), dc)), 2, g);
  result.previous =
      row.add(row.add(row.multiply(wi, result.i), row.multiply(wf, result.f)),
              row.multiply(scaled(f, 1), dc));
  return result;
}

FailureOr<SmallVector<SmallVector<float>>>
mlir::nnet3::getRepairVectors(LstmNonlinearityOp op) {
  // Thresholds and scales.
  SmallVector<float> config = {0.05f, 0.05f, 0.2f,  0.05f, 0.2f,
                               1e-5f, 1e-5f, 1e-5f, 1e-5f, 1e-5f};
  if (op.getSelfRepairConfigAttr()) {
    auto given = getTensorVector(op, "self_repair_config", 10);
    if (failed(given))
      return failure();
    config = *given;
  }
  const int64_t dim = op.getCellDim();
  const double count = op.getCount().convertToDouble();
  SmallVector<float> slopes(5 * dim, 0);
  if (op.getDerivAvgAttr()) {
    auto average = getTensorVector(op, "deriv_avg", 5 * dim);
    if (failed(average))
      return failure();
    slopes = *average;
  }
  SmallVector<SmallVector<float>> repairs;
  for (int64_t k = 0; k < 5; ++k)
    repairs.push_back(llvm::map_to_vector(
        ArrayRef(slopes).slice(k * dim, dim), [&](float slope) {
          const bool isLow = slope * count < double(config[k]) * (1 + count);
          return isLow ? config[5 + k] : 0;
        }));
  return repairs;
}

namespace {

struct LstmModel
    : public BackwardKernelInterface::ExternalModel<LstmModel,
                                                    LstmNonlinearityOp> {
  /// Peepholes and repairs.
  unsigned getNumBackwardVectors(Operation *) const { return 8; }

  void emitBackwardRow(Operation *op, BackwardEmission &row) const {
    auto lstm = cast<LstmNonlinearityOp>(op);
    const int64_t dim = lstm.getCellDim();
    row.forEach(dim, [&](Value c) {
      CellDerivatives d = Cell(row, lstm, c).compute();
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
    CellDerivatives d = Cell(row, lstm, c).compute();
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
