#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what nnet3-recognize takes beside the acoustic model: the features, the
decoding graph and the words, and for nnet3-am-init a tree and a topology, in
which each unit is a phone."""

import argparse
import os
import shutil

import hmm
import make_graphs

TOPOLOGY = """<Topology>
<TopologyEntry>
<ForPhones> {phones} </ForPhones>
<State> 0 <ForwardPdfClass> 0 <SelfLoopPdfClass> 1 <Transition> 0 0.5 <Transition> 1 0.5 </State>
<State> 1 </State>
</TopologyEntry>
</Topology>
"""


def write_tree(path):
    """The pdf of each pdf-class of each phone, which is a unit's number + 1."""
    phones = " ".join(f"TE -1 2 ( CE {hmm.enter(unit)} CE {hmm.stay(unit)} )"
                      for unit in range(hmm.NUM_UNITS))
    with open(path, "w") as file:
        file.write(f"ContextDependency 1 0 ToPdf TE 0 {hmm.NUM_UNITS + 1} "
                   f"( NULL {phones} ) EndContextDependency\n")


def get_transition(pdf):
    """The transition-id: those of a phone are its self-loop, and the one that
    leaves it, which here stands for its first frame."""
    unit, is_stay = divmod(pdf, 2)
    return 2 * unit + (1 if is_stay else 2)


def get_word(pdf):
    """The word that begins with a pdf, 0 for none."""
    digit = hmm.DIGIT_OF_FIRST.get(pdf // 2)
    return hmm.DIGITS.index(digit) + 1 if digit and pdf % 2 == 0 else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("example", help="the folder with the features' options")
    parser.add_argument("folder", help="where to write")
    options = parser.parse_args()
    for part in ("am", "conf", "graph"):
        os.makedirs(f"{options.folder}/{part}", exist_ok=True)
    write_tree(f"{options.folder}/am/tree")
    with open(f"{options.folder}/am/topology", "w") as file:
        file.write(TOPOLOGY.format(phones=" ".join(map(str, range(1, hmm.NUM_UNITS + 1)))))
    shutil.copy(f"{options.example}/mfcc.conf", f"{options.folder}/conf/mfcc.conf")
    with open(f"{options.folder}/conf/model.conf", "w") as file:
        file.write("--acoustic-scale=1\n--frame-subsampling-factor=3\n--beam=16\n")
    make_graphs.write_vector_fst(f"{options.folder}/graph/HCLG.fst", hmm.make_loop(),
                                 lambda pdf: (get_transition(pdf), get_word(pdf)))
    with open(f"{options.folder}/graph/words.txt", "w") as file:
        file.write("<eps> 0\n" + "".join(f"{digit} {number}\n" for number, digit
                                         in enumerate(hmm.DIGITS, start=1)))


if __name__ == "__main__":
    main()
