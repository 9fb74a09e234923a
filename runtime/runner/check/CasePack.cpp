//===- CasePack.cpp - Verification of case packs --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the header, the checksums, the buffer by FlatBuffers' verifier, and
// then the remaining rules. Programs and libraries are checked by their
// loaders.
//
//===----------------------------------------------------------------------===//

#include "CasePack.h"
#include "nnet3/runtime/Container.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace nnet3 {
namespace rt {

namespace {

constexpr uint32_t kMaxDepth = 8;
constexpr uint32_t kMaxTables = 1u << 22;

/// Verifies a pack. Keeps the first error.
class PackChecker {
public:
  PackChecker(const unsigned char *file, uint64_t size)
      : file(file), size(size) {}

  const schema::CasePack *run(const unsigned char *&chunks);

  Status error;

private:
  bool fail(uint64_t at, const std::string &message) {
    if (error.ok())
      error = invalidProgram("byte " + std::to_string(at) + ": " + message);
    return false;
  }
  /// As fail(), with the offset of an object in the description.
  bool failAt(const void *at, const std::string &message) {
    return fail(static_cast<const unsigned char *>(at) - file, message);
  }

  bool checkHeader();
  bool checkPart(const char *name, uint64_t field, uint64_t begin,
                 uint64_t offset, uint64_t partSize);
  bool checkZeros(uint64_t begin, uint64_t end);
  bool checkDescription();
  bool checkChunks();
  bool checkReference(const void *at, uint32_t index, uint32_t count,
                      const char *what);
  bool checkChunk(const void *at, uint32_t index) {
    return checkReference(at, index, numChunks, "chunk");
  }
  bool checkMatrix(const schema::CaseMatrix &matrix);
  bool checkExpected(
      const flatbuffers::Vector<flatbuffers::Offset<schema::Expected>> *list,
      bool ofModel);
  bool checkCase(const schema::Case &entry);
  bool checkCaseLibrary(const schema::CaseLibrary &library);

  const unsigned char *file;
  uint64_t size;
  ContainerHeader header = {};
  const schema::CasePack *root = nullptr;
  uint32_t numChunks = 0, numLibraries = 0;
};

/// Checks a part of the file, whose offset and size are in the header from byte
/// \p field on. It must be at the first multiple of 64 from \p begin on.
bool PackChecker::checkPart(const char *name, uint64_t field, uint64_t begin,
                            uint64_t offset, uint64_t partSize) {
  const std::string what = std::string("the ") + name;
  if (offset != alignContainerOffset(begin))
    return fail(field, what + " is said to be at byte " +
                           std::to_string(offset) + ", but expects byte " +
                           std::to_string(alignContainerOffset(begin)));
  if (offset > size || partSize > size - offset)
    return fail(size, "the file ends here, but " + what + " is said to have " +
                          std::to_string(partSize) + " bytes from byte " +
                          std::to_string(offset));
  return checkZeros(begin, offset);
}

bool PackChecker::checkZeros(uint64_t begin, uint64_t end) {
  for (uint64_t at = begin; at < end; ++at)
    if (file[at] != 0)
      return fail(at, "expects a zero between two parts");
  return true;
}

bool PackChecker::checkHeader() {
  if (!isCasePack(file, size))
    return fail(0, "this is no pack of cases");
  if (size < sizeof(header))
    return fail(size, "the file ends inside of its header");
  std::memcpy(&header, file, sizeof(header));
  if (header.version != kCasePackVersion)
    return fail(offsetof(ContainerHeader, version),
                "expects a pack of version " +
                    std::to_string(kCasePackVersion) + ", but got version " +
                    std::to_string(header.version));
  if (header.reserved != 0)
    return fail(offsetof(ContainerHeader, reserved),
                "expects zeros at the end of the header");
  if (header.weightsChecksum != 0)
    return fail(offsetof(ContainerHeader, weightsChecksum),
                "expects no checksum of all data: its chunks have their own");
  if (!checkPart("description", offsetof(ContainerHeader, programOffset),
                 sizeof(header), header.programOffset, header.programSize) ||
      !checkPart("data", offsetof(ContainerHeader, weightsOffset),
                 header.programOffset + header.programSize,
                 header.weightsOffset, header.weightsSize))
    return false;
  if (size - header.weightsOffset != header.weightsSize)
    return fail(header.weightsOffset + header.weightsSize,
                "expects the end of the file");
  return true;
}

bool PackChecker::checkDescription() {
  const unsigned char *buffer = file + header.programOffset;
  if (header.programSize < 16 ||
      header.programSize >= FLATBUFFERS_MAX_BUFFER_SIZE ||
      checksum(buffer, header.programSize) != header.programChecksum ||
      !schema::CasePackBufferHasIdentifier(buffer))
    return fail(header.programOffset, "the description is damaged");
  flatbuffers::Verifier verifier(buffer, header.programSize, kMaxDepth,
                                 kMaxTables);
  if (!schema::VerifyCasePackBuffer(verifier))
    return fail(header.programOffset,
                "the description is not a valid FlatBuffer");
  root = schema::GetCasePack(buffer);
  // The verifier checks the alignment of the length only.
  if (!root->chunks() || reinterpret_cast<uintptr_t>(root->chunks()->data()) %
                                 alignof(schema::Chunk) !=
                             0)
    return fail(header.programOffset, "the description has no chunks");
  numChunks = root->chunks()->size();
  numLibraries = root->libraries() ? root->libraries()->size() : 0;
  return true;
}

bool PackChecker::checkChunks() {
  const uint64_t begin = header.weightsOffset;
  uint64_t end = 0;
  for (const schema::Chunk *chunk : *root->chunks()) {
    const uint64_t offset = alignContainerOffset(end);
    if (chunk->offset() != offset || offset > header.weightsSize ||
        chunk->size() > header.weightsSize - offset)
      return failAt(chunk, "a chunk of " + std::to_string(chunk->size()) +
                               " bytes from byte " +
                               std::to_string(chunk->offset()) +
                               " of the data is not where the one before ends");
    if (!checkZeros(begin + end, begin + offset))
      return false;
    if (checksum(file + begin + offset, chunk->size()) != chunk->checksum())
      return fail(begin + offset,
                  "the " + std::to_string(chunk->size()) +
                      " bytes from here on are damaged: their checksum is "
                      "wrong");
    end = offset + chunk->size();
  }
  if (end != header.weightsSize)
    return fail(begin + end, "expects the end of the data");
  return true;
}

bool PackChecker::checkReference(const void *at, uint32_t index, uint32_t count,
                                 const char *what) {
  if (index < count)
    return true;
  return failAt(at, std::string("refers to ") + what + " " +
                        std::to_string(index) + ", but there are " +
                        std::to_string(count));
}

bool PackChecker::checkMatrix(const schema::CaseMatrix &matrix) {
  if (!checkChunk(&matrix, matrix.chunk()))
    return false;
  const uint64_t bytes = root->chunks()->Get(matrix.chunk())->size();
  const int64_t rows = matrix.rows(), cols = matrix.cols();
  if (rows < 0 || cols < 0 || uint64_t(rows) * uint64_t(cols) != bytes / 4 ||
      bytes % 4 != 0)
    return failAt(&matrix, "a " + std::to_string(rows) + " x " +
                               std::to_string(cols) + " matrix has " +
                               std::to_string(bytes) + " bytes");
  return true;
}

bool PackChecker::checkExpected(
    const flatbuffers::Vector<flatbuffers::Offset<schema::Expected>> *list,
    bool ofModel) {
  if (!list)
    return true;
  return std::all_of(list->begin(), list->end(), [&](const auto *expected) {
    if (!expected->component() == ofModel)
      return failAt(expected, ofModel ? "expects the name of a component"
                                      : "a matrix is of no component");
    if (!(expected->tolerance() >= 0) || !(expected->floor() >= 0))
      return failAt(expected, "expects a tolerance that is not negative");
    return checkMatrix(*expected->value());
  });
}

bool PackChecker::checkCaseLibrary(const schema::CaseLibrary &library) {
  if (!checkReference(&library, library.file(), numLibraries, "library"))
    return false;
  if (!library.prefix() == !library.left_out())
    return failAt(&library, "expects a prefix, or why there is none");
  return true;
}

bool PackChecker::checkCase(const schema::Case &entry) {
  if (!checkChunk(&entry, entry.program()) ||
      !checkChunk(&entry, entry.weights()))
    return false;
  if (entry.inputs())
    for (const schema::CaseMatrix *input : *entry.inputs())
      if (!checkMatrix(*input))
        return false;
  if (!checkExpected(entry.outputs(), /*ofModel=*/false) ||
      !checkExpected(entry.gradient(), /*ofModel=*/true) ||
      !checkExpected(entry.statistics(), /*ofModel=*/true))
    return false;
  if (entry.libraries())
    for (const schema::CaseLibrary *library : *entry.libraries())
      if (!checkCaseLibrary(*library))
        return false;
  return true;
}

const schema::CasePack *PackChecker::run(const unsigned char *&chunks) {
  if (!checkHeader() || !checkDescription() || !checkChunks())
    return nullptr;
  if (root->libraries())
    for (const schema::LibraryFile *library : *root->libraries())
      if (!checkChunk(library, library->chunk()))
        return nullptr;
  if (root->cases())
    for (const schema::Case *entry : *root->cases())
      if (!checkCase(*entry))
        return nullptr;
  chunks = file + header.weightsOffset;
  return root;
}

} // namespace

bool isCasePack(const void *data, uint64_t size) {
  return size >= sizeof(kCasePackMagic) &&
         std::memcmp(data, kCasePackMagic, sizeof(kCasePackMagic)) == 0;
}

Result<CasePack> CasePack::open(const void *data, uint64_t size) {
  PackChecker checker(static_cast<const unsigned char *>(data), size);
  CasePack pack;
  pack.root = checker.run(pack.data);
  if (!pack.root)
    return checker.error;
  return pack;
}

} // namespace rt
} // namespace nnet3
