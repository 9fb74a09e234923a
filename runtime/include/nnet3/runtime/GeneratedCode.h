/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- GeneratedCode.h - Between generated code and the runtime ---*- C -*-===*\
|*
|* An ahead-of-time library is one object with generated code, linked with the
|* archive nnet3_library. This header is what the two know of each other. It is
|* no public interface: both are of the same build. A library for a GPU has its
|* code in the metadata, and a backend instead of functions.
|*
|* The object defines an nnet3lib_image, a constant, and the public functions,
|* wrappers that are listed in LibraryWrappers.def.
|*
|* Matrices are row-major float32; strides count floats. dst and src do not
|* overlap unless it is said.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NNET3_RUNTIME_GENERATEDCODE_H
#define NNET3_RUNTIME_GENERATEDCODE_H

#include "nnet3/runtime/nnet3lib.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NNET3LIB_IMAGE_VERSION 8u

/** Computes one request.
    \param arena arena_floats floats of the request, aligned to 64 bytes: the
        inputs where the metadata says, the rest undefined. Afterwards the
        outputs where it says.
    \param weights weights_size bytes, aligned to 64 bytes.
    \param tables the entries of the row tables of the metadata.
    \param context what the functions below take for a context. */
typedef void (*nnet3lib_run_fn)(float *arena, const float *weights,
                                const int32_t *tables, void *context);

/** What runs requests elsewhere than on the CPU: library/Backend.h. */
struct nnet3lib_backend;

/** That of CUDA. Only libraries for it refer to it, so others are linked
    without. */
extern const struct nnet3lib_backend nnet3lib_cuda_backend;

/** All that a library is. */
typedef struct nnet3lib_image {
  uint32_t version;     /**< NNET3LIB_IMAGE_VERSION */
  uint32_t reserved;    /**< zero */
  const void *metadata; /**< schema/library.fbs, aligned to 16 bytes */
  uint64_t metadata_size;
  /** checksum() of nnet3/runtime/Container.h, of the metadata. */
  uint64_t metadata_checksum;
  const void *weights; /**< aligned to 64 bytes; null: in a file of their own */
  uint64_t weights_size;
  /** One for each request of the metadata; null with a backend. */
  const nnet3lib_run_fn *runs;
  /** Null for the CPU. */
  const struct nnet3lib_backend *backend;
  /** What measurements on the user's machine have come to, written into the
      library's file: cuda/AlgorithmTable.h. Null for the CPU. */
  const void *tuning;
  uint64_t tuning_size;
  /** The same for CPUs without all of the instructions that this one needs;
      null: there is none. */
  const struct nnet3lib_image *alternative;
} nnet3lib_image;

/** The function behind PREFIX_model_open(). */
nnet3lib_status nnet3lib_model_open_image(uint32_t abi_version,
                                          const nnet3lib_open_options *options,
                                          nnet3lib_model **model,
                                          const nnet3lib_image *image);

/* ---- What generated code calls ------------------------------------------- */

/** Runs call number \p call of the metadata: out := component(in), or out +=
    for components that add (kPropagateAdds). Both matrices are in the arena; in
    and out may be the same for components that run in place. */
void nnet3lib_propagate(void *context, int32_t call, const float *in,
                        int64_t in_stride, float *out, int64_t out_stride);

/** Part of a kernel: its blocks of rows from \p begin to \p end - 1. The rest
   is what nnet3lib_parallel_rows() was given. */
typedef void (*nnet3lib_rows_fn)(float *arena, const float *weights,
                                 const int32_t *tables, void *context,
                                 const int64_t *places, int64_t begin,
                                 int64_t end);

/** Runs \p rows for all blocks from 0 to \p count - 1, a range of them on each
    thread of the instance; returns when all is done. */
void nnet3lib_parallel_rows(float *arena, const float *weights,
                            const int32_t *tables, void *context,
                            const int64_t *places, int64_t count,
                            nnet3lib_rows_fn rows);

/** dst := beta dst + a b^T. a is rows x inner, b is cols x inner. beta 0: dst
    may hold anything before. */
void nnet3lib_multiply(float *dst, int64_t dst_stride, int32_t rows,
                       int32_t cols, const float *a, int64_t a_stride,
                       const float *b, int64_t b_stride, int32_t inner,
                       float beta);

/** dst := value. */
void nnet3lib_fill(float *dst, int64_t dst_stride, int32_t rows, int32_t cols,
                   float value);
/** dst := alpha src; they may be the same. */
void nnet3lib_copy(float *dst, int64_t dst_stride, int32_t rows, int32_t cols,
                   const float *src, int64_t src_stride, float alpha);
/** dst += alpha src. */
void nnet3lib_add(float *dst, int64_t dst_stride, int32_t rows, int32_t cols,
                  const float *src, int64_t src_stride, float alpha);

/** Row i of dst := alpha times row table[i] of src; -1 is a row of zeros. */
void nnet3lib_copy_rows(float *dst, int64_t dst_stride, int32_t rows,
                        int32_t cols, const float *src, int64_t src_stride,
                        const int32_t *table, float alpha);
/** Row i of dst += alpha times row table[i] of src; -1 adds nothing. */
void nnet3lib_add_rows(float *dst, int64_t dst_stride, int32_t rows,
                       int32_t cols, const float *src, int64_t src_stride,
                       const int32_t *table, float alpha);
/** Row i of dst += alpha times the sum of the rows begin[i], begin[i] + step,
    ... below end[i] of src. */
void nnet3lib_add_row_ranges(float *dst, int64_t dst_stride, int32_t rows,
                             int32_t cols, const float *src, int64_t src_stride,
                             const int32_t *begin, const int32_t *end,
                             int32_t step, float alpha);

/** The same from rows anywhere: offsets count floats from \p base, -1 is no
    row. Row i of dst := alpha times the row at offsets[i], or zeros. */
void nnet3lib_gather_rows(float *dst, int64_t dst_stride, int32_t rows,
                          int32_t cols, const float *base,
                          const int64_t *offsets, float alpha);
/** Row i of dst += alpha times the row at offsets[i]. */
void nnet3lib_gather_add_rows(float *dst, int64_t dst_stride, int32_t rows,
                              int32_t cols, const float *base,
                              const int64_t *offsets, float alpha);
/** The row at offsets[i] := alpha times row i of src; distinct rows. */
void nnet3lib_scatter_rows(float *base, const int64_t *offsets, int32_t rows,
                           int32_t cols, const float *src, int64_t src_stride,
                           float alpha);
/** The row at offsets[i] += alpha times row i of src; distinct rows. */
void nnet3lib_scatter_add_rows(float *base, const int64_t *offsets,
                               int32_t rows, int32_t cols, const float *src,
                               int64_t src_stride, float alpha);

#ifdef __cplusplus
}
#endif

#endif /* NNET3_RUNTIME_GENERATEDCODE_H */
