//===- Nnet3Dialect.cpp - The nnet3 dialect -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/MatrixLayout.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.cpp.inc"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Enums.cpp.inc"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Interfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Nnet3Types.cpp.inc"

void Nnet3Dialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "nnet3/Dialect/Nnet3/IR/Nnet3Types.cpp.inc"
      >();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/Components/AffineComponentOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/Components/NonlinearComponentOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/Components/ElementwiseComponentOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/Components/RecurrentComponentOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/Components/RandomComponentOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/Components/ContextComponentOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/Components/CompositeComponentOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/Components/GruComponentOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/Components/BlockComponentOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/Components/ConstantComponentOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/Components/ImageComponentOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/RequestOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/StreamOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/CommandOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/RowCommandOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

bool mlir::nnet3::isValidName(StringRef name) {
  auto isValidChar = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '-' || c == '.';
  };
  bool isReserved =
      llvm::StringSwitch<bool>(name)
          .Cases({"Append", "Sum", "Failover", "IfDefined", "Offset", "Switch",
                  "Scale", "Const", "Round", "ReplaceIndex"},
                 true)
          .Default(false);
  return !isReserved && !name.empty() &&
         (llvm::isAlpha(name.front()) || name.front() == '_') &&
         llvm::all_of(name, isValidChar);
}

LogicalResult mlir::nnet3::detail::verifyName(Operation *op, StringRef name) {
  if (isValidName(name))
    return success();
  return op->emitOpError("expects a name that config files can hold, but got "
                         "'")
         << name << "'";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Sizes and strides of matrices are below this, as in Kaldi, so that
/// arithmetic on them does not overflow.
static constexpr int64_t kMaxDim = std::numeric_limits<int32_t>::max();

bool mlir::nnet3::isMatrixType(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.getRank() != 2 || !memref.getElementType().isF32() ||
      memref.getMemorySpace() || !memref.hasStaticShape())
    return false;
  if (llvm::any_of(memref.getShape(),
                   [](int64_t dim) { return dim <= 0 || dim > kMaxDim; }))
    return false;
  std::optional<MatrixLayout> layout = MatrixLayout::get(memref);
  return layout && layout->stride >= memref.getDimSize(1) &&
         layout->stride <= kMaxDim &&
         (layout->isMoving() ||
          (layout->offset >= 0 && layout->offset <= int64_t(1) << 62));
}

LogicalResult RowsType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t dim) {
  if (dim <= 0 || dim > kMaxDim)
    return emitError() << "expects a dim from 1 to " << kMaxDim << ", but got "
                       << dim;
  return success();
}

LogicalResult
CompressedType::verify(function_ref<InFlightDiagnostic()> emitError,
                       int64_t rows, int64_t cols, Type elementType) {
  if (rows <= 0 || rows > kMaxDim || cols <= 0 || cols > kMaxDim)
    return emitError() << "expects dims from 1 to " << kMaxDim << ", but got "
                       << rows << "x" << cols;
  auto integer = dyn_cast<IntegerType>(elementType);
  if (!integer || integer.isSignless() ||
      (integer.getWidth() != 8 && integer.getWidth() != 16))
    return emitError() << "expects element type si8, ui8, si16 or ui16, but "
                          "got "
                       << elementType;
  return success();
}

Type CompressedType::parse(AsmParser &parser) {
  SmallVector<int64_t> dims;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(dims, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseGreater())
    return {};
  if (dims.size() != 2) {
    parser.emitError(loc, "expects two dimensions");
    return {};
  }
  return parser.getChecked<CompressedType>(loc, parser.getContext(), dims[0],
                                           dims[1], elementType);
}

void CompressedType::print(AsmPrinter &printer) const {
  printer << "<" << getRows() << "x" << getCols() << "x" << getElementType()
          << ">";
}
