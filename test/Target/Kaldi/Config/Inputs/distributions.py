# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tensors of a text model with a table, each line of which has a
component, a token, the number of values, their mean and their standard
deviation. Five standard errors are allowed, and as many for the fourth moment,
which tells normal numbers from others."""

import math
import re
import sys

model = open(sys.argv[1]).read()
for line in open(sys.argv[2]):
    name, token, count, mean, deviation = line.split()
    count, mean, deviation = int(count), float(mean), float(deviation)
    component = model[model.index(f"<ComponentName> {name} "):]
    tensor = re.match(r"\s*\[([^]]*)\]", component[
        component.index(f"<{token}>") + len(token) + 2:]).group(1)
    values = [float(word) for word in tensor.split()]
    got = sum(values) / len(values)
    moments = [sum((value - got) ** k for value in values) / len(values)
               for k in (2, 4)]
    wrong = (len(values) != count
             or abs(got - mean) > 5 * deviation / math.sqrt(count)
             or abs(math.sqrt(moments[0]) - deviation)
             > 5 * deviation / math.sqrt(2 * count)
             or abs(moments[1] - 3 * deviation ** 4)
             > 5 * math.sqrt(96 / count) * deviation ** 4)
    print(name, token, "WRONG" if wrong else "right", len(values), got,
          math.sqrt(moments[0]))
