#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the digits in outputs of the network, and compares them with what was
said: word error rate and confusion matrix."""

import argparse
import sys

import numpy as np

import hmm


def read_table(file):
    """The matrices of a table in text."""
    for line in file:
        key = line.split()[0]
        rows = []
        for line in file:
            rows.append(np.array(line.replace("]", "").split(), np.float32))
            if "]" in line:
                break
        yield key, np.array(rows)


class Decoder:
    """Finds the best path through the loop of digits."""

    def __init__(self):
        loop = hmm.make_loop()
        arcs = sorted(loop.arcs, key=lambda arc: arc[1])
        self.source, self.target, self.pdf = (
            np.array([arc[i] for arc in arcs]) for i in range(3))
        self.score = np.log([arc[3] for arc in arcs])
        # Where the arcs to each state but the start begin.
        self.begins = np.flatnonzero(np.diff(self.target, prepend=0))
        self.final = np.full(loop.num_states, -np.inf)
        for state, probability in loop.final.items():
            self.final[state] = np.log(probability)

    def decode(self, output):
        best = np.full(len(self.final), -np.inf)
        best[0] = 0
        chosen = []
        for row in output:
            scores = best[self.source] + self.score + row[self.pdf]
            best = np.concatenate([[-np.inf], np.maximum.reduceat(scores, self.begins)])
            # The first arc to each state that has its best score.
            is_best = scores == best[self.target]
            arcs = np.flatnonzero(is_best)
            chosen.append(dict(zip(self.target[arcs][::-1], arcs[::-1])))
        state = int(np.argmax(best + self.final))
        digits = []
        for arcs in reversed(chosen):
            arc = arcs[state]
            unit, is_enter = self.pdf[arc] // 2, self.pdf[arc] % 2 == 0
            if is_enter and unit in hmm.DIGIT_OF_FIRST:
                digits.append(hmm.DIGIT_OF_FIRST[unit])
            state = int(self.source[arc])
        return digits[::-1]


def align(said, found):
    """Pairs of words with the fewest errors; None for what is missing."""
    costs = np.zeros((len(said) + 1, len(found) + 1), int)
    costs[:, 0] = np.arange(len(said) + 1)
    costs[0] = np.arange(len(found) + 1)
    for i in range(1, len(said) + 1):
        for j in range(1, len(found) + 1):
            costs[i, j] = min(costs[i - 1, j - 1] + (said[i - 1] != found[j - 1]),
                              costs[i - 1, j] + 1, costs[i, j - 1] + 1)
    pairs = []
    i, j = len(said), len(found)
    while i > 0 or j > 0:
        if i > 0 and j > 0 and costs[i, j] == (
                costs[i - 1, j - 1] + (said[i - 1] != found[j - 1])):
            i, j = i - 1, j - 1
            pairs.append((said[i], found[j]))
        elif i > 0 and costs[i, j] == costs[i - 1, j] + 1:
            i -= 1
            pairs.append((said[i], None))
        else:
            j -= 1
            pairs.append((None, found[j]))
    return pairs


def print_confusions(counts):
    names = hmm.DIGITS + ["-"]
    print("said, and found (columns; - is nothing):")
    print(" " * 6 + "".join(f"{name:>6}" for name in names))
    for row, name in zip(counts, names):
        print(f"{name:>6}" + "".join(f"{count or '.':>6}" for count in row))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--text", help="digits of each utterance; without, prints what is found")
    parser.add_argument("--max-wer", type=float, default=100, help="fails above this rate")
    parser.add_argument("outputs", nargs="?", help="table of outputs in text; - or nothing "
                        "for the standard input")
    options = parser.parse_args()
    file = open(options.outputs) if options.outputs not in (None, "-") else sys.stdin
    decoder = Decoder()
    found = {key: decoder.decode(output) for key, output in read_table(file)}
    if not options.text:
        for key, digits in found.items():
            print(key, *digits)
        return
    index = {name: i for i, name in enumerate(hmm.DIGITS + [None])}
    counts = np.zeros((len(index), len(index)), int)
    with open(options.text) as text:
        for line in text:
            key, *said = line.split()
            for pair in align(said, found[key]):
                counts[index[pair[0]], index[pair[1]]] += 1
    print_confusions(counts)
    words = counts[:-1].sum()
    errors = counts.sum() - np.trace(counts)
    rate = 100 * errors / words
    print(f"word error rate {rate:.2f}%: {errors} errors in {words} words, "
          f"{counts[:-1, -1].sum()} missing, {counts[-1].sum()} too many")
    if rate > options.max_wer:
        sys.exit(f"the word error rate is above {options.max_wer}%")


if __name__ == "__main__":
    main()
