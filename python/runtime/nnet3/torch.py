# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks in PyTorch models. Needs the package torch."""

from __future__ import annotations

import itertools

import torch

from nnet3._runtime import Error, Program, ProgramInstance


class Network(torch.nn.Module):
    """A program as a differentiable function of its inputs.

    It computes on the CPU in float32 with the interpreter. Parameters are
    constants of the program. Gradients reach the inputs whose derivatives the
    program computes: `has-deriv=true` in its request, at inputs and outputs.

    Args:
        program: a `nnet3.Program`.
        seed: seed of random components. Each call draws different numbers.
    """

    def __init__(self, program: Program, seed: int = 0) -> None:
        super().__init__()
        self._program = program
        self._seeds = itertools.count(seed)
        inputs, outputs = program.inputs(), program.outputs()
        self._inputs = [m.name for m in inputs if not m.is_derivative]
        self._outputs = [m.name for m in outputs if not m.is_derivative]
        self._output_derivatives = {m.name for m in inputs if m.is_derivative}
        self._input_derivatives = {m.name for m in outputs if m.is_derivative}

    def forward(self, **inputs: torch.Tensor) -> torch.Tensor | dict[str, torch.Tensor]:
        """Computes the outputs.

        Args:
            **inputs: a tensor for each input, rows x columns.

        Returns:
            A float32 tensor, rows x columns; a dict of tensors if the program has
            several outputs.

        Raises:
            nnet3.Error: an input is missing or unknown, not a tensor, has the wrong
                rows or columns, or is not on the CPU; or it requires a gradient
                that the program does not compute.
        """
        for name in self._inputs:
            if name not in inputs:
                raise Error(f"expects a tensor for input '{name}'")
        for name, tensor in inputs.items():
            self._check(name, tensor)
        tensors = (tensor.to(torch.float32) for tensor in inputs.values())
        results = _Run.apply(self, next(self._seeds), tuple(inputs), *tensors)
        return results[0] if len(results) == 1 else dict(zip(self._outputs, results))

    def _check(self, name: str, tensor: torch.Tensor) -> None:
        if name not in self._inputs:
            raise Error(f"the program has no input '{name}'")
        if not isinstance(tensor, torch.Tensor):
            raise Error(
                f"expects a tensor for input '{name}', but got {type(tensor).__name__}"
            )
        if tensor.ndim != 2:
            raise Error(
                f"expects input '{name}' of 2 dimensions, but got {tensor.ndim}"
            )
        if tensor.device.type != "cpu":
            raise Error(f"expects input '{name}' on the CPU, but got {tensor.device}")
        wanted = torch.is_grad_enabled() and tensor.requires_grad
        if wanted and name not in self._input_derivatives:
            raise Error(f"the program does not compute the derivative of input '{name}'")

    def _begin(self, seed, names, tensors):
        """Returns an instance that has run the forward pass."""
        instance = ProgramInstance(self._program, seed)
        instance.run(
            {name: tensor.detach().contiguous() for name, tensor in zip(names, tensors)}
        )
        return instance


class _Run(torch.autograd.Function):
    """One run of a program. Its instance holds the values for the backward pass."""

    @staticmethod
    def forward(context, network, seed, names, *tensors):
        context.network, context.seed, context.names = network, seed, names
        context.save_for_backward(*tensors)
        context.instance = network._begin(seed, names, tensors)
        return tuple(_read(context.instance, name) for name in network._outputs)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(context, *gradients):
        network, names = context.network, context.names
        instance, context.instance = context.instance, None
        if instance is None:  # with retain_graph=True, the second time
            instance = network._begin(context.seed, names, context.saved_tensors)
        instance.run(
            {
                name: gradient.contiguous()
                for name, gradient in zip(network._outputs, gradients)
                if name in network._output_derivatives
            }
        )
        first = len(context.needs_input_grad) - len(names)
        return (None,) * first + tuple(
            _read(instance, name) if wanted else None
            for name, wanted in zip(names, context.needs_input_grad[first:])
        )


def _read(instance, name):
    return torch.from_dlpack(instance.get_output(name))
