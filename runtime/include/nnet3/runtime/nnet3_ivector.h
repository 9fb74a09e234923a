/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- nnet3_ivector.h - i-vectors of live speech -------------------------===*\
|*
|* Streaming extraction of Kaldi's online i-vectors.
|* Plain C99, no dependencies. docs/user/Ivectors.md shows how to use it.
|*
|* Any number of threads may use one nnet3_ivector at once, each with its own
|* streams. Only nnet3_ivector_create() and nnet3_ivector_open() allocate.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NNET3_RUNTIME_NNET3_IVECTOR_H
#define NNET3_RUNTIME_NNET3_IVECTOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NNET3_IVECTOR_ABI_VERSION 1u

/** Version of the library's binary interface. */
uint32_t nnet3_ivector_abi_version(void);

/** The result of a call. */
typedef int32_t nnet3_ivector_status;
enum {
  NNET3_IVECTOR_OK = 0,
  /** A null pointer, a negative count, or a frame outside of
      NNET3_IVECTOR_WEIGHT_REACH. */
  NNET3_IVECTOR_INVALID_ARGUMENT = 1,
  /** An unknown option, a value out of its range, or a wrong file. */
  NNET3_IVECTOR_INVALID_OPTION = 2,
  NNET3_IVECTOR_OUT_OF_MEMORY = 3,
  /** The utterance has finished; frames are accepted in the next one only. */
  NNET3_IVECTOR_FINISHED = 4,
  /** The bytes are not a speaker's state of this extractor. */
  NNET3_IVECTOR_WRONG_STATE = 5
};

/** Describes a status. Never null. */
const char *nnet3_ivector_error_text(nnet3_ivector_status status);

/* ---- Extractors ---------------------------------------------------------- */

/** The files of an extractor, with one set of options. */
typedef struct nnet3_ivector nnet3_ivector;

/** Reads the files of an extractor.

    options are num_options strings such as "--ivector-period=10", the options
    of Kaldi's ivector-extract-online2, with its defaults. "--config=FILE" reads
    options from a file; the strings override files. Six options name files and
    are required: splice-config, cmvn-config, lda-matrix, global-cmvn-stats,
    diag-ubm and ivector-extractor.

    If an option or a file is wrong, message, of message_size bytes, receives
   the error message, prefixed with "FILE:LINE:COLUMN: " or "FILE:byte N: " if
   the error is in a file. message may be null. */
nnet3_ivector_status nnet3_ivector_create(const char *const *options,
                                          size_t num_options,
                                          nnet3_ivector **ivector,
                                          char *message, size_t message_size);

/** Frees an extractor, whose streams must have been closed. Accepts null. */
void nnet3_ivector_destroy(nnet3_ivector *ivector);

/** Dimension of an i-vector. */
int32_t nnet3_ivector_dim(const nnet3_ivector *ivector);

/** Dimension of a feature row. */
int32_t nnet3_ivector_feature_dim(const nnet3_ivector *ivector);

/** Frames between consecutive i-vectors, --ivector-period. */
int32_t nnet3_ivector_period(const nnet3_ivector *ivector);

/** Number of frames after a frame that its i-vector depends on, right-context
   of
    --splice-config. */
int32_t nnet3_ivector_right_context(const nnet3_ivector *ivector);

/** The prior mean of element 0 of an i-vector; it is subtracted from all
    i-vectors that this interface writes. */
double nnet3_ivector_prior_offset(const nnet3_ivector *ivector);

/* ---- Streams ------------------------------------------------------------- */

/** Consecutive utterances of a speaker, and their statistics. */
typedef struct nnet3_ivector_stream nnet3_ivector_stream;

nnet3_ivector_status nnet3_ivector_open(const nnet3_ivector *ivector,
                                        nnet3_ivector_stream **stream);

/** Accepts null. */
void nnet3_ivector_close(nnet3_ivector_stream *stream);

/** Adds num_rows rows of features without CMVN; row_stride is the distance of
    two rows in floats.

    Without --use-most-recent-ivector, writes one i-vector per period, or with
    --repeat one per frame, as soon as the frames it depends on are there:
    i-vector i depends on the frames up to i * period + right_context. Stops
   when ivectors, which has space for max_ivectors, is full. *num_used receives
   the number of consumed rows, *num_ivectors the number of written i-vectors.
   With
    --use-most-recent-ivector or --greedy-ivector-extractor it writes none. */
nnet3_ivector_status nnet3_ivector_push(nnet3_ivector_stream *stream,
                                        const float *rows, int64_t num_rows,
                                        int64_t row_stride, int64_t *num_used,
                                        float *ivectors, int64_t max_ivectors,
                                        int64_t *num_ivectors);

/** Ends the utterance, and writes the remaining i-vectors. If *num_ivectors
    equals max_ivectors there may be more: call it again. */
nnet3_ivector_status nnet3_ivector_finish(nnet3_ivector_stream *stream,
                                          float *ivectors, int64_t max_ivectors,
                                          int64_t *num_ivectors);

/** Writes the i-vector of all frames so far whose right context is there, or of
    all frames of a finished utterance. For live speech, with
    --use-most-recent-ivector or --greedy-ivector-extractor; without these
    options, repeats the last i-vector that was written. */
nnet3_ivector_status nnet3_ivector_latest(nnet3_ivector_stream *stream,
                                          float *ivector);

/** Adds changes[i] to the weight of frame first_frame + i of the utterance, for
    num_frames frames. If this is called before the first frame of an utterance,
    the initial weights of that utterance are 0, otherwise 1. A change has
   effect from the next computed i-vector on. Frames may be at most
    NNET3_IVECTOR_WEIGHT_REACH before or after the latest frame. */
nnet3_ivector_status nnet3_ivector_change_weights(nnet3_ivector_stream *stream,
                                                  int64_t first_frame,
                                                  const float *changes,
                                                  int64_t num_frames);
#define NNET3_IVECTOR_WEIGHT_REACH 512

/** Information about an utterance. The caller sets struct_size. */
typedef struct nnet3_ivector_info {
  size_t struct_size;
  /** Number of frames so far. */
  int64_t num_frames;
  /** Total weight of the frames of this and earlier utterances in the
      statistics, scaled by --posterior-scale. */
  double count;
  /** Improvement of the objective by the latest i-vector, per unit of count. */
  double improvement;
  /** Log-likelihood of the UBM, the weighted sum over frames. */
  double log_likelihood;
} nnet3_ivector_info;

nnet3_ivector_status nnet3_ivector_get_info(nnet3_ivector_stream *stream,
                                            nnet3_ivector_info *info);

/** Starts the next utterance of the same speaker. If nnet3_ivector_finish() was
    not called for the last one, its frames whose right context is missing are
    not part of the speaker's statistics. */
nnet3_ivector_status nnet3_ivector_next_utterance(nnet3_ivector_stream *stream);

/** Starts the first utterance of another speaker. */
nnet3_ivector_status nnet3_ivector_reset(nnet3_ivector_stream *stream);

/* ---- Speakers ------------------------------------------------------------ */

/** Bytes of a speaker's state. */
size_t nnet3_ivector_speaker_bytes(const nnet3_ivector *ivector);

/** Writes the speaker's state to nnet3_ivector_speaker_bytes() bytes, in the
    binary format of Kaldi (OnlineIvectorExtractorAdaptationState). To be called
    between nnet3_ivector_next_utterance() and the first frame. */
nnet3_ivector_status
nnet3_ivector_get_speaker(const nnet3_ivector_stream *stream, void *bytes,
                          size_t size);

/** Restores a speaker's state, and starts the speaker's next utterance. */
nnet3_ivector_status nnet3_ivector_set_speaker(nnet3_ivector_stream *stream,
                                               const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* NNET3_RUNTIME_NNET3_IVECTOR_H */
