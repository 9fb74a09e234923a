//===- AnyExample.cpp - Examples of any kind ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "nnet3/Kaldi/IO/Reader.h"

using namespace nnet3::kaldi;

llvm::LogicalResult nnet3::kaldi::readAnyExample(KaldiReader &reader,
                                                 AnyExample &example) {
  if (reader.peekWord() == "<Nnet3ChainEg>")
    return readChainExample(reader, example.emplace<NnetChainExample>());
  return readExample(reader, example.emplace<NnetExample>());
}

std::vector<NnetIo> &nnet3::kaldi::getMatrices(AnyExample &example) {
  if (auto *plain = std::get_if<NnetExample>(&example))
    return plain->io;
  return std::get<NnetChainExample>(example).inputs;
}

std::string nnet3::kaldi::describeStructure(const AnyExample &example) {
  // The texts of the two kinds are always different.
  return std::visit([](const auto &one) { return describeStructure(one); },
                    example);
}

size_t nnet3::kaldi::getExampleSize(const AnyExample &example) {
  return std::visit([](const auto &one) { return getExampleSize(one); },
                    example);
}

/// Merges examples that are all of type T.
template <typename T>
static llvm::Expected<AnyExample>
mergeAll(llvm::ArrayRef<const AnyExample *> examples) {
  std::vector<const T *> same;
  for (const AnyExample *example : examples)
    same.push_back(&std::get<T>(*example));
  llvm::Expected<T> merged = mergeExamples(same);
  if (!merged)
    return merged.takeError();
  return AnyExample(std::move(*merged));
}

llvm::Expected<AnyExample>
nnet3::kaldi::mergeExamples(llvm::ArrayRef<const AnyExample *> examples) {
  return std::holds_alternative<NnetExample>(*examples.front())
             ? mergeAll<NnetExample>(examples)
             : mergeAll<NnetChainExample>(examples);
}

NnetExample nnet3::kaldi::takeRows(AnyExample example) {
  if (auto *plain = std::get_if<NnetExample>(&example))
    return std::move(*plain);
  auto &chain = std::get<NnetChainExample>(example);
  NnetExample result{std::move(chain.inputs)};
  for (ChainSupervision &output : chain.outputs)
    result.io.push_back(
        {std::move(output.name), std::move(output.indexes), Matrix()});
  return result;
}
