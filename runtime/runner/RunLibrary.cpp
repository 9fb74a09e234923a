//===- RunLibrary.cpp - A library on matrices from files ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixFile.h"
#include "Run.h"
#include "core/Loader.h"
#include "runner/library/LibraryFile.h"
#include "runner/library/TuneLibrary.h"

#include <cstdio>
#include <set>
#include <string_view>

namespace nnet3 {
namespace rt {

/// NAME of DIR/libNAME.so.
static std::string libraryName(const std::string &path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  if (name.compare(0, 3, "lib") == 0)
    name.erase(0, 3);
  return name.substr(0, name.rfind(".so"));
}

/// What the public functions of the library in \p path begin with, found in its
/// table of names. There are several where libraries are linked together.
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

/// The prefix of the options, or else the file's name; an error says which ones
/// there are.
static Result<std::string> findPrefix(const RunnerOptions &options,
                                      const SharedObject &code) {
  const std::string prefix =
      options.prefix.empty() ? libraryName(options.file) : options.prefix;
  if (code.find(prefix + "_model_open"))
    return prefix;
  std::string known;
  for (const std::string &name : findPrefixes(options.file))
    known += (known.empty() ? " '" : ", '") + name + "'";
  return invalidArgument("the library has no functions that begin with '" +
                         prefix + "_'" +
                         (known.empty() ? "" : "; --prefix may be" + known));
}

static Status printList(const LibraryModel &model) {
  for (int32_t request = 0; request < model.numRequests(); ++request) {
    auto name = model.requestName(request);
    auto inputs = model.inputs(request), outputs = model.outputs(request);
    if (!name.ok() || !inputs.ok() || !outputs.ok())
      return !name.ok() ? name.status()
                        : (inputs.ok() ? outputs.status() : inputs.status());
    std::printf("request %s\n", name->c_str());
    for (const LibraryMatrix &matrix : *inputs)
      std::printf("input %s: %d x %d\n", matrix.name.c_str(), matrix.rows,
                  matrix.cols);
    for (const LibraryMatrix &matrix : *outputs)
      std::printf("output %s: %d x %d\n", matrix.name.c_str(), matrix.rows,
                  matrix.cols);
  }
  return Status();
}

static Status run(const LibraryModel &model, const RunnerOptions &options) {
  int32_t request = 0;
  if (!options.request.empty()) {
    auto found = model.findRequest(options.request);
    if (!found.ok())
      return found.status();
    request = *found;
  }
  std::map<std::string, OwnedMatrix> matrices;
  std::map<std::string, ConstMatrixView> inputs;
  for (const auto &[name, path] : options.inputs) {
    auto matrix = readMatrixFile(path);
    if (!matrix.ok())
      return matrix.status();
    inputs[name] = (matrices[name] = std::move(*matrix)).view();
  }
  nnet3lib_status status;
  auto outputs =
      model.run(request, inputs, {/*times=*/1, options.seed}, status);
  if (!outputs.ok())
    return outputs.status();
  for (const auto &[name, path] : options.outputs) {
    auto found = outputs->find(name);
    if (found == outputs->end())
      return invalidArgument("there is no output '" + name + "'");
    if (Status error = writeMatrixFile(path, found->second.view()); !error.ok())
      return error;
  }
  return Status();
}

Status runLibrary(const RunnerOptions &options) {
  if (options.addChecksum)
    return addChecksum(options.file);
  auto code = SharedObject::openFile(options.file);
  if (!code.ok())
    return code.status();
  auto prefix = findPrefix(options, **code);
  if (!prefix.ok())
    return prefix.status();
  nnet3lib_status status;
  auto model = LibraryModel::open(*code, *prefix, options.weights, status);
  if (!model.ok())
    return model.status();
  if (options.tune)
    return tuneLibrary(**model, options.file);
  return options.list ? printList(**model) : run(**model, options);
}

} // namespace rt
} // namespace nnet3
