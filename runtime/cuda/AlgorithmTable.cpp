//===- AlgorithmTable.cpp - Algorithms in a library's file ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/cuda/AlgorithmTable.h"
#include "nnet3/runtime/Container.h"

#include <vector>

namespace nnet3 {
namespace rt {
namespace cuda {

/// Returns the checksum of the machine and the entries.
static uint64_t getChecksum(const TableHeader &header,
                            const std::vector<TableEntry> &entries) {
  return checksum(&header.machine, sizeof(header.machine)) ^
         checksum(entries.data(), sizeof(TableEntry) * entries.size());
}

bool writeAlgorithms(const Machine &machine, const Algorithms &algorithms,
                     void *memory, size_t bytes) {
  std::vector<TableEntry> entries;
  for (const auto &[key, algo] : algorithms)
    entries.push_back({static_cast<uint32_t>(key.first), key.second, algo});
  if (bytes < sizeof(TableHeader) + sizeof(TableEntry) * entries.size())
    return false;
  TableHeader header;
  header.numEntries = static_cast<uint32_t>(entries.size());
  header.machine = machine;
  header.checksum = getChecksum(header, entries);
  auto *to = static_cast<unsigned char *>(memory);
  std::memset(to, 0, bytes);
  std::memcpy(to, &header, sizeof(header));
  if (!entries.empty())
    std::memcpy(to + sizeof(header), entries.data(),
                sizeof(TableEntry) * entries.size());
  return true;
}

Algorithms readAlgorithms(const Machine &machine, const void *memory,
                          size_t bytes) {
  TableHeader header;
  if (bytes < sizeof(header))
    return {};
  std::memcpy(&header, memory, sizeof(header));
  if (header.version != TableHeader().version ||
      header.numEntries > (bytes - sizeof(header)) / sizeof(TableEntry) ||
      std::memcmp(&header.machine, &machine, sizeof(machine)) != 0)
    return {};
  std::vector<TableEntry> entries(header.numEntries);
  if (!entries.empty())
    std::memcpy(entries.data(),
                static_cast<const unsigned char *>(memory) + sizeof(header),
                sizeof(TableEntry) * entries.size());
  if (header.checksum != getChecksum(header, entries))
    return {};
  Algorithms result;
  for (const TableEntry &entry : entries)
    result[{entry.kernel, entry.alignment}] = entry.algo;
  return result;
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
