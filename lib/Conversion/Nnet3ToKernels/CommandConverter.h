//===- CommandConverter.h - Commands as kernel operations -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_COMMANDCONVERTER_H
#define NNET3_CONVERSION_NNET3TOKERNELS_COMMANDCONVERTER_H

#include "CommandContext.h"

#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <memory>
#include <type_traits>

namespace mlir::nnet3 {

/// The attributes of a `kernel.entry` that the commands determine; null if
/// empty.
struct EntryAttributes {
  ArrayAttr gradients, parameters, statistics;
  /// Offset of the random number generator's state in the arena.
  std::optional<int64_t> random;
};

/// Converts the commands of one computation to operations of the kernel
/// dialect. The `populate` functions register a conversion for each kind of
/// command.
class CommandConverter {
public:
  CommandConverter(ComputationOp computation, KernelModule &module,
                   int64_t reserved, const Padding &padding = Padding())
      : context(computation, module, reserved, padding) {}

  /// Creates an object that lives as long as the conversions that use it.
  template <typename T, typename... ArgTys> T &create(ArgTys &&...arguments) {
    auto object = std::make_shared<T>(std::forward<ArgTys>(arguments)...);
    objects.push_back(object);
    return *object;
  }
  /// Registers the conversion of a kind of command, which replaces an earlier
  /// one. `function` takes the command and returns a LogicalResult or nothing.
  template <typename FunctionTy> void add(FunctionTy function) {
    using OpTy = typename llvm::function_traits<FunctionTy>::template arg_t<0>;
    addAll<OpTy>(std::move(function));
  }
  /// Registers the conversion of several kinds of commands.
  template <typename... OpTys, typename FunctionTy>
  void addAll(const FunctionTy &function) {
    (addOne<OpTys>(function), ...);
  }
  /// Sets the function that is called after all commands.
  void setFinish(std::function<void(EntryAttributes &)> function) {
    finish = std::move(function);
  }

  /// Fails with an error at a command that has no conversion.
  LogicalResult convert();
  /// Converts a loop of commands: to a loop of operations if rounds differ only
  /// in constants that grow linearly, else to all rounds, unrolled.
  LogicalResult convert(LoopOp loop);
  CommandContext &getContext() { return context; }
  const CommandContext &getContext() const { return context; }
  const EntryAttributes &getEntryAttributes() const { return attributes; }

private:
  LogicalResult convert(Block &commands);
  LogicalResult convertRound(LoopOp loop, int64_t round);

  template <typename OpTy, typename FunctionTy>
  void addOne(const FunctionTy &function) {
    conversions[TypeID::get<OpTy>()] =
        [function](Operation *op) -> LogicalResult {
      if constexpr (std::is_void_v<std::invoke_result_t<FunctionTy, OpTy>>)
        return function(cast<OpTy>(op)), success();
      else
        return function(cast<OpTy>(op));
    };
  }

  CommandContext context;
  SmallVector<std::shared_ptr<void>> objects;
  DenseMap<TypeID, std::function<LogicalResult(Operation *)>> conversions;
  std::function<void(EntryAttributes &)> finish;
  EntryAttributes attributes;
};

/// Registers loops and the views of their rounds.
void populateLoops(CommandConverter &converter);

/// Registers commands that copy, add or fill rows, and those without code.
void populateRowCommands(CommandConverter &converter);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_COMMANDCONVERTER_H
