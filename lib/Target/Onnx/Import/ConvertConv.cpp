//===- ConvertConv.cpp - Convolutions over frames -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution becomes an affine component that reads a splice of its frames.
//
//===----------------------------------------------------------------------===//

#include "AffineNodes.h"

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Axis::Kind;

/// The largest time offset of a tap from the output frame.
static constexpr int64_t kMaxOffset = 1 << 20;

namespace {
/// The frames that a convolution reads for an output frame.
struct Taps {
  int64_t count, dilation = 1, stride = 1, padBefore = 0, padAfter = 0;

  /// Returns the distance from the first to the last frame.
  int64_t getSpan() const { return dilation * (count - 1); }
  bool isPadded() const { return padBefore != 0 || padAfter != 0; }
  /// Returns the tap, in frames from the first one, at the time of the output.
  int64_t getCentre() const {
    return isPadded() ? padBefore : dilation * ((count - 1) / 2);
  }
};
} // namespace

/// Returns the only number in a list attribute; `otherwise` if the attribute is
/// absent.
static FailureOr<int64_t> getOnly(const OnnxNode &node, StringRef attribute,
                                  int64_t otherwise) {
  auto list = node.getInts(attribute);
  if (!list)
    return otherwise;
  if (list->size() != 1 || list->front() < 1 || list->front() > kMaxOffset)
    return node.emitError() << "expects one number in " << attribute
                            << ", between 1 and " << kMaxOffset;
  return list->front();
}

static FailureOr<Taps> getTaps(const OnnxNode &node, const RowTensor &input,
                               int64_t count) {
  Taps taps{count};
  FailureOr<int64_t> dilation = getOnly(node, "dilations", 1);
  if (failed(dilation))
    return failure();
  FailureOr<int64_t> stride = getOnly(node, "strides", 1);
  if (failed(stride))
    return failure();
  taps.dilation = *dilation;
  taps.stride = *stride;
  if (count > kMaxOffset || taps.getSpan() > kMaxOffset)
    return node.emitError() << "reads frames that are too far from each other";
  if (auto pads = node.getInts("pads")) {
    if (pads->size() != 2 || llvm::any_of(*pads, [](int64_t pad) {
          return pad < 0 || pad > kMaxOffset;
        }))
      return node.emitError()
             << "expects two numbers in pads, between 0 and " << kMaxOffset;
    taps.padBefore = (*pads)[0];
    taps.padAfter = (*pads)[1];
  }
  const StringRef automatic = node.getString("auto_pad", "NOTSET");
  if (automatic.starts_with("SAME")) {
    if (taps.stride != 1)
      return node.emitError()
             << "auto_pad=" << automatic << " is not supported with a stride";
    const int64_t less = taps.getSpan() / 2, more = taps.getSpan() - less;
    taps.padBefore = automatic == "SAME_LOWER" ? more : less;
    taps.padAfter = automatic == "SAME_LOWER" ? less : more;
  }
  taps.padBefore += input.padBefore;
  taps.padAfter += input.padAfter;
  return taps;
}

/// Checks that IfDefined, which reads zeros for rows that are not computable,
/// can express the padding: each output must read the row of its own time, and
/// outputs and inputs must have the same times.
static LogicalResult verifyPadding(const OnnxNode &node, const RowTensor &input,
                                   const Taps &taps) {
  if (!taps.isPadded())
    return success();
  if (taps.padBefore + taps.padAfter != taps.getSpan() ||
      taps.padBefore % taps.dilation != 0)
    return node.emitError()
           << "pads " << taps.padBefore << " and " << taps.padAfter
           << " frames; supported are as many as keep the number of frames, "
              "with a tap at the frame itself";
  if (input.isCut)
    return node.emitError() << "pads frames that were cut from longer ones, "
                               "which is not supported";
  return success();
}

static Descriptor makeIfDefined(Descriptor rows) {
  Descriptor result;
  result.kind = Descriptor::Kind::IfDefined;
  result.operands.push_back(std::move(rows));
  return result;
}

/// Makes the input of the component, a splice of the frames of all taps.
static Descriptor makeSplice(const Descriptor &rows, int64_t step,
                             const Taps &taps) {
  std::vector<Descriptor> parts;
  for (int64_t tap = 0; tap < taps.count; ++tap) {
    const int64_t offset = (tap * taps.dilation - taps.getCentre()) * step;
    Descriptor part = makeOffset(rows, offset);
    parts.push_back(taps.isPadded() && offset != 0 ? makeIfDefined(part)
                                                   : part);
  }
  return makeAppend(std::move(parts));
}

/// Reorders weights from (outputs, inputs, taps) to (outputs, taps, inputs).
static std::vector<float> orderWeights(const OnnxTensor &weights) {
  return transpose(weights, {0, 2, 1}).reals;
}

LogicalResult mlir::nnet3::convertConv(OnnxImporter &importer,
                                       const OnnxNode &node) {
  FailureOr<RowTensor> input = importer.getPaddedRows(node);
  if (failed(input))
    return failure();
  FailureOr<OnnxTensor> weights = importer.getConstant(node, 1);
  if (failed(weights))
    return failure();
  if (weights->isInteger || weights->shape.size() != 3)
    return node.emitError() << "expects weights of 3 dimensions, a convolution "
                               "over frames, but got "
                            << weights->shape.size();
  if (node.getInt("group", 1) != 1)
    return node.emitError() << "groups are not supported";
  if (!input->axes.are({Kind::Sequences, Kind::Columns, Kind::Frames}) ||
      weights->shape[1] != input->dim || weights->size() == 0)
    return node.emitError() << "expects sequences, " << weights->shape[1]
                            << " columns and frames";
  FailureOr<Taps> taps = getTaps(node, *input, weights->shape[2]);
  if (failed(taps) || failed(verifyPadding(node, *input, *taps)))
    return failure();
  const int64_t outputDim = weights->shape[0];
  FailureOr<std::vector<float>> bias = getBias(importer, node, 2, outputDim);
  if (failed(bias))
    return failure();

  RowTensor output = *input;
  output.padBefore = output.padAfter = 0;
  output.origin += (taps->getCentre() - taps->padBefore) * input->step;
  output.step *= taps->stride;
  if (output.step > kMaxOffset || std::abs(output.origin) > kMaxOffset)
    return node.emitError() << "reads frames that are too far from each other";
  output.dim = outputDim;
  output.axes[1].size = outputDim;
  int64_t &frames = output.axes[2].size;
  if (frames != kFreeFrames)
    frames = (frames + taps->padBefore + taps->padAfter - taps->getSpan() - 1) /
                 taps->stride +
             1;
  if (frames != kFreeFrames && frames < 1)
    return node.emitError() << "reads more frames than there are";
  Descriptor rows = input->rows;
  // IfDefined needs the row of a single node.
  if (taps->isPadded()) {
    FailureOr<Descriptor> asNode = importer.getAsNode(node, *input);
    if (failed(asNode))
      return failure();
    rows = *asNode;
  }
  FailureOr<Descriptor> result = addAffine(
      importer, node, orderWeights(*weights), input->dim * taps->count,
      outputDim, *bias, makeSplice(rows, input->step, *taps));
  if (failed(result))
    return failure();
  output.rows = std::move(*result);
  importer.set(node.getOutput(), std::move(output));
  return success();
}
