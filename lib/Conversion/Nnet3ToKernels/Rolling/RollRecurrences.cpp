//===- RollRecurrences.cpp - Make loops of calls that repeat --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/Repetitions.h"

#include "nnet3/Conversion/Nnet3ToKernels/Passes.h"
#include "nnet3/Dialect/Nnet3/Analysis/PassCount.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

#include <map>

namespace mlir::nnet3 {
#define GEN_PASS_DEF_NNET3ROLLRECURRENCES
#include "nnet3/Conversion/Nnet3ToKernels/Passes.h.inc"
} // namespace mlir::nnet3

using namespace mlir;
using namespace mlir::nnet3;

/// The value of a constant index.
static std::optional<int64_t> getConstant(Value value) {
  auto constant = value.getDefiningOp<arith::ConstantIndexOp>();
  if (!constant)
    return std::nullopt;
  return constant.value();
}

namespace {

/// What a constant argument is in each round, as the first value and what is
/// added to it.
using Differences = SmallVector<int64_t>;

struct RollRecurrences
    : public nnet3::impl::Nnet3RollRecurrencesBase<RollRecurrences> {
  using Base::Base;
  void runOnOperation() override {
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal())
        roll(function);
  }

private:
  void roll(func::FuncOp function);
  PassCount numLoops{"loops"};
  PassCount numRolled{"calls rolled up"};
};

/// Makes one loop.
class LoopBuilder {
public:
  /// `calls` are those of all rounds.
  LoopBuilder(ArrayRef<func::CallOp> calls, int64_t period)
      : calls(calls), period(period), rounds(calls.size() / period),
        builder(calls.front()), loc(builder.getUnknownLoc()) {}

  void build(unsigned number);

private:
  std::optional<Differences> getDifferences(const func::CallOp *call,
                                            unsigned operand);
  void collectTable();
  Value createTable(unsigned number);
  Value getOperand(const func::CallOp *call, unsigned operand, Value round);
  Value createDifference(const Differences &differences, Value round);

  ArrayRef<func::CallOp> calls;
  int64_t period, rounds;
  OpBuilder builder;
  Location loc;
  /// Differences that no step gives: a row of the table each.
  std::map<Differences, int64_t> rows;
  Value table;
};

} // namespace

/// Numbers that agree where calls differ in nothing but constant arguments.
static std::vector<int32_t> getSymbols(ArrayRef<func::CallOp> calls) {
  std::map<SmallVector<const void *>, int32_t> numbers;
  std::vector<int32_t> symbols;
  for (func::CallOp call : calls) {
    SmallVector<const void *> key = {call.getCalleeAttr().getAsOpaquePointer()};
    for (Value operand : call.getOperands())
      key.push_back(getConstant(operand) ? nullptr
                                         : operand.getAsOpaquePointer());
    symbols.push_back(numbers.try_emplace(key, numbers.size()).first->second);
  }
  return symbols;
}

/// The calls of `function` if it is a list of them and of constants.
static std::vector<func::CallOp> getCalls(func::FuncOp function) {
  std::vector<func::CallOp> calls;
  if (!function.getBody().hasOneBlock())
    return calls;
  for (Operation &op : function.getBody().front().without_terminator()) {
    auto call = dyn_cast<func::CallOp>(op);
    if (call && call.getNumResults() == 0)
      calls.push_back(call);
    else if (!isa<arith::ConstantOp>(op))
      return {};
  }
  return calls;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static Value operandOf(const func::CallOp *call, unsigned operand) {
  return func::CallOp(*call).getOperand(operand);
}

/// Those of an operand of a call of the first round; none if it is no constant.
std::optional<Differences> LoopBuilder::getDifferences(const func::CallOp *call,
                                                       unsigned operand) {
  std::optional<int64_t> first = getConstant(operandOf(call, operand));
  if (!first)
    return std::nullopt;
  Differences differences;
  for (int64_t round = 0; round < rounds; ++round)
    differences.push_back(
        *getConstant(operandOf(call + round * period, operand)) - *first);
  return differences;
}

/// The same amount from each round to the next.
static bool isProgression(const Differences &differences) {
  for (auto [round, difference] : llvm::enumerate(differences))
    if (difference != int64_t(round) * differences[1])
      return false;
  return true;
}

void LoopBuilder::collectTable() {
  for (const func::CallOp &call : calls.take_front(period))
    for (unsigned i = 0; i < func::CallOp(call).getNumOperands(); ++i) {
      auto differences = getDifferences(&call, i);
      if (differences && !isProgression(*differences))
        rows.try_emplace(*differences, rows.size());
    }
}

/// A constant with the rows of the table, one behind the other.
Value LoopBuilder::createTable(unsigned number) {
  SmallVector<int64_t> values(rows.size() * rounds);
  for (const auto &[differences, row] : rows)
    llvm::copy(differences, values.begin() + row * rounds);
  auto function = calls.front()->getParentOfType<func::FuncOp>();
  std::string name = (function.getSymName() + "_rounds_" + Twine(number)).str();
  auto type =
      MemRefType::get({int64_t(rows.size()), rounds}, builder.getI64Type());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(function);
  memref::GlobalOp::create(
      builder, loc, name, builder.getStringAttr("private"), type,
      DenseElementsAttr::get(
          RankedTensorType::get(type.getShape(), type.getElementType()),
          ArrayRef<int64_t>(values)),
      /*constant=*/true, /*alignment=*/IntegerAttr());
  builder.setInsertionPoint(calls.front());
  return memref::GetGlobalOp::create(builder, loc, type, name);
}

Value LoopBuilder::createDifference(const Differences &differences,
                                    Value round) {
  auto row = rows.find(differences);
  if (row == rows.end()) {
    Value step = arith::ConstantIndexOp::create(builder, loc, differences[1]);
    return arith::MulIOp::create(builder, loc, round, step,
                                 arith::IntegerOverflowFlags::nsw);
  }
  Value number = arith::ConstantIndexOp::create(builder, loc, row->second);
  Value entry =
      memref::LoadOp::create(builder, loc, table, ValueRange{number, round});
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    entry);
}

/// What an operand of a call of the first round is in round `round`.
Value LoopBuilder::getOperand(const func::CallOp *call, unsigned operand,
                              Value round) {
  Value value = operandOf(call, operand);
  auto differences = getDifferences(call, operand);
  if (!differences)
    return value;
  Value first =
      arith::ConstantIndexOp::create(builder, loc, *getConstant(value));
  if (llvm::all_of(*differences, [](int64_t d) { return d == 0; }))
    return first;
  return arith::AddIOp::create(builder, loc, first,
                               createDifference(*differences, round),
                               arith::IntegerOverflowFlags::nsw);
}

void LoopBuilder::build(unsigned number) {
  collectTable();
  if (!rows.empty())
    table = createTable(number);
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto loop =
      scf::ForOp::create(builder, loc, index(0), index(rounds), index(1));
  builder.setInsertionPointToStart(loop.getBody());
  for (int64_t c = 0; c < period; ++c) {
    func::CallOp call = calls[c];
    SmallVector<Value> operands;
    for (unsigned i = 0; i < call.getNumOperands(); ++i)
      operands.push_back(getOperand(&calls[c], i, loop.getInductionVar()));
    func::CallOp::create(builder, call.getLoc(), call.getCallee(), TypeRange(),
                         operands);
  }
}

void RollRecurrences::roll(func::FuncOp function) {
  std::vector<func::CallOp> calls = getCalls(function);
  unsigned number = 0;
  for (const Repetition &found :
       findRepetitions(getSymbols(calls), maxPeriod, minRounds)) {
    auto stretch = ArrayRef(calls).slice(found.begin, found.size());
    LoopBuilder(stretch, found.period).build(number++);
    for (func::CallOp call : stretch)
      call.erase();
    ++numLoops;
    numRolled += found.getGain();
  }
  if (number == 0)
    return;
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front()))
    if (isa<arith::ConstantOp>(op) && op.use_empty())
      op.erase();
}
