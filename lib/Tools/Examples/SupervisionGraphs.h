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

/// Returns a minimal deterministic graph without epsilons that accepts the
/// language of `graph`, or its composition with `normalization` if given. State
/// 0 is the start, and states are in breadth-first order; an empty language has
/// no states. Fails for a result of more than 200000 states, and in a build
/// without OpenFst.
llvm::Expected<::nnet3::kaldi::CompactFst>
simplify(const ::nnet3::kaldi::CompactFst &graph,
         const std::optional<::nnet3::kaldi::CompactFst> &normalization);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_EXAMPLES_SUPERVISIONGRAPHS_H
