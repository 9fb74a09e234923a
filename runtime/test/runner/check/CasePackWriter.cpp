//===- CasePackWriter.cpp - Packs for tests -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CasePackWriter.h"
#include "nnet3/runtime/Container.h"
#include "runner/check/CasePack.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace nnet3 {
namespace rt {
namespace test {

PackBytes::PackBytes(const std::vector<uint8_t> &from) : length(from.size()) {
  // Memory of the very size, so that a sanitizer sees each byte beyond.
  void *memory = nullptr;
  if (posix_memalign(&memory, 64, std::max<size_t>(length, 1)) != 0)
    abort();
  bytes = static_cast<uint8_t *>(memory);
  std::copy(from.begin(), from.end(), bytes);
}

PackBytes::~PackBytes() { free(bytes); }

namespace {

class Writer {
public:
  std::vector<uint8_t> write(const std::vector<CaseData> &cases,
                             const std::vector<std::string> &backends);

private:
  template <typename T> using Offset = flatbuffers::Offset<T>;

  uint32_t chunk(const void *bytes, size_t size);
  Offset<schema::CaseMatrix> matrix(const std::string &name,
                                    const Matrix &values);
  Offset<schema::Expected> expected(const ExpectedData &data);
  std::vector<Offset<schema::Expected>>
  list(const std::vector<ExpectedData> &data);
  Offset<schema::Case> writeCase(const CaseData &data);
  std::vector<uint8_t> assemble() const;

  flatbuffers::FlatBufferBuilder builder;
  std::vector<schema::Chunk> chunks;
  std::vector<uint8_t> data;
};

uint32_t Writer::chunk(const void *bytes, size_t size) {
  data.resize(alignContainerOffset(data.size()));
  chunks.emplace_back(data.size(), size, checksum(bytes, size));
  const auto *begin = static_cast<const uint8_t *>(bytes);
  data.insert(data.end(), begin, begin + size);
  return static_cast<uint32_t>(chunks.size() - 1);
}

Writer::Offset<schema::CaseMatrix> Writer::matrix(const std::string &name,
                                                  const Matrix &values) {
  return schema::CreateCaseMatrixDirect(
      builder, name.c_str(), values.rows, values.cols,
      chunk(values.values.data(), values.values.size() * sizeof(float)));
}

Writer::Offset<schema::Expected> Writer::expected(const ExpectedData &data) {
  return schema::CreateExpectedDirect(
      builder, matrix(data.name, data.value), data.tolerance, data.byRms,
      data.floor, &data.ignored,
      data.component.empty() ? nullptr : data.component.c_str(), data.optional);
}

std::vector<Writer::Offset<schema::Expected>>
Writer::list(const std::vector<ExpectedData> &data) {
  std::vector<Offset<schema::Expected>> result;
  for (const ExpectedData &one : data)
    result.push_back(expected(one));
  return result;
}

Writer::Offset<schema::Case> Writer::writeCase(const CaseData &data) {
  const uint32_t program = chunk(data.program.data(), data.program.size());
  const uint32_t weights = chunk(data.weights.data(), data.weights.size());
  std::vector<Offset<schema::CaseMatrix>> inputs;
  for (const auto &[name, values] : data.inputs)
    inputs.push_back(matrix(name, values));
  const auto outputs = list(data.outputs), gradient = list(data.gradient);
  std::vector<Offset<schema::CaseLibrary>> libraries;
  for (size_t i = 0; i < data.leftOut.size(); ++i)
    libraries.push_back(schema::CreateCaseLibraryDirect(
        builder, uint32_t(i), nullptr, data.leftOut[i].c_str()));
  return schema::CreateCaseDirect(builder, data.name.c_str(), program, weights,
                                  &inputs, &outputs, &gradient,
                                  /*keeps_statistics=*/true,
                                  /*statistics=*/nullptr, &libraries);
}

std::vector<uint8_t> Writer::write(const std::vector<CaseData> &cases,
                                   const std::vector<std::string> &backends) {
  std::vector<Offset<schema::LibraryFile>> libraries;
  for (const std::string &backend : backends)
    libraries.push_back(schema::CreateLibraryFileDirect(
        builder, backend.c_str(), chunk(nullptr, 0)));
  std::vector<Offset<schema::Case>> entries;
  for (const CaseData &entry : cases)
    entries.push_back(writeCase(entry));
  schema::FinishCasePackBuffer(
      builder, schema::CreateCasePackDirect(builder, "test", &chunks,
                                            &libraries, &entries));
  return assemble();
}

std::vector<uint8_t> Writer::assemble() const {
  ContainerHeader header = {};
  std::memcpy(header.magic, kCasePackMagic, sizeof(header.magic));
  header.version = kCasePackVersion;
  header.programOffset = sizeof(header);
  header.programSize = builder.GetSize();
  header.weightsOffset =
      alignContainerOffset(sizeof(header) + header.programSize);
  header.weightsSize = data.size();
  std::vector<uint8_t> pack(header.weightsOffset);
  std::memcpy(pack.data(), &header, sizeof(header));
  std::memcpy(pack.data() + sizeof(header), builder.GetBufferPointer(),
              builder.GetSize());
  pack.insert(pack.end(), data.begin(), data.end());
  sealDescription(pack);
  return pack;
}

} // namespace

std::vector<uint8_t> writeCasePack(const std::vector<CaseData> &cases,
                                   const std::vector<std::string> &backends) {
  return Writer().write(cases, backends);
}

void sealDescription(std::vector<uint8_t> &pack) {
  ContainerHeader header;
  std::memcpy(&header, pack.data(), sizeof(header));
  header.programChecksum =
      checksum(pack.data() + header.programOffset, header.programSize);
  std::memcpy(pack.data(), &header, sizeof(header));
}

} // namespace test
} // namespace rt
} // namespace nnet3
