//===- Container.cpp - Parsing of program files ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Loader.h"

#include <cstring>

namespace nnet3 {
namespace rt {

/// Whether \p size bytes at \p offset are after the header and inside the file.
static bool isInside(uint64_t offset, uint64_t size, uint64_t fileSize) {
  return offset >= sizeof(ContainerHeader) && offset <= fileSize &&
         size <= fileSize - offset;
}

static Status checkHeader(const ContainerHeader &header, uint64_t size) {
  if (header.version != kContainerVersion)
    return invalidProgram("expects a program file of version " +
                          std::to_string(kContainerVersion) +
                          ", but got version " +
                          std::to_string(header.version));
  if (header.reserved != 0)
    return invalidProgram("the header of the program file is damaged");
  if (!isInside(header.programOffset, header.programSize, size) ||
      (header.weightsSize != 0 &&
       !isInside(header.weightsOffset, header.weightsSize, size)))
    return invalidProgram("the program file is truncated: its header tells of "
                          "more than the " +
                          std::to_string(size) + " bytes that are there");
  if (header.programOffset % kContainerAlignment != 0 ||
      header.weightsOffset % kContainerAlignment != 0)
    return invalidProgram("the parts of the program file are not aligned");
  return Status();
}

Result<ProgramParts> splitProgramFile(const void *data, uint64_t size) {
  const auto *bytes = static_cast<const unsigned char *>(data);
  ProgramParts parts;
  if (size < sizeof(ContainerHeader) ||
      std::memcmp(bytes, kContainerMagic, sizeof(kContainerMagic)) != 0) {
    parts.program = bytes;
    parts.programSize = size;
    return parts;
  }
  ContainerHeader header;
  std::memcpy(&header, bytes, sizeof(header));
  if (Status status = checkHeader(header, size); !status.ok())
    return status;
  parts.program = bytes + header.programOffset;
  parts.programSize = header.programSize;
  parts.weights = header.weightsSize ? bytes + header.weightsOffset : nullptr;
  parts.weightsSize = header.weightsSize;
  if ((header.programChecksum != 0 &&
       header.programChecksum != checksum(parts.program, parts.programSize)) ||
      (header.weightsChecksum != 0 &&
       header.weightsChecksum != checksum(parts.weights, parts.weightsSize)))
    return invalidProgram("the program file is damaged: a checksum is wrong");
  return parts;
}

} // namespace rt
} // namespace nnet3
