//===- AttributeEmitter.h - MLIR attributes as program data -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_PROGRAM_ATTRIBUTEEMITTER_H
#define NNET3_TARGET_PROGRAM_ATTRIBUTEEMITTER_H

#include "nnet3/Target/Program/ParameterBlob.h"
#include "nnet3/runtime/program_generated.h"

namespace mlir::nnet3 {

/// Emits the attributes of a component, with parameters as offsets in
/// `parameters`. Emits an error at the component if a parameter is missing.
FailureOr<flatbuffers::Offset<::nnet3::rt::schema::Component>>
emitComponent(flatbuffers::FlatBufferBuilder &builder,
              ComponentOpInterface component, const ParameterBlob &parameters);

/// Emits the data that a component precomputed from the indexes of its rows.
/// Row tables become lists of integers, with -1 for no row. `op` is for errors.
FailureOr<flatbuffers::Offset<::nnet3::rt::schema::Precomputed>>
emitPrecomputed(flatbuffers::FlatBufferBuilder &builder, Operation *op,
                DictionaryAttr precomputed);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_PROGRAM_ATTRIBUTEEMITTER_H
