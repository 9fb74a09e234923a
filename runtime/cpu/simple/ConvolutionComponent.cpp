//===- ConvolutionComponent.cpp - Convolution within a row ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.43. Rows are images in which x varies slowest. If z
// varies fastest ("zyx"), the pixels under one column x of a filter are
// contiguous, so that each column at each position is a matmul of views of the
// rows and of the filters. Images in the other order are transposed first.
//
//===----------------------------------------------------------------------===//

#include "ImageAxis.h"
#include "core/ComponentAttributes.h"
#include "core/ComponentState.h"
#include "core/Gemm.h"
#include "cpu/RowCommands.h"
#include "cpu/math/VectorImage.h"
#include "cpu/math/VectorMath.h"

namespace nnet3 {
namespace rt {
namespace {

struct ConvolutionImage {
  ImageAxis x, y;
  int32_t channels; ///< size of z
  bool zFastest;
};

class ConvolutionComponent : public Component {
public:
  ConvolutionComponent(const ConvolutionImage &image, int32_t inputDim,
                       int32_t outputDim, ConstMatrixView filters,
                       const ConvolutionAttributes &attributes)
      : Component(inputDim, outputDim, attributes.properties()), image(image),
        numFilters(filters.rows) {
    addMatrix("filter_params", filters);
    addVector("bias_params", attributes.biasParams(), numFilters);
    setUpdateOptions(readUpdateOptions(attributes));
  }

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    auto plan = std::make_unique<CommandPlan>();
    if (!image.zFastest)
      plan->scratchBytes = plan->backpropScratchBytes =
          sizeof(float) * uint64_t(outRows) * inputDim();
    return plan;
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    const ConstMatrixView pixels = zFastest(in, context.scratch);
    const float *bias = context.parameters[1].data;
    for (int32_t r = 0; r < out.rows; ++r)
      for (int32_t begin = 0; begin < out.cols; begin += numFilters)
        vecAdd(numFilters, out.row(r) + begin, bias, out.row(r) + begin);
    forEachProduct([&](int64_t pixel, int64_t place, int64_t weight) {
      gemmNT(pixels.columns(pixel, runLength()),
             context.parameters[0].columns(weight, runLength()), 1,
             out.columns(place, numFilters));
    });
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &context) const override {
    if (operands.inDeriv.data)
      addInDeriv(operands, context);
    if (operands.update && operands.update->learningRate != 0)
      update(operands.outDeriv, zFastest(operands.inValue, context.scratch),
             *operands.update);
  }

private:
  /// Number of values of a pixel column under a filter.
  int32_t runLength() const { return image.y.size * image.channels; }

  /// Calls f(pixel, place, weight) for each column x of the filters at each of
  /// their positions, with the first columns of the pixels, the output and the
  /// weights.
  template <typename Function> void forEachProduct(Function f) const {
    const int64_t run = runLength(), channels = image.channels;
    int64_t place = 0;
    for (int64_t x = 0; x < image.x.count(); ++x)
      for (int64_t y = 0; y < image.y.count(); ++y, place += numFilters)
        for (int64_t fx = 0; fx < image.x.size; ++fx)
          f(((x * image.x.step + fx) * image.y.input + y * image.y.step) *
                channels,
            place, fx * run);
  }

  /// Calls f(values with z fastest, values with y fastest) for the values of
  /// one x and y of row \p r.
  template <typename To, typename From, typename Function>
  void forEachPixel(const To &zRow, const From &yRow, Function f) const {
    const int64_t height = image.y.input, channels = image.channels;
    for (int64_t x = 0; x < image.x.input; ++x)
      for (int64_t y = 0; y < height; ++y)
        f(zRow + (x * height + y) * channels, yRow + x * height * channels + y);
  }

  MatrixView inScratch(int32_t rows, void *scratch) const {
    return MatrixView(static_cast<float *>(scratch), rows, inputDim(),
                      inputDim());
  }

  /// Returns the images with z varying fastest, in \p scratch if they have the
  /// other order.
  ConstMatrixView zFastest(ConstMatrixView in, void *scratch) const {
    if (image.zFastest)
      return in;
    const MatrixView pixels = inScratch(in.rows, scratch);
    for (int32_t r = 0; r < in.rows; ++r)
      forEachPixel(pixels.row(r), in.row(r), [&](float *to, const float *from) {
        vecGather(image.channels, image.y.input, from, to);
      });
    return pixels;
  }

  void addInDeriv(const BackpropOperands &operands,
                  const RunContext &context) const {
    const MatrixView &inDeriv = operands.inDeriv;
    MatrixView pixels = inDeriv;
    if (!image.zFastest) {
      pixels = inScratch(inDeriv.rows, context.scratch);
      setConst(pixels, 0);
    }
    forEachProduct([&](int64_t pixel, int64_t place, int64_t weight) {
      gemmNN(operands.outDeriv.columns(place, numFilters),
             context.parameters[0].columns(weight, runLength()), 1, 1,
             pixels.columns(pixel, runLength()));
    });
    for (int32_t r = 0; !image.zFastest && r < pixels.rows; ++r)
      forEachPixel(pixels.row(r), inDeriv.row(r),
                   [&](const float *from, float *to) {
                     vecAddScattered(image.channels, image.y.input, from, to);
                   });
  }

  void update(ConstMatrixView outDeriv, ConstMatrixView pixels,
              ComponentState &state) const {
    const float rate = state.learningRate;
    forEachProduct([&](int64_t pixel, int64_t place, int64_t weight) {
      gemmTN(outDeriv.columns(place, numFilters),
             pixels.columns(pixel, runLength()), rate,
             state.parameters[0].columns(weight, runLength()));
    });
    const int32_t begin = 0, end = outDeriv.rows;
    for (int32_t place = 0; place < outDeriv.cols; place += numFilters)
      addRowRanges(state.parameters[1], outDeriv.columns(place, numFilters),
                   &begin, &end, /*step=*/1, rate);
  }

  ConvolutionImage image;
  int32_t numFilters;
};

} // namespace

std::unique_ptr<Component> create(const ConvolutionAttributes &attributes) {
  AttributeReader &reader = attributes;
  const ConvolutionImage image = {
      readImageAxis(reader, "input_x_dim", "filt_x_dim", "filt_x_step"),
      readImageAxis(reader, "input_y_dim", "filt_y_dim", "filt_y_step"),
      attributes.inputZDim(),
      reader.word("input_vectorization_order", "zyx", {"zyx", "yzx"}) == "zyx"};
  const int32_t numFilters = attributes.numFilters();
  const int32_t in =
      imageSize(reader, image.x.input, image.y.input, image.channels);
  const int32_t out =
      imageSize(reader, image.x.count(), image.y.count(), numFilters);
  const int32_t dim =
      imageSize(reader, image.x.size, image.y.size, image.channels);
  const ConstMatrixView filters(attributes.filterParams(), numFilters, dim,
                                dim);
  return std::make_unique<ConvolutionComponent>(image, in, out, filters,
                                                attributes);
}

} // namespace rt
} // namespace nnet3
