//===- RunLibrary.cpp - A library on matrices from files ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixFile.h"
#include "Run.h"
#include "runner/library/LibraryFile.h"
#include "runner/library/LibraryPrefix.h"
#include "runner/library/TuneLibrary.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace nnet3 {
namespace rt {

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

/// Fails if \p files has a name that is not a matrix of the request.
static Status checkNames(const char *kind, const NamedFiles &files,
                         const Result<std::vector<LibraryMatrix>> &matrices) {
  if (!matrices.ok())
    return matrices.status();
  for (const auto &[name, path] : files)
    if (std::none_of(matrices->begin(), matrices->end(),
                     [&name = name](const LibraryMatrix &matrix) {
                       return matrix.name == name;
                     }))
      return invalidArgument(std::string("the request has no ") + kind + " '" +
                             name + "'");
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
  Status known = checkNames("input", options.inputs, model.inputs(request));
  if (known.ok())
    known = checkNames("output", options.outputs, model.outputs(request));
  if (!known.ok())
    return known;
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
  std::vector<ConstMatrixView> values;
  for (const auto &[name, path] : options.outputs)
    values.push_back(outputs->at(name).view());
  for (size_t i = 0; i < values.size(); ++i)
    if (Status error = writeMatrixFile(options.outputs[i].second, values[i]);
        !error.ok())
      return error;
  return Status();
}

static Result<std::unique_ptr<LibraryModel>>
openModel(const std::shared_ptr<SharedObject> &code, const std::string &prefix,
          const RunnerOptions &options) {
  nnet3lib_status status;
  auto model = LibraryModel::open(code, prefix, options.weights, status);
  const std::string beside = getWeightsPath(options.file);
  if (status == NNET3LIB_NO_WEIGHTS && access(beside.c_str(), F_OK) == 0)
    return LibraryModel::open(code, prefix, beside, status);
  return model;
}

Status runLibrary(const RunnerOptions &options) {
  if (options.addChecksum)
    return addChecksum(options.file);
  auto code = SharedObject::openFile(options.file);
  if (!code.ok())
    return code.status();
  auto prefix = findPrefix(**code, options.file, options.prefix);
  if (!prefix.ok())
    return prefix.status();
  auto model = openModel(*code, *prefix, options);
  if (!model.ok())
    return model.status();
  if (options.tune)
    return tuneLibrary(**model, options.file);
  return options.list ? printList(**model) : run(**model, options);
}

} // namespace rt
} // namespace nnet3
