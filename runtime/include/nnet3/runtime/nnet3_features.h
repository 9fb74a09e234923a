/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- nnet3_features.h - Features of speech ------------------------------===*\
|*
|* Streaming computation of MFCC and fbank features as Kaldi defines them.
|* Plain C99, no dependencies. docs/user/Features.md shows how to use it.
|*
|* Any number of threads may use one nnet3_features at once, each with its own
|* streams. Only nnet3_features_create() and nnet3_features_open() allocate.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NNET3_RUNTIME_NNET3_FEATURES_H
#define NNET3_RUNTIME_NNET3_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NNET3_FEATURES_ABI_VERSION 1u

/** Version of the library's binary interface. */
uint32_t nnet3_features_abi_version(void);

/** The result of a call. */
typedef int32_t nnet3_features_status;
enum {
  NNET3_FEATURES_OK = 0,
  /** A null pointer, a negative count, or an unknown kind. */
  NNET3_FEATURES_INVALID_ARGUMENT = 1,
  /** An unknown option, or a value out of its range. */
  NNET3_FEATURES_INVALID_OPTION = 2,
  NNET3_FEATURES_OUT_OF_MEMORY = 3,
  /** The stream has finished, and accepts no samples until it is reset. */
  NNET3_FEATURES_FINISHED = 4
};

/** Describes a status. Never null. */
const char *nnet3_features_error_text(nnet3_features_status status);

/* ---- Features ------------------------------------------------------------ */

/** Mel-frequency cepstral coefficients, or log energies of mel filters. */
typedef int32_t nnet3_features_kind;
enum { NNET3_FEATURES_MFCC = 0, NNET3_FEATURES_FBANK = 1 };

/** Features of one kind with one set of options. */
typedef struct nnet3_features nnet3_features;

/** Creates features and computes their tables.

    config, of config_size bytes, is the text of a configuration file of Kaldi,
    such as conf/mfcc.conf: lines "--num-ceps=40". Other options have Kaldi's
    defaults, except that --dither is 0. config may be null.

    If the options are wrong, message, of message_size bytes, receives the error
    message, prefixed with "LINE:COLUMN: " if the error is in a line of config.
    message may be null. */
nnet3_features_status nnet3_features_create(nnet3_features_kind kind,
                                            const char *config,
                                            size_t config_size,
                                            nnet3_features **features,
                                            char *message, size_t message_size);

/** Frees features, whose streams must have been closed. Accepts null. */
void nnet3_features_destroy(nnet3_features *features);

/** Number of columns of a feature row. */
int32_t nnet3_features_dim(const nnet3_features *features);

/** Samples per second, in Hz. */
float nnet3_features_sample_frequency(const nnet3_features *features);

/** Samples between the starts of consecutive frames. */
int32_t nnet3_features_frame_shift(const nnet3_features *features);

/** Number of rows that a stream of num_samples samples has in total. */
int64_t nnet3_features_num_rows(const nnet3_features *features,
                                int64_t num_samples);

/* ---- Streams ------------------------------------------------------------- */

/** The state of one stream of samples. */
typedef struct nnet3_features_stream nnet3_features_stream;

nnet3_features_status nnet3_features_open(const nnet3_features *features,
                                          nnet3_features_stream **stream);

/** Accepts null. */
void nnet3_features_close(nnet3_features_stream *stream);

/** Adds samples in the range of 16-bit integers, -32768 to 32767, and writes
   the rows of the frames that they complete contiguously to rows, which has
   space for max_rows. Stops when rows is full. *num_used receives the number of
    consumed samples, *num_rows the number of written rows. */
nnet3_features_status nnet3_features_push(nnet3_features_stream *stream,
                                          const float *samples,
                                          int64_t num_samples,
                                          int64_t *num_used, float *rows,
                                          int64_t max_rows, int64_t *num_rows);

/** Ends the stream, and writes the remaining rows. If *num_rows equals max_rows
    there may be more: call it again. */
nnet3_features_status nnet3_features_finish(nnet3_features_stream *stream,
                                            float *rows, int64_t max_rows,
                                            int64_t *num_rows);

/** Starts a new stream of samples. */
nnet3_features_status nnet3_features_reset(nnet3_features_stream *stream);

#ifdef __cplusplus
}
#endif

#endif /* NNET3_RUNTIME_NNET3_FEATURES_H */
