/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- nnet3_ivector.h - i-vectors of live speech -------------------------===*\
|*
|* The online i-vectors of Kaldi, from features as they come.
|* Plain C99, no dependencies. docs/user/Ivectors.md shows how to use it.
|*
|* Any number of threads may use one nnet3_ivector at once, each with streams of
|* its own. Only nnet3_ivector_create() and nnet3_ivector_open() allocate.
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

/** What a call came to. */
typedef int32_t nnet3_ivector_status;
enum {
  NNET3_IVECTOR_OK = 0,
  /** A null pointer, a count below 0, or a frame that is out of reach. */
  NNET3_IVECTOR_INVALID_ARGUMENT = 1,
  /** An unknown option, a value out of its range, or a wrong file. */
  NNET3_IVECTOR_INVALID_OPTION = 2,
  NNET3_IVECTOR_OUT_OF_MEMORY = 3,
  /** The utterance has finished; it takes no frames until the next begins. */
  NNET3_IVECTOR_FINISHED = 4,
  /** The bytes are no state of a speaker for this extractor. */
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
    more of them from a file; the strings win over files. Six options name
    files, and are required: splice-config, cmvn-config, lda-matrix,
    global-cmvn-stats, diag-ubm and ivector-extractor.

    If an option or a file is wrong, message, of message_size bytes, becomes
    what is wrong, with "FILE:LINE:COLUMN: " or "FILE:byte N: " before it where
    it is in a file. May be null. */
nnet3_ivector_status nnet3_ivector_create(const char *const *options,
                                          size_t num_options,
                                          nnet3_ivector **ivector,
                                          char *message, size_t message_size);

/** Frees an extractor that has no streams any more. Accepts null. */
void nnet3_ivector_destroy(nnet3_ivector *ivector);

/** Numbers of an i-vector. */
int32_t nnet3_ivector_dim(const nnet3_ivector *ivector);

/** Numbers of a row of features. */
int32_t nnet3_ivector_feature_dim(const nnet3_ivector *ivector);

/** Frames from one i-vector to the next, --ivector-period. */
int32_t nnet3_ivector_period(const nnet3_ivector *ivector);

/** Frames behind a frame that its i-vector needs, right-context of
    --splice-config. */
int32_t nnet3_ivector_right_context(const nnet3_ivector *ivector);

/** What the element 0 of an i-vector is expected to be; it is subtracted from
    all i-vectors that this interface writes. */
double nnet3_ivector_prior_offset(const nnet3_ivector *ivector);

/* ---- Streams ------------------------------------------------------------- */

/** The utterances of a speaker, one after the other, and what is kept of
    them. */
typedef struct nnet3_ivector_stream nnet3_ivector_stream;

nnet3_ivector_status nnet3_ivector_open(const nnet3_ivector *ivector,
                                        nnet3_ivector_stream **stream);

/** Accepts null. */
void nnet3_ivector_close(nnet3_ivector_stream *stream);

/** Takes num_rows rows of features, as they are before normalisation;
   row_stride is the distance of two rows in floats.

    Without --use-most-recent-ivector, writes one i-vector for each period, or
    with --repeat one for each frame, as soon as the frames it depends on have
    come: number i depends on the frames up to i * period, and on right_context
    frames more. Stops where ivectors, which has room for max_ivectors, is full:
    *num_used rows are used up, and *num_ivectors i-vectors written. With
    --use-most-recent-ivector or --greedy-ivector-extractor it writes none. */
nnet3_ivector_status nnet3_ivector_push(nnet3_ivector_stream *stream,
                                        const float *rows, int64_t num_rows,
                                        int64_t row_stride, int64_t *num_used,
                                        float *ivectors, int64_t max_ivectors,
                                        int64_t *num_ivectors);

/** Ends the utterance, and writes the i-vectors that are still missing. There
    are more of them as long as *num_ivectors equals max_ivectors: call it
    again. */
nnet3_ivector_status nnet3_ivector_finish(nnet3_ivector_stream *stream,
                                          float *ivectors, int64_t max_ivectors,
                                          int64_t *num_ivectors);

/** Writes the i-vector of all frames so far that have their right context, or
    of all frames of a finished utterance. For live speech, with
    --use-most-recent-ivector or --greedy-ivector-extractor; without them, the
    last i-vector that was written. */
nnet3_ivector_status nnet3_ivector_latest(nnet3_ivector_stream *stream,
                                          float *ivector);

/** Changes the weights of num_frames frames of the utterance from first_frame
    on by what changes has for each. In an utterance in which this is called,
    before its first frame comes, all weights are 0 at first; in others they
    are 1. A change counts in the first i-vector that is computed after it.
    Frames may be at most NNET3_IVECTOR_WEIGHT_REACH before or behind the latest
    one that came. */
nnet3_ivector_status nnet3_ivector_change_weights(nnet3_ivector_stream *stream,
                                                  int64_t first_frame,
                                                  const float *changes,
                                                  int64_t num_frames);
#define NNET3_IVECTOR_WEIGHT_REACH 512

/** What is known about an utterance. The caller sets struct_size. */
typedef struct nnet3_ivector_info {
  size_t struct_size;
  /** Frames that came. */
  int64_t num_frames;
  /** Frames of this and earlier utterances in the statistics, with their
      weights and scaled by --posterior-scale. */
  double count;
  /** How much the latest i-vector improves the objective, for each of count. */
  double improvement;
  /** Log-likelihood of the mixture of Gaussians, the sum over frames with a
      weight. */
  double log_likelihood;
} nnet3_ivector_info;

nnet3_ivector_status nnet3_ivector_get_info(nnet3_ivector_stream *stream,
                                            nnet3_ivector_info *info);

/** Begins the next utterance of the same speaker. Frames of the last one that
    nnet3_ivector_finish() was not called for, and whose right context is
    missing, are not part of the speaker's statistics. */
nnet3_ivector_status nnet3_ivector_next_utterance(nnet3_ivector_stream *stream);

/** Begins the first utterance of another speaker. */
nnet3_ivector_status nnet3_ivector_reset(nnet3_ivector_stream *stream);

/* ---- Speakers ------------------------------------------------------------ */

/** Bytes of a speaker's state. */
size_t nnet3_ivector_speaker_bytes(const nnet3_ivector *ivector);

/** Writes the speaker's state to nnet3_ivector_speaker_bytes() bytes, as
   Kaldi's servers store it (OnlineIvectorExtractorAdaptationState, binary).
   Called between nnet3_ivector_next_utterance() and the first frame. */
nnet3_ivector_status
nnet3_ivector_get_speaker(const nnet3_ivector_stream *stream, void *bytes,
                          size_t size);

/** Begins the next utterance of the speaker whose state this is. */
nnet3_ivector_status nnet3_ivector_set_speaker(nnet3_ivector_stream *stream,
                                               const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* NNET3_RUNTIME_NNET3_IVECTOR_H */
