//===- TargetHelp.cpp - Help text on targets ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstructionSets.h"
#include "nnet3/Target/Cpu/CpuTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

#include <map>

using namespace mlir;
using namespace mlir::nnet3;
using llvm::StringRef;

/// Returns one line about the instructions in code for `cpu`.
static std::string describe(const llvm::MCSubtargetInfo &cpu,
                            const VectorSet &vectors) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << vectors.name << ": "
     << (vectors.scalableBits ? "scalable, at least " : "")
     << vectors.vectorBits << " bits, " << vectors.vectorRegisters
     << " registers";
  if (vectors.hasFma)
    os << ", fused multiply-add";
  llvm::SmallSet<Precision, 4> found;
  for (const DotProductSet &set : getDotProductSets())
    if (set.isFor(vectors) && meets(cpu, set.condition) &&
        found.insert(set.elements).second)
      os << ", " << getPrecisionName(set.elements) << " by " << set.name;
  const HalfConversion *conversion =
      llvm::find_if(getHalfConversions(), [&](const HalfConversion &set) {
        return meets(cpu, set.condition);
      });
  if (conversion != getHalfConversions().end())
    os << ", fp16 weights by " << conversion->name;
  return text;
}

/// Writes `names` in lines of at most 80 columns.
static void printNames(llvm::ArrayRef<StringRef> names, raw_ostream &os) {
  size_t column = 0;
  for (StringRef name : names) {
    if (column + 1 + name.size() > 80)
      column = 0;
    if (column == 0) {
      os << (name == names.front() ? "   " : "\n   ");
      column = 3;
    }
    os << " " << name;
    column += 1 + name.size();
  }
  os << "\n";
}

static void printArchitecture(const Architecture &architecture,
                              raw_ostream &os) {
  os << architecture.triple;
  if (*architecture.otherTriple)
    os << " or " << architecture.otherTriple;
  os << ", by default " << architecture.cpu;
  if (*architecture.features)
    os << " with " << architecture.features;
  os << "\n";
  llvm::Triple triple(architecture.triple);
  std::string error;
  auto any = describeCpu(triple, architecture.cpu, "", error);
  // Sorted as in the table.
  std::map<std::pair<const VectorSet *, std::string>,
           llvm::SmallVector<StringRef>>
      groups;
  auto add = [&](StringRef name, StringRef features) {
    auto cpu = describeCpu(triple, name, features, error);
    const VectorSet *vectors = cpu ? findVectors(*cpu) : nullptr;
    if (vectors)
      groups[{vectors, describe(*cpu, *vectors)}].push_back(name);
  };
  for (const auto &cpu : any->getAllProcessorDescriptions())
    add(cpu.Key,
        StringRef(cpu.Key) == architecture.cpu ? architecture.features : "");
  for (const auto &[group, names] : groups) {
    os << "  " << group.second << "\n";
    printNames(names, os);
  }
}

/// Prints the CPUs that a multi-variant library has code for.
static void printVariants(const Architecture &architecture, raw_ostream &os) {
  llvm::SmallVector<StringRef> names;
  for (const CpuVariant &variant : getCpuVariants())
    if (variant.arch == architecture.arch &&
        !llvm::is_contained(names, variant.cpu))
      names.push_back(variant.cpu);
  if (!names.empty())
    os << "  multi: code for " << llvm::join(names, ", ")
       << "; a library chooses when it opens\n";
}

void mlir::nnet3::printTargets(raw_ostream &os) {
  os << "cpu, the default: this machine, "
     << llvm::sys::getDefaultTargetTriple() << "\n"
     << "cuda: GPUs by NVIDIA\n";
  for (const Architecture &architecture : getArchitectures()) {
    printArchitecture(architecture, os);
    printVariants(architecture, os);
  }
}
