//===- ProgramOps.cpp - Descriptions of programs for callers --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::nnet3::kernel;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

using EmitError = function_ref<InFlightDiagnostic()>;

static constexpr int64_t kMaxNumber = std::numeric_limits<int64_t>::max();
/// Libraries store numbers of rows and columns in 32 bits.
static constexpr int64_t kMaxRows = std::numeric_limits<int32_t>::max();
/// Maximum number of threads per block (all CUDA compute capabilities).
static constexpr int64_t kMaxBlockThreads = 1024;
static constexpr int64_t kWarp = 32;
/// The draw number of a command has 30 bits.
static constexpr int64_t kMaxDraw = (int64_t(1) << 30) - 1;

static LogicalResult verifyRange(EmitError emitError, StringRef name,
                                 int64_t value, int64_t max = kMaxNumber,
                                 int64_t min = 0) {
  if (value >= min && value <= max)
    return success();
  return emitError() << "expects " << name << " from " << min << " to " << max
                     << ", but got " << value;
}

static LogicalResult verifyRows(EmitError emitError, int64_t offset,
                                int64_t rows, int64_t cols) {
  return success(succeeded(verifyRange(emitError, "offset", offset)) &&
                 succeeded(verifyRange(emitError, "rows", rows, kMaxRows)) &&
                 succeeded(verifyRange(emitError, "cols", cols, kMaxRows)));
}

LogicalResult IoAttr::verify(EmitError emitError, StringAttr, int64_t offset,
                             int64_t rows, int64_t cols) {
  return verifyRows(emitError, offset, rows, cols);
}

LogicalResult GradientAttr::verify(EmitError emitError, StringAttr, StringAttr,
                                   int64_t offset, int64_t rows, int64_t cols) {
  return verifyRows(emitError, offset, rows, cols);
}

LogicalResult ParameterAttr::verify(EmitError emitError, StringAttr, StringAttr,
                                    int64_t offset, int64_t size) {
  return success(succeeded(verifyRange(emitError, "offset", offset)) &&
                 succeeded(verifyRange(emitError, "size", size)));
}

LogicalResult ConstantsAttr::verify(EmitError emitError, int64_t first,
                                    int64_t offset, int64_t size) {
  return success(succeeded(verifyRange(emitError, "first", first)) &&
                 succeeded(verifyRange(emitError, "offset", offset)) &&
                 succeeded(verifyRange(emitError, "size", size)));
}

LogicalResult StatisticAttr::verify(EmitError emitError, StringAttr, bool,
                                    int64_t offset, int64_t size) {
  return success(succeeded(verifyRange(emitError, "offset", offset)) &&
                 succeeded(verifyRange(emitError, "size", size)));
}

LogicalResult PackedAttr::verify(EmitError emitError, SymbolRefAttr,
                                 PackedPart part, int64_t offset,
                                 int64_t number, SymbolRefAttr,
                                 Precision precision, DenseI64ArrayAttr columns,
                                 StringAttr parameter, bool planes,
                                 FloatAttr error) {
  if (columns && columns.size() % 2)
    return emitError() << "expects pairs of columns and counts, but got "
                       << columns;
  if ((part == PackedPart::Parameter) != bool(parameter))
    return emitError() << "expects the name of a parameter, and of no other "
                          "part";
  if (planes && (part != PackedPart::Panels || (precision != Precision::Int8 &&
                                                precision != Precision::FP16)))
    return emitError() << "expects planes in panels of int8 and fp16 alone";
  if (error && (part != PackedPart::Panels || !error.getType().isF64() ||
                !(error.getValueAsDouble() >= 0)))
    return emitError() << "expects the error of panels, an f64 of at least 0";
  return success(succeeded(verifyRange(emitError, "offset", offset)) &&
                 succeeded(verifyRange(emitError, "number", number)));
}

LogicalResult CallAttr::verify(EmitError emitError, SymbolRefAttr,
                               int64_t inputRows, int64_t outputRows,
                               DictionaryAttr, std::optional<int64_t> draw) {
  return success(
      succeeded(verifyRange(emitError, "input_rows", inputRows, kMaxRows)) &&
      succeeded(verifyRange(emitError, "output_rows", outputRows, kMaxRows)) &&
      succeeded(verifyRange(emitError, "draw", draw.value_or(0), kMaxDraw)));
}

LogicalResult ProductAttr::verify(EmitError emitError, int64_t offset,
                                  int64_t cols, int64_t stride, int64_t basis,
                                  int64_t sums, int64_t rank, int64_t groups,
                                  int64_t distance) {
  return success(
      succeeded(verifyRange(emitError, "offset", offset)) &&
      succeeded(verifyRange(emitError, "cols", cols, kMaxRows)) &&
      succeeded(verifyRange(emitError, "stride", stride, kMaxRows)) &&
      succeeded(verifyRange(emitError, "basis", basis)) &&
      succeeded(verifyRange(emitError, "sums", sums)) &&
      succeeded(verifyRange(emitError, "rank", rank, kMaxRows)) &&
      succeeded(verifyRange(emitError, "groups", groups, kMaxRows,
                            /*min=*/1)) &&
      succeeded(verifyRange(emitError, "distance", distance)));
}

LogicalResult StepAttr::verify(EmitError emitError, FlatSymbolRefAttr function,
                               StringAttr component, int64_t number,
                               std::optional<int64_t> part, bool twoSided,
                               int64_t offset, int64_t rows, int64_t cols,
                               int64_t stride, ProductAttr product,
                               bool allreduce, StringAttr parameter) {
  if (allreduce && (function || component || rows != 1 || cols % 2))
    return emitError() << "expects one row of whole f64 numbers to sum, and "
                          "nothing else";
  if (function && component)
    return emitError() << "expects a function or a component, but got both";
  if (product && (!component || twoSided))
    return emitError() << "expects a component and one side with a product";
  if (parameter && (!component || part || twoSided || product))
    return emitError() << "expects a component and no preconditioner with a "
                          "parameter";
  return success(
      succeeded(verifyRange(emitError, "number", number)) &&
      succeeded(verifyRange(emitError, "part", part.value_or(0))) &&
      succeeded(verifyRange(emitError, "stride", stride, kMaxRows)) &&
      succeeded(verifyRows(emitError, offset, rows, cols)));
}

LogicalResult BlockAttr::verify(EmitError emitError, int64_t threads,
                                bool warps, FormAttr) {
  if (warps && threads % kWarp)
    return emitError() << "expects whole warps of " << kWarp
                       << " threads, but got " << threads << " threads";
  return verifyRange(emitError, "threads", threads, kMaxBlockThreads,
                     /*min=*/1);
}

//===----------------------------------------------------------------------===//
// EntryOp
//===----------------------------------------------------------------------===//

/// Verifies that matrices of type `AttrT` are inside the arena.
template <typename AttrT>
static LogicalResult verifyPlaces(EntryOp op, ArrayAttr matrices) {
  const int64_t size = op.getArenaSize();
  for (auto matrix : matrices.getAsRange<AttrT>())
    if (matrix.getRows() * matrix.getCols() > size ||
        matrix.getOffset() > size - matrix.getRows() * matrix.getCols())
      return op.emitOpError("expects matrices in an arena of ")
             << size << " floats, but got " << matrix;
  return success();
}

/// Whether rows are inside an arena of `size` floats.
static bool isInArena(int64_t size, int64_t offset, int64_t rows, int64_t cols,
                      int64_t stride) {
  if (rows == 0)
    return offset <= size;
  return cols <= size && (rows - 1) * stride <= size - cols &&
         offset <= size - cols - (rows - 1) * stride;
}

/// Whether all accesses of a step are inside an arena of `size` floats.
static bool isInArena(int64_t size, StepAttr step) {
  auto isInside = [&](int64_t offset) {
    return isInArena(size, offset, step.getRows(), step.getCols(),
                     step.getStride());
  };
  if (!isInside(step.getOffset()))
    return false;
  ProductAttr product = step.getProduct();
  if (!product)
    return true;
  std::optional<int64_t> last = llvm::checkedMulAdd<int64_t>(
      product.getGroups() - 1, product.getDistance(), step.getOffset());
  std::optional<int64_t> columns =
      llvm::checkedMul<int64_t>(product.getGroups(), step.getCols());
  return last && columns && isInside(*last) &&
         isInArena(size, product.getOffset(), step.getRows(), product.getCols(),
                   product.getStride()) &&
         isInArena(size, product.getBasis(), product.getRank(), *columns,
                   *columns) &&
         isInArena(size, product.getSums(), product.getRank(),
                   product.getCols(), product.getCols());
}

/// Whether `op` has the gradient that `step` completes.
static bool hasGradient(EntryOp op, StepAttr step) {
  if (!step.getParameter())
    return true;
  return op.getGradients() &&
         llvm::any_of(op.getGradients()->getAsRange<GradientAttr>(),
                      [&](GradientAttr gradient) {
                        return gradient.getComponent() == step.getComponent() &&
                               gradient.getParameter() == step.getParameter();
                      });
}

LogicalResult EntryOp::verifySymbolUses(SymbolTableCollection &symbols) {
  SmallVector<FlatSymbolRefAttr> functions;
  if (auto steps = getSteps()) {
    for (auto step : steps->getAsRange<StepAttr>()) {
      if (step.getFunction())
        functions.push_back(step.getFunction());
      if (!isInArena(getArenaSize(), step))
        return emitOpError("expects rows in an arena of ")
               << getArenaSize() << " floats, but got " << step;
      if (!hasGradient(*this, step))
        return emitOpError("has no gradient for ") << step;
    }
  } else {
    functions.push_back(getFunctionAttr());
  }
  if (ConstantsAttr constants = getConstantsAttr())
    if (!isInArena(getArenaSize(), constants.getOffset(), /*rows=*/1,
                   constants.getSize(), /*stride=*/0))
      return emitOpError("expects constants in an arena of ")
             << getArenaSize() << " floats, but got " << constants;
  for (FlatSymbolRefAttr function : functions)
    if (!symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, function))
      return emitOpError("expects a function, but got ") << function;
  if (failed(verifyPlaces<IoAttr>(*this, getInputs())) ||
      failed(verifyPlaces<IoAttr>(*this, getOutputs())))
    return failure();
  return getGradients() ? verifyPlaces<GradientAttr>(*this, *getGradients())
                        : success();
}

EntryOp EntryOp::find(ModuleOp module, StringRef name) {
  for (auto entry : module.getOps<EntryOp>())
    if (entry.getFunction() == name)
      return entry;
  return {};
}

//===----------------------------------------------------------------------===//
// ResourcesOp
//===----------------------------------------------------------------------===//

LogicalResult ResourcesOp::verify() {
  ResourcesOp first = find((*this)->getParentOfType<ModuleOp>());
  if (first == *this)
    return success();
  InFlightDiagnostic error = emitOpError("is defined twice");
  error.attachNote(first.getLoc()) << "first one is here";
  return error;
}

ResourcesOp ResourcesOp::find(ModuleOp module) {
  auto all = module.getOps<ResourcesOp>();
  return all.empty() ? ResourcesOp() : *all.begin();
}

std::vector<int32_t> ResourcesOp::getRowTableEntries() {
  std::vector<int32_t> entries;
  if (RowTableAttr tables = getRowTablesAttr())
    for (row_table::Cursor cursor(tables.getCode());
         std::optional<RowRef> entry = cursor.next();)
      entries.push_back(static_cast<int32_t>(entry->row));
  return entries;
}
