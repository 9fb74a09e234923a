//===- Statement.cpp - A line of an expanded config -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Statement.h"

namespace mlir::nnet3::xconfig {

Statement::Statement(llvm::StringRef word, Location loc)
    : layerLoc(loc), text(word.str()) {
  pieces.push_back({1, loc, /*copied=*/false});
}

void Statement::begin(Location loc, bool copied) {
  pieces.push_back({static_cast<unsigned>(text.size()) + 1, loc, copied});
}

bool Statement::hasKey(llvm::StringRef key) const {
  return llvm::StringRef(text).contains((" " + key + "=").str());
}

Statement &Statement::add(llvm::StringRef key, const llvm::Twine &value) {
  return add(key, value, layerLoc);
}

Statement &Statement::add(llvm::StringRef key, const llvm::Twine &value,
                          Location loc) {
  text += ' ';
  begin(loc);
  text += (key + "=" + value).str();
  return *this;
}

Statement &Statement::add(llvm::StringRef key, const Setting &setting) {
  if (setting.isDefault && hasKey(key))
    return *this;
  llvm::StringRef value = setting.text;
  if (value.find_first_of(" \t=") == llvm::StringRef::npos)
    return add(key, value, setting.loc);
  return add(key, "\"" + value + "\"", setting.loc);
}

Statement &Statement::addPairs(const Setting &setting) {
  llvm::StringRef pairs = llvm::StringRef(setting.text).trim(" \t");
  if (pairs.empty())
    return *this;
  text += ' ';
  // Only values that the user wrote have a column.
  Location loc = setting.loc;
  if (auto start = llvm::dyn_cast<FileLineColLoc>(loc); start && setting.given)
    loc = FileLineColLoc::get(
        start.getFilename(), start.getLine(),
        start.getColumn() + llvm::StringRef(setting.text).find(pairs.front()));
  begin(loc, /*copied=*/setting.given);
  text += pairs;
  return *this;
}

} // namespace mlir::nnet3::xconfig
