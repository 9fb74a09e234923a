//===- ObjectEmitter.h - Machine code of a module ---------------*- C++ -*-===//

#ifndef NNET3_TARGET_LIBRARY_OBJECTEMITTER_H
#define NNET3_TARGET_LIBRARY_OBJECTEMITTER_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace nnet3 {

/// What machine code is for.
struct CodeTarget {
  /// A CPU by LLVM's name, or "native".
  std::string cpu = "native";

  /// What the vectors of that CPU are.
  struct Vectors {
    int64_t length;       ///< floats in a register
    int64_t numRegisters;
  };
  /// Fails, with the reason in `error`, if LLVM does not know the CPU.
  mlir::FailureOr<Vectors> getVectors(std::string &error) const;
};

/// Which form of the code to write.
enum class CodeForm { LLVM, Assembly, Object };

/// Translates `module`, which is in the LLVM dialect apart from networks, and
/// optimises it for `target`. Emits an error at the module where that fails.
mlir::FailureOr<llvm::SmallVector<char>>
emitCode(mlir::ModuleOp module, const CodeTarget &target, CodeForm form);

} // namespace nnet3

#endif // NNET3_TARGET_LIBRARY_OBJECTEMITTER_H
