//===- ChainGraphs.h - Graphs of chain training for the runtime -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_EXECUTION_CHAINGRAPHS_H
#define NNET3_EXECUTION_CHAINGRAPHS_H

#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/runtime/ChainObjective.h"

namespace mlir::nnet3 {

/// Labels of Kaldi's graphs are pdfs plus 1. A label 0 is an error, and so is a
/// graph without start.
llvm::Expected<::nnet3::rt::ChainGraph>
getChainGraph(const ::nnet3::kaldi::CompactFst &fst);

llvm::Expected<::nnet3::rt::ChainSupervision>
getChainSupervision(const ::nnet3::kaldi::ChainSupervision &supervision);

/// Reads and prepares a denominator graph of an output with `numPdfs` columns.
llvm::Expected<::nnet3::rt::DenominatorGraph>
readDenominatorGraph(llvm::StringRef path, int32_t numPdfs);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CHAINGRAPHS_H
