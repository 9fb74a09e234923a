//===- StableHloExport.cpp - Functions on tensors as StableHLO ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's packages have no StableHLO, so the module is written as text: one
// operation for each one on tensors, with the same shapes.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Target/StableHlo/StableHloExport.h"

#include "nnet3/Conversion/Nnet3ToLinalg/Gather.h"
#include "nnet3/Conversion/Nnet3ToLinalg/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::nnet3;
using llvm::formatv;

namespace {
class StableHloExporter {
public:
  StableHloExporter(func::FuncOp function, llvm::raw_ostream &os)
      : function(function), os(os) {}

  LogicalResult run();

private:
  LogicalResult convert(Operation &op);
  LogicalResult convertElementwise(Operation &op);
  void convert(linalg::MatmulOp op);
  LogicalResult convert(linalg::ReduceOp op);
  LogicalResult convert(linalg::GenericOp op);
  void convert(linalg::BroadcastOp op);
  void convert(tensor::ExtractSliceOp op);
  void convert(tensor::ConcatOp op);

  /// Writes an operation and returns the name of its result.
  std::string add(const llvm::Twine &operation);
  std::string addConstant(Attribute value) {
    return add(formatv("stablehlo.constant {0}", value).str());
  }
  /// Returns the name of a tensor; a constant gets a new one.
  std::string get(Value value);
  std::string getAll(ValueRange list) {
    return llvm::join(
        llvm::map_range(list, [&](Value value) { return get(value); }), ", ");
  }
  void set(Value value, std::string name) { names[value] = std::move(name); }
  /// Returns the types of the operands and of the result.
  static std::string getTypes(TypeRange from, Type to);

  func::FuncOp function;
  llvm::raw_ostream &os;
  DenseMap<Value, std::string> names;
  unsigned count = 0;
};
} // namespace

std::string StableHloExporter::add(const llvm::Twine &operation) {
  std::string name = "%" + std::to_string(count++);
  os << "    " << name << " = " << operation << "\n";
  return name;
}

std::string StableHloExporter::get(Value value) {
  if (auto known = names.find(value); known != names.end())
    return known->second;
  DenseElementsAttr constant;
  matchPattern(value, m_Constant(&constant));
  std::string name = addConstant(constant);
  set(value, name);
  return name;
}

std::string StableHloExporter::getTypes(TypeRange from, Type to) {
  return formatv(" : ({0}) -> {1}",
                 llvm::join(llvm::map_range(from,
                                            [](Type type) {
                                              return formatv("{0}", type).str();
                                            }),
                            ", "),
                 to);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void StableHloExporter::convert(linalg::MatmulOp op) {
  Value init = op.getOutputs()[0], result = op.getResult(0);
  std::string product =
      add("stablehlo.dot_general " + getAll(op.getInputs()) +
          ", contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]" +
          getTypes(op.getInputs().getTypes(), result.getType()));
  DenseElementsAttr constant;
  const bool isZero = matchPattern(init, m_Constant(&constant)) &&
                      constant.isSplat() &&
                      constant.getSplatValue<APFloat>().isZero();
  if (!isZero) {
    const std::string first = get(init);
    product = add("stablehlo.add " + product + ", " + first +
                  formatv(" : {0}", result.getType()).str());
  }
  set(result, product);
}

LogicalResult StableHloExporter::convert(linalg::ReduceOp op) {
  Operation &body = op.getCombiner().front().front();
  Value input = op.getInputs()[0];
  Type element = getElementTypeOrSelf(input);
  auto type = RankedTensorType::get({}, element);
  const bool isSum = isa<arith::AddFOp>(body);
  if (op.getDimensions() != ArrayRef<int64_t>{1} ||
      !(isSum || isa<arith::MaximumFOp>(body)))
    return op.emitOpError("has no counterpart in StableHLO");
  const auto &semantics = cast<FloatType>(element).getFloatSemantics();
  const std::string first = addConstant(DenseElementsAttr::get(
      type, isSum ? APFloat::getZero(semantics)
                  : APFloat::getInf(semantics, /*Negative=*/true)));
  set(op.getResult(0),
      add("stablehlo.reduce(" + get(input) + " init: " + first +
          ") applies stablehlo." + (isSum ? "add" : "maximum") +
          " across dimensions = [1]" +
          getTypes({input.getType(), type}, op.getResult(0).getType())));
  return success();
}

/// Converts a gather of the rows or columns that a constant lists.
LogicalResult StableHloExporter::convert(linalg::GenericOp op) {
  std::optional<Gather> gather = Gather::match(op);
  DenseElementsAttr constant;
  if (!gather || !matchPattern(gather->indexes, m_Constant(&constant)))
    return op.emitOpError("has no counterpart in StableHLO");
  SmallVector<int64_t> places;
  for (const APInt &place : constant.getValues<APInt>())
    places.push_back(place.getSExtValue());
  auto type = RankedTensorType::get({int64_t(places.size())},
                                    IntegerType::get(op.getContext(), 64));
  const std::string indexes =
      addConstant(DenseElementsAttr::get(type, ArrayRef(places)));
  auto source = cast<RankedTensorType>(gather->source.getType());
  SmallVector<int64_t> sizes(source.getShape());
  sizes[gather->dim] = 1;
  set(op.getResult(0),
      add(formatv(
              "\"stablehlo.gather\"({0}, {1}) <{{dimension_numbers = "
              "#stablehlo.gather<offset_dims = [{2}], collapsed_slice_dims = "
              "[{3}], start_index_map = [{3}], index_vector_dim = 1>, "
              "indices_are_sorted = false, slice_sizes = array<i64: {4}, {5}>}>"
              "{6}",
              get(gather->source), indexes, 1 - gather->dim, gather->dim,
              sizes[0], sizes[1],
              getTypes({source, type}, op.getResult(0).getType()))
              .str()));
  return success();
}

void StableHloExporter::convert(linalg::BroadcastOp op) {
  Value result = op.getResult()[0];
  SmallVector<std::string> kept;
  for (int64_t dim = 0;
       dim < cast<RankedTensorType>(result.getType()).getRank(); ++dim)
    if (!llvm::is_contained(op.getDimensions(), dim))
      kept.push_back(std::to_string(dim));
  set(result, add("stablehlo.broadcast_in_dim " + get(op.getInput()) +
                  ", dims = [" + llvm::join(kept, ", ") + "]" +
                  getTypes(op.getInput().getType(), result.getType())));
}

void StableHloExporter::convert(tensor::ExtractSliceOp op) {
  SmallVector<std::string> ranges;
  for (auto [begin, size, step] : llvm::zip_equal(
           op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides()))
    ranges.push_back(
        formatv("{0}:{1}:{2}", begin, begin + (size - 1) * step + 1, step));
  set(op.getResult(), add("stablehlo.slice " + get(op.getSource()) + " [" +
                          llvm::join(ranges, ", ") + "]" +
                          getTypes(op.getSource().getType(), op.getType())));
}

void StableHloExporter::convert(tensor::ConcatOp op) {
  const std::string parts = getAll(op.getInputs());
  set(op.getResult(),
      add("stablehlo.concatenate " + parts +
          ", dim = " + llvm::Twine(op.getDim()) +
          getTypes(op.getInputs().getTypes(), op.getResult().getType())));
}

/// Returns the name of the operation with the same operands; empty if there is
/// none.
static StringRef getOperation(Operation &op) {
  return llvm::TypeSwitch<Operation *, StringRef>(&op)
      .Case([](arith::AddFOp) { return "add"; })
      .Case([](arith::SubFOp) { return "subtract"; })
      .Case([](arith::MulFOp) { return "multiply"; })
      .Case([](arith::DivFOp) { return "divide"; })
      .Case([](arith::MaximumFOp) { return "maximum"; })
      .Case([](arith::MinimumFOp) { return "minimum"; })
      .Case([](arith::NegFOp) { return "negate"; })
      .Case([](arith::OrIOp) { return "or"; })
      .Case([](arith::AndIOp) { return "and"; })
      .Case([](math::ExpOp) { return "exponential"; })
      .Case([](math::LogOp) { return "log"; })
      .Case([](math::SqrtOp) { return "sqrt"; })
      .Case([](math::TanhOp) { return "tanh"; })
      .Case([](math::AbsFOp) { return "abs"; })
      .Case([](math::PowFOp) { return "power"; })
      .Default([](Operation *) { return ""; });
}

/// Returns the direction of a comparison; empty if there is none. A comparison
/// with itself for unordered is "not equal".
static StringRef getDirection(arith::CmpFOp op) {
  switch (op.getPredicate()) {
  case arith::CmpFPredicate::OGT:
    return "GT";
  case arith::CmpFPredicate::OLT:
    return "LT";
  case arith::CmpFPredicate::OEQ:
    return "EQ";
  case arith::CmpFPredicate::UNO:
    return op.getLhs() == op.getRhs() ? "NE" : "";
  default:
    return "";
  }
}

LogicalResult StableHloExporter::convertElementwise(Operation &op) {
  auto refuse = [&] {
    return op.emitOpError("has no counterpart in StableHLO");
  };
  if (op.getNumResults() != 1 ||
      !isa<RankedTensorType>(op.getResult(0).getType()))
    return refuse();
  Value result = op.getResult(0);
  const std::string type = formatv("{0}", result.getType());
  const std::string operands = getAll(op.getOperands());
  std::string name;
  if (isa<math::FmaOp>(op)) {
    const std::string product =
        add("stablehlo.multiply " + get(op.getOperand(0)) + ", " +
            get(op.getOperand(1)) + " : " + type);
    name = add("stablehlo.add " + product + ", " + get(op.getOperand(2)) +
               " : " + type);
  } else if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    name = add("stablehlo.convert " + operands +
               getTypes(op.getOperandTypes(), result.getType()));
  } else if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    const StringRef direction = getDirection(compare);
    if (direction.empty())
      return refuse();
    name = add("stablehlo.compare " + direction + ", " + operands + ", FLOAT" +
               getTypes(op.getOperandTypes(), result.getType()));
  } else if (isa<arith::SelectOp>(op)) {
    name = add("stablehlo.select " + operands +
               formatv(" : {0}, {1}", op.getOperand(0).getType(), type).str());
  } else if (StringRef kind = getOperation(op); !kind.empty()) {
    name = add("stablehlo." + kind + " " + operands + " : " + type);
  } else {
    return refuse();
  }
  set(result, name);
  return success();
}

LogicalResult StableHloExporter::convert(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<arith::ConstantOp, tensor::EmptyOp, func::ReturnOp>(
          [](Operation *) { return success(); })
      .Case<linalg::ReduceOp, linalg::GenericOp>(
          [&](auto op) { return convert(op); })
      .Case<linalg::MatmulOp, linalg::BroadcastOp, tensor::ExtractSliceOp,
            tensor::ConcatOp>([&](auto op) { return convert(op), success(); })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>([&](auto op) {
        set(op.getResult(),
            add("stablehlo.reshape " + get(op.getSrc()) +
                getTypes(op.getSrc().getType(), op.getResult().getType())));
        return success();
      })
      .Default([&](Operation *op) { return convertElementwise(*op); });
}

/// Returns a type with the name of its node as an attribute.
static std::string describe(Type type, DictionaryAttr attributes) {
  return formatv("{0} {{{1} = {2}}", type, kNodeAttr,
                 attributes.get(kNodeAttr));
}

LogicalResult StableHloExporter::run() {
  SmallVector<std::string> arguments, results;
  for (BlockArgument argument : function.getArguments()) {
    const unsigned number = argument.getArgNumber();
    set(argument, "%arg" + std::to_string(number));
    arguments.push_back(
        get(argument) + ": " +
        describe(argument.getType(), function.getArgAttrDict(number)));
  }
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    results.push_back(describe(type, function.getResultAttrDict(i)));
  os << "module @" << function.getSymName() << " {\n  func.func public @main("
     << llvm::join(arguments, ", ") << ") -> (" << llvm::join(results, ", ")
     << ") {\n";
  Block &body = function.getBody().front();
  for (Operation &op : body)
    if (failed(convert(op)))
      return failure();
  Operation *last = body.getTerminator();
  const std::string values = getAll(last->getOperands());
  os << "    return " << values << " : ";
  llvm::interleaveComma(last->getOperandTypes(), os);
  os << "\n  }\n}\n";
  return success();
}

LogicalResult mlir::nnet3::writeStableHlo(func::FuncOp function,
                                          llvm::raw_ostream &os) {
  return StableHloExporter(function, os).run();
}
