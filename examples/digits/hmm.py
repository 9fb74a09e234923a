# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The hidden Markov model of connected digits.

A digit is a row of units, about its phones, that no other digit shares. A unit
is entered with one pdf, and has another for each further frame. Silence is a
unit that may come before, between and behind digits.
"""

import numpy as np

UNITS_OF_DIGIT = {"zero": 4, "one": 3, "two": 2, "three": 3, "four": 3,
                  "five": 3, "six": 4, "seven": 5, "eight": 2, "nine": 3}
DIGITS = list(UNITS_OF_DIGIT)
SILENCE = 0
NUM_UNITS = 1 + sum(UNITS_OF_DIGIT.values())
NUM_PDFS = 2 * NUM_UNITS

# The first unit of each digit; its others follow.
FIRST = {}
for digit in DIGITS:
    FIRST[digit] = 1 + sum(UNITS_OF_DIGIT[earlier] for earlier in FIRST)
DIGIT_OF_FIRST = {unit: digit for digit, unit in FIRST.items()}

STAY, STAY_SILENT = 0.5, 0.9
SILENCE_AFTER_DIGIT, END = 0.3, 0.1


def enter(unit):
    """The pdf of the first frame of a unit."""
    return 2 * unit


def stay(unit):
    """The pdf of its other frames."""
    return 2 * unit + 1


class Graph:
    """An acceptor: arcs (source, target, pdf, probability), and the
    probabilities with which states are final. State 0 is the start."""

    def __init__(self):
        self.arcs = []
        self.final = {}
        self.num_states = 1

    def add_unit(self, unit, stay_probability):
        """Adds the state of a unit, which has been entered."""
        state = self.num_states
        self.num_states += 1
        self.arcs.append((state, state, stay(unit), stay_probability))
        return state

    def add_digit(self, digit, stay_probability, leave):
        """Adds the states of a digit; its first and last."""
        first = FIRST[digit]
        states = [self.add_unit(first + i, stay_probability)
                  for i in range(UNITS_OF_DIGIT[digit])]
        for i in range(1, len(states)):
            self.arcs.append((states[i - 1], states[i], enter(first + i), leave))
        return states[0], states[-1]


def make_loop():
    """Any digits, one as likely as the other."""
    graph = Graph()
    silence = graph.add_unit(SILENCE, STAY_SILENT)
    ends = {digit: graph.add_digit(digit, STAY, 1 - STAY) for digit in DIGITS}

    def leave(state, probability):
        for digit, (first, _) in ends.items():
            graph.arcs.append((state, first, enter(FIRST[digit]),
                               probability / len(DIGITS)))

    graph.arcs.append((0, silence, enter(SILENCE), 0.8))
    leave(0, 0.2)
    leave(silence, (1 - STAY_SILENT) * (1 - END))
    graph.final[silence] = (1 - STAY_SILENT) * END
    for _, last in ends.values():
        leave(last, (1 - STAY) * (1 - SILENCE_AFTER_DIGIT - END))
        graph.arcs.append((last, silence, enter(SILENCE),
                           (1 - STAY) * SILENCE_AFTER_DIGIT))
        graph.final[last] = (1 - STAY) * END
    return graph


def make_transcript(digits):
    """These digits, at any times; all probabilities are 1."""
    graph = Graph()
    before = [0]
    for digit in digits + [None]:
        silence = graph.add_unit(SILENCE, 1)
        graph.arcs += [(state, silence, enter(SILENCE), 1) for state in before]
        before = before + [silence]
        if digit is None:
            break
        first, last = graph.add_digit(digit, 1, 1)
        graph.arcs += [(state, first, enter(FIRST[digit]), 1) for state in before]
        before = [last]
    graph.final = {state: 1 for state in before if state != 0}
    return graph


def find_initial(graph):
    """How probable the states are at any time: the initial probabilities of
    chain training (docs/spec/chain.md, section 3)."""
    matrix = np.zeros((graph.num_states, graph.num_states))
    for source, target, _, probability in graph.arcs:
        matrix[source, target] += probability
    total = matrix.sum(axis=1)
    for state, probability in graph.final.items():
        total[state] += probability
    matrix /= total[:, None]
    current = np.zeros(graph.num_states)
    current[0] = 1
    average = np.zeros(graph.num_states)
    for _ in range(100):
        average += current / 100
        current = current @ matrix
        current /= current.sum()
    return average


def make_normalization(graph):
    """The graph from any state to any other."""
    result = Graph()
    result.num_states = graph.num_states + 1
    initial = find_initial(graph)
    for source, target, pdf, probability in graph.arcs:
        result.arcs.append((0, target + 1, pdf, initial[source] * probability))
        result.arcs.append((source + 1, target + 1, pdf, probability))
    result.final = {state: 1 for state in range(1, result.num_states)}
    return result
