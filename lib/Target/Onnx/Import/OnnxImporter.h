//===- OnnxImporter.h - State of reading an ONNX graph ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each tensor of the graph is a constant, or rows of the network that is built:
// a descriptor, with the axes that the tensor has and the times of its frames.
// Nodes on axes, such as Transpose, change the axes and add nothing to the
// network.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TARGET_ONNX_IMPORT_ONNXIMPORTER_H
#define LIB_TARGET_ONNX_IMPORT_ONNXIMPORTER_H

#include "NetworkBuilder.h"
#include "OnnxNode.h"
#include "OnnxTensor.h"
#include "RowTensor.h"
#include "nnet3/Target/Onnx/OnnxImport.h"

#include <variant>

namespace mlir::nnet3 {

/// A tensor of zeros, of whatever shape.
struct ZeroTensor {};

/// An input whose axes are not known.
struct UnknownTensor {};

using OnnxValue = std::variant<UnknownTensor, const onnx::TensorProto *,
                               OnnxTensor, ZeroTensor, RowTensor>;

/// A node that reads a tensor, and as which of its inputs.
struct OnnxReader {
  const onnx::NodeProto *node;
  size_t input;
};

/// Reads the graph of a model into a network.
class OnnxImporter {
public:
  OnnxImporter(const onnx::ModelProto &model, StringRef file,
               const OnnxLayouts &layouts, NetworkOp network);

  LogicalResult run();

  //===--------------------------------------------------------------------===//
  // For the conversions of nodes
  //===--------------------------------------------------------------------===//

  NetworkBuilder &getBuilder() { return builder; }
  int64_t getOpset() const { return opset; }
  MLIRContext *getContext() const { return context; }

  /// The value of a tensor; an error of the node that reads it if there is
  /// none.
  const OnnxValue *find(const OnnxNode &node, size_t input);
  bool isRows(const OnnxNode &node, size_t input);
  /// An input that has to be rows, without zeros around them.
  FailureOr<RowTensor> getRows(const OnnxNode &node, size_t input = 0);
  /// The same, perhaps with zeros.
  FailureOr<RowTensor> getPaddedRows(const OnnxNode &node, size_t input = 0);
  /// An input that has to be a constant.
  FailureOr<OnnxTensor> getConstant(const OnnxNode &node, size_t input);
  /// Whether an input is absent or zero.
  bool isZeroOrAbsent(const OnnxNode &node, size_t input);
  /// Whether an input is a tensor of zeros, of real numbers.
  bool isZeroTensor(const OnnxNode &node, size_t input);
  /// Integers that older opsets have as an attribute, newer ones as an input;
  /// nothing if they are absent.
  FailureOr<std::optional<SmallVector<int64_t>>>
  getIntegers(const OnnxNode &node, StringRef attribute, size_t input);

  /// Says that a node after this one is part of what replaces this one.
  void skip(const onnx::NodeProto &node) { skipped.insert(&node); }

  void set(StringRef tensor, OnnxValue value) {
    values[tensor] = std::move(value);
  }
  /// The nodes that read a tensor; an output of the graph counts as a null
  /// node.
  ArrayRef<OnnxReader> getReaders(StringRef tensor) const;
  Location getLoc(const onnx::NodeProto &node) const;

  /// The name for the parts of a node: the module's that it belongs to, or its
  /// kind.
  std::string makeName(const OnnxNode &node);

  /// The rows as those of a node at the same times.
  FailureOr<Descriptor> getAsNode(const OnnxNode &node, const RowTensor &rows);

private:
  LogicalResult addInputs();
  LogicalResult addInput(const onnx::ValueInfoProto &input, StringRef name);
  LogicalResult convert(const onnx::NodeProto &node);
  LogicalResult addOutput(const onnx::ValueInfoProto &output, StringRef name);
  InFlightDiagnostic emitError(const Twine &place = "") const;

  const onnx::GraphProto &graph;
  std::string file;
  const OnnxLayouts &layouts;
  MLIRContext *context;
  NetworkBuilder builder;
  int64_t opset = 0;
  llvm::StringMap<OnnxValue> values;
  llvm::StringMap<SmallVector<OnnxReader, 1>> readers;
  llvm::SmallPtrSet<const onnx::NodeProto *, 8> skipped;
};

/// The layout that the readers of a tensor expect of it, as in OnnxLayouts;
/// empty if they do not say.
std::string inferLayout(const OnnxImporter &importer, StringRef tensor,
                        size_t rank);

/// `rows` at time t + `offset`.
Descriptor makeOffset(Descriptor rows, int64_t offset);
/// The columns of several descriptors side by side.
Descriptor makeAppend(std::vector<Descriptor> parts);

using OnnxConversion = LogicalResult (*)(OnnxImporter &, const OnnxNode &);

// Conversions of nodes by what they do.

LogicalResult convertConv(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertMatMul(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertGemm(OnnxImporter &importer, const OnnxNode &node);

LogicalResult convertLstm(OnnxImporter &importer, const OnnxNode &node);

LogicalResult convertActivation(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertSoftmax(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertBatchNorm(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertSum(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertProduct(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertIdentity(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertDropout(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertCast(OnnxImporter &importer, const OnnxNode &node);

LogicalResult convertTranspose(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertReshape(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertSqueeze(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertUnsqueeze(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertSlice(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertSplit(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertConcat(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertPad(OnnxImporter &importer, const OnnxNode &node);

LogicalResult convertConstant(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertShape(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertGather(OnnxImporter &importer, const OnnxNode &node);
LogicalResult convertProductOfSizes(OnnxImporter &importer,
                                    const OnnxNode &node);
LogicalResult convertConstantOfShape(OnnxImporter &importer,
                                     const OnnxNode &node);
LogicalResult convertExpand(OnnxImporter &importer, const OnnxNode &node);

} // namespace mlir::nnet3

#endif // LIB_TARGET_ONNX_IMPORT_ONNXIMPORTER_H
