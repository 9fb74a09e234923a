//===- ReferenceContext.cpp - Components that read other rows -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceComponents.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;
using mlir::Operation;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Returns a / b, rounded down.
static int64_t divideFloor(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

using Inputs = std::vector<ReferenceInput>;

static Inputs atTimes(Index index, int64_t first, int64_t last, int64_t step) {
  Inputs inputs;
  for (int64_t t = first; t <= last; t += step)
    inputs.push_back({{index.n, int32_t(t), index.x}, /*isRequired=*/false});
  return inputs;
}

static Inputs convolutionInputs(TimeHeightConvolutionOp op, Index index) {
  Inputs inputs;
  auto offsets = op.getOffsets();
  auto required = op.getRequiredTimeOffsets();
  for (size_t i = 0; i < offsets.size(); i += 2)
    inputs.push_back({{index.n, int32_t(index.t + offsets[i]), index.x},
                      !required || llvm::is_contained(*required, offsets[i])});
  return inputs;
}

static Inputs attentionInputs(RestrictedAttentionOp op, Index index) {
  int64_t left = op.getNumLeftInputs(), right = op.getNumRightInputs();
  int64_t stride = op.getTimeStride();
  int64_t requiredLeft = op.getNumLeftInputsRequired().value_or(left);
  int64_t requiredRight = op.getNumRightInputsRequired().value_or(right);
  Inputs inputs;
  for (int64_t i = -left; i <= right; ++i)
    inputs.push_back({{index.n, int32_t(index.t + i * stride), index.x},
                      i >= -requiredLeft && i <= requiredRight});
  return inputs;
}

std::optional<Inputs>
mlir::nnet3::property::getContextInputs(Operation *component, Index index) {
  return llvm::TypeSwitch<Operation *, std::optional<Inputs>>(component)
      .Case([&](DistributeOp op) {
        int64_t blocks = op.getInputDim() / op.getOutputDim();
        return Inputs{
            {{index.n, index.t, int32_t(divideFloor(index.x, blocks))}}};
      })
      .Case([&](StatisticsExtractionOp op) {
        int64_t period = op.getOutputPeriod();
        int64_t first = divideFloor(index.t, period) * period;
        return atTimes(index, first, first + period - 1, op.getInputPeriod());
      })
      .Case([&](StatisticsPoolingOp op) {
        int64_t period = op.getInputPeriod();
        if (index.t % period != 0)
          return Inputs();
        return atTimes(index, index.t - int64_t(op.getLeftContext()),
                       index.t + int64_t(op.getRightContext()), period);
      })
      .Case([&](TimeHeightConvolutionOp op) {
        return convolutionInputs(op, index);
      })
      .Case(
          [&](RestrictedAttentionOp op) { return attentionInputs(op, index); })
      .Default([](Operation *) { return std::nullopt; });
}

bool mlir::nnet3::property::needsAnyInput(Operation *component) {
  return llvm::isa<StatisticsExtractionOp, StatisticsPoolingOp>(component);
}

//===----------------------------------------------------------------------===//
// Rows that the compiler found
//===----------------------------------------------------------------------===//

static std::vector<int64_t> tableOf(mlir::DictionaryAttr precomputed,
                                    llvm::StringRef name) {
  std::vector<int64_t> rows;
  for (RowRef row : precomputed.getAs<RowTableAttr>(name).expand())
    rows.push_back(row.row);
  return rows;
}

static PrecomputedReads distributeReads(mlir::DictionaryAttr precomputed,
                                        int64_t row) {
  PrecomputedReads reads{{tableOf(precomputed, "rows")[row]}, Index()};
  reads.index.x = int32_t(tableOf(precomputed, "blocks")[row]);
  return reads;
}

static PrecomputedReads rangeReads(mlir::DictionaryAttr precomputed,
                                   int64_t row) {
  PrecomputedReads reads;
  int64_t end = tableOf(precomputed, "ends")[row];
  for (int64_t from = tableOf(precomputed, "begins")[row]; from < end; ++from)
    reads.rows.push_back(from);
  return reads;
}

static PrecomputedReads convolutionReads(TimeHeightConvolutionOp op,
                                         mlir::DictionaryAttr precomputed,
                                         int64_t row) {
  auto offsets = precomputed.getAs<mlir::DenseI64ArrayAttr>("row_offsets");
  int64_t stride = precomputed.getAs<mlir::IntegerAttr>("row_stride").getInt();
  PrecomputedReads reads;
  int64_t time = -1;
  for (size_t i = 0; i < op.getOffsets().size(); i += 2) {
    time += i == 0 || op.getOffsets()[i] != op.getOffsets()[i - 2];
    reads.rows.push_back(offsets[time] + row * stride);
  }
  return reads;
}

PrecomputedReads mlir::nnet3::property::getPrecomputedReads(
    Operation *component, mlir::DictionaryAttr precomputed, int64_t row) {
  return llvm::TypeSwitch<Operation *, PrecomputedReads>(component)
      .Case([&](DistributeOp) { return distributeReads(precomputed, row); })
      .Case<StatisticsExtractionOp, StatisticsPoolingOp>(
          [&](auto) { return rangeReads(precomputed, row); })
      .Case([&](TimeHeightConvolutionOp op) {
        return convolutionReads(op, precomputed, row);
      })
      .Case([&](RestrictedAttentionOp op) {
        int64_t shift =
            precomputed.getAs<mlir::IntegerAttr>("row_shift").getInt();
        PrecomputedReads reads;
        for (int64_t from = row;
             from <= row + shift * int64_t(op.getNumLeftInputs() +
                                           op.getNumRightInputs());
             from += shift)
          reads.rows.push_back(from);
        return reads;
      })
      .Default([&](Operation *) { return PrecomputedReads{{row}, Index()}; });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Vector mlir::nnet3::property::distribute(DistributeOp op, Index index,
                                         const Vector &x) {
  int64_t dim = op.getOutputDim();
  int64_t blocks = op.getInputDim() / op.getOutputDim();
  int64_t block = index.x - divideFloor(index.x, blocks) * blocks;
  return Vector(x.begin() + block * dim, x.begin() + (block + 1) * dim);
}

Vector mlir::nnet3::property::extractStatistics(StatisticsExtractionOp op,
                                                llvm::ArrayRef<Vector> inputs) {
  size_t dim = op.getInputDim();
  Vector y(1 + dim * (op.getIncludeVariance() ? 2 : 1));
  for (const Vector &x : inputs) {
    if (x.empty())
      continue;
    y[0] += 1;
    for (size_t i = 0; i < dim; ++i) {
      y[1 + i] += x[i];
      if (op.getIncludeVariance())
        y[1 + dim + i] += x[i] * x[i];
    }
  }
  return y;
}

Vector mlir::nnet3::property::poolStatistics(StatisticsPoolingOp op,
                                             llvm::ArrayRef<Vector> inputs,
                                             Kinks &kinks) {
  Vector sums(op.getInputDim());
  for (const Vector &x : inputs)
    for (size_t i = 0; i < x.size(); ++i)
      sums[i] += x[i];
  double count = sums.front();
  Vector y(op.getNumLogCountFeatures(), std::log(count));
  size_t first = y.size(), dim = (sums.size() - 1) / 2;
  for (size_t i = 1; i < sums.size(); ++i)
    y.push_back(sums[i] / count);
  double floor = op.getVarianceFloor().convertToFloat();
  for (size_t i = 0; op.getOutputStddevs() && i < dim; ++i) {
    double variance = y[first + dim + i] - y[first + i] * y[first + i];
    kinks.pass(variance - floor);
    y[first + dim + i] = std::sqrt(std::max(floor, variance));
  }
  return y;
}

Vector mlir::nnet3::property::timeHeightConvolution(
    const ReferenceComponent &component, llvm::ArrayRef<Vector> inputs) {
  auto op = llvm::cast<TimeHeightConvolutionOp>(component.op);
  const Vector &w = component["linear_params"];
  const Vector &b = component["bias_params"];
  int64_t filters = op.getNumFiltersOut(), depth = op.getNumFiltersIn();
  int64_t cols = w.size() / filters, heightIn = op.getHeightIn();
  Vector y;
  for (int64_t h = 0; h < int64_t(op.getHeightOut()); ++h)
    for (int64_t f = 0; f < filters; ++f) {
      y.push_back(b[f]);
      for (size_t o = 0; o < inputs.size(); ++o) {
        int64_t from = h * int64_t(op.getHeightSubsampleOut()) +
                       op.getOffsets()[2 * o + 1];
        if (inputs[o].empty() || from < 0 || from >= heightIn)
          continue;
        for (int64_t i = 0; i < depth; ++i)
          y.back() += w[f * cols + int64_t(o) * depth + i] *
                      inputs[o][from * depth + i];
      }
    }
  return y;
}

/// Computes a head, whose columns begin at `first`.
static void attend(RestrictedAttentionOp op, llvm::ArrayRef<Vector> inputs,
                   size_t first, Vector &y) {
  size_t keyDim = op.getKeyDim(), valueDim = op.getValueDim();
  double scale = op.getKeyScale() ? op.getKeyScale()->convertToFloat()
                                  : 1 / std::sqrt(double(keyDim));
  auto at = [&](size_t o, size_t column) {
    return inputs[o].empty() ? 0.0 : inputs[o][first + column];
  };
  size_t query = keyDim + valueDim, center = op.getNumLeftInputs();
  Vector weights;
  double sum = 0;
  for (size_t o = 0; o < inputs.size(); ++o) {
    double b = at(center, query + keyDim + o);
    for (size_t i = 0; i < keyDim; ++i)
      b += scale * at(center, query + i) * at(o, i);
    weights.push_back(std::exp(b));
    sum += weights.back();
  }
  for (double &weight : weights)
    weight /= sum;
  for (size_t i = 0; i < valueDim; ++i) {
    y.push_back(0);
    for (size_t o = 0; o < inputs.size(); ++o)
      y.back() += weights[o] * at(o, keyDim + i);
  }
  if (op.getOutputContext())
    y.insert(y.end(), weights.begin(), weights.end());
}

Vector mlir::nnet3::property::attention(RestrictedAttentionOp op,
                                        llvm::ArrayRef<Vector> inputs) {
  size_t width = 2 * op.getKeyDim() + op.getValueDim() + inputs.size();
  Vector y;
  for (size_t head = 0; head < op.getNumHeads(); ++head)
    attend(op, inputs, head * width, y);
  return y;
}

Vector mlir::nnet3::property::composite(const ReferenceComponent &component,
                                        Vector x, Kinks &kinks) {
  size_t number = 0;
  for (Operation &op : component.op->getRegion(0).front()) {
    ReferenceComponent part(&op);
    std::string prefix = "component" + std::to_string(++number) + ".";
    for (auto &[name, values] : part.tensors)
      values = component[prefix + name];
    x = evaluateComponent(part, Index(), x, kinks);
  }
  return x;
}
