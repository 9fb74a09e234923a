//===- LibraryMachine.h - The machine that a library is for -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a library of another architecture, dlopen() only reports that the file
// does not exist. Header-only, because nnet3-run opens libraries, too.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_LIBRARYMACHINE_H
#define NNET3_RUNTIME_LIBRARYMACHINE_H

#include <cstdint>
#include <cstring>
#include <string>

namespace nnet3 {
namespace rt {

/// Values of e_machine in ELF files. The macros of <elf.h> conflict with LLVM's
/// headers.
enum class ElfMachine : uint16_t {
  None = 0,
  ARM = 40,
  X86_64 = 62,
  AArch64 = 183,
  RISCV = 243
};

/// Returns the architecture of this code; None if libraries do not support it.
constexpr ElfMachine getThisMachine() {
#if defined(__x86_64__)
  return ElfMachine::X86_64;
#elif defined(__aarch64__)
  return ElfMachine::AArch64;
#elif defined(__riscv)
  return ElfMachine::RISCV;
#elif defined(__arm__)
  return ElfMachine::ARM;
#else
  return ElfMachine::None;
#endif
}

inline const char *getMachineName(ElfMachine machine) {
  switch (machine) {
  case ElfMachine::ARM:
    return "ARM";
  case ElfMachine::X86_64:
    return "x86-64";
  case ElfMachine::AArch64:
    return "AArch64";
  case ElfMachine::RISCV:
    return "RISC-V";
  default:
    return "another machine";
  }
}

/// Compares the architecture of the ELF file of \p size bytes at \p data with
/// this machine's. Returns an error message, or an empty text if they agree.
inline std::string checkLibraryMachine(const void *data, uint64_t size) {
  constexpr size_t kPlace = 18; // the offset of e_machine
  ElfMachine machine;
  if (getThisMachine() == ElfMachine::None || size < kPlace + sizeof(machine))
    return {};
  std::memcpy(&machine, static_cast<const char *>(data) + kPlace,
              sizeof(machine));
  if (machine == getThisMachine())
    return {};
  return std::string("the library is for ") + getMachineName(machine) +
         ", not for this machine";
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARYMACHINE_H
