/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- nnet3_features.h - Features of speech ------------------------------===*\
|*
|* MFCC and fbank features as Kaldi defines them, from samples as they come.
|* Plain C99, no dependencies. docs/user/Features.md shows how to use it.
|*
|* Any number of threads may use one nnet3_features at once, each with streams
|* of its own. Nothing is allocated but by nnet3_features_create() and
|* nnet3_features_open().
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

/** What a call came to. */
typedef int32_t nnet3_features_status;
enum {
  NNET3_FEATURES_OK = 0,
  /** A null pointer, a count below 0, or there is no such kind. */
  NNET3_FEATURES_INVALID_ARGUMENT = 1,
  /** An option that there is not, or a value out of its range. */
  NNET3_FEATURES_INVALID_OPTION = 2,
  NNET3_FEATURES_OUT_OF_MEMORY = 3,
  /** The stream has finished, and takes no samples until it is reset. */
  NNET3_FEATURES_FINISHED = 4
};

/** Describes a status. Never null. */
const char *nnet3_features_error_text(nnet3_features_status status);

/* ---- Which features ------------------------------------------------------ */

/** Mel-frequency cepstral coefficients, or log energies of mel filters. */
typedef int32_t nnet3_features_kind;
enum { NNET3_FEATURES_MFCC = 0, NNET3_FEATURES_FBANK = 1 };

/** Features of one kind with one set of options. */
typedef struct nnet3_features nnet3_features;

/** Makes the tables of features.

    config, of config_size bytes, is the text of a configuration file of Kaldi,
    such as conf/mfcc.conf: lines "--num-ceps=40". Options that it does not name
    have Kaldi's defaults, except that --dither is 0. May be null for none.

    If the options are wrong, message, of message_size bytes, becomes what is
    wrong, with "LINE:COLUMN: " before it where one line is. May be null. */
nnet3_features_status nnet3_features_create(nnet3_features_kind kind,
                                            const char *config,
                                            size_t config_size,
                                            nnet3_features **features,
                                            char *message, size_t message_size);

/** Frees features that have no streams any more. Accepts null. */
void nnet3_features_destroy(nnet3_features *features);

/** Numbers of a row. */
int32_t nnet3_features_dim(const nnet3_features *features);

/** Samples per second, in Hz. */
float nnet3_features_sample_frequency(const nnet3_features *features);

/** Samples from one frame to the next. */
int32_t nnet3_features_frame_shift(const nnet3_features *features);

/** Rows of num_samples samples from push to finish. */
int64_t nnet3_features_num_rows(const nnet3_features *features,
                                int64_t num_samples);

/* ---- Streams ------------------------------------------------------------- */

/** The samples of one speaker, and what of them later frames need. */
typedef struct nnet3_features_stream nnet3_features_stream;

nnet3_features_status nnet3_features_open(const nnet3_features *features,
                                          nnet3_features_stream **stream);

/** Accepts null. */
void nnet3_features_close(nnet3_features_stream *stream);

/** Takes samples in the range of 16-bit integers, -32768 to 32767, and writes
    the rows of the frames that end in them one behind the other to rows, which
    has room for max_rows. Stops where there is no more room: *num_used samples
    are used up, and *num_rows rows written. */
nnet3_features_status nnet3_features_push(nnet3_features_stream *stream,
                                          const float *samples,
                                          int64_t num_samples,
                                          int64_t *num_used, float *rows,
                                          int64_t max_rows, int64_t *num_rows);

/** Ends the samples, and writes the rows that are still missing. There are more
    of them as long as *num_rows equals max_rows: call it again. */
nnet3_features_status nnet3_features_finish(nnet3_features_stream *stream,
                                            float *rows, int64_t max_rows,
                                            int64_t *num_rows);

/** Begins again with new samples. */
nnet3_features_status nnet3_features_reset(nnet3_features_stream *stream);

#ifdef __cplusplus
}
#endif

#endif /* NNET3_RUNTIME_NNET3_FEATURES_H */
