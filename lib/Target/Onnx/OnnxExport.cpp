//===- OnnxExport.cpp - Functions on tensors as ONNX models ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor of rows and columns becomes one of sequences, rows and columns. No
// operation mixes sequences, so their number is free. A broadcast is left to
// ONNX, which broadcasts operands of elementwise operators, until an operator
// needs the full tensor.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Target/Onnx/OnnxExport.h"
#include "OnnxGraph.h"

#include "nnet3/Conversion/Nnet3ToLinalg/Gather.h"
#include "nnet3/Conversion/Nnet3ToLinalg/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

namespace {

/// The ONNX counterpart of a tensor of the function.
struct OnnxValue {
  std::string name;
  /// Whether it has the sequence dimension and all rows and columns, without
  /// broadcast.
  bool isWhole = true;
};

class OnnxExporter {
public:
  OnnxExporter(func::FuncOp function, const OnnxNames &names,
               onnx::ModelProto &model)
      : function(function), names(names), proto(*model.mutable_graph()),
        graph(proto) {}

  LogicalResult run();

private:
  LogicalResult convert(Operation &op);
  LogicalResult convertElementwise(Operation &op);
  LogicalResult convert(linalg::MatmulOp op);
  LogicalResult convert(linalg::ReduceOp op);
  LogicalResult convert(linalg::GenericOp op);
  void convert(linalg::BroadcastOp op);
  void convert(tensor::ExtractSliceOp op);
  void convert(tensor::ConcatOp op);

  /// Returns the constant of `value`; null if it is not constant.
  static DenseElementsAttr getConstant(Value value);
  /// Returns the name of the full tensor, with all sequences, rows and columns.
  std::string getWhole(Value value);
  /// Returns the name of a tensor that ONNX broadcasts to the full shape in an
  /// elementwise operator.
  std::string getOperand(Value value);
  /// Returns the name of a two-dimensional constant operand of a matmul.
  std::string getFactor(Value value);
  void set(Value value, std::string name, bool isWhole = true) {
    values[value] = {std::move(name), isWhole};
  }
  std::string getName(DictionaryAttr attributes) const;
  void describe(onnx::ValueInfoProto &info, StringRef name, Type type);

  func::FuncOp function;
  const OnnxNames &names;
  onnx::GraphProto &proto;
  OnnxGraph graph;
  DenseMap<Value, OnnxValue> values;
  std::string numSequences; ///< a list of one integer
};

} // namespace

std::string OnnxExporter::getName(DictionaryAttr attributes) const {
  const std::string node = attributes.getAs<StringAttr>(kNodeAttr).str();
  auto renamed = names.renamed.find(node);
  return renamed == names.renamed.end() ? node : renamed->second;
}

void OnnxExporter::describe(onnx::ValueInfoProto &info, StringRef name,
                            Type type) {
  auto tensor = cast<RankedTensorType>(type);
  info.set_name(name.str());
  auto *onnxType = info.mutable_type()->mutable_tensor_type();
  onnxType->set_elem_type(OnnxGraph::getElementType(tensor.getElementType()));
  onnxType->mutable_shape()->add_dim()->set_dim_param("batch");
  for (int64_t size : tensor.getShape())
    onnxType->mutable_shape()->add_dim()->set_dim_value(size);
}

DenseElementsAttr OnnxExporter::getConstant(Value value) {
  DenseElementsAttr constant;
  return matchPattern(value, m_Constant(&constant)) ? constant
                                                    : DenseElementsAttr();
}

std::string OnnxExporter::getOperand(Value value) {
  if (auto it = values.find(value); it != values.end())
    return it->second.name;
  DenseElementsAttr constant = getConstant(value);
  if (constant.isSplat()) {
    const std::string name = graph.addConstant(constant, {});
    set(value, name, /*isWhole=*/false);
    return name;
  }
  // A vector holds one value per row: broadcasts of a row are handled
  // elsewhere.
  SmallVector<int64_t> shape(getShape(value));
  if (shape.size() == 1)
    shape.push_back(1);
  const std::string name = graph.addConstant(constant, shape);
  set(value, name, /*isWhole=*/false);
  return name;
}

std::string OnnxExporter::getWhole(Value value) {
  const std::string name = getOperand(value);
  OnnxValue &known = values[value];
  if (known.isWhole)
    return name;
  const std::string shape =
      graph.add("Concat", {numSequences, graph.getIntegers(getShape(value))});
  graph.setAttribute("axis", 0);
  known = {graph.add("Expand", {name, shape}), true};
  return known.name;
}

std::string OnnxExporter::getFactor(Value value) {
  if (values.count(value))
    return getWhole(value);
  const std::string name =
      graph.addConstant(getConstant(value), getShape(value));
  set(value, name, /*isWhole=*/false);
  return name;
}

LogicalResult OnnxExporter::convert(linalg::MatmulOp op) {
  auto getEither = [&](Value value) {
    return getConstant(value) ? getFactor(value) : getWhole(value);
  };
  std::string product = graph.add(
      "MatMul", {getEither(op.getInputs()[0]), getEither(op.getInputs()[1])});
  Value init = op.getOutputs()[0];
  DenseElementsAttr constant = getConstant(init);
  const bool isZero = constant && constant.isSplat() &&
                      constant.getSplatValue<APFloat>().isZero();
  if (!isZero)
    product = graph.add("Add", {product, getOperand(init)});
  set(op.getResult(0), product);
  return success();
}

LogicalResult OnnxExporter::convert(linalg::ReduceOp op) {
  Operation &body = op.getCombiner().front().front();
  Value input = op.getInputs()[0];
  if (op.getDimensions() != ArrayRef<int64_t>{1} ||
      !isa<arith::AddFOp, arith::MaximumFOp>(body))
    return op.emitOpError("has no counterpart in ONNX");
  if (isa<arith::AddFOp>(body)) {
    set(op.getResult(0),
        graph.add("ReduceSum", {getWhole(input), graph.getIntegers({2})}));
  } else {
    set(op.getResult(0), graph.add("ReduceMax", {getWhole(input)}));
    graph.setAttribute("axes", ArrayRef<int64_t>{2});
  }
  graph.setAttribute("keepdims", 1);
  return success();
}

LogicalResult OnnxExporter::convert(linalg::GenericOp op) {
  std::optional<Gather> gather = Gather::match(op);
  if (!gather)
    return op.emitOpError("has no counterpart in ONNX");
  set(op.getResult(0),
      graph.add("Gather", {getWhole(gather->source),
                           graph.addConstant(getConstant(gather->indexes),
                                             getShape(gather->indexes))}));
  graph.setAttribute("axis", gather->dim + 1);
  return success();
}

/// Leaves the broadcast of an operand with one row or one column to ONNX.
void OnnxExporter::convert(linalg::BroadcastOp op) {
  Value input = op.getInput();
  DenseElementsAttr constant = getConstant(input);
  std::string name;
  if (constant && !constant.isSplat() && op.getDimensions().front() == 0)
    name = graph.addConstant(constant, getShape(input));
  else
    name = getOperand(input);
  set(op.getResult()[0], name, /*isWhole=*/false);
}

void OnnxExporter::convert(tensor::ExtractSliceOp op) {
  SmallVector<int64_t> begins, ends;
  for (auto [begin, size, step] : llvm::zip_equal(
           op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides())) {
    begins.push_back(begin);
    ends.push_back(begin + (size - 1) * step + 1);
  }
  set(op.getResult(),
      graph.add("Slice", {getWhole(op.getSource()), graph.getIntegers(begins),
                          graph.getIntegers(ends), graph.getIntegers({1, 2}),
                          graph.getIntegers(op.getStaticStrides())}));
}

void OnnxExporter::convert(tensor::ConcatOp op) {
  SmallVector<std::string> parts;
  for (Value part : op.getInputs())
    parts.push_back(getWhole(part));
  set(op.getResult(), graph.add("Concat", parts));
  graph.setAttribute("axis", int64_t(op.getDim()) + 1);
}

/// Returns the ONNX operator for an operation with the same operands.
static StringRef getOperator(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](arith::AddFOp) { return "Add"; })
      .Case([](arith::SubFOp) { return "Sub"; })
      .Case([](arith::MulFOp) { return "Mul"; })
      .Case([](arith::DivFOp) { return "Div"; })
      .Case([](arith::MaximumFOp) { return "Max"; })
      .Case([](arith::MinimumFOp) { return "Min"; })
      .Case([](arith::NegFOp) { return "Neg"; })
      .Case([](arith::SelectOp) { return "Where"; })
      .Case([](arith::OrIOp) { return "Or"; })
      .Case([](arith::AndIOp) { return "And"; })
      .Case([](math::ExpOp) { return "Exp"; })
      .Case([](math::LogOp) { return "Log"; })
      .Case([](math::SqrtOp) { return "Sqrt"; })
      .Case([](math::TanhOp) { return "Tanh"; })
      .Case([](math::AbsFOp) { return "Abs"; })
      .Case([](math::PowFOp) { return "Pow"; })
      .Case([](arith::CmpFOp compare) -> StringRef {
        switch (compare.getPredicate()) {
        case arith::CmpFPredicate::OGT:
          return "Greater";
        case arith::CmpFPredicate::OLT:
          return "Less";
        case arith::CmpFPredicate::OEQ:
          return "Equal";
        default:
          return "";
        }
      })
      .Default([](Operation *) { return ""; });
}

/// If `select` is max(x, 0), returns x.
static Value matchRelu(arith::SelectOp select) {
  auto isZero = [](Value value) {
    return matchPattern(value, m_AnyZeroFloat());
  };
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  if (compare && compare.getPredicate() == arith::CmpFPredicate::OGT &&
      isZero(compare.getLhs()) && isZero(select.getTrueValue()) &&
      compare.getRhs() == select.getFalseValue())
    return select.getFalseValue();
  return Value();
}

LogicalResult OnnxExporter::convertElementwise(Operation &op) {
  if (op.getNumResults() != 1 ||
      !isa<RankedTensorType>(op.getResult(0).getType()))
    return op.emitOpError("has no counterpart in ONNX");
  Value result = op.getResult(0);
  // If no operand has the full shape, neither has the result.
  const bool isWhole = llvm::any_of(op.getOperands(), [&](Value operand) {
    auto it = values.find(operand);
    return it != values.end() && it->second.isWhole;
  });
  SmallVector<std::string> operands;
  if (auto select = dyn_cast<arith::SelectOp>(op))
    if (Value x = matchRelu(select)) {
      set(result, graph.add("Relu", {getOperand(x)}), isWhole);
      return success();
    }
  for (Value operand : op.getOperands())
    operands.push_back(getOperand(operand));
  if (isa<math::FmaOp>(op)) {
    std::string product = graph.add("Mul", {operands[0], operands[1]});
    set(result, graph.add("Add", {product, operands[2]}), isWhole);
    return success();
  }
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    set(result, graph.add("Cast", operands), isWhole);
    graph.setAttribute("to",
                       OnnxGraph::getElementType(getElementTypeOrSelf(result)));
    return success();
  }
  if (auto compare = dyn_cast<arith::CmpFOp>(op);
      compare && compare.getPredicate() == arith::CmpFPredicate::UNO &&
      compare.getLhs() == compare.getRhs()) {
    set(result, graph.add("IsNaN", {operands[0]}), isWhole);
    return success();
  }
  const StringRef kind = getOperator(&op);
  if (kind.empty())
    return op.emitOpError("has no counterpart in ONNX");
  set(result, graph.add(kind, operands), isWhole);
  return success();
}

LogicalResult OnnxExporter::convert(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<arith::ConstantOp, tensor::EmptyOp, func::ReturnOp>(
          [](Operation *) { return success(); })
      .Case<linalg::MatmulOp, linalg::ReduceOp, linalg::GenericOp>(
          [&](auto op) { return convert(op); })
      .Case<linalg::BroadcastOp, tensor::ExtractSliceOp, tensor::ConcatOp>(
          [&](auto op) { return convert(op), success(); })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>([&](auto op) {
        // Source and result have one row or one column.
        const std::string name = getOperand(op.getSrc());
        set(op.getResult(), name, values[op.getSrc()].isWhole);
        return success();
      })
      .Default([&](Operation *op) { return convertElementwise(*op); });
}

LogicalResult OnnxExporter::run() {
  proto.set_name(names.graph);
  for (BlockArgument argument : function.getArguments()) {
    const std::string name =
        getName(function.getArgAttrDict(argument.getArgNumber()));
    describe(*proto.add_input(), name, argument.getType());
    set(argument, name);
  }
  if (function.getNumArguments() == 0)
    return function.emitError("has no input, so that no sequences are known");
  numSequences = graph.add("Shape", {proto.input(0).name()});
  graph.setAttribute("start", 0);
  graph.setAttribute("end", 1);
  Block &body = function.getBody().front();
  for (Operation &op : body)
    if (failed(convert(op)))
      return failure();
  auto results = cast<func::ReturnOp>(body.getTerminator()).getOperands();
  for (auto [i, result] : llvm::enumerate(results)) {
    const std::string name = getName(function.getResultAttrDict(i));
    graph.add("Identity", {getWhole(result)});
    graph.rename(name);
    describe(*proto.add_output(), name, result.getType());
  }
  return success();
}

LogicalResult mlir::nnet3::writeOnnx(func::FuncOp function,
                                     const OnnxNames &names,
                                     llvm::raw_ostream &os) {
  onnx::ModelProto model;
  model.set_ir_version(kOnnxIRVersion);
  model.set_producer_name("nnet3-mlir");
  onnx::OperatorSetIdProto *opset = model.add_opset_import();
  opset->set_domain("");
  opset->set_version(kOnnxOpset);
  for (const auto &[key, value] : names.metadata) {
    onnx::StringStringEntryProto *entry = model.add_metadata_props();
    entry->set_key(key);
    entry->set_value(value);
  }
  if (failed(OnnxExporter(function, names, model).run()))
    return failure();
  if (model.ByteSizeLong() >= size_t(1) << 31)
    return function.emitError("has more parameters than an ONNX file holds, "
                              "2 GiB");
  std::string bytes;
  model.SerializeToString(&bytes);
  os << bytes;
  return success();
}
