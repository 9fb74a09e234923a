//===- LinkerRun.h - Files and messages of a linker -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_TARGET_LIBRARY_LINKERRUN_H
#define LIB_TARGET_LIBRARY_LINKERRUN_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <system_error>
#include <vector>

namespace mlir::nnet3 {

/// Files that go when the linking is done, or a signal ends the program.
class TemporaryFiles {
public:
  ~TemporaryFiles();

  /// A new file beside `path` with these bytes. After an error, which `error`
  /// keeps, the name is empty.
  std::string create(StringRef path, StringRef suffix, ArrayRef<char> bytes);
  /// The same with what `body` writes.
  std::string write(StringRef path, StringRef suffix,
                    function_ref<void(llvm::raw_pwrite_stream &)> body);

  std::error_code error;

private:
  std::vector<std::string> paths;
};

/// Runs the linker `program`. Its messages become notes of the error at `loc`.
LogicalResult runLinker(Location loc, StringRef program,
                        ArrayRef<StringRef> arguments);

} // namespace mlir::nnet3

#endif // LIB_TARGET_LIBRARY_LINKERRUN_H
