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

/// An architecture that code is generated for.
struct Architecture {
  llvm::Triple::ArchType arch;
  /// `triple` is the usual triple: messages name it, and shorter triples are
  /// completed from it. `otherTriple` is another triple that libraries support.
  const char *triple, *otherTriple;
  /// LLVM's name of the default CPU, and additional features.
  const char *cpu, *features;
  /// Features without which LLVM aborts.
  const char *required;
  llvm::Reloc::Model relocation;
  TargetConventions conventions;
};

/// The features that a CPU must have.
struct CpuCondition {
  llvm::Triple::ArchType arch;
  /// LLVM's feature names, each with a "+", separated by commas.
  const char *features;
};

/// A vector instruction set.
struct VectorSet {
  const char *name;
  CpuCondition condition;
  int64_t vectorBits;
  int64_t vectorRegisters;
  bool hasFma;
  int64_t l2Bytes; ///< minimum per core of a CPU with this set
  /// Lanes of a register from which a multiply-add can take a single element at
  /// no extra cost.
  int64_t rowLanes = 1;
  /// For scalable vectors, the bits per unit of LLVM's `vscale`; `vectorBits`
  /// is then the minimum.
  int64_t scalableBits = 0;
  /// Tuning features for LLVM, each with a sign, separated by commas.
  const char *tuning = "";
  /// The intrinsics that copy, or multiply-add by, a lane of scalable vectors.
  const char *laneCopy = "", *laneFma = "";
  /// Whether an instruction multiplies 16-bit integers and accumulates in 32
  /// bits.
  bool hasWideProducts = false;

  bool hasLaneIntrinsics() const { return *laneFma != '\0'; }
};

/// A dot product instruction for vectors of `vectorBits`, or for scalable ones.
struct DotProductSet {
  const char *name;
  CpuCondition condition;
  int64_t vectorBits;
  kernel::Precision elements;
  int64_t group;        ///< number of products per accumulator
  bool isFirstUnsigned; ///< for integers, whether the first operand is unsigned
  const char *intrinsic;
  bool isScalable = false;
  /// The intrinsic that multiplies by a lane of scalable vectors.
  const char *laneIntrinsic = "";

  bool isFor(const VectorSet &vectors) const {
    return condition.arch == vectors.condition.arch &&
           vectorBits == vectors.vectorBits &&
           isScalable == (vectors.scalableBits != 0);
  }
};

/// An instruction that multiplies vectors of 16-bit integers, `vectorBits`
/// wide, and adds adjacent products.
struct PairProductSet {
  const char *name;
  CpuCondition condition;
  int64_t vectorBits;
  const char *intrinsic;
};

/// The condition for an instruction that converts vectors from fp16 to f32.
struct HalfConversion {
  const char *name;
  CpuCondition condition;
};

/// A named set of features other than vectors.
struct CpuLevel {
  const char *name;
  CpuCondition condition;
};

/// A CPU variant of a library with code for several CPUs.
struct CpuVariant {
  llvm::Triple::ArchType arch;
  /// LLVM's names.
  const char *cpu, *features;
  /// The precision for which the variant exists; none means all.
  std::optional<kernel::Precision> precision;
};

/// Columns of the weight panels that all variants share: tiles then fill the
/// registers of the best CPUs, and nearly fill those of the others.
constexpr int64_t kVariantColumns = 32;

llvm::ArrayRef<Architecture> getArchitectures();
/// Returns null if the table lacks the architecture, or its object format
/// differs.
const Architecture *findArchitecture(const llvm::Triple &triple);

/// Returns LLVM's target for `triple`, whose architecture must be in the table.
const llvm::Target *getBackend(const llvm::Triple &triple);

/// Returns the features that the CPU's name implies in addition to LLVM's
/// table, followed by `features`.
std::string getAllFeatures(const llvm::Triple &triple, llvm::StringRef cpu,
                           llvm::StringRef features);

/// Returns LLVM's description of a CPU with `features`. Null, with the reason
/// in `error`, if LLVM does not know the CPU or a feature.
std::unique_ptr<llvm::MCSubtargetInfo> describeCpu(const llvm::Triple &triple,
                                                   llvm::StringRef cpu,
                                                   llvm::StringRef features,
                                                   std::string &error);

/// Returns true if `cpu` meets a condition.
bool meets(const llvm::MCSubtargetInfo &cpu, const CpuCondition &condition);
/// Returns the first vector set of the CPU; null if it has none of the table.
const VectorSet *findVectors(const llvm::MCSubtargetInfo &cpu);

/// Entries of one architecture are in order of preference. A library looks up
/// the names when it is opened.
llvm::ArrayRef<VectorSet> getVectorSets();
llvm::ArrayRef<DotProductSet> getDotProductSets();
llvm::ArrayRef<PairProductSet> getPairProductSets();
llvm::ArrayRef<HalfConversion> getHalfConversions();
llvm::ArrayRef<CpuLevel> getCpuLevels();
llvm::ArrayRef<CpuVariant> getCpuVariants();

} // namespace mlir::nnet3

#endif // NNET3_TARGET_CPU_INSTRUCTIONSETS_H
