//===- RandomFormats.cpp - Tokens of dropout and its relatives ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComponentFormat.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

using K = TokenKind;
using Token = TokenField;

static std::string completeBlockDim(ComponentAttributes &attributes) {
  dropFullBlockDim(attributes);
  return {};
}

static ComponentFormat makeGeneralDropout() {
  return makeFormat<GeneralDropoutOp>(
      {
          Token("<Dim>", K::Int, "dim"),
          Token("<BlockDim>", K::Int, "block_dim").otherwise(getUnsetBlockDim),
          Token("<TimePeriod>", K::Int, "time_period"),
          Token("<DropoutProportion>", K::Float, "dropout_proportion"),
          Token("<SpecAugmentMaxProportion>", K::Float,
                "specaugment_max_proportion")
              .unlessEqual(0),
          Token("<SpecAugmentMaxRegions>", K::Int, "specaugment_max_regions")
              .unlessEqual(1)
              .nested(),
          Token("<TestMode>", K::Flag, "test_mode").unlessEqual(0),
          Token("<Continuous>", K::Flag, "continuous").unlessEqual(0),
      },
      completeBlockDim);
}

ArrayRef<ComponentFormat> getRandomFormats() {
  static const ComponentFormat formats[] = {
      makeFormat<DropoutOp>({
          Token("<Dim>", K::Int, "dim"),
          Token("<DropoutProportion>", K::Float, "dropout_proportion"),
          Token("<DropoutPerFrame>", K::Bool, "dropout_per_frame").optional(),
          Token("<TestMode>", K::Bool, "test_mode").optional(),
      }),
      makeGeneralDropout(),
      makeFormat<SpecAugmentTimeMaskOp>({
          Token("<Dim>", K::Int, "dim"),
          Token("<ZeroedProportion>", K::Float, "zeroed_proportion"),
          Token("<TimeMaskMaxFrames>", K::Int, "time_mask_max_frames"),
          Token("<TestMode>", K::Flag, "test_mode").unlessEqual(0),
      }),
      makeFormat<DropoutMaskOp>({
          Token("<OutputDim>", K::Int, "output_dim"),
          Token("<DropoutProportion>", K::Float, "dropout_proportion"),
          Token("<TestMode>", K::Bool, "test_mode").optional(),
          Token("<Continuous>", K::Flag, "continuous").unlessEqual(0),
      }),
  };
  return formats;
}

} // namespace mlir::nnet3
