//===- KernelDialect.cpp - The kernel dialect -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3::kernel;

#include "nnet3/Dialect/Kernel/IR/KernelDialect.cpp.inc"
#include "nnet3/Dialect/Kernel/IR/KernelEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "nnet3/Dialect/Kernel/IR/KernelTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "nnet3/Dialect/Kernel/IR/KernelAttributes.cpp.inc"

void KernelDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "nnet3/Dialect/Kernel/IR/KernelTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "nnet3/Dialect/Kernel/IR/KernelAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Kernel/IR/KernelOps.cpp.inc"
      >();
}

LogicalResult KernelDialect::verifyOperationAttribute(Operation *op,
                                                      NamedAttribute attr) {
  // An attribute is named after its type.
  const bool isKnown =
      TypeSwitch<Attribute, bool>(attr.getValue())
          .Case([&](TargetAttr) {
            return attr.getName() == kTargetAttr && isa<ModuleOp>(op);
          })
          .Case([&](BlockAttr) {
            return attr.getName() == BlockAttr::name &&
                   isa<FunctionOpInterface>(op);
          })
          .Case([&](FormAttr) { return attr.getName() == FormAttr::name; })
          .Default([](Attribute) { return false; });
  if (isKnown)
    return success();
  return op->emitOpError("has an unknown attribute '")
         << attr.getName().getValue() << "' = " << attr.getValue();
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Sizes and strides are below this, so that sums of offsets do not overflow.
static constexpr int64_t kMaxDim = std::numeric_limits<int32_t>::max();

bool mlir::nnet3::kernel::isDim(int64_t dim) {
  return dim > 0 && dim <= kMaxDim;
}

/// Returns the strides of a view of `rank` dimensions; none for other types.
static std::optional<SmallVector<int64_t>>
getAnyStrides(Type type, int64_t rank, Type element) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.getRank() != rank ||
      memref.getElementType() != element || memref.getMemorySpace() ||
      !memref.hasStaticShape() || !llvm::all_of(memref.getShape(), isDim))
    return std::nullopt;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(memref.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, [](int64_t stride) {
        return stride < -kMaxDim || stride > kMaxDim;
      }))
    return std::nullopt;
  return strides;
}

/// As above, but the last dimension must have stride 1.
static std::optional<SmallVector<int64_t>> getStrides(Type type, int64_t rank,
                                                      Type element) {
  auto strides = getAnyStrides(type, rank, element);
  return strides && strides->back() == 1 ? strides : std::nullopt;
}

static std::optional<SmallVector<int64_t>> getStrides(Type type, int64_t rank) {
  return getStrides(type, rank, Float32Type::get(type.getContext()));
}

bool mlir::nnet3::kernel::isMatrixView(Type type) {
  return getStrides(type, 2).has_value();
}

bool mlir::nnet3::kernel::isColumnMajorView(Type type) {
  auto strides = getAnyStrides(type, 2, Float32Type::get(type.getContext()));
  return strides && strides->front() == 1 && strides->back() != 1;
}

bool mlir::nnet3::kernel::isVectorView(Type type) {
  return getStrides(type, 1).has_value();
}

bool mlir::nnet3::kernel::isPanelsView(Type type) {
  auto strides = getStrides(type, 3);
  if (!strides)
    return false;
  ArrayRef<int64_t> shape = cast<MemRefType>(type).getShape();
  return (*strides)[1] == shape[2] && (*strides)[0] == shape[1] * shape[2];
}

bool mlir::nnet3::kernel::isRowGroupsView(Type type) {
  return getStrides(type, 3).has_value();
}

bool mlir::nnet3::kernel::isIndexList(Type type) {
  return getStrides(type, 1, IntegerType::get(type.getContext(), 32))
      .has_value();
}

bool mlir::nnet3::kernel::isNarrowView(Type type) {
  Builder builder(type.getContext());
  return getStrides(type, 2, builder.getI8Type()) ||
         getStrides(type, 2, builder.getI16Type());
}

bool mlir::nnet3::kernel::isIndexMatrix(Type type) {
  return getStrides(type, 2, IntegerType::get(type.getContext(), 32))
      .has_value();
}

static bool isMemory(Type type, Type element) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.getRank() == 1 && memref.hasStaticShape() &&
         memref.getElementType() == element && !memref.getMemorySpace() &&
         memref.getLayout().isIdentity();
}

bool mlir::nnet3::kernel::isArena(Type type) {
  return isMemory(type, Float32Type::get(type.getContext()));
}

bool mlir::nnet3::kernel::isTable(Type type) {
  return isMemory(type, IntegerType::get(type.getContext(), 32));
}

std::pair<int64_t, int64_t> mlir::nnet3::kernel::getShape(Type rows) {
  if (auto indexed = dyn_cast<RowsType>(rows))
    return {indexed.getNumRows(), indexed.getNumColumns()};
  if (auto ranges = dyn_cast<RowRangesType>(rows))
    return {ranges.getNumRows(), ranges.getNumColumns()};
  auto memref = cast<MemRefType>(rows);
  return {memref.getDimSize(0), memref.getDimSize(1)};
}

LogicalResult RowsType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t numRows, int64_t numColumns) {
  if (isDim(numRows) && isDim(numColumns))
    return success();
  return emitError() << "expects dims from 1 to " << kMaxDim << ", but got "
                     << numRows << "x" << numColumns;
}

Type RowsType::parse(AsmParser &parser) {
  SmallVector<int64_t> dims;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(dims, /*allowDynamic=*/false,
                                /*withTrailingX=*/false) ||
      parser.parseGreater())
    return {};
  if (dims.size() != 2) {
    parser.emitError(loc, "expects two dimensions, but got ") << dims.size();
    return {};
  }
  return parser.getChecked<RowsType>(loc, parser.getContext(), dims[0],
                                     dims[1]);
}

void RowsType::print(AsmPrinter &printer) const {
  printer << "<" << getNumRows() << "x" << getNumColumns() << ">";
}

LogicalResult
RowRangesType::verify(function_ref<InFlightDiagnostic()> emitError,
                      int64_t numRows, int64_t numColumns, int64_t stride) {
  if (isDim(numRows) && isDim(numColumns) && isDim(stride))
    return success();
  return emitError() << "expects dims and a stride from 1 to " << kMaxDim
                     << ", but got " << numRows << "x" << numColumns << " and "
                     << stride;
}

Type RowRangesType::parse(AsmParser &parser) {
  SmallVector<int64_t> dims;
  int64_t stride;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(dims, /*allowDynamic=*/false,
                                /*withTrailingX=*/false) ||
      parser.parseComma() || parser.parseKeyword("stride") ||
      parser.parseEqual() || parser.parseInteger(stride) ||
      parser.parseGreater())
    return {};
  if (dims.size() != 2) {
    parser.emitError(loc, "expects two dimensions, but got ") << dims.size();
    return {};
  }
  return parser.getChecked<RowRangesType>(loc, parser.getContext(), dims[0],
                                          dims[1], stride);
}

void RowRangesType::print(AsmPrinter &printer) const {
  printer << "<" << getNumRows() << "x" << getNumColumns()
          << ", stride = " << getStride() << ">";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

LogicalResult
DotProductAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       Precision elements, int64_t group, bool, bool,
                       StringRef intrinsic, StringRef) {
  if (!convertsRows(elements))
    return emitError() << "expects elements of bf16, int8 or int16, but got "
                       << getPrecisionName(elements);
  if (group < 1 || group > 16)
    return emitError() << "expects a group of 1 to 16 elements, but got "
                       << group;
  if (!intrinsic.starts_with("llvm."))
    return emitError() << "expects an intrinsic of LLVM, but got '" << intrinsic
                       << "'";
  return success();
}

/// The longest vector that any target has.
static constexpr int64_t kMaxVectorBits = 2048;
/// Length of the longest full scalable vector; matmuls use only this part of
/// longer ones.
static constexpr int64_t kPanelVectorBits = 512;
static constexpr int64_t kMaxVectorRegisters = 64;
static constexpr int64_t kMinCacheBytes = 64 * 1024;
static constexpr int64_t kMaxCacheBytes = 64 * 1024 * 1024;

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t vectorBits, int64_t vectorRegisters,
                                 bool, int64_t l2Bytes, ArrayAttr dotProducts,
                                 int64_t rowLanes, int64_t panelColumns,
                                 int64_t scalableBits,
                                 LaneIntrinsicsAttr laneIntrinsics, bool,
                                 StringAttr pairProducts, bool,
                                 int64_t threads) {
  if (vectorBits < 32 || vectorBits > kMaxVectorBits ||
      !llvm::isPowerOf2_64(vectorBits))
    return emitError() << "expects vector_bits to be a power of 2 from 32 to "
                       << kMaxVectorBits << ", but got " << vectorBits;
  if (vectorRegisters < 4 || vectorRegisters > kMaxVectorRegisters)
    return emitError() << "expects 4 to " << kMaxVectorRegisters
                       << " vector_registers, but got " << vectorRegisters;
  if (l2Bytes < kMinCacheBytes || l2Bytes > kMaxCacheBytes)
    return emitError() << "expects l2_bytes from " << kMinCacheBytes << " to "
                       << kMaxCacheBytes << ", but got " << l2Bytes;
  if (dotProducts && !llvm::all_of(dotProducts, llvm::IsaPred<DotProductAttr>))
    return emitError() << "expects dot_products to be a list of "
                          "#kernel.dot_product, but got "
                       << dotProducts;
  if (rowLanes < 1 || rowLanes > vectorBits / 32)
    return emitError() << "expects row_lanes from 1 to " << vectorBits / 32
                       << ", but got " << rowLanes;
  const int64_t panelVector =
      (scalableBits ? kPanelVectorBits : vectorBits) / 32;
  if (panelColumns < 0 || panelColumns % panelVector != 0)
    return emitError() << "expects panel_columns to be a multiple of "
                       << panelVector << ", but got " << panelColumns;
  if (scalableBits != 0 &&
      (scalableBits < 32 || scalableBits > vectorBits ||
       !llvm::isPowerOf2_64(scalableBits) || vectorBits > kPanelVectorBits))
    return emitError() << "expects scalable_bits to be a power of 2 from 32 to "
                          "vector_bits, and these at most "
                       << kPanelVectorBits << ", but got " << scalableBits
                       << " and " << vectorBits;
  if (bool(laneIntrinsics) != (scalableBits != 0 && rowLanes > 1))
    return emitError() << "expects lane_intrinsics for row_lanes of scalable "
                          "vectors, and for no others";
  if (pairProducts && !pairProducts.getValue().starts_with("llvm."))
    return emitError() << "expects pair_products to be an intrinsic of LLVM, "
                          "but got "
                       << pairProducts;
  if (pairProducts && rowLanes > 1)
    return emitError() << "expects no pair_products with row_lanes above 1, "
                          "because a pair of a row is copied to all lanes";
  if (threads < 1 || threads > kMaxThreads)
    return emitError() << "expects 1 to " << kMaxThreads << " threads, but got "
                       << threads;
  return success();
}

TargetAttr TargetAttr::withThreads(int64_t threads) const {
  return get(getContext(), getVectorBits(), getVectorRegisters(), getFma(),
             getL2Bytes(), getDotProducts(), getRowLanes(), getPanelColumns(),
             getScalableBits(), getLaneIntrinsics(), getWideProducts(),
             getPairProducts(), getConvertsHalves(), threads);
}

int64_t TargetAttr::getPanelVectorLength() const {
  return isScalable() ? kPanelVectorBits / 32 : getVectorLength();
}

VectorType TargetAttr::getVectorType(Type element, int64_t registers) const {
  const int64_t bits = isScalable() ? getScalableBits() : getVectorBits();
  return VectorType::get({registers * bits / 32}, element, {isScalable()});
}

DotProductAttr TargetAttr::getDotProduct(Precision precision) const {
  if (getDotProducts())
    for (auto instruction : getDotProducts().getAsRange<DotProductAttr>())
      if (instruction.getElements() == precision &&
          instruction.getGroup() == getNumbersPerWord(precision))
        return instruction;
  return {};
}
