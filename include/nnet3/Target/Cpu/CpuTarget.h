//===- CpuTarget.h - CPUs that code is generated for ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_CPU_CPUTARGET_H
#define NNET3_TARGET_CPU_CPUTARGET_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlir::nnet3 {

/// Conventions of code that differ between architectures.
struct TargetConventions {
  /// Whether 32-bit integer arguments and results are sign-extended.
  bool extendsIntegers = false;
  /// Whether LLVM selects a single instruction for `llvm.fma`, but not for
  /// `llvm.fmuladd`.
  bool requiresFma = false;
  /// Whether vectors are converted to integers with the CPU's rounding mode
  /// instead of a static rounding mode of the instruction, with which QEMU 7.2
  /// fails.
  bool roundsVectors = false;
};

/// The target of machine code.
struct CodeTarget {
  /// LLVM's name of a CPU, or "native" for this machine's.
  std::string cpu = "native";
  /// Whether LLVM optimises the code fully; false compiles faster, for code
  /// that runs only a few times.
  bool isOptimized = true;
  /// LLVM's triple of the architecture and system; empty for this machine's.
  std::string triple;
  /// Additional features in LLVM's form: `+name,-name,...`.
  std::string features;
  /// Columns of each panel of packed weights; 0 to choose them for the CPU.
  int64_t panelColumns = 0;

  /// Creates the target for the options of a command line. Without `cpu`, it is
  /// this machine's CPU, or the baseline of the architecture of `triple`. On
  /// failure, sets `error`.
  static FailureOr<CodeTarget> get(StringRef triple, StringRef cpu,
                                   StringRef features, std::string &error);

  /// Returns the CPUs, best first, for a library that chooses its code at run
  /// time. They belong to the architecture of `triple` and share one layout of
  /// packed weights. Empty if the architecture has no such list.
  static std::vector<CodeTarget> getVariants(StringRef triple,
                                             kernel::Precision precision);

  llvm::Triple getTriple() const;
  /// Whether the code is for this machine, so that its compiler can link it.
  bool isThisMachine() const;
  TargetConventions getConventions() const;
  /// Creates LLVM's target machine. Returns null and sets `error` if LLVM does
  /// not support the target.
  std::unique_ptr<llvm::TargetMachine> createMachine(std::string &error) const;
  /// Returns the `kernel.target` of the CPU, from the table of instruction
  /// sets. On failure, sets `error`.
  FailureOr<kernel::TargetAttr> getAttribute(MLIRContext *context,
                                             std::string &error) const;
  /// The instruction sets that code for the CPU needs, under the names that
  /// `model_open` checks. Instruction sets for dot products are not included,
  /// because only reduced-precision code uses them.
  std::vector<std::string> getRequirements() const;
};

/// Returns the name of `triple` for messages. For the triples that
/// `--target=help` lists, it is the listed name.
std::string getTargetName(const llvm::Triple &triple);

/// Returns the dot product instructions that kernels of `module` use, one for
/// each precision of its packed weights that has one.
SmallVector<kernel::DotProductAttr> getDotProducts(ModuleOp module);

/// Whether kernels of `module` convert fp16 with an instruction of the target.
bool convertsHalves(ModuleOp module);

/// Returns the target with these instruction sets of the table, one of which
/// must have vectors. On failure, sets `error`.
FailureOr<kernel::TargetAttr> getTarget(MLIRContext *context,
                                        ArrayRef<std::string> instructionSets,
                                        std::string &error);

/// Prints the architectures and CPUs, with the instructions that code for them
/// uses.
void printTargets(llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_CPU_CPUTARGET_H
