//===- InstructionSets.h - The table of instruction sets --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_CPU_INSTRUCTIONSETS_H
#define NNET3_TARGET_CPU_INSTRUCTIONSETS_H

#include "nnet3/Target/Cpu/CpuTarget.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <optional>
#include <string>

namespace llvm {
class Target;
} // namespace llvm

namespace mlir::nnet3 {

/// Code is generated for these.
struct Architecture {
  llvm::Triple::ArchType arch;
  /// A usual triple, which messages name and which completes shorter ones, and
  /// another one that libraries are made for.
  const char *triple, *otherTriple;
  /// The CPU where none is named, by LLVM's name, and what it has besides.
  const char *cpu, *features;
  /// Features without which LLVM ends the process.
  const char *required;
  llvm::Reloc::Model relocation;
  TargetConventions conventions;
};

/// When a CPU has something.
struct CpuCondition {
  llvm::Triple::ArchType arch;
  /// LLVM's names of what it needs, each with a "+", joined by commas.
  const char *features;
};

/// Vectors of numbers.
struct VectorSet {
  const char *name;
  CpuCondition condition;
  int64_t vectorBits;
  int64_t vectorRegisters;
  bool hasFma;
  int64_t l2Bytes; ///< that a CPU with them has at least for each core
  /// Elements in a register of which multiply-adds take one, at no cost.
  int64_t rowLanes = 1;
  /// Where the machine decides how long vectors are, their bits for each unit
  /// of LLVM's `vscale`; `vectorBits` are the least.
  int64_t scalableBits = 0;
  /// Features that tell LLVM how to use them, each with a sign, joined by
  /// commas.
  const char *tuning = "";
  /// The intrinsics for `rowLanes` of scalable vectors.
  const char *laneCopy = "", *laneFma = "";
  /// Whether an instruction multiplies integers of 16 bits and adds the
  /// products to integers of 32.
  bool hasWideProducts = false;

  bool hasLaneIntrinsics() const { return *laneFma != '\0'; }
};

/// An instruction for dot products in vectors of `vectorBits`, or in scalable
/// ones.
struct DotProductSet {
  const char *name;
  CpuCondition condition;
  int64_t vectorBits;
  kernel::Precision elements;
  int64_t group;        ///< how many products it adds to each sum
  bool isFirstUnsigned; ///< of the factors, where they are integers
  const char *intrinsic;
  bool isScalable = false;
  /// The one for `rowLanes` of scalable vectors.
  const char *laneIntrinsic = "";

  bool isFor(const VectorSet &vectors) const {
    return condition.arch == vectors.condition.arch &&
           vectorBits == vectors.vectorBits &&
           isScalable == (vectors.scalableBits != 0);
  }
};

/// An instruction that multiplies vectors of `vectorBits` of integers of 16
/// bits and adds neighbouring products.
struct PairProductSet {
  const char *name;
  CpuCondition condition;
  int64_t vectorBits;
  const char *intrinsic;
};

/// When an instruction makes vectors of f32 of fp16.
struct HalfConversion {
  const char *name;
  CpuCondition condition;
};

/// A name for what a CPU has beside vectors.
struct CpuLevel {
  const char *name;
  CpuCondition condition;
};

/// One of the CPUs of an architecture that one library has code for.
struct CpuVariant {
  llvm::Triple::ArchType arch;
  /// As LLVM names them.
  const char *cpu, *features;
  /// Where the features count; none: everywhere.
  std::optional<kernel::Precision> precision;
};

/// Columns of a panel of weights that all of them multiply with: registers of
/// the best ones are full, and those of others nearly so.
constexpr int64_t kVariantColumns = 32;

llvm::ArrayRef<Architecture> getArchitectures();
/// Null if the table does not have it, or its objects have another format.
const Architecture *findArchitecture(const llvm::Triple &triple);

/// LLVM's target for `triple`, one of the table's architectures.
const llvm::Target *getBackend(const llvm::Triple &triple);

/// `features` behind those that the CPU's name implies beside LLVM's table.
std::string getAllFeatures(const llvm::Triple &triple, llvm::StringRef cpu,
                           llvm::StringRef features);

/// LLVM's description of a CPU with `features`. Null, with the reason in
/// `error`, if LLVM does not know it.
std::unique_ptr<llvm::MCSubtargetInfo> describeCpu(const llvm::Triple &triple,
                                                   llvm::StringRef cpu,
                                                   llvm::StringRef features,
                                                   std::string &error);

/// Whether `cpu` meets a condition.
bool meets(const llvm::MCSubtargetInfo &cpu, const CpuCondition &condition);
/// The first of its instruction sets; null if it has none of the table.
const VectorSet *findVectors(const llvm::MCSubtargetInfo &cpu);

/// Those of one architecture stand in the order in which they are preferred.
/// All names are those that a library looks for when it is opened.
llvm::ArrayRef<VectorSet> getVectorSets();
llvm::ArrayRef<DotProductSet> getDotProductSets();
llvm::ArrayRef<PairProductSet> getPairProductSets();
llvm::ArrayRef<HalfConversion> getHalfConversions();
llvm::ArrayRef<CpuLevel> getCpuLevels();
llvm::ArrayRef<CpuVariant> getCpuVariants();

} // namespace mlir::nnet3

#endif // NNET3_TARGET_CPU_INSTRUCTIONSETS_H
