//===- LibraryPrefix.cpp - The prefix of a library's functions ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryPrefix.h"

#include "core/Loader.h"

#include <set>
#include <string_view>

namespace nnet3 {
namespace rt {

/// Returns NAME of DIR/libNAME.so.
static std::string libraryName(const std::string &path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  if (name.compare(0, 3, "lib") == 0)
    name.erase(0, 3);
  return name.substr(0, name.rfind(".so"));
}

std::string getWeightsPath(const std::string &path) {
  return path.substr(0, path.find_last_of('/') + 1) + libraryName(path) +
         ".weights";
}

/// Returns the prefixes in the symbol table of the library \p path. There are
/// several if libraries are linked together.
static std::set<std::string> findPrefixes(const std::string &path) {
  std::set<std::string> prefixes;
  auto file = mapFile(path);
  if (!file.ok())
    return prefixes;
  const std::string_view bytes(static_cast<const char *>((*file)->data),
                               (*file)->size);
  constexpr std::string_view kEnd("_model_open\0", 12);
  for (size_t at = bytes.find(kEnd); at != std::string_view::npos;
       at = bytes.find(kEnd, at + 1)) {
    const size_t before = bytes.find_last_of('\0', at);
    const std::string_view name = bytes.substr(before + 1, at - before - 1);
    if (before != std::string_view::npos && !name.empty())
      prefixes.emplace(name);
  }
  return prefixes;
}

Result<std::string> findPrefix(const SharedObject &code,
                               const std::string &path,
                               const std::string &wanted) {
  const std::string prefix = wanted.empty() ? libraryName(path) : wanted;
  if (code.find(prefix + "_model_open"))
    return prefix;
  const std::set<std::string> prefixes = findPrefixes(path);
  if (wanted.empty() && prefixes.size() == 1 &&
      code.find(*prefixes.begin() + "_model_open"))
    return *prefixes.begin();
  std::string known;
  for (const std::string &name : prefixes)
    known += (known.empty() ? " '" : ", '") + name + "'";
  return invalidArgument("the library has no functions that begin with '" +
                         prefix + "_'" +
                         (known.empty() ? "" : "; --prefix may be" + known));
}

} // namespace rt
} // namespace nnet3
