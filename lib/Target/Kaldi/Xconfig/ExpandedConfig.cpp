//===- ExpandedConfig.cpp - Configs expanded from xconfigs ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/Xconfig.h"

using mlir::FileLineColLoc;
using mlir::Location;

namespace mlir::nnet3 {

void ExpandedConfig::addLine(llvm::StringRef line, llvm::ArrayRef<Piece> pieces,
                             llvm::StringRef readable) {
  text += line;
  text += '\n';
  readableText += readable.empty() ? line : readable;
  readableText += '\n';
  lines.emplace_back(pieces.begin(), pieces.end());
}

Location ExpandedConfig::getSource(unsigned line, unsigned column) const {
  const Piece *found = &lines[line - 1].front();
  for (const Piece &piece : lines[line - 1])
    if (piece.column <= column)
      found = &piece;
  auto start = llvm::dyn_cast<FileLineColLoc>(found->loc);
  if (!found->copied || !start)
    return found->loc;
  return FileLineColLoc::get(start.getFilename(), start.getLine(),
                             start.getColumn() + column - found->column);
}

} // namespace mlir::nnet3
