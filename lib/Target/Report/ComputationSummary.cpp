//===- ComputationSummary.cpp - Commands, matrices, lifetimes -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Report/ComputationSummary.h"
#include "CommandText.h"
#include "MultiplyAdds.h"

#include "mlir/IR/AsmState.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class Summarizer {
public:
  explicit Summarizer(ComputationOp computation)
      : computation(computation), components(computation), names(computation) {}

  ComputationSummary summarize();

private:
  void addCommand(Operation *op);
  void addResults(Operation *op);
  void addOperands(Operation *op, SummaryCommand &command);
  void endMatrices(Operation *op);
  void findPasses();
  int32_t getMatrix(Value value) {
    if (isa<MemRefType>(value.getType()))
      value = MatrixWindow::get(value).matrix;
    auto it = matrices.find(value);
    return it == matrices.end() ? -1 : it->second;
  }

  ComputationOp computation;
  ComponentTable components;
  AsmState names;
  ComputationSummary summary;
  bool hasBackwardPass = false, isBackward = false;
  // Only looked up, never iterated.
  DenseMap<Value, int32_t> matrices;
  DenseMap<Operation *, int32_t> numbers;
};
} // namespace

static SummaryMatrix describeMatrix(Type type) {
  SummaryMatrix matrix;
  if (auto compressed = dyn_cast<CompressedType>(type)) {
    matrix.rows = compressed.getRows();
    matrix.cols = compressed.getCols();
    matrix.bytes = matrix.rows * matrix.cols *
                   compressed.getElementType().getIntOrFloatBitWidth() / 8;
    return matrix;
  }
  auto plain = cast<MemRefType>(type);
  matrix.rows = plain.getDimSize(0);
  matrix.cols = plain.getDimSize(1);
  matrix.bytes = matrix.rows * matrix.cols * sizeof(float);
  return matrix;
}

/// Adds the matrices that a command allocates.
void Summarizer::addResults(Operation *op) {
  for (Value result : op->getResults()) {
    if (!isa<MemRefType, CompressedType>(result.getType()))
      continue;
    matrices[result] = summary.matrices.size();
    SummaryMatrix matrix = describeMatrix(result.getType());
    llvm::raw_string_ostream os(matrix.name);
    result.printAsOperand(os, names);
    matrix.begin = summary.commands.size();
    matrix.isInput = isa<AcceptInputOp>(op);
    summary.matrices.push_back(std::move(matrix));
  }
}

/// Returns an operand that covers a whole matrix.
static SummaryOperand getWhole(int32_t matrix, const SummaryMatrix &of,
                               bool reads, bool writes) {
  return {matrix, 0, of.rows, 0, of.cols, reads, writes};
}

/// Adds the operands that the command reads and writes, then its other
/// operands.
void Summarizer::addOperands(Operation *op, SummaryCommand &command) {
  for (const OperandAccess &access : getOperandAccesses(op, components)) {
    MatrixWindow window = MatrixWindow::get(access.value);
    command.operands.push_back({getMatrix(window.matrix), window.row,
                                window.rows, window.col, window.cols,
                                bool(access.kind & Access::Read),
                                bool(access.kind & Access::Write)});
  }
  auto addOther = [&](Value value, bool reads, bool writes) {
    int32_t matrix = getMatrix(value);
    auto known = [&](const SummaryOperand &o) { return o.matrix == matrix; };
    if (matrix >= 0 && llvm::none_of(command.operands, known))
      command.operands.push_back(
          getWhole(matrix, summary.matrices[matrix], reads, writes));
  };
  for (Value operand : op->getOperands()) {
    addOther(operand, isa<CompressedType>(operand.getType()), false);
    if (auto maker = numbers.find(operand.getDefiningOp());
        isa<MemoType>(operand.getType()) && maker != numbers.end())
      command.makers.push_back(maker->second);
  }
  for (Value result : op->getResults())
    addOther(result, false, isa<CompressedType>(result.getType()));
}

/// Ends the lifetime of matrices whose storage the command frees.
void Summarizer::endMatrices(Operation *op) {
  auto end = [&](Value value) {
    if (int32_t matrix = getMatrix(value); matrix >= 0)
      summary.matrices[matrix].end = summary.commands.size();
  };
  if (auto provide = dyn_cast<ProvideOutputOp>(op))
    if (int32_t matrix = getMatrix(provide.getMatrix()); matrix >= 0)
      summary.matrices[matrix].isOutput = true;
  if (auto decompress = dyn_cast<DecompressMatrixOp>(op))
    end(decompress.getCompressed());
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || isa<LoopOp>(op))
    return;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (isa<MemoryEffects::Free>(effect.getEffect()) && effect.getValue())
      end(effect.getValue());
}

void Summarizer::addCommand(Operation *op) {
  if (isa<SubMatrixOp, MovingSubMatrixOp>(op))
    return;
  int32_t firstResult = summary.matrices.size();
  addResults(op);
  SummaryCommand command;
  command.kind = op->getName().stripDialect().str();
  command.isBackward = isBackward;
  command.multiplyAdds = countMultiplyAdds(op, components);
  addOperands(op, command);
  describeCommand(op, summary.matrices, firstResult, command);
  endMatrices(op);
  numbers[op] = summary.commands.size();
  summary.commands.push_back(std::move(command));
  isBackward |= hasBackwardPass && isa<NoOperationMarkerOp>(op);
}

/// Finds out which matrices belong to the backward pass, from their first use:
/// passes may leave all allocations before the first command.
void Summarizer::findPasses() {
  std::vector<bool> isKnown(summary.matrices.size());
  for (auto [number, command] : llvm::enumerate(summary.commands))
    for (const SummaryOperand &operand : command.operands) {
      SummaryMatrix &matrix = summary.matrices[operand.matrix];
      bool isUse = (operand.reads || operand.writes) &&
                   (matrix.isInput || matrix.begin != int32_t(number));
      if (!isUse || isKnown[operand.matrix])
        continue;
      isKnown[operand.matrix] = true;
      matrix.isBackward = command.isBackward;
    }
}

ComputationSummary Summarizer::summarize() {
  summary.name = computation.getSymName().str();
  summary.network = computation.getNetwork().str();
  summary.size = ComputationSize::get(computation);
  // There is a marker after every pass, even if there is only one.
  hasBackwardPass = !computation.getBody().getOps<BackpropOp>().empty();
  computation.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { addCommand(op); });
  for (SummaryMatrix &matrix : summary.matrices)
    if (matrix.end <= matrix.begin)
      matrix.end = summary.commands.size();
  findPasses();
  return std::move(summary);
}

ComputationSummary ComputationSummary::get(ComputationOp computation) {
  return Summarizer(computation).summarize();
}

std::vector<int64_t> ComputationSummary::getLiveBytes() const {
  std::vector<int64_t> bytes(commands.size() + 1);
  for (const SummaryMatrix &matrix : matrices) {
    bytes[matrix.begin] += matrix.bytes;
    bytes[matrix.end] -= matrix.bytes;
  }
  for (size_t i = 1; i < bytes.size(); ++i)
    bytes[i] += bytes[i - 1];
  bytes.pop_back();
  return bytes;
}
