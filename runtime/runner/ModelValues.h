//===- ModelValues.h - Comparison of models ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_MODELVALUES_H
#define NNET3_RUNTIME_RUNNER_MODELVALUES_H

#include "nnet3/runtime/Model.h"
#include "runner/check/CasePack.h"

#include <string>

namespace nnet3 {
namespace rt {

using ExpectedList = flatbuffers::Vector<flatbuffers::Offset<schema::Expected>>;

/// Compares the exported attributes of \p model with \p list, which may be
/// null. Returns an error message, or an empty string.
std::string compareModel(const Model &model, const ExpectedList *list,
                         const CasePack &pack);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_MODELVALUES_H
