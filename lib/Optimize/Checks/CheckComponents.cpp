//===- CheckComponents.cpp - Check component commands ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckComputation.h"

using namespace mlir;
using namespace mlir::nnet3;
using P = ComponentProperties;

/// Checks that an input and an output that overlap are the same view, and that
/// `inPlace` allows that. The verifiers compare values only, not views.
static LogicalResult checkInPlace(Operation *op, Value input, Value output,
                                  bool inPlace) {
  if (!input || !output)
    return success();
  MatrixWindow from = MatrixWindow::get(input), to = MatrixWindow::get(output);
  if (!from.overlaps(to))
    return success();
  if (!(from == to))
    return op->emitOpError("expects an input and an output that are the same "
                           "or do not overlap");
  if (!inPlace)
    return op->emitOpError("component does not run in place");
  return success();
}

static LogicalResult checkSameRows(Operation *op, StringRef side, Value value,
                                   Value deriv) {
  if (!value || !deriv)
    return success();
  int64_t valueRows = MatrixWindow::get(value).rows;
  int64_t derivRows = MatrixWindow::get(deriv).rows;
  if (valueRows != derivRows)
    return op->emitOpError("expects as many rows of ")
           << side << " derivatives as of its values, but got " << derivRows
           << " and " << valueRows;
  return success();
}

static LogicalResult checkPropagate(PropagateOp op,
                                    ComponentTable &components) {
  P properties = components.getProperties(op.getComponent());
  return checkInPlace(op, op.getInput(), op.getOutput(),
                      has(properties, P::PropagateInPlace));
}

static LogicalResult checkBackprop(BackpropOp op, ComponentTable &components) {
  P properties = components.getProperties(op.getComponent());
  if (failed(checkInPlace(op, op.getOutputDeriv(), op.getInputDeriv(),
                          has(properties, P::BackpropInPlace))) ||
      failed(
          checkSameRows(op, "input", op.getInputValue(), op.getInputDeriv())) ||
      failed(checkSameRows(op, "output", op.getOutputValue(),
                           op.getOutputDeriv())))
    return failure();
  if (!op.getMemo() && has(properties, P::UsesMemo))
    return op.emitOpError("component needs its memo");
  return success();
}

/// Checks that propagate commands are before the marker and backprop commands
/// after it. Computations of several segments are not checked.
static LogicalResult checkOrder(const CommandAnalysis &analysis,
                                int32_t command, int32_t marker) {
  Operation *op = analysis.getCommand(command);
  if (marker < 0)
    return success();
  bool isForward = isa<PropagateOp>(op);
  if (isForward == (command < marker))
    return success();
  InFlightDiagnostic diag = op->emitOpError("expects to be ")
                            << (isForward ? "before" : "after")
                            << " the marker";
  diag.attachNote(analysis.getCommand(marker)->getLoc()) << "marker is here";
  return diag;
}

LogicalResult mlir::nnet3::checkComponents(CommandAnalysis &analysis) {
  ComponentTable &components = analysis.getComponents();
  int32_t marker = getMarker(analysis);
  bool fails = false;
  for (int32_t c = 0; c < analysis.getNumCommands(); ++c) {
    Operation *op = analysis.getCommand(c);
    if (auto propagate = dyn_cast<PropagateOp>(op))
      fails |= failed(checkPropagate(propagate, components));
    else if (auto backprop = dyn_cast<BackpropOp>(op))
      fails |= failed(checkBackprop(backprop, components));
    else
      continue;
    fails |= failed(checkOrder(analysis, c, marker));
  }
  return failure(fails);
}

//===----------------------------------------------------------------------===//
// Memos
//===----------------------------------------------------------------------===//

static LogicalResult checkMemo(PropagateOp producer) {
  BackpropOp consumer;
  for (Operation *user : producer.getMemo().getUsers()) {
    auto backprop = dyn_cast<BackpropOp>(user);
    if (!backprop)
      continue;
    if (consumer) {
      // Users are listed in reverse order.
      InFlightDiagnostic diag = consumer.emitOpError("memo is consumed twice");
      diag.attachNote(backprop.getLoc()) << "first consumed here";
      return diag;
    }
    consumer = backprop;
  }
  // A memo may be used for statistics only.
  if (!consumer &&
      llvm::none_of(producer.getMemo().getUsers(), llvm::IsaPred<StoreStatsOp>))
    return producer.emitOpError("memo is not consumed");
  if (!consumer || consumer.getComponent() == producer.getComponent())
    return success();
  InFlightDiagnostic diag = consumer.emitOpError("expects a memo of ")
                            << consumer.getComponent() << ", but got one of "
                            << producer.getComponent();
  diag.attachNote(producer.getLoc()) << "produced here";
  return diag;
}

LogicalResult mlir::nnet3::checkMemos(const CommandAnalysis &analysis) {
  bool fails = false;
  for (int32_t c = 0; c < analysis.getNumCommands(); ++c)
    if (auto propagate = dyn_cast<PropagateOp>(analysis.getCommand(c)))
      if (propagate.getMemo())
        fails |= failed(checkMemo(propagate));
  return failure(fails);
}
