//===- CommandConverter.h - Commands as kernel operations -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_COMMANDCONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_COMMANDCONVERTER_H

#include "CommandContext.h"

#include "llvm/ADT/StringMap.h"

#include <functional>
#include <memory>
#include <type_traits>

namespace mlir::nnet3 {

/// The attributes of a `kernel.entry` that the commands determine; null without
/// any.
struct EntryAttributes {
  ArrayAttr gradients, parameters, statistics;
  /// Place of the state of random numbers in the arena.
  std::optional<int64_t> random;
};

/// Makes operations of the kernel dialect of the commands of one computation.
/// The `populate` functions register a conversion for each kind of command.
class CommandConverter {
public:
  CommandConverter(ComputationOp computation, KernelModule &module,
                   int64_t reserved, const Padding &padding = Padding())
      : context(computation, module, reserved, padding) {}

  /// Creates an object that conversions use, and that lives as long as they do.
  template <typename T, typename... ArgTys> T &create(ArgTys &&...arguments) {
    auto object = std::make_shared<T>(std::forward<ArgTys>(arguments)...);
    objects.push_back(object);
    return *object;
  }
  /// Registers the conversion of a kind of command, instead of an earlier one:
  /// it takes the command and gives a LogicalResult or nothing.
  template <typename FunctionTy> void add(FunctionTy function) {
    using OpTy = typename llvm::function_traits<FunctionTy>::template arg_t<0>;
    addAll<OpTy>(std::move(function));
  }
  /// The same of several kinds.
  template <typename... OpTys, typename FunctionTy>
  void addAll(const FunctionTy &function) {
    (addOne<OpTys>(function), ...);
  }
  /// Sets what follows all commands.
  void setFinish(std::function<void(EntryAttributes &)> function) {
    finish = std::move(function);
  }

  /// Fails with an error at a command that has no conversion.
  LogicalResult convert();
  /// Makes a loop of what the commands of a round become, if that differs in
  /// nothing but numbers that grow alike, and writes out the rounds otherwise.
  LogicalResult convert(LoopOp loop);
  CommandContext &getContext() { return context; }
  const EntryAttributes &getEntryAttributes() const { return attributes; }

private:
  LogicalResult convert(Block &commands);
  LogicalResult convertRound(LoopOp loop, int64_t round);

  template <typename OpTy, typename FunctionTy>
  void addOne(const FunctionTy &function) {
    conversions[OpTy::getOperationName()] =
        [function](Operation *op) -> LogicalResult {
      if constexpr (std::is_void_v<std::invoke_result_t<FunctionTy, OpTy>>)
        return function(cast<OpTy>(op)), success();
      else
        return function(cast<OpTy>(op));
    };
  }

  CommandContext context;
  SmallVector<std::shared_ptr<void>> objects;
  llvm::StringMap<std::function<LogicalResult(Operation *)>> conversions;
  std::function<void(EntryAttributes &)> finish;
  EntryAttributes attributes;
};

/// Registers loops and the views of their rounds.
void populateLoops(CommandConverter &converter);

/// Registers commands that copy, add or fill rows, and those without code.
void populateRowCommands(CommandConverter &converter);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_COMMANDCONVERTER_H
