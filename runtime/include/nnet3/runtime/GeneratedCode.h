/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- GeneratedCode.h - Between generated code and the runtime ---*- C -*-===*\
|*
|* An ahead-of-time library is one object with generated code, linked with the
|* archive nnet3_library. This header is the interface between the two. It is
|* not public: both come from the same build. A library for a GPU has its code
|* in the metadata, and a backend instead of run functions.
|*
|* The object defines an nnet3lib_image, a constant, and the public functions,
|* wrappers that are listed in LibraryWrappers.def.
|*
|* Matrices are row-major float32; strides count floats. dst and src do not
|* overlap unless stated otherwise.
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
    \param arena arena_floats floats of the request, aligned to 64 bytes. The
        metadata has the offsets of the inputs, which the caller has written,
        and of the outputs, which are there on return. The rest is undefined.
    \param weights weights_size bytes, aligned to 64 bytes.
    \param tables the entries of the row tables of the metadata.
    \param context passed to the functions below. */
typedef void (*nnet3lib_run_fn)(float *arena, const float *weights,
                                const int32_t *tables, void *context);

/** Runs requests on a device other than the CPU: library/Backend.h. */
struct nnet3lib_backend;

/** The CUDA backend. Only libraries for CUDA refer to it, so it is not linked
    into others. */
extern const struct nnet3lib_backend nnet3lib_cuda_backend;

/** The root of a library: pointers to all of its data and code. */
typedef struct nnet3lib_image {
  uint32_t version;     /**< NNET3LIB_IMAGE_VERSION */
  uint32_t reserved;    /**< zero */
  const void *metadata; /**< schema/library.fbs, aligned to 16 bytes */
  uint64_t metadata_size;
  /** checksum() (nnet3/runtime/Container.h) of the metadata. */
  uint64_t metadata_checksum;
  const void *weights; /**< aligned to 64 bytes; null: in a separate file */
  uint64_t weights_size;
  /** One function for each request of the metadata; null with a backend. */
  const nnet3lib_run_fn *runs;
  /** Null for the CPU. */
  const struct nnet3lib_backend *backend;
  /** The algorithms that tuning on the user's machine has chosen, written into
      the library's file: cuda/AlgorithmTable.h. Null for the CPU. */
  const void *tuning;
  uint64_t tuning_size;
  /** The image for CPUs that lack some of the instruction sets of this one;
      null if there is none. */
  const struct nnet3lib_image *alternative;
} nnet3lib_image;

/** Implements PREFIX_model_open(). */
nnet3lib_status nnet3lib_model_open_image(uint32_t abi_version,
                                          const nnet3lib_open_options *options,
                                          nnet3lib_model **model,
                                          const nnet3lib_image *image);

/* ---- Functions that generated code calls --------------------------------- */

/** Runs call number \p call of the metadata: out := component(in), or out +=
    for components that add (kPropagateAdds). Both matrices are in the arena; in
    and out may be the same for components that run in place. */
void nnet3lib_propagate(void *context, int32_t call, const float *in,
                        int64_t in_stride, float *out, int64_t out_stride);

/** Computes blocks of rows \p begin to \p end - 1 of a kernel. The other
   arguments are those of nnet3lib_parallel_rows(). */
typedef void (*nnet3lib_rows_fn)(float *arena, const float *weights,
                                 const int32_t *tables, void *context,
                                 const int64_t *places, int64_t begin,
                                 int64_t end);

/** Calls \p rows for blocks 0 to \p count - 1, with one range of blocks for
   each thread of the instance; returns when all blocks are computed. */
void nnet3lib_parallel_rows(float *arena, const float *weights,
                            const int32_t *tables, void *context,
                            const int64_t *places, int64_t count,
                            nnet3lib_rows_fn rows);

/** dst := beta dst + a b^T. a is rows x inner, b is cols x inner. With beta 0,
    dst is not read. */
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

/** Row i of dst := alpha times the row at offsets[i], in floats from \p base;
    -1 is a row of zeros. */
void nnet3lib_gather_rows(float *dst, int64_t dst_stride, int32_t rows,
                          int32_t cols, const float *base,
                          const int64_t *offsets, float alpha);
/** Row i of dst += alpha times the row at offsets[i]; -1 adds nothing. */
void nnet3lib_gather_add_rows(float *dst, int64_t dst_stride, int32_t rows,
                              int32_t cols, const float *base,
                              const int64_t *offsets, float alpha);
/** The row at offsets[i] := alpha times row i of src; -1 skips. The rows are
    distinct. */
void nnet3lib_scatter_rows(float *base, const int64_t *offsets, int32_t rows,
                           int32_t cols, const float *src, int64_t src_stride,
                           float alpha);
/** The row at offsets[i] += alpha times row i of src; -1 skips. The rows are
    distinct. */
void nnet3lib_scatter_add_rows(float *base, const int64_t *offsets,
                               int32_t rows, int32_t cols, const float *src,
                               int64_t src_stride, float alpha);

#ifdef __cplusplus
}
#endif

#endif /* NNET3_RUNTIME_GENERATEDCODE_H */
