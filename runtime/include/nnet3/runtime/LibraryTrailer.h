//===- LibraryTrailer.h - The checksum of a library's file ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nnet3-compile appends a trailer to each shared library that it links. The
// dynamic linker and the library's constructors trust every byte of the file,
// so a program that takes files from users checks the trailer before dlopen().
// Header-only: the compiler writes what the runtime reads.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_LIBRARYTRAILER_H
#define NNET3_RUNTIME_LIBRARYTRAILER_H

#include "nnet3/runtime/Container.h"

namespace nnet3 {
namespace rt {

/// Last 32 bytes of a library's file, little-endian, after the ELF file.
struct LibraryTrailer {
  char magic[8]; ///< "N3LIBEND"
  uint32_t version;
  uint32_t reserved; ///< zero
  uint64_t size;     ///< bytes before the trailer
  uint64_t checksum; ///< checksum() of these bytes
};
static_assert(sizeof(LibraryTrailer) == 32, "the trailer is 32 bytes");

constexpr char kLibraryTrailerMagic[8] = {'N', '3', 'L', 'I',
                                          'B', 'E', 'N', 'D'};
constexpr uint32_t kLibraryTrailerVersion = 1;

/// Makes the trailer of the ELF file of \p size bytes at \p data.
inline LibraryTrailer makeLibraryTrailer(const void *data, uint64_t size) {
  LibraryTrailer trailer = {};
  std::memcpy(trailer.magic, kLibraryTrailerMagic, sizeof(trailer.magic));
  trailer.version = kLibraryTrailerVersion;
  trailer.size = size;
  trailer.checksum = checksum(data, size);
  return trailer;
}

/// Whether the file of \p size bytes at \p data ends in a trailer, valid or
/// not.
inline bool hasLibraryTrailer(const void *data, uint64_t size) {
  return size >= sizeof(LibraryTrailer) &&
         std::memcmp(static_cast<const char *>(data) + size -
                         sizeof(LibraryTrailer),
                     kLibraryTrailerMagic, sizeof(kLibraryTrailerMagic)) == 0;
}

/// Compares the trailer of the file of \p size bytes at \p data with its
/// content. Returns an error message, or null for a whole library.
inline const char *checkLibraryTrailer(const void *data, uint64_t size) {
  if (!hasLibraryTrailer(data, size))
    return "expects a shared library with the checksum that nnet3-compile "
           "appends, but the file has none: it is another file, it is cut off, "
           "or a program such as strip has rewritten it";
  const uint64_t elfSize = size - sizeof(LibraryTrailer);
  const LibraryTrailer expected = makeLibraryTrailer(data, elfSize);
  if (std::memcmp(static_cast<const char *>(data) + elfSize, &expected,
                  sizeof(expected)) != 0)
    return "the library is damaged: its checksum is wrong";
  return nullptr;
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARYTRAILER_H
