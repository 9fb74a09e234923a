//===- Host.cpp - Interface of a WebAssembly module to its host -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module imports nothing: it contains the C and C++ libraries. This file has
// the system functions that these call, and the functions that the ES module
// calls besides the public ones (lib/Target/Library/Module).
//
//===----------------------------------------------------------------------===//

#include "nnet3/runtime/AlignedMemory.h"
#include "nnet3/runtime/nnet3lib.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" {

/// Returns the reason why the module has aborted; null if it has not.
/// Exceptions abort it.
const char *nnet3web_failure(void);

/// Allocates memory for the host, aligned to 64 bytes; null if there is none.
void *nnet3web_allocate(size_t size);
void nnet3web_free(void *memory);

/// Defined by the linker: runs static constructors.
void __wasm_call_ctors(void);
/// To be called by hosts first.
void _initialize(void);

// Called by the C library for its files, which are unused.
int __wasi_fd_close(int file);
int __wasi_fd_seek(int file, int64_t offset, int whence, uint64_t *position);
int __wasi_fd_write(int file, const void *parts, size_t count, size_t *written);

// Called by the compiler for `throw`.
void *__cxa_allocate_exception(size_t size) noexcept;
[[noreturn]] void __cxa_throw(void *exception, void *type,
                              void (*destroy)(void *));
}

// The ES module reads and writes structs by these offsets.
static_assert(sizeof(nnet3lib_open_options) == 40 &&
              offsetof(nnet3lib_open_options, message) == 12 &&
              offsetof(nnet3lib_open_options, weights_bytes) == 32);
static_assert(sizeof(nnet3lib_model_info) == 24 &&
              offsetof(nnet3lib_model_info, producer) == 12);
static_assert(sizeof(nnet3lib_request_info) == 32 &&
              offsetof(nnet3lib_request_info, name) == 16);
static_assert(sizeof(nnet3lib_matrix_info) == 32 &&
              offsetof(nnet3lib_matrix_info, name) == 16);
static_assert(sizeof(nnet3lib_input) == 24 && sizeof(nnet3lib_output) == 24 &&
              offsetof(nnet3lib_input, rows) == 16);
static_assert(sizeof(nnet3lib_stream_info) == 64 &&
              offsetof(nnet3lib_stream_info, state_bytes) == 48);
static_assert(sizeof(nnet3lib_chunk_info) == 32);

static const char *failure = nullptr;

[[noreturn]] static void fail(const char *text) {
  failure = text;
  __builtin_trap();
}

const char *nnet3web_failure(void) { return failure; }

void *nnet3web_allocate(size_t size) {
  return nnet3::rt::allocateAligned(size);
}

void nnet3web_free(void *memory) { std::free(memory); }

void _initialize(void) { __wasm_call_ctors(); }

/// WASI's number for a file that is not open.
static constexpr int kBadFile = 8;

int __wasi_fd_close(int) { return kBadFile; }

int __wasi_fd_seek(int, int64_t, int, uint64_t *) { return kBadFile; }

int __wasi_fd_write(int, const void *, size_t, size_t *) { return kBadFile; }

void *__cxa_allocate_exception(size_t) noexcept { fail("out of memory"); }

void __cxa_throw(void *, void *, void (*)(void *)) { fail("out of memory"); }

/// Called when the C++ library fails, which happens when memory is exhausted.
_LIBCPP_BEGIN_NAMESPACE_STD
void __libcpp_verbose_abort(const char *, ...) noexcept {
  fail("out of memory");
}
_LIBCPP_END_NAMESPACE_STD
