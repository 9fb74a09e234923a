//===- Program.cpp - The C++ interface of a program -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Loader.h"

namespace nnet3 {
namespace rt {

Program::Program(std::unique_ptr<ProgramData> data) : impl(std::move(data)) {}
Program::~Program() = default;

const std::vector<IoInfo> &Program::inputs() const { return impl->inputs; }
const std::vector<IoInfo> &Program::outputs() const { return impl->outputs; }
uint64_t Program::arenaBytes() const { return impl->arenaBytes(); }

int32_t Program::numCommands() const {
  return static_cast<int32_t>(impl->commands.size());
}

std::string Program::commandText(int32_t index) const {
  return rt::commandText(*impl, index);
}

Result<std::shared_ptr<const Program>>
Program::load(const void *data, uint64_t size, const LoadOptions &options) {
  if (!data)
    return invalidArgument("no program is given");
  Result<ProgramParts> parts = splitProgramFile(data, size);
  if (!parts.ok())
    return parts.status();
  if (options.weights) {
    parts->weights = static_cast<const unsigned char *>(options.weights);
    parts->weightsSize = options.weightsSize;
  }
  auto loaded = loadProgram(*parts, options.maxArenaBytes);
  if (!loaded.ok())
    return loaded.status();
  (*loaded)->keepAlive = options.keepAlive;
  return std::shared_ptr<const Program>(new Program(std::move(*loaded)));
}

Result<std::shared_ptr<const Program>>
Program::loadFile(const std::string &path, const LoadOptions &options) {
  Result<std::shared_ptr<MappedFile>> file = mapFile(path);
  if (!file.ok())
    return file.status();
  // The program keeps the file and the caller's keepAlive.
  using Held =
      std::pair<std::shared_ptr<MappedFile>, std::shared_ptr<const void>>;
  LoadOptions holding = options;
  holding.keepAlive = std::make_shared<Held>(*file, options.keepAlive);
  auto program = load((*file)->data, (*file)->size, holding);
  if (!program.ok())
    return Status(program.status().statusCode(),
                  path + ": " + program.status().message());
  return program;
}

} // namespace rt
} // namespace nnet3
