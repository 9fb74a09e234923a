//===- GeneratedCode.cpp - Functions for generated code -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/GeneratedCode.h"
#include "LibraryInstance.h"
#include "core/Gemm.h"
#include "cpu/RowCommands.h"

using namespace nnet3::rt;

void nnet3lib_propagate(void *context, int32_t call, const float *in,
                        int64_t inStride, float *out, int64_t outStride) {
  auto &instance = *static_cast<nnet3lib_instance *>(context);
  const nnet3lib_model &model = *instance.model;
  if (call < 0 || static_cast<size_t>(call) >= model.calls.size()) {
    instance.isDamaged = true;
    return;
  }
  const LibraryCall &about = model.calls[call];
  const ConstMatrixView from(in, about.inRows, about.inCols, inStride);
  const MatrixView to(out, about.outRows, about.outCols, outStride);
  if ((about.inRows > 0 && !instance.contains(from)) ||
      !instance.contains(to)) {
    instance.isDamaged = true;
    return;
  }
  RunContext surroundings;
  surroundings.scratch = instance.scratch;
  surroundings.parameters = model.parameters[about.component].data();
  surroundings.seed = instance.seed;
  surroundings.run = instance.numRuns;
  surroundings.commandNumber = about.number;
  model.components[about.component]->propagate(about.plan.get(), from, to,
                                               /*memo=*/nullptr, surroundings);
}

namespace {
/// A kernel and its arguments.
struct RowsTask final : RangeTask {
  RowsTask(float *arena, const float *weights, const int32_t *tables,
           void *context, const int64_t *places, nnet3lib_rows_fn rows)
      : arena(arena), weights(weights), tables(tables), context(context),
        places(places), rows(rows) {}
  void run(int64_t begin, int64_t end) const override {
    rows(arena, weights, tables, context, places, begin, end);
  }

  float *arena;
  const float *weights;
  const int32_t *tables;
  void *context;
  const int64_t *places;
  nnet3lib_rows_fn rows;
};
} // namespace

void nnet3lib_parallel_rows(float *arena, const float *weights,
                            const int32_t *tables, void *context,
                            const int64_t *places, int64_t count,
                            nnet3lib_rows_fn rows) {
  const RowsTask task(arena, weights, tables, context, places, rows);
  if (ThreadPool *pool = static_cast<nnet3lib_instance *>(context)->pool)
    pool->run(task, count);
  else
    task.run(0, count);
}

void nnet3lib_multiply(float *dst, int64_t dstStride, int32_t rows,
                       int32_t cols, const float *a, int64_t aStride,
                       const float *b, int64_t bStride, int32_t inner,
                       float beta) {
  gemmNT(ConstMatrixView(a, rows, inner, aStride),
         ConstMatrixView(b, cols, inner, bStride), beta,
         MatrixView(dst, rows, cols, dstStride));
}

void nnet3lib_fill(float *dst, int64_t dstStride, int32_t rows, int32_t cols,
                   float value) {
  setConst(MatrixView(dst, rows, cols, dstStride), value);
}

void nnet3lib_copy(float *dst, int64_t dstStride, int32_t rows, int32_t cols,
                   const float *src, int64_t srcStride, float alpha) {
  copyMatrix(MatrixView(dst, rows, cols, dstStride),
             ConstMatrixView(src, rows, cols, srcStride), alpha);
}

void nnet3lib_add(float *dst, int64_t dstStride, int32_t rows, int32_t cols,
                  const float *src, int64_t srcStride, float alpha) {
  addMatrix(MatrixView(dst, rows, cols, dstStride),
            ConstMatrixView(src, rows, cols, srcStride), alpha);
}

//===----------------------------------------------------------------------===//
// Rows by tables: only the table bounds the rows of the source
//===----------------------------------------------------------------------===//

void nnet3lib_copy_rows(float *dst, int64_t dstStride, int32_t rows,
                        int32_t cols, const float *src, int64_t srcStride,
                        const int32_t *table, float alpha) {
  copyRows(MatrixView(dst, rows, cols, dstStride),
           ConstMatrixView(src, rows, cols, srcStride), table, alpha);
}

void nnet3lib_add_rows(float *dst, int64_t dstStride, int32_t rows,
                       int32_t cols, const float *src, int64_t srcStride,
                       const int32_t *table, float alpha) {
  addRows(MatrixView(dst, rows, cols, dstStride),
          ConstMatrixView(src, rows, cols, srcStride), table, alpha);
}

void nnet3lib_add_row_ranges(float *dst, int64_t dstStride, int32_t rows,
                             int32_t cols, const float *src, int64_t srcStride,
                             const int32_t *begin, const int32_t *end,
                             int32_t step, float alpha) {
  addRowRanges(MatrixView(dst, rows, cols, dstStride),
               ConstMatrixView(src, rows, cols, srcStride), begin, end, step,
               alpha);
}

void nnet3lib_gather_rows(float *dst, int64_t dstStride, int32_t rows,
                          int32_t cols, const float *base,
                          const int64_t *offsets, float alpha) {
  for (int32_t r = 0; r < rows; ++r)
    if (offsets[r] < 0)
      nnet3lib_fill(dst + r * dstStride, cols, 1, cols, 0);
    else
      nnet3lib_copy(dst + r * dstStride, cols, 1, cols, base + offsets[r], cols,
                    alpha);
}

void nnet3lib_gather_add_rows(float *dst, int64_t dstStride, int32_t rows,
                              int32_t cols, const float *base,
                              const int64_t *offsets, float alpha) {
  for (int32_t r = 0; r < rows; ++r)
    if (offsets[r] >= 0)
      nnet3lib_add(dst + r * dstStride, cols, 1, cols, base + offsets[r], cols,
                   alpha);
}

void nnet3lib_scatter_rows(float *base, const int64_t *offsets, int32_t rows,
                           int32_t cols, const float *src, int64_t srcStride,
                           float alpha) {
  for (int32_t r = 0; r < rows; ++r)
    if (offsets[r] >= 0)
      nnet3lib_copy(base + offsets[r], cols, 1, cols, src + r * srcStride, cols,
                    alpha);
}

void nnet3lib_scatter_add_rows(float *base, const int64_t *offsets,
                               int32_t rows, int32_t cols, const float *src,
                               int64_t srcStride, float alpha) {
  for (int32_t r = 0; r < rows; ++r)
    if (offsets[r] >= 0)
      nnet3lib_add(base + offsets[r], cols, 1, cols, src + r * srcStride, cols,
                   alpha);
}
