//===- OnnxImport.cpp - ONNX models as networks ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Onnx/OnnxImport.h"
#include "OnnxImporter.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/Config.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Returns the conversion of a kind of node; null if there is none.
static OnnxConversion findConversion(StringRef kind) {
  return llvm::StringSwitch<OnnxConversion>(kind)
      .Case("Conv", convertConv)
      .Case("MatMul", convertMatMul)
      .Case("Gemm", convertGemm)
      .Case("LSTM", convertLstm)
      .Cases({"Relu", "Sigmoid", "Tanh"}, convertActivation)
      .Cases({"Softmax", "LogSoftmax"}, convertSoftmax)
      .Case("BatchNormalization", convertBatchNorm)
      .Cases({"Add", "Sub"}, convertSum)
      .Cases({"Mul", "Div"}, convertProduct)
      .Case("Identity", convertIdentity)
      .Case("Dropout", convertDropout)
      .Case("Cast", convertCast)
      .Case("Transpose", convertTranspose)
      .Case("Reshape", convertReshape)
      .Case("Squeeze", convertSqueeze)
      .Case("Unsqueeze", convertUnsqueeze)
      .Case("Slice", convertSlice)
      .Case("Split", convertSplit)
      .Case("Concat", convertConcat)
      .Case("Pad", convertPad)
      .Case("Constant", convertConstant)
      .Case("Shape", convertShape)
      .Case("Gather", convertGather)
      .Case("ConstantOfShape", convertConstantOfShape)
      .Case("Expand", convertExpand)
      .Default(nullptr);
}

OnnxImporter::OnnxImporter(const onnx::ModelProto &model, StringRef file,
                           const OnnxLayouts &layouts, NetworkOp network)
    : graph(model.graph()), file(file.str()), layouts(layouts),
      context(network.getContext()), builder(network) {
  for (const onnx::OperatorSetIdProto &set : model.opset_import())
    if (set.domain().empty() || set.domain() == "ai.onnx")
      opset = set.version();
  for (const onnx::TensorProto &tensor : graph.initializer())
    values[tensor.name()] = &tensor;
  for (const onnx::NodeProto &node : graph.node())
    for (int i = 0; i < node.input_size(); ++i)
      readers[node.input(i)].push_back({&node, size_t(i)});
  for (const onnx::ValueInfoProto &output : graph.output())
    readers[output.name()].push_back({nullptr, 0});
}

InFlightDiagnostic OnnxImporter::emitError(const Twine &place) const {
  return mlir::emitError(NameLoc::get(StringAttr::get(context, file + place)));
}

Location OnnxImporter::getLoc(const onnx::NodeProto &node) const {
  return NameLoc::get(StringAttr::get(
      context, file + ":node '" + OnnxNode::getName(node) + "'"));
}

ArrayRef<OnnxReader> OnnxImporter::getReaders(StringRef tensor) const {
  auto it = readers.find(tensor);
  return it == readers.end() ? ArrayRef<OnnxReader>() : it->second;
}

/// Returns the module of a node's parameters: PyTorch names them
/// `encoder.conv1.weight`.
static StringRef getModule(const OnnxNode &node) {
  for (size_t i = 1; i < node.getNumInputs(); ++i) {
    auto [module, parameter] = node.getInput(i).rsplit('.');
    if (parameter == "weight" || parameter == "bias")
      return module;
  }
  return "";
}

/// PyTorch names a node `/encoder/conv1/Conv`, `Conv_3` or `node_conv1d`.
std::string OnnxImporter::makeName(const OnnxNode &node) {
  if (StringRef module = getModule(node); !module.empty())
    return builder.makeName(module);
  StringRef place = cast<NameLoc>(node.getLoc()).getName();
  StringRef name =
      place.substr(place.find(":node '")).drop_front(7).drop_back();
  auto [scope, last] = name.rsplit('/');
  const bool isInScope = !last.empty() && last.starts_with(node.getKind()) &&
                         !scope.trim('/').empty();
  if (isInScope)
    return builder.makeName(scope.trim('/'));
  name = name.trim('/');
  name.consume_front("node_");
  return builder.makeName(name.lower());
}

LogicalResult OnnxImporter::addInput(const onnx::ValueInfoProto &input,
                                     StringRef name) {
  const std::string place = ":input '" + input.name() + "'";
  const onnx::TypeProto::Tensor &type = input.type().tensor_type();
  SmallVector<int64_t> sizes;
  for (const auto &dim : type.shape().dim())
    sizes.push_back(dim.has_dim_value() && dim.dim_value() > 0 ? dim.dim_value()
                                                               : -1);
  std::string letters = layouts.lookup(input.name());
  if (letters.empty())
    letters = inferLayout(*this, input.name(), sizes.size());
  else if (letters.size() != sizes.size())
    return emitError(place) << "has " << sizes.size()
                            << " dimensions, but its layout is " << letters;
  if (letters.empty()) {
    set(input.name(), UnknownTensor());
    return success();
  }
  std::optional<Axes> axes = Axes::get(letters, sizes);
  if (!axes)
    return emitError(place) << "expects a layout of N, T and C, of which C has "
                               "a known size, but got "
                            << letters;
  if (type.elem_type() != onnx::TensorProto::FLOAT &&
      type.elem_type() != onnx::TensorProto::FLOAT16)
    return emitError(place) << "expects elements that are real numbers";
  const int64_t dim = sizes[*axes->find(Axis::Kind::Columns)];
  if (dim > INT32_MAX)
    return emitError(place) << "has " << dim << " columns, which are too many";
  RowTensor rows;
  rows.dim = dim;
  rows.axes = *axes;
  rows.rows =
      builder.addInput(NameLoc::get(StringAttr::get(context, file + place)),
                       builder.makeName(name), dim);
  set(input.name(), std::move(rows));
  return success();
}

/// A single input and a single output get the names that Kaldi's programs
/// expect.
LogicalResult OnnxImporter::addInputs() {
  SmallVector<const onnx::ValueInfoProto *> inputs;
  for (const onnx::ValueInfoProto &input : graph.input())
    // Old models list constants among the inputs.
    if (!values.count(input.name()))
      inputs.push_back(&input);
  for (const onnx::ValueInfoProto *input : inputs)
    if (failed(addInput(*input, inputs.size() == 1 ? "input" : input->name())))
      return failure();
  for (const auto &layout : layouts)
    if (llvm::none_of(graph.input(), [&](const onnx::ValueInfoProto &input) {
          return layout.getKey() == input.name();
        }))
      return emitError() << "there is no input '" << layout.getKey() << "'";
  return success();
}

LogicalResult OnnxImporter::addOutput(const onnx::ValueInfoProto &output,
                                      StringRef name) {
  const std::string place = ":output '" + output.name() + "'";
  auto it = values.find(output.name());
  const RowTensor *rows =
      it == values.end() ? nullptr : std::get_if<RowTensor>(&it->second);
  if (!rows)
    return emitError(place) << "is not computed from an input";
  if (rows->padBefore != 0 || rows->padAfter != 0)
    return emitError(place) << "has zeros around its frames, which is not "
                               "supported";
  return builder.addOutput(NameLoc::get(StringAttr::get(context, file + place)),
                           name, rows->rows);
}

LogicalResult OnnxImporter::convert(const onnx::NodeProto &proto) {
  if (skipped.contains(&proto))
    return success();
  OnnxNode node(proto, getLoc(proto));
  if (!proto.domain().empty() && proto.domain() != "ai.onnx")
    return node.emitError() << ::nnet3::kaldi::quoteForMessage(node.getKind())
                            << " of the domain "
                            << ::nnet3::kaldi::quoteForMessage(proto.domain())
                            << " is not supported";
  OnnxConversion conversion = findConversion(node.getKind());
  if (!conversion)
    return node.emitError() << ::nnet3::kaldi::quoteForMessage(node.getKind())
                            << " is not supported";
  if (node.getNumOutputs() == 0)
    return node.emitError() << "expects an output, but there is none";
  return conversion(*this, node);
}

LogicalResult OnnxImporter::run() {
  if (opset < 9)
    return emitError() << "expects an opset of 9 or later, but got " << opset;
  if (graph.output_size() == 0)
    return emitError() << "the graph has no output";
  if (failed(addInputs()))
    return failure();
  SmallVector<std::string> names;
  for (const onnx::ValueInfoProto &output : graph.output())
    names.push_back(builder.makeName(
        graph.output_size() == 1 ? "output" : StringRef(output.name())));
  for (const onnx::NodeProto &node : graph.node())
    if (failed(convert(node)))
      return failure();
  for (auto [output, name] : llvm::zip_equal(graph.output(), names))
    if (failed(addOutput(output, name)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Inputs of nodes
//===----------------------------------------------------------------------===//

const OnnxValue *OnnxImporter::find(const OnnxNode &node, size_t input) {
  StringRef name = node.getInput(input);
  if (name.empty()) {
    node.emitError() << "expects an input number " << input;
    return nullptr;
  }
  auto it = values.find(name);
  if (it == values.end()) {
    node.emitError() << "reads tensor '" << name
                     << "', which no node before it computes";
    return nullptr;
  }
  return &it->second;
}

bool OnnxImporter::isRows(const OnnxNode &node, size_t input) {
  auto it = values.find(node.getInput(input));
  return it != values.end() && std::holds_alternative<RowTensor>(it->second);
}

FailureOr<RowTensor> OnnxImporter::getPaddedRows(const OnnxNode &node,
                                                 size_t input) {
  const OnnxValue *value = find(node, input);
  if (!value)
    return failure();
  if (const auto *rows = std::get_if<RowTensor>(value))
    return *rows;
  if (std::holds_alternative<UnknownTensor>(*value))
    return node.emitError()
           << "the axes of input '" << node.getInput(input)
           << "' are not known; --onnx-layout=" << node.getInput(input)
           << "=NTC, or other letters, states them";
  return node.emitError() << "tensor '" << node.getInput(input)
                          << "' is not computed from an input";
}

FailureOr<RowTensor> OnnxImporter::getRows(const OnnxNode &node, size_t input) {
  FailureOr<RowTensor> rows = getPaddedRows(node, input);
  if (succeeded(rows) && (rows->padBefore != 0 || rows->padAfter != 0))
    return node.emitError()
           << "zeros around the frames of tensor '" << node.getInput(input)
           << "' are supported for Conv only";
  return rows;
}

FailureOr<OnnxTensor> OnnxImporter::getConstant(const OnnxNode &node,
                                                size_t input) {
  const OnnxValue *value = find(node, input);
  if (!value)
    return failure();
  if (const auto *tensor = std::get_if<OnnxTensor>(value))
    return *tensor;
  if (const auto *proto = std::get_if<const onnx::TensorProto *>(value))
    return decodeTensor(**proto, [&] { return node.emitError(); });
  return node.emitError() << "expects tensor '" << node.getInput(input)
                          << "' to be a constant";
}

bool OnnxImporter::isZeroTensor(const OnnxNode &node, size_t input) {
  auto it = values.find(node.getInput(input));
  if (it == values.end())
    return false;
  const OnnxValue &value = it->second;
  if (std::holds_alternative<ZeroTensor>(value))
    return true;
  if (!std::holds_alternative<OnnxTensor>(value) &&
      !std::holds_alternative<const onnx::TensorProto *>(value))
    return false;
  FailureOr<OnnxTensor> tensor = getConstant(node, input);
  return succeeded(tensor) && !tensor->isInteger && tensor->isZero();
}

bool OnnxImporter::isZeroOrAbsent(const OnnxNode &node, size_t input) {
  return node.getInput(input).empty() || isZeroTensor(node, input);
}

FailureOr<std::optional<SmallVector<int64_t>>>
OnnxImporter::getIntegers(const OnnxNode &node, StringRef attribute,
                          size_t input) {
  if (node.getInput(input).empty())
    return node.getInts(attribute);
  FailureOr<OnnxTensor> tensor = getConstant(node, input);
  if (failed(tensor))
    return failure();
  if (!tensor->isInteger)
    return node.emitError() << "expects " << attribute << " to be integers";
  return std::optional(llvm::to_vector(tensor->integers));
}

FailureOr<Descriptor> OnnxImporter::getAsNode(const OnnxNode &node,
                                              const RowTensor &rows) {
  if (rows.rows.kind == Descriptor::Kind::Node)
    return rows.rows;
  return builder.addNode(node.getLoc(), makeName(node) + ".noop", "noop",
                         {builder.getInt("dim", rows.dim)}, rows.rows);
}

Descriptor mlir::nnet3::makeOffset(Descriptor rows, int64_t offset) {
  if (rows.kind == Descriptor::Kind::Offset) {
    offset += rows.t;
    rows = Descriptor(rows.operands.front());
  }
  if (offset == 0)
    return rows;
  Descriptor result;
  result.kind = Descriptor::Kind::Offset;
  result.t = offset;
  result.operands.push_back(std::move(rows));
  return result;
}

Descriptor mlir::nnet3::makeAppend(std::vector<Descriptor> parts) {
  if (parts.size() == 1)
    return parts.front();
  Descriptor result;
  result.kind = Descriptor::Kind::Append;
  result.operands = std::move(parts);
  return result;
}

OwningOpRef<ModuleOp> mlir::nnet3::readOnnx(StringRef data, StringRef name,
                                            const OnnxLayouts &layouts,
                                            MLIRContext *context) {
  Location loc = NameLoc::get(StringAttr::get(context, name));
  onnx::ModelProto model;
  if (data.size() > INT32_MAX ||
      !model.ParseFromArray(data.data(), data.size()) || !model.has_graph()) {
    emitError(loc) << "is not an ONNX model";
    return nullptr;
  }
  OwningOpRef<ModuleOp> module = createNetworkModule(loc);
  NetworkOp network = *module->getOps<NetworkOp>().begin();
  if (failed(OnnxImporter(model, name, layouts, network).run()) ||
      // Initialises statistics, which ONNX does not have.
      failed(initializeParameters(network, /*seed=*/0)) ||
      failed(verify(*module)))
    return nullptr;
  return module;
}
