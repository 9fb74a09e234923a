//===- ToolVersion.cpp - Identity of compiler and machine -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linker gives every program and library a build id, a hash of its
// contents. It changes with every change of the compiler, even within one
// version.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Execution/ProgramKey.h"
#include "nnet3/runtime/Container.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Host.h"
#include <elf.h>
#include <link.h>

using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using llvm::ArrayRef;
using llvm::StringRef;

/// Returns the build id from the notes of a segment; empty if there is none.
static ArrayRef<uint8_t> findBuildId(const char *notes, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    const auto *note = reinterpret_cast<const ElfW(Nhdr) *>(notes);
    size_t name = llvm::alignTo<4>(note->n_namesz);
    size_t length = sizeof(*note) + name + llvm::alignTo<4>(note->n_descsz);
    if (length > size)
      break;
    if (note->n_type == NT_GNU_BUILD_ID)
      return {reinterpret_cast<const uint8_t *>(notes + sizeof(*note) + name),
              note->n_descsz};
    notes += length;
    size -= length;
  }
  return {};
}

/// Adds the build id of a loaded object if it belongs to the compiler.
static int addBuildId(dl_phdr_info *info, size_t, void *result) {
  StringRef file = info->dlpi_name;
  // The main program has an empty name.
  if (!file.empty() && !file.contains("libMLIR") && !file.contains("libLLVM"))
    return 0;
  for (const ElfW(Phdr) &header : ArrayRef(info->dlpi_phdr, info->dlpi_phnum)) {
    if (header.p_type != PT_NOTE)
      continue;
    const auto *notes =
        reinterpret_cast<const char *>(info->dlpi_addr + header.p_vaddr);
    auto id = findBuildId(notes, header.p_memsz);
    *static_cast<std::string *>(result) += " " + llvm::toHex(id);
  }
  return 0;
}

std::string mlir::nnet3::describeTool() {
  std::string text = "format " + std::to_string(rt::kContainerVersion);
  dl_iterate_phdr(addBuildId, &text);
  return text;
}

std::string mlir::nnet3::describeMachine() {
  std::vector<std::string> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (feature.second)
      features.push_back(feature.first().str());
  llvm::sort(features);
  return (llvm::sys::getHostCPUName() + "," + llvm::join(features, ",")).str();
}
