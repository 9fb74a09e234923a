/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- demo_code.c - A library as nnet3-compile makes them ----------------===*\
|*
|* The generated part of a library: code for each request, the image, and the
|* public functions. test/support/DemoNetwork.h describes the network.
|*
\*===----------------------------------------------------------------------===*/

#include "demo_code.h"
#include "demo.h"

#include "demo_image.inc"

/* ---- Code ---------------------------------------------------------------- */

/** out := 1 b^T + in W^T, from 4 columns to 5, for rows begin to end - 1. The
    places are the offsets of in and out, and the stride of out. */
static void affine_rows(float *arena, const float *weights,
                        const int32_t *tables, void *context,
                        const int64_t *places, int64_t begin, int64_t end) {
  const float *bias = weights + 32;
  int64_t r;
  int c, i;
  (void)tables;
  (void)context;
  for (r = begin; r < end; ++r) {
    const float *in = arena + places[0] + 4 * r;
    float *out = arena + places[1] + places[2] * r;
    for (c = 0; c < 5; ++c) {
      float sum = bias[c];
      for (i = 0; i < 4; ++i)
        sum += weights[4 * c + i] * in[i];
      out[c] = sum;
    }
  }
}

/** Threads share the rows, which is useful for more rows than these. */
static void affine(float *arena, const float *weights, const int32_t *tables,
                   void *context, int rows, int64_t stride) {
  int64_t places[3] = {0, 16, 0};
  places[2] = stride;
  nnet3lib_parallel_rows(arena, weights, tables, context, places, rows,
                         affine_rows);
}

static void run_chunk(float *arena, const float *weights, const int32_t *tables,
                      void *context) {
  affine(arena, weights, tables, context, 3, 8);
  nnet3lib_propagate(context, 0, arena + 16, 8, arena + 16, 8);
  nnet3lib_propagate(context, 1, arena + 16, 8, arena + 40, 5);
  nnet3lib_propagate(context, 2, arena + 40, 5, arena + 64, 2);
}

static void run_single(float *arena, const float *weights,
                       const int32_t *tables, void *context) {
  affine(arena, weights, tables, context, 1, 5);
  nnet3lib_propagate(context, 3, arena + 16, 5, arena + 16, 5);
}

/* ---- The image ----------------------------------------------------------- */

static const nnet3lib_run_fn runs[] = {run_chunk, run_single};

const nnet3lib_image demo_image = {NNET3LIB_IMAGE_VERSION,
                                   0,
                                   demo_metadata,
                                   sizeof(demo_metadata),
                                   demo_metadata_checksum,
                                   demo_weights,
                                   sizeof(demo_weights),
                                   runs,
                                   0,
                                   0,
                                   0,
                                   0};

/* ---- The public functions ------------------------------------------------
   The structs of both prefixes differ in their names only. */

#define EXPORT __attribute__((visibility("default")))

EXPORT uint32_t demo_abi_version(void) { return nnet3lib_abi_version(); }

EXPORT const char *demo_error_text(demo_status status) {
  return nnet3lib_error_text(status);
}

EXPORT demo_status demo_model_open(uint32_t abi_version,
                                   const demo_open_options *options,
                                   demo_model **model) {
  return nnet3lib_model_open_image(abi_version,
                                   (const nnet3lib_open_options *)options,
                                   (nnet3lib_model **)model, &demo_image);
}

EXPORT void demo_model_close(demo_model *model) {
  nnet3lib_model_close((nnet3lib_model *)model);
}

EXPORT demo_status demo_get_model_info(const demo_model *model,
                                       demo_model_info *info) {
  return nnet3lib_get_model_info((const nnet3lib_model *)model,
                                 (nnet3lib_model_info *)info);
}

EXPORT demo_status demo_get_tuning_info(const demo_model *model,
                                        demo_tuning_info *info) {
  return nnet3lib_get_tuning_info((const nnet3lib_model *)model,
                                  (nnet3lib_tuning_info *)info);
}

EXPORT demo_status demo_tune(const demo_model *model,
                             const demo_instance_options *options, void *memory,
                             uint64_t size) {
  return nnet3lib_tune((const nnet3lib_model *)model,
                       (const nnet3lib_instance_options *)options, memory,
                       size);
}

EXPORT demo_status demo_get_precision(const demo_model *model,
                                      const char **precision) {
  return nnet3lib_get_precision((const nnet3lib_model *)model, precision);
}

EXPORT demo_status demo_get_layers(const demo_model *model,
                                   const char **layers) {
  return nnet3lib_get_layers((const nnet3lib_model *)model, layers);
}

EXPORT demo_status demo_get_target(const demo_model *model,
                                   const char **target) {
  return nnet3lib_get_target((const nnet3lib_model *)model, target);
}

EXPORT demo_status demo_get_request_info(const demo_model *model,
                                         int32_t request,
                                         demo_request_info *info) {
  return nnet3lib_get_request_info((const nnet3lib_model *)model, request,
                                   (nnet3lib_request_info *)info);
}

EXPORT demo_status demo_find_request(const demo_model *model, const char *name,
                                     int32_t *request) {
  return nnet3lib_find_request((const nnet3lib_model *)model, name, request);
}

EXPORT demo_status demo_get_input_info(const demo_model *model, int32_t request,
                                       int32_t index, demo_matrix_info *info) {
  return nnet3lib_get_input_info((const nnet3lib_model *)model, request, index,
                                 (nnet3lib_matrix_info *)info);
}

EXPORT demo_status demo_get_output_info(const demo_model *model,
                                        int32_t request, int32_t index,
                                        demo_matrix_info *info) {
  return nnet3lib_get_output_info((const nnet3lib_model *)model, request, index,
                                  (nnet3lib_matrix_info *)info);
}

EXPORT demo_status demo_instance_create(const demo_model *model,
                                        int32_t request,
                                        demo_instance **instance) {
  return nnet3lib_instance_create((const nnet3lib_model *)model, request,
                                  (nnet3lib_instance **)instance);
}

EXPORT demo_status demo_instance_create_with(
    const demo_model *model, int32_t request,
    const demo_instance_options *options, demo_instance **instance) {
  return nnet3lib_instance_create_with(
      (const nnet3lib_model *)model, request,
      (const nnet3lib_instance_options *)options,
      (nnet3lib_instance **)instance);
}

EXPORT demo_status demo_instance_create_in(const demo_model *model,
                                           int32_t request, void *memory,
                                           uint64_t size,
                                           demo_instance **instance) {
  return nnet3lib_instance_create_in((const nnet3lib_model *)model, request,
                                     memory, size,
                                     (nnet3lib_instance **)instance);
}

EXPORT void demo_instance_destroy(demo_instance *instance) {
  nnet3lib_instance_destroy((nnet3lib_instance *)instance);
}

EXPORT demo_status demo_instance_run(demo_instance *instance,
                                     const demo_input *inputs,
                                     int32_t num_inputs,
                                     const demo_output *outputs,
                                     int32_t num_outputs) {
  return nnet3lib_instance_run((nnet3lib_instance *)instance,
                               (const nnet3lib_input *)inputs, num_inputs,
                               (const nnet3lib_output *)outputs, num_outputs);
}

EXPORT demo_status demo_instance_submit(demo_instance *instance,
                                        const demo_input *inputs,
                                        int32_t num_inputs) {
  return nnet3lib_instance_submit((nnet3lib_instance *)instance,
                                  (const nnet3lib_input *)inputs, num_inputs);
}

EXPORT demo_status demo_instance_submit_on_device(demo_instance *instance,
                                                  const demo_input *inputs,
                                                  int32_t num_inputs,
                                                  const demo_output *outputs,
                                                  int32_t num_outputs) {
  return nnet3lib_instance_submit_on_device(
      (nnet3lib_instance *)instance, (const nnet3lib_input *)inputs, num_inputs,
      (const nnet3lib_output *)outputs, num_outputs);
}

EXPORT demo_status demo_instance_wait(demo_instance *instance,
                                      const demo_output *outputs,
                                      int32_t num_outputs) {
  return nnet3lib_instance_wait((nnet3lib_instance *)instance,
                                (const nnet3lib_output *)outputs, num_outputs);
}

EXPORT demo_status demo_instance_get_output(const demo_instance *instance,
                                            int32_t index, const float **data,
                                            int64_t *stride) {
  return nnet3lib_instance_get_output((const nnet3lib_instance *)instance,
                                      index, data, stride);
}

EXPORT demo_status demo_get_stream_info(const demo_model *model,
                                        demo_stream_info *info) {
  return nnet3lib_get_stream_info((const nnet3lib_model *)model,
                                  (nnet3lib_stream_info *)info);
}

EXPORT demo_status demo_get_chunk_info(const demo_model *model, int32_t chunk,
                                       demo_chunk_info *info) {
  return nnet3lib_get_chunk_info((const nnet3lib_model *)model, chunk,
                                 (nnet3lib_chunk_info *)info);
}

EXPORT demo_status demo_state_init(const demo_model *model, void *state,
                                   uint64_t size) {
  return nnet3lib_state_init((const nnet3lib_model *)model, state, size);
}

EXPORT demo_status demo_state_seal(const demo_model *model, void *state) {
  return nnet3lib_state_seal((const nnet3lib_model *)model, state);
}

EXPORT demo_status demo_state_check(const demo_model *model, const void *state,
                                    uint64_t size) {
  return nnet3lib_state_check((const nnet3lib_model *)model, state, size);
}

EXPORT demo_status demo_stepper_create(const demo_model *model,
                                       const demo_instance_options *options,
                                       demo_stepper **stepper) {
  return nnet3lib_stepper_create((const nnet3lib_model *)model,
                                 (const nnet3lib_instance_options *)options,
                                 (nnet3lib_stepper **)stepper);
}

EXPORT void demo_stepper_destroy(demo_stepper *stepper) {
  nnet3lib_stepper_destroy((nnet3lib_stepper *)stepper);
}

EXPORT demo_status demo_stepper_step(demo_stepper *stepper, void *state,
                                     int32_t num_frames,
                                     const demo_input *inputs,
                                     int32_t num_inputs,
                                     const demo_output *output) {
  return nnet3lib_stepper_step((nnet3lib_stepper *)stepper, state, num_frames,
                               (const nnet3lib_input *)inputs, num_inputs,
                               (const nnet3lib_output *)output);
}

EXPORT demo_status demo_stepper_step_batch(demo_stepper *stepper,
                                           int32_t num_frames, demo_step *steps,
                                           int32_t num_steps) {
  return nnet3lib_stepper_step_batch((nnet3lib_stepper *)stepper, num_frames,
                                     (nnet3lib_step *)steps, num_steps);
}
