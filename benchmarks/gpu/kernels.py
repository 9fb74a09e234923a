# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the kernels of a program for devices do, in numbers.

Reads what `nnet3-compile --target=cuda --emit=loops` prints. For each kernel:
how many floats it reads and writes, each element of the memory once that a loop
of it goes over, however many threads do so; or what it multiplies, and what of
that it adds to something that it reads and writes.
"""
import itertools
import math
import re

_FUNCTION = re.compile(r"^  func\.func (private )?@([\w.$\"-]+?)\((.*)$")
_CONSTANT = re.compile(r"^(%\S+) = arith\.constant (-?\d+) : index$")
_OP = re.compile(r"^(%[\w#:]+) = (arith\.\w+) (.*?) : ")
_ACCESS = re.compile(
    r"^(?:(%\S+) = )?(?:memref|vector)\.(load|store) .*?"
    r"(%\w+)\[(%\w+)\].* : memref<\d+x\w+[^>]*>(?:, vector<(\d+)x)?"
)
_PARALLEL = re.compile(
    r"scf\.parallel \((.*?)\) = \((.*?)\) to \((.*?)\) step \((.*?)\)"
)
_FOR = re.compile(r"scf\.for (%\S+) = (%\S+) to (%\S+) step (%\S+)")
_CALL = re.compile(r"^call @(\S+?)\((.*)\)")
_OF_ONE_ROW = ("gemv",)  # kernels that have such a product
_SAMPLES = 16  # of each loop around one whose bounds depend on it


class Loop:
    """One variable of a loop, from `begin` to `end`."""

    def __init__(self, begin, end, step):
        self.begin, self.end, self.step = begin, end, step
        self.name = f"({begin.name}:{end.name}:{step.name})"
        around = begin.loops | end.loops
        samples = [loop.sample() for loop in around]
        counts = [
            self._count(dict(zip(around, values)))
            for values in itertools.product(*samples)
        ]
        self.count = sum(counts) / len(counts)

    def _count(self, values):
        begin, end, step = (
            bound.evaluate(values) for bound in (self.begin, self.end, self.step)
        )
        if None in (begin, end, step):
            return 1
        return max(0, -(-(end - begin) // step))

    def sample(self):
        """Some of its values, at equal distances."""
        begin = self.begin.evaluate({}) or 0
        count = math.ceil(self.count)
        taken = sorted({count * i // _SAMPLES for i in range(_SAMPLES)})
        return [begin + i * (self.step.evaluate({}) or 1) for i in taken]


class Index:
    """A number that is computed from variables of loops."""

    def __init__(self, name, function=None, loops=(), parts=None):
        self.name, self._function = name, function
        self.loops = set(loops)
        # What the number depends on, by name: all of a variable, or a quotient
        # or remainder; of which loops it is, and how many values it has.
        self.parts = parts or {}

    def evaluate(self, values):
        return self._function(values) if self._function else None

    def count(self):
        """How many values it has at most."""
        groups = []  # of loops whose values are counted together
        for loops, number in self.parts.values():
            apart = []
            for group in groups:
                if group[0] & loops:
                    loops, number = loops | group[0], number * group[1]
                else:
                    apart.append(group)
            groups = apart + [(loops, number)]
        return math.prod(
            min(math.prod(loop.count for loop in loops), number)
            for loops, number in groups
        )


def _constant(value):
    return Index(str(value), lambda values: value)


def _variable(loop):
    parts = {**loop.begin.parts, **loop.step.parts, loop: ({loop}, loop.count)}
    # Without the loops around, a value stands for itself.
    return Index(loop.name, lambda values: values.get(loop), {loop}, parts)


_FUNCTIONS = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "divui": lambda a, b: a // b if b else None,
    "remui": lambda a, b: a % b if b else None,
    "minsi": min,
    "maxsi": max,
}


def _combine(operation, a, b):
    function = _FUNCTIONS.get(operation)

    def evaluate(values):
        x, y = a.evaluate(values), b.evaluate(values)
        if operation == "minsi" and (x is None or y is None):
            return y if x is None else x  # a border that is an argument
        return None if function is None or None in (x, y) else function(x, y)

    name = f"{operation}({a.name},{b.name})"
    result = Index(name, evaluate, a.loops | b.loops, {**a.parts, **b.parts})
    loops = set().union(*(loops for loops, _ in result.parts.values()))
    divisor, most = b.evaluate({}), None
    if operation == "cmpi":
        most = 2
    elif operation == "remui":
        most = divisor
    elif operation == "divui" and divisor and len(loops) == 1:
        most = math.ceil(result.count() / divisor)
    if most and loops:
        result.parts = {name: (loops, min(most, result.count()))}
    return result


class Kernel:
    """A function that is called: what it reads and writes, and its `flops` if it
    is a product."""

    def __init__(self, name, header):
        self.name = name
        self.kind = name.rsplit("_", 1)[0]
        form = re.search(r"#kernel\.block<.*form =\s+(\w+)", header)
        self.form = form.group(1) if form else None
        self.flops = self._added = 0
        self.multiplies_row = False  # a single one, by the weights
        self._elements = {}  # by memory and place

    def multiply(self, matmul):
        """Takes the line of a kernel.matmul."""
        factors, rows, output = re.match(
            r"kernel\.matmul\s+(\w+) .* ins\(\S+ : memref<([\dx]+)xf32"
            r".* outs\(\S+ : memref<([\dx]+)xf32",
            matmul,
        ).groups()
        _, first, second = map(int, rows.split("x"))
        halves = re.search(r" precision\s+(bf16|fp16)", matmul)
        depth = first if factors == "tn" else second * (2 if halves else 1)
        elements = math.prod(map(int, output.split("x")))
        self.flops = 2 * elements * depth
        if re.search(r" beta (?!0\.0+e\+00)", matmul):
            self._added = elements
        if form := re.search(r" form\s+(\w+)", matmul):
            self.form = form.group(1)

    def add(self, memory, index, number, is_store):
        """An access to `number` neighbouring elements."""
        key = memory, index.name, is_store
        self._elements[key] = max(
            number * index.count(), self._elements.get(key, 0)
        )

    def get_bytes(self):
        """Of a product, those of what is there already and is added to."""
        if self.flops:
            return 2 * 4 * self._added
        return 4 * sum(self._elements.values())


class Program:
    """The kernels of a module, and the calls of each of its functions."""

    def __init__(self, text):
        self.kernels, self.calls = {}, {}
        self._values, self._kernel, self._calls = {}, None, None
        for line in text.splitlines():
            self._read(line)

    def _read(self, line):
        function = _FUNCTION.match(line)
        line = line.strip()
        if function:
            return self._begin(*function.groups())
        if constant := _CONSTANT.match(line):
            self._values[constant.group(1)] = _constant(int(constant.group(2)))
        elif self._calls is not None:
            if call := _CALL.match(line):
                self._calls.append(call.group(1))
        elif self._kernel and line.startswith("kernel.matmul "):
            self._kernel.multiply(line)
        elif self._kernel:
            self._read_body(line)

    def _begin(self, private, name, header):
        self._values = {}
        self._kernel = self._calls = None
        if private:
            self._kernel = self.kernels[name] = Kernel(name, header)
            for argument in re.findall(r"(%arg\d+): index", header):
                self._values[argument] = Index(argument)
        else:
            self._calls = self.calls[name] = []

    def _get(self, name):
        return self._values.get(name.strip()) or Index(name.strip())

    def _read_body(self, line):
        if loop := _PARALLEL.search(line):
            for variable, *bounds in zip(*(x.split(",") for x in loop.groups())):
                self._add_loop(variable, bounds)
        elif loop := _FOR.search(line):
            self._add_loop(loop.group(1), loop.groups()[1:])
        elif access := _ACCESS.match(line):
            self._add_access(*access.groups())
        elif op := _OP.match(line):
            self._add_op(*op.groups())
        elif line.startswith("scf.reduce(") and self._kernel.kind in _OF_ONE_ROW:
            self._kernel.multiplies_row = True

    def _add_loop(self, variable, bounds):
        loop = Loop(*(self._get(bound) for bound in bounds))
        self._values[variable.strip()] = _variable(loop)

    def _add_access(self, result, kind, memory, index, width):
        index = self._get(index)
        if result:
            # What a table says is as different as the places in the table.
            self._values[result] = Index(
                f"{memory}[{index.name}]", None, index.loops, index.parts
            )
        if memory in ("%arg0", "%arg1"):
            self._kernel.add(memory, index, int(width or 1), kind == "store")

    def _add_op(self, result, name, operands):
        operands = [self._get(x) for x in operands.split(" overflow")[0].split(",")]
        if name == "arith.index_cast":
            self._values[result] = operands[0]
        elif len(operands) == 2:
            self._values[result] = _combine(name.split(".")[1], *operands)
        elif name == "arith.cmpi":
            self._values[result] = _combine("cmpi", *operands[1:])
        elif name == "arith.select":
            either = _combine("select", *operands[1:])
            self._values[result] = _combine("select", operands[0], either)

    def get_launches(self, function):
        """What a function launches where cuBLASLt is: its kernels in order."""
        for name in self.calls[function]:
            if name not in self.kernels:
                raise ValueError(f"there is no kernel '{name}'")
        called = [self.kernels[name] for name in self.calls[function]]
        return [k for k in called if k.form != "apart" and k.kind != "step"]
