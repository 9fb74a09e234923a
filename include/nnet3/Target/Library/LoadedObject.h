//===- LoadedObject.h - Machine code in this process ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_LOADEDOBJECT_H
#define NNET3_TARGET_LIBRARY_LOADEDOBJECT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace mlir::nnet3 {

/// A function or data of this process that loaded code may refer to by name.
struct HostSymbol {
  llvm::StringRef name;
  const void *address;
};

/// An object file for this machine that is linked into this process for the
/// lifetime of the LoadedObject.
class LoadedObject {
public:
  /// Links `object`, which may use `symbols` and the functions of the C
  /// library, including mathematical ones. Copies the bytes.
  static llvm::Expected<std::unique_ptr<LoadedObject>>
  load(llvm::ArrayRef<char> object, llvm::ArrayRef<HostSymbol> symbols);
  ~LoadedObject();

  /// The function `name` of the object.
  llvm::Expected<void *> lookup(llvm::StringRef name);

private:
  explicit LoadedObject(std::unique_ptr<llvm::orc::LLJIT> jit);

  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_LOADEDOBJECT_H
