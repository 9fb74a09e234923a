//===- SupervisionGraphs.h - Graphs of chain examples -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: chain.md 10.
//
//===----------------------------------------------------------------------===//
#ifndef LIB_TOOLS_EXAMPLES_SUPERVISIONGRAPHS_H
#define LIB_TOOLS_EXAMPLES_SUPERVISIONGRAPHS_H

#include "nnet3/Kaldi/Examples/CompactFst.h"

namespace mlir::nnet3 {

/// What `graph` accepts, and `normalization` too if there is one, weights
/// added, as a small deterministic graph without epsilons. State 0 is the
/// start, and others are numbered breadth-first; there are no states if nothing
/// is accepted. A result of more than 200000 states is an error, and so is a
/// build without OpenFst.
llvm::Expected<::nnet3::kaldi::CompactFst>
simplify(const ::nnet3::kaldi::CompactFst &graph,
         const std::optional<::nnet3::kaldi::CompactFst> &normalization);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_EXAMPLES_SUPERVISIONGRAPHS_H
