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

/// How code for an architecture differs from that for others.
struct TargetConventions {
  /// Functions get and return integers of 32 bits extended by sign.
  bool extendsIntegers = false;
  /// LLVM makes one instruction of `llvm.fma`, but not of `llvm.fmuladd`.
  bool requiresFma = false;
  /// Vectors become integers by the rounding mode of the CPU, and not by a mode
  /// that the instruction names, on which QEMU 7.2 fails.
  bool roundsVectors = false;
};

/// What machine code is for.
struct CodeTarget {
  /// A CPU by LLVM's name, or "native", this machine's.
  std::string cpu = "native";
  /// Whether LLVM optimises the code as far as it can, or makes it quickly, for
  /// code that runs a few times.
  bool isOptimized = true;
  /// Architecture and system by LLVM's names; empty for this machine's.
  std::string triple;
  /// Features beside those of the CPU, with signs and commas.
  std::string features;
  /// Columns of each panel of packed weights, or 0: those of the target.
  int64_t panelColumns = 0;

  /// The target that these name, as command lines do: without `cpu` this
  /// machine's, or the baseline of the architecture that `triple` names. Fails
  /// with the reason in `error`.
  static FailureOr<CodeTarget> get(StringRef triple, StringRef cpu,
                                   StringRef features, std::string &error);

  /// CPUs of the architecture that `triple` names, the best one first, with one
  /// layout of packed weights: those of a library that looks which one the
  /// machine is like. Empty if the architecture has none.
  static std::vector<CodeTarget> getVariants(StringRef triple,
                                             kernel::Precision precision);

  llvm::Triple getTriple() const;
  /// Whether the compiler of this machine links the code.
  bool isThisMachine() const;
  TargetConventions getConventions() const;
  /// LLVM's description of the CPU. Null, with the reason in `error`, if LLVM
  /// does not know it.
  std::unique_ptr<llvm::TargetMachine> createMachine(std::string &error) const;
  /// What code generation knows of the CPU, from the table of instruction sets
  /// that it has. Fails with the reason in `error`.
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

/// The instructions of the target for dot products that kernels of `module`
/// use, one for each precision of its packed weights that has one.
SmallVector<kernel::DotProductAttr> getDotProducts(ModuleOp module);

/// Whether kernels of `module` convert fp16 by an instruction of the target.
bool convertsHalves(ModuleOp module);

/// The target with these instruction sets of the table, one of them with
/// vectors. Fails with the reason in `error`.
FailureOr<kernel::TargetAttr> getTarget(MLIRContext *context,
                                        ArrayRef<std::string> instructionSets,
                                        std::string &error);

/// Lists architectures and CPUs, with the instructions that code for them uses.
void printTargets(llvm::raw_ostream &os);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_CPU_CPUTARGET_H
