//===- AttentionStages.cpp - The backward pass of attention ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.28. Row r of the output reads rows r + o shift of the
// input for each o of the context. The first phase recomputes for each row and
// head of the output the attention weights w_o, and the derivatives d_o of the
// softmax inputs. The second phase accumulates for each row of the input the
// derivatives from all output rows that read it.
//
//===----------------------------------------------------------------------===//

#include "AttentionHead.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

struct AttentionStages
    : public StagedKernelInterface::ExternalModel<AttentionStages,
                                                  RestrictedAttentionOp> {
  bool hasStages(Operation *, bool isBackward) const { return isBackward; }
  int64_t getStageScratchSize(Operation *op,
                              const StagedCommand &command) const {
    if (!command.isBackward)
      return 0;
    const AttentionHead head(op, command);
    return 2 * head.outputRows * head.heads * head.context;
  }
  SmallVector<KernelStage> getStages(Operation *op,
                                     const StagedCommand &command) const {
    if (!command.hasInputDerivative)
      return {};
    const AttentionHead head(op, command);
    const int64_t threads = std::max(head.keyDim, head.valueDim);
    return {{command.outputRows * head.heads, threads},
            {command.inputRows * head.heads, threads}};
  }
  void emitStage(Operation *op, StageEmission &stage,
                 const StagedCommand &command, unsigned number,
                 Value item) const;
};

/// Emits the code of an item: one row and one head.
class Emitter {
public:
  Emitter(const AttentionHead &head, StageEmission &stage, Value item)
      : head(head), stage(stage), row(stage.quotient(item, head.heads)),
        number(stage.remainder(item, head.heads)),
        key(stage.at(number, head.inColumns, stage.index(0))),
        value(stage.shift(key, head.keyDim)),
        query(stage.shift(value, head.valueDim)),
        output(stage.at(number, head.outColumns, stage.index(0))) {}

  void emitWeights();
  void emitInput();

private:
  Value emitDerivative(int64_t o);
  /// Returns the scratch offset of weight `o` of row `outputRow`; its
  /// derivative is `context` numbers after it.
  Value getPlace(Value outputRow, Value o) {
    Value item = stage.at(outputRow, head.heads, number);
    return stage.at(item, 2 * head.context, o);
  }
  /// Returns row `to` + `o` `shift`.
  Value shifted(Value to, int64_t o) { return stage.shift(to, o * head.shift); }
  Value load(Value ofRow, Value column) {
    stage.setRow(ofRow);
    return stage.load(column);
  }
  Value loadDerivative(Value ofRow, Value column) {
    stage.setRow(ofRow);
    return stage.loadDerivative(column);
  }
  /// Adds to element `column` of the derivative.
  void addTo(Value column, Value element) {
    stage.setRow(row);
    stage.store(element, column);
  }
  Value isOutput(Value candidate) {
    return stage.both(stage.isLess(stage.index(-1), candidate),
                      stage.isLess(candidate, stage.index(head.outputRows)));
  }
  /// Sums `body` over the output rows whose context contains this row; `body`
  /// gets the output row and the position of this row in its context.
  Value sumOutputs(function_ref<Value(Value outputRow, Value o)> body);
  void emitQuery();

  const AttentionHead &head;
  StageEmission &stage;
  Value row, number;
  Value key, value, query, output; ///< columns of the head
};

} // namespace

static SmallVector<Value> emitSoftmax(StageEmission &stage,
                                      ArrayRef<Value> numbers) {
  Value largest = numbers[0], total = stage.number(0);
  for (Value x : numbers.drop_front())
    largest = stage.max(largest, x);
  SmallVector<Value> weights;
  for (Value x : numbers) {
    weights.push_back(stage.exp(stage.subtract(x, largest)));
    total = stage.add(total, weights.back());
  }
  for (Value &weight : weights)
    weight = stage.divide(weight, total);
  return weights;
}

SmallVector<Value> mlir::nnet3::emitAttentionWeights(const AttentionHead &head,
                                                     StageEmission &stage,
                                                     Value row, Value number) {
  Value key = stage.at(number, head.inColumns, stage.index(0));
  Value query = stage.shift(key, head.keyDim + head.valueDim);
  auto load = [&](int64_t o, Value column) {
    stage.setRow(stage.shift(row, o * head.shift));
    return stage.load(column);
  };
  SmallVector<Value> numbers;
  for (int64_t o = 0; o < head.context; ++o) {
    Value dot = stage.sum(head.keyDim, [&](Value c) {
      return stage.multiply(load(head.own, stage.shift(query, c)),
                            load(o, stage.shift(key, c)));
    });
    Value addend = load(head.own, stage.shift(query, head.keyDim + o));
    numbers.push_back(
        stage.add(stage.multiply(dot, stage.number(head.keyScale)), addend));
  }
  return emitSoftmax(stage, numbers);
}

/// Returns the derivative of attention weight `o`.
Value Emitter::emitDerivative(int64_t o) {
  Value sum = stage.sum(head.valueDim, [&](Value c) {
    return stage.multiply(loadDerivative(row, stage.shift(output, c)),
                          load(shifted(row, o), stage.shift(value, c)));
  });
  if (!head.outputsContext)
    return sum;
  return stage.add(sum,
                   loadDerivative(row, stage.shift(output, head.valueDim + o)));
}

void Emitter::emitWeights() {
  SmallVector<Value> weights = emitAttentionWeights(head, stage, row, number);
  SmallVector<Value> derivs;
  for (int64_t o = 0; o < head.context; ++o)
    derivs.push_back(emitDerivative(o));
  Value mean = stage.number(0);
  for (auto [weight, deriv] : llvm::zip_equal(weights, derivs))
    mean = stage.add(mean, stage.multiply(weight, deriv));
  stage.forEach(1, [&](Value) {
    for (int64_t o = 0; o < head.context; ++o) {
      Value place = getPlace(row, stage.index(o));
      Value deriv = stage.multiply(weights[o], stage.subtract(derivs[o], mean));
      stage.storeScratch(weights[o], place);
      stage.storeScratch(deriv, stage.shift(place, head.context));
    }
  });
}

Value Emitter::sumOutputs(function_ref<Value(Value outputRow, Value o)> body) {
  return stage.loop(
      stage.index(0), stage.index(head.context), stage.number(0),
      [&](Value o, ValueRange before) -> SmallVector<Value> {
        Value candidate =
            stage.minus(row, stage.at(o, head.shift, stage.index(0)));
        Value isThere = isOutput(candidate);
        Value element =
            body(stage.select(isThere, candidate, stage.index(0)), o);
        return {stage.add(before[0],
                          stage.select(isThere, element, stage.number(0)))};
      })[0];
}

/// Emits the derivatives of the query and its addends, which are zero if no
/// output row uses them.
void Emitter::emitQuery() {
  Value scale = stage.number(head.keyScale);
  Value candidate = stage.shift(row, -head.own * head.shift);
  Value isThere = isOutput(candidate);
  Value outputRow = stage.select(isThere, candidate, stage.index(0));
  auto ifThere = [&](Value element) {
    return stage.select(isThere, element, stage.number(0));
  };
  auto getDeriv = [&](Value o) {
    return stage.loadScratch(stage.shift(getPlace(outputRow, o), head.context));
  };
  stage.forEach(head.keyDim, [&](Value c) {
    Value sum =
        stage.loop(stage.index(0), stage.index(head.context), stage.number(0),
                   [&](Value o, ValueRange before) -> SmallVector<Value> {
                     Value attended = stage.at(o, head.shift, outputRow);
                     Value product = stage.multiply(
                         getDeriv(o), load(attended, stage.shift(key, c)));
                     return {stage.add(before[0], product)};
                   })[0];
    addTo(stage.shift(query, c), ifThere(stage.multiply(sum, scale)));
  });
  stage.forEach(head.context, [&](Value o) {
    addTo(stage.shift(stage.shift(query, o), head.keyDim),
          ifThere(getDeriv(o)));
  });
}

void Emitter::emitInput() {
  Value scale = stage.number(head.keyScale);
  stage.forEach(head.keyDim, [&](Value c) {
    Value sum = sumOutputs([&](Value outputRow, Value o) {
      Value deriv =
          stage.loadScratch(stage.shift(getPlace(outputRow, o), head.context));
      return stage.multiply(
          deriv, load(shifted(outputRow, head.own), stage.shift(query, c)));
    });
    addTo(stage.shift(key, c), stage.multiply(sum, scale));
  });
  stage.forEach(head.valueDim, [&](Value c) {
    Value sum = sumOutputs([&](Value outputRow, Value o) {
      return stage.multiply(stage.loadScratch(getPlace(outputRow, o)),
                            loadDerivative(outputRow, stage.shift(output, c)));
    });
    addTo(stage.shift(value, c), sum);
  });
  emitQuery();
}

void AttentionStages::emitStage(Operation *op, StageEmission &stage,
                                const StagedCommand &command, unsigned number,
                                Value item) const {
  const AttentionHead head(op, command);
  Emitter emitter(head, stage, item);
  if (number == 0)
    emitter.emitWeights();
  else
    emitter.emitInput();
}

void mlir::nnet3::attachAttentionStages(MLIRContext &context) {
  RestrictedAttentionOp::attachInterface<AttentionStages>(context);
}
