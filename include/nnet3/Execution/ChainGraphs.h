//===- ChainGraphs.h - Graphs of chain training for the runtime -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_EXECUTION_CHAINGRAPHS_H
#define NNET3_EXECUTION_CHAINGRAPHS_H

#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/runtime/ChainObjective.h"

namespace mlir::nnet3 {

/// Converts graphs of Kaldi, whose labels are pdfs plus 1, to graphs of the
/// runtime. Returns an error for a label 0 and for a graph without a start
/// state.
llvm::Expected<::nnet3::rt::ChainGraph>
getChainGraph(const ::nnet3::kaldi::CompactFst &fst);

llvm::Expected<::nnet3::rt::ChainSupervision>
getChainSupervision(const ::nnet3::kaldi::ChainSupervision &supervision);

/// Reads a denominator graph for an output with `numPdfs` columns.
llvm::Expected<::nnet3::rt::DenominatorGraph>
readDenominatorGraph(llvm::StringRef path, int32_t numPdfs);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CHAINGRAPHS_H
