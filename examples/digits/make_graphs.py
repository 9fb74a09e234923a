#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the graphs of end-to-end chain training: den.fst, normalization.fst,
and the supervision of each utterance, which all have the same length."""

import argparse
import math
import struct

import hmm


def write_vector_fst(path, graph, get_labels=lambda pdf: (pdf + 1, pdf + 1)):
    """A file of OpenFst (docs/spec/chain.md, section 1). The input and output
    labels of an arc come from its pdf."""
    arcs_of = [[] for _ in range(graph.num_states)]
    for source, target, pdf, probability in graph.arcs:
        if probability > 0:
            arcs_of[source].append((*get_labels(pdf), -math.log(probability), target))
    with open(path, "wb") as file:
        file.write(struct.pack("<i", 2125659606))
        for name in (b"vector", b"standard"):
            file.write(struct.pack("<i", len(name)) + name)
        file.write(struct.pack("<iiQqqq", 2, 0, 3, 0, graph.num_states, 0))
        for state, arcs in enumerate(arcs_of):
            final = graph.final.get(state)
            file.write(struct.pack("<fq", math.inf if final is None else -math.log(final),
                                   len(arcs)))
            for arc in sorted(arcs):
                file.write(struct.pack("<iifi", *arc))


def to_text(graph):
    """Lines of arcs, that of state 0 first, and final states."""
    lines = [f"{source}\t{target}\t{pdf + 1}\t{pdf + 1}"
             for source, target, pdf, _ in sorted(graph.arcs)]
    return "\n".join(lines + [str(state) for state in sorted(graph.final)])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("frames", type=int, help="frames of output of an utterance")
    parser.add_argument("text", help="digits of each utterance")
    parser.add_argument("folder", help="where to write")
    options = parser.parse_args()
    loop = hmm.make_loop()
    write_vector_fst(f"{options.folder}/den.fst", loop)
    write_vector_fst(f"{options.folder}/normalization.fst", hmm.make_normalization(loop))
    with open(options.text) as text, open(f"{options.folder}/supervision.ark", "w") as table:
        for line in text:
            key, *digits = line.split()
            table.write(f"{key} <Supervision> <Weight> 1 <NumSequences> 1 "
                        f"<FramesPerSeq> {options.frames} <LabelDim> {hmm.NUM_PDFS} "
                        f"<End2End> T <Fsts> \n{to_text(hmm.make_transcript(digits))}\n\n"
                        "</Fsts> </Supervision>\n")


if __name__ == "__main__":
    main()
