//===- RowRegion.cpp - Row functions on tensors ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of a component for a row (RowEmission.h) is created as the region of
// a `kernel.map_rows` and then interpreted on tensors with all rows: a number
// per row is a tensor of one column, a number in a loop over columns is a
// tensor with one column per iteration, and an index is the list of its values
// in the loop.
//
//===----------------------------------------------------------------------===//

#include "RowRegion.h"

#include "nnet3/Arithmetic/RowEmission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::nnet3;

SmallVector<Value> mlir::nnet3::computeElements(
    TensorBuilder &tensors, ValueRange values,
    function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> emit) {
  Block block;
  for (Value value : values)
    block.addArgument(getElementTypeOrSelf(value), tensors.getLoc());
  OpBuilder inside(tensors.getLoc().getContext());
  inside.setInsertionPointToEnd(&block);
  SmallVector<Value> results = emit(inside, block.getArguments());
  IRMapping mapping;
  mapping.map(block.getArguments(), values);
  auto type = cast<RankedTensorType>(values.front().getType());
  for (Operation &op : block) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto value = cast<FloatAttr>(constant.getValue());
      mapping.map(
          constant.getResult(),
          tensors.splat(type.clone(value.getType()), value.getValueAsDouble()));
      continue;
    }
    Operation *copy = tensors.getBuilder().clone(op, mapping);
    for (Value result : copy->getResults())
      result.setType(type.clone(result.getType()));
  }
  return llvm::map_to_vector(results,
                             [&](Value v) { return mapping.lookup(v); });
}

namespace {

/// Interprets the region of a `kernel.map_rows`.
class RowInterpreter {
public:
  RowInterpreter(TensorBuilder &tensors, const RowTensors &operands)
      : tensors(tensors), operands(operands), columns(operands.columns) {}

  LogicalResult run(kernel::MapRowsOp map);
  Value getOutput();

private:
  using List = SmallVector<int64_t>;

  LogicalResult runBlock(Block &block);
  LogicalResult runOp(Operation &op);
  LogicalResult runLoad(memref::LoadOp op);
  void runStore(memref::StoreOp op);
  LogicalResult runLoop(kernel::ForColumnsOp op);
  LogicalResult runReduction(kernel::ReduceColumnsOp op);
  LogicalResult runDots(kernel::DotColumnsOp op);
  LogicalResult runSumOfRange(kernel::SumRangeOp op);
  LogicalResult runSumOfRows(kernel::SumRowsOp op);
  void runSoftmax(kernel::SoftmaxOp op);
  LogicalResult runFor(scf::ForOp op);
  LogicalResult runIndexes(Operation &op);
  LogicalResult runElements(Operation &op);

  /// Runs the body of a loop with the given values of its arguments, one column
  /// per value, and returns the yielded values.
  FailureOr<SmallVector<Value>> runBody(Region &body, ArrayRef<List> arguments);

  /// Returns the values of an index in the surrounding loop.
  List getList(Value index) const;
  /// Returns a number as a tensor with one column per iteration of the loop.
  Value getTensor(Value number);
  Value spread(Value tensor) { return tensors.repeat(tensor, width, 1); }
  /// Returns the current columns of the output.
  Value getStored(ArrayRef<int64_t> list);

  TensorBuilder &tensors;
  const RowTensors &operands;
  /// A column of the output that was stored: column `number` of `tensor`.
  struct Column {
    Value tensor;
    int64_t number = 0;
  };
  std::vector<Column> columns;
  int64_t width = 1;   ///< of the loop
  bool ofRows = false; ///< whether loads read all rows of the input
  DenseMap<Value, Value> numbers;
  DenseMap<Value, FloatAttr> constants;
  DenseMap<Value, List> lists;
  DenseMap<Value, unsigned> arguments; ///< of the region
  Value outputRow;                     ///< the last one of them
};

} // namespace

LogicalResult RowInterpreter::run(kernel::MapRowsOp map) {
  Block &body = map.getBody().front();
  for (BlockArgument argument : body.getArguments())
    arguments[argument] = argument.getArgNumber();
  outputRow = map.getOutputRow();
  for (int64_t part = 0; part < int64_t(map.getParts()); ++part) {
    lists[map.getPart()] = {part};
    if (failed(runBlock(body)))
      return failure();
  }
  return success();
}

Value RowInterpreter::getOutput() {
  return getStored(llvm::to_vector(llvm::seq<int64_t>(0, operands.columns)));
}

/// Consecutive columns of the same tensor become one slice.
Value RowInterpreter::getStored(ArrayRef<int64_t> list) {
  SmallVector<Value> parts;
  for (size_t i = 0; i < list.size();) {
    const Column &first = columns[list[i]];
    Value tensor = first.tensor;
    List from;
    if (!tensor && operands.stored) {
      for (; i < list.size() && !columns[list[i]].tensor; ++i)
        from.push_back(list[i]);
      tensor = operands.stored;
    } else if (!tensor) {
      for (; i < list.size() && !columns[list[i]].tensor; ++i)
        from.push_back(from.size());
      tensor = tensors.zeros(operands.rows, from.size());
    } else {
      for (; i < list.size() && columns[list[i]].tensor == tensor; ++i)
        from.push_back(columns[list[i]].number);
    }
    parts.push_back(tensors.select(tensor, from, 1));
  }
  return tensors.concat(parts, 1);
}

RowInterpreter::List RowInterpreter::getList(Value index) const {
  List list = lists.lookup(index);
  if (int64_t(list.size()) == 1 && width != 1)
    list.assign(width, list.front());
  return list;
}

Value RowInterpreter::getTensor(Value number) {
  if (auto constant = constants.lookup(number)) {
    const int64_t rows =
        ofRows ? TensorBuilder::getRows(operands.input) : operands.rows;
    return tensors.splat(
        RankedTensorType::get({rows, width}, constant.getType()),
        constant.getValueAsDouble());
  }
  return spread(numbers.lookup(number));
}

LogicalResult RowInterpreter::runBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(runOp(op)))
      return failure();
  return success();
}

LogicalResult RowInterpreter::runOp(Operation &op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return runLoad(load);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return runStore(store), success();
  if (auto loop = dyn_cast<kernel::ForColumnsOp>(op))
    return runLoop(loop);
  if (auto reduction = dyn_cast<kernel::ReduceColumnsOp>(op))
    return runReduction(reduction);
  if (auto dots = dyn_cast<kernel::DotColumnsOp>(op))
    return runDots(dots);
  if (auto sum = dyn_cast<kernel::SumRangeOp>(op))
    return runSumOfRange(sum);
  if (auto sum = dyn_cast<kernel::SumRowsOp>(op))
    return runSumOfRows(sum);
  if (auto softmax = dyn_cast<kernel::SoftmaxOp>(op))
    return runSoftmax(softmax), success();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return runFor(loop);
  if (op.getNumResults() == 1 && op.getResult(0).getType().isIntOrIndex() &&
      !op.getResult(0).getType().isInteger(1))
    return runIndexes(op);
  return runElements(op);
}

LogicalResult RowInterpreter::runLoad(memref::LoadOp op) {
  Value memory = op.getMemref();
  const List place = getList(op.getIndices().back());
  auto argument = arguments.find(memory);
  if (argument == arguments.end()) {
    // A row of kernel.sum_rows.
    numbers[op] = tensors.select(operands.input, place, 1);
    return success();
  }
  if (memory == outputRow) {
    numbers[op] = getStored(place);
    return success();
  }
  unsigned number = argument->second - 1; // The first argument is the part.
  if (operands.input && number-- == 0) {
    Value rows = operands.input;
    if (op.getIndices().size() == 2) {
      const List group = getList(op.getIndices().front());
      rows = tensors.slice(rows, group.front() * operands.shift, operands.rows,
                           0, TensorBuilder::getColumns(rows));
    }
    numbers[op] = tensors.select(rows, place, 1);
    return success();
  }
  if (number < operands.vectors.size()) {
    SmallVector<float> values;
    for (int64_t i : place)
      values.push_back(operands.vectors[number][i]);
    numbers[op] = tensors.repeat(tensors.constant(values, 1), operands.rows, 0);
    return success();
  }
  const List &list = operands.indexes[number - operands.vectors.size()];
  lists[op] = llvm::map_to_vector(place, [&](int64_t i) { return list[i]; });
  return success();
}

void RowInterpreter::runStore(memref::StoreOp op) {
  Value tensor = getTensor(op.getValueToStore());
  for (auto [i, column] : llvm::enumerate(getList(op.getIndices().front())))
    columns[column] = {tensor, int64_t(i)};
}

FailureOr<SmallVector<Value>> RowInterpreter::runBody(Region &body,
                                                      ArrayRef<List> values) {
  const int64_t before = width;
  width = values.front().size();
  for (auto [argument, list] : llvm::zip_equal(body.getArguments(), values))
    lists[argument] = list;
  LogicalResult result = runBlock(body.front());
  SmallVector<Value> yielded;
  if (succeeded(result))
    for (Value number : body.front().getTerminator()->getOperands())
      yielded.push_back(getTensor(number));
  width = before;
  if (failed(result))
    return failure();
  return yielded;
}

static SmallVector<int64_t> getColumns(int64_t count) {
  return llvm::to_vector(llvm::seq<int64_t>(0, count));
}

LogicalResult RowInterpreter::runLoop(kernel::ForColumnsOp op) {
  ArrayRef<int64_t> sizes = op.getSizes();
  if (sizes.size() == 1)
    return success(succeeded(runBody(op.getBody(), getColumns(sizes[0]))));
  List blocks, places;
  for (int64_t block = 0; block < sizes[0]; ++block)
    for (int64_t place = 0; place < sizes[1]; ++place) {
      blocks.push_back(block);
      places.push_back(place);
    }
  return success(succeeded(runBody(op.getBody(), {blocks, places})));
}

LogicalResult RowInterpreter::runReduction(kernel::ReduceColumnsOp op) {
  auto values = runBody(op.getBody(), getColumns(op.getSize()));
  if (failed(values))
    return failure();
  numbers[op.getResult()] = op.getKind() == kernel::Reduction::Add
                                ? tensors.sumColumns(values->front())
                                : tensors.maxColumns(values->front());
  return success();
}

LogicalResult RowInterpreter::runDots(kernel::DotColumnsOp op) {
  auto values = runBody(op.getBody(), getColumns(op.getSize()));
  if (failed(values))
    return failure();
  for (auto [i, result] : llvm::enumerate(op.getResults()))
    numbers[result] = tensors.sumColumns(
        arith::MulFOp::create(tensors.getBuilder(), tensors.getLoc(),
                              (*values)[2 * i], (*values)[2 * i + 1]));
  return success();
}

/// Creates a 0/1 matrix: column j selects the rows that it sums.
static Value createSelection(TensorBuilder &tensors, Type element,
                             ArrayRef<std::pair<int64_t, int64_t>> ones,
                             int64_t rows, int64_t columns) {
  SmallVector<float> values(rows * columns, 0);
  for (auto [row, column] : ones)
    values[row * columns + column] = 1;
  Value selection = tensors.constant(values, rows);
  if (element.isF32())
    return selection;
  return arith::ExtFOp::create(
      tensors.getBuilder(), tensors.getLoc(),
      cast<RankedTensorType>(selection.getType()).clone(element), selection);
}

/// For each iteration of the surrounding loop, sums a range of the columns that
/// the body computes.
LogicalResult RowInterpreter::runSumOfRange(kernel::SumRangeOp op) {
  const List begins = getList(op.getBegin()), ends = getList(op.getEnd());
  List all;
  SmallVector<std::pair<int64_t, int64_t>> ones;
  for (auto [i, begin, end] : llvm::enumerate(begins, ends))
    for (int64_t at = begin; at < end; ++at) {
      ones.push_back({int64_t(all.size()), int64_t(i)});
      all.push_back(at);
    }
  auto values = runBody(op.getBody(), all);
  if (failed(values))
    return failure();
  numbers[op.getResult()] = tensors.matmul(
      values->front(),
      createSelection(tensors, op.getType(), ones, all.size(), begins.size()));
  return success();
}

LogicalResult RowInterpreter::runSumOfRows(kernel::SumRowsOp op) {
  if (ofRows)
    return failure();
  ofRows = true;
  LogicalResult result = runBlock(op.getBody().front());
  SmallVector<Value> yielded;
  if (succeeded(result))
    for (Value number : op.getBody().front().getTerminator()->getOperands())
      yielded.push_back(getTensor(number));
  ofRows = false;
  if (failed(result))
    return failure();
  SmallVector<std::pair<int64_t, int64_t>> ones;
  for (auto [row, begin, end] : llvm::enumerate(operands.begins, operands.ends))
    for (int64_t at = begin; at < end; ++at)
      ones.push_back({int64_t(row), at});
  OpBuilder &b = tensors.getBuilder();
  for (auto [sum, terms] : llvm::zip_equal(op.getResults(), yielded)) {
    auto type = cast<RankedTensorType>(terms.getType());
    if (type.getElementType() != sum.getType())
      terms = arith::ExtFOp::create(b, tensors.getLoc(),
                                    type.clone(sum.getType()), terms);
    numbers[sum] = tensors.matmul(
        createSelection(tensors, sum.getType(), ones, operands.rows,
                        TensorBuilder::getRows(terms)),
        terms);
  }
  return success();
}

void RowInterpreter::runSoftmax(kernel::SoftmaxOp op) {
  OpBuilder &b = tensors.getBuilder();
  Location loc = tensors.getLoc();
  SmallVector<Value> values;
  for (Value value : op.getValues())
    values.push_back(getTensor(value));
  Value all = tensors.concat(values, 1);
  const int64_t count = values.size();
  Value shifted = arith::SubFOp::create(
      b, loc, all, tensors.repeat(tensors.maxColumns(all), count, 1));
  Value powers = math::ExpOp::create(b, loc, shifted);
  Value shares = arith::DivFOp::create(
      b, loc, powers, tensors.repeat(tensors.sumColumns(powers), count, 1));
  for (auto [i, result] : llvm::enumerate(op.getResults()))
    numbers[result] = tensors.sliceColumns(shares, i, 1);
}

/// Unrolls the loop; all columns have the same bounds.
LogicalResult RowInterpreter::runFor(scf::ForOp op) {
  auto getBound = [&](Value bound) { return getList(bound).front(); };
  SmallVector<Value> carried = llvm::map_to_vector(
      op.getInitArgs(), [&](Value init) { return getTensor(init); });
  for (int64_t round = getBound(op.getLowerBound());
       round < getBound(op.getUpperBound()); round += getBound(op.getStep())) {
    lists[op.getInductionVar()] = {round};
    for (auto [argument, value] :
         llvm::zip_equal(op.getRegionIterArgs(), carried))
      numbers[argument] = value;
    if (failed(runBlock(*op.getBody())))
      return failure();
    for (auto [value, next] :
         llvm::zip_equal(carried, op.getBody()->getTerminator()->getOperands()))
      value = getTensor(next);
  }
  for (auto [result, value] : llvm::zip_equal(op.getResults(), carried))
    numbers[result] = value;
  return success();
}

/// Evaluates an operation on indexes for all their values.
LogicalResult RowInterpreter::runIndexes(Operation &op) {
  Value result = op.getResult(0);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    lists[result] = {cast<IntegerAttr>(constant.getValue()).getInt()};
    return success();
  }
  if (isa<arith::IndexCastOp>(op)) {
    lists[result] = lists.lookup(op.getOperand(0));
    return success();
  }
  // The length of a range is a number per row: see runElements.
  if (isa<memref::DimOp>(op))
    return success();
  if (op.getNumOperands() != 2)
    return failure();
  List a = getList(op.getOperand(0)), b = getList(op.getOperand(1));
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    if (isa<arith::AddIOp>(op))
      x += y;
    else if (isa<arith::SubIOp>(op))
      x -= y;
    else if (isa<arith::MulIOp>(op))
      x *= y;
    else if (isa<arith::DivUIOp>(op))
      x /= y;
    else if (isa<arith::RemUIOp>(op))
      x %= y;
    else if (isa<arith::MinSIOp>(op))
      x = std::min(x, y);
    else
      return failure();
  }
  lists[result] = a;
  return success();
}

/// Emits an operation on numbers, elementwise.
LogicalResult RowInterpreter::runElements(Operation &op) {
  OpBuilder &b = tensors.getBuilder();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<FloatAttr>(constant.getValue());
    if (!value)
      return failure();
    constants[constant.getResult()] = value;
    return success();
  }
  if (auto count = dyn_cast<arith::SIToFPOp>(op)) {
    SmallVector<float> counts;
    for (auto [begin, end] : llvm::zip_equal(operands.begins, operands.ends))
      counts.push_back(end - begin);
    Value column = tensors.constant(counts, operands.rows);
    if (!count.getType().isF32())
      column = arith::ExtFOp::create(
          b, tensors.getLoc(),
          cast<RankedTensorType>(column.getType()).clone(count.getType()),
          column);
    numbers[count.getResult()] = column;
    return success();
  }
  if (op.getNumResults() != 1 || op.getNumRegions() != 0 ||
      !OpTrait::hasElementwiseMappableTraits(&op))
    return failure();
  // One column suffices if all operands have one.
  const int64_t loop = width;
  auto isNarrow = [&](Value number) {
    return constants.contains(number) ||
           TensorBuilder::getColumns(numbers.lookup(number)) == 1;
  };
  if (llvm::all_of(op.getOperands(), isNarrow))
    width = 1;
  SmallVector<Value> values = llvm::map_to_vector(
      op.getOperands(), [&](Value v) { return getTensor(v); });
  width = loop;
  auto type = cast<RankedTensorType>(values.front().getType())
                  .clone(op.getResult(0).getType());
  numbers[op.getResult(0)] =
      b.create(tensors.getLoc(), op.getName().getIdentifier(), values, type,
               op.getAttrs())
          ->getResult(0);
  return success();
}

FailureOr<Value>
mlir::nnet3::computeRows(TensorBuilder &tensors, RowKernelInterface row,
                         const RowTensors &operands,
                         function_ref<void(RowEmission &)> emit) {
  MLIRContext *context = row->getContext();
  Block block;
  OpBuilder inside(context);
  inside.setInsertionPointToEnd(&block);
  auto getRowsType = [&](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> strides(shape.size(), 1);
    for (size_t i = shape.size() - 1; i > 0; --i)
      strides[i - 1] = strides[i] * shape[i];
    return MemRefType::get(
        shape, inside.getF32Type(),
        StridedLayoutAttr::get(context, ShapedType::kDynamic, strides));
  };
  auto add = [&](Type type) -> Value {
    return block.addArgument(type, tensors.getLoc());
  };
  RowOperands views;
  if (Value input = operands.input) {
    const int64_t width = TensorBuilder::getColumns(input);
    switch (row.getRowReads()) {
    case RowReads::One:
      views.input = add(getRowsType({operands.rows, width}));
      break;
    case RowReads::Range:
      views.input =
          add(kernel::RowRangesType::get(context, operands.rows, width, width));
      break;
    case RowReads::Shifted:
      views.input =
          add(getRowsType({operands.rows, row.getNumShiftedRows(), width}));
      break;
    }
  }
  for (const auto &vector : operands.vectors)
    views.vectors.push_back(add(getRowsType({int64_t(vector.size())})));
  for (const auto &list : operands.indexes)
    views.indexes.push_back(add(MemRefType::get(
        {int64_t(list.size())}, inside.getI32Type(),
        StridedLayoutAttr::get(context, ShapedType::kDynamic, {1}))));
  views.stored = add(getRowsType({operands.rows, operands.columns}));
  RowEmission::mapRows(inside, tensors.getLoc(), views, row.getNumParts(),
                       emit);
  RowInterpreter interpreter(tensors, operands);
  LogicalResult result =
      interpreter.run(cast<kernel::MapRowsOp>(block.front()));
  if (failed(result))
    return failure();
  return interpreter.getOutput();
}
