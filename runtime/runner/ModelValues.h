//===- ModelValues.h - What a model has, by names ---------------*- C++ -*-===//
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

/// What is wrong with what \p model exports; empty if nothing is. \p list may
/// be null.
std::string compareModel(const Model &model, const ExpectedList *list,
                         const CasePack &pack);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_MODELVALUES_H
