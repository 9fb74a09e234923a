//===- Mutator.h - Random changes of MLIR text ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_MUTATION_MUTATOR_H
#define NNET3_UNITTESTS_MUTATION_MUTATOR_H

#include "Networks/Random.h"

#include <map>
#include <string>

namespace mlir::nnet3::mutation {

/// Changes the text of a module as in manual editing: numbers, names, types,
/// values and kinds of attributes, names of operations. Removes or repeats
/// attributes, operands and lines.
class Mutator {
public:
  explicit Mutator(const std::string &text);

  /// Returns the text with one change, sometimes two or three.
  std::string mutate(property::Random &random) const;

private:
  enum class Kind { Number, Symbol, Value, Word, Type, String, Other };
  struct Token {
    Kind kind;
    std::string text;
  };
  using Tokens = std::vector<Token>;

  void change(Tokens &tokens, property::Random &random) const;
  void replace(Tokens &tokens, property::Random &random) const;
  void changeType(Tokens &tokens, property::Random &random) const;
  void changeAttribute(Tokens &tokens, property::Random &random) const;
  void eraseEntry(Tokens &tokens, property::Random &random) const;
  void changeLine(Tokens &tokens, property::Random &random) const;

  Tokens tokens;
  /// Texts of the module's tokens, by kind.
  std::map<Kind, std::vector<std::string>> texts;
};

} // namespace mlir::nnet3::mutation

#endif // NNET3_UNITTESTS_MUTATION_MUTATOR_H
