//===- OnnxImporter.h - State of reading an ONNX graph ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor of the graph is either a constant or rows of the new network: a
// descriptor, with the axes of the tensor and the times of its frames. Nodes
// such as Transpose only change the axes and add nothing to the network.
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

/// A tensor of zeros of any shape.
struct ZeroTensor {};

/// An input whose axes are unknown.
struct UnknownTensor {};

using OnnxValue = std::variant<UnknownTensor, const onnx::TensorProto *,
                               OnnxTensor, ZeroTensor, RowTensor>;

/// A node that reads a tensor, and the index of that input.
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
  // Interface for the conversions of nodes
  //===--------------------------------------------------------------------===//

  NetworkBuilder &getBuilder() { return builder; }
  int64_t getOpset() const { return opset; }
  MLIRContext *getContext() const { return context; }

  /// Returns the value of an input; emits an error at the node if there is
  /// none.
  const OnnxValue *find(const OnnxNode &node, size_t input);
  bool isRows(const OnnxNode &node, size_t input);
  /// Returns an input that must be rows without zero padding.
  FailureOr<RowTensor> getRows(const OnnxNode &node, size_t input = 0);
  /// Returns an input that must be rows, possibly with zero padding.
  FailureOr<RowTensor> getPaddedRows(const OnnxNode &node, size_t input = 0);
  /// Returns an input that must be a constant.
  FailureOr<OnnxTensor> getConstant(const OnnxNode &node, size_t input);
  /// Returns true if an input is absent or zero.
  bool isZeroOrAbsent(const OnnxNode &node, size_t input);
  /// Returns true if an input is a tensor of real zeros.
  bool isZeroTensor(const OnnxNode &node, size_t input);
  /// Returns integers that are an attribute in older opsets and an input in
  /// newer ones; none if they are absent.
  FailureOr<std::optional<SmallVector<int64_t>>>
  getIntegers(const OnnxNode &node, StringRef attribute, size_t input);

  /// Marks a later node as already converted together with the current one.
  void skip(const onnx::NodeProto &node) { skipped.insert(&node); }

  void set(StringRef tensor, OnnxValue value) {
    values[tensor] = std::move(value);
  }
  /// Returns the nodes that read a tensor; an output of the graph counts as a
  /// null node.
  ArrayRef<OnnxReader> getReaders(StringRef tensor) const;
  Location getLoc(const onnx::NodeProto &node) const;

  /// Returns the name for the parts of a node: the name of its module, or its
  /// kind.
  std::string makeName(const OnnxNode &node);

  /// Returns the rows as a node at the same times; adds one if necessary.
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

/// Returns the layout that the readers of a tensor expect, as in OnnxLayouts;
/// empty if unknown.
std::string inferLayout(const OnnxImporter &importer, StringRef tensor,
                        size_t rank);

/// Returns `rows` at time t + `offset`.
Descriptor makeOffset(Descriptor rows, int64_t offset);
/// Returns a descriptor that appends the columns of several descriptors.
Descriptor makeAppend(std::vector<Descriptor> parts);

using OnnxConversion = LogicalResult (*)(OnnxImporter &, const OnnxNode &);

// Conversions of nodes.

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
