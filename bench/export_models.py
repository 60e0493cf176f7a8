#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exports models of torchvision, timm and transformers with random weights to ONNX files, for bench/advice_scoreboard.py --models.

    bench/export_models.py FOLDER [NAME...]      # all of them without names; files that are there stay
    bench/export_models.py --list
    bench/export_models.py --fill GIVEN FOLDER   # exports whose weights are ConstantOfShape nodes: random weights in their place

Needs Python's packages torch, torchvision, timm, transformers and onnx (python3 -m venv, then pip install); --fill needs onnx alone. Nothing is
downloaded: weights are drawn from a seed, normalizations get means and variances that are not 0 and 1, so that nothing folds to nothing. The exporter is
the one of TorchScript, opset 17: its files have the names, constants and shape arithmetic that users have. The batch is free, and so are the sequences
of texts. --fill takes weights of deviation sqrt(2 / inputs). Exit status 1: an export failed.
"""
import argparse
import os
import sys
import traceback

SEED = 5
IMAGE = (1, 3, 224, 224)
MODELS = {
    "torchvision": ["mobilenet_v3_large", "shufflenet_v2_x1_0", "mnasnet1_0", "regnet_y_400mf", "efficientnet_b1", "resnet34", "densenet121", "convnext_tiny"],
    "timm": ["ghostnet_100", "mobilevit_s", "repvgg_a0", "edgenext_small", "mixer_s32_224", "poolformer_s12", "deit_tiny_patch16_224", "tf_efficientnet_lite0"],
    "transformers": ["bert", "gpt2", "distilbert"],
}


def names():
    return [f"{package}-{name}" for package, all_of in MODELS.items() for name in all_of]


def settle(module, torch):
    """Statistics of normalizations as after a training, without one."""
    generator = torch.Generator().manual_seed(SEED)
    for m in module.modules():
        if isinstance(m, torch.nn.modules.batchnorm._BatchNorm):
            with torch.no_grad():
                m.running_mean.copy_(0.1 * torch.randn(m.running_mean.shape, generator=generator))
                m.running_var.copy_(0.5 + torch.rand(m.running_var.shape, generator=generator))
    return module.eval()


def text_model(name):
    """A module of few layers of full width: kernels as in the whole, in a tenth of the time."""
    import transformers

    if name == "bert":
        return transformers.BertModel(transformers.BertConfig(num_hidden_layers=4, attn_implementation="eager"))
    if name == "gpt2":
        return transformers.GPT2Model(transformers.GPT2Config(n_layer=4, use_cache=False, attn_implementation="eager"))
    return transformers.DistilBertModel(transformers.DistilBertConfig(n_layers=3, attn_implementation="eager"))


class Output:
    """The hidden states of a model of texts alone, as a module."""

    def __new__(cls, model, torch):
        class Wrapped(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.model = model

            def forward(self, tokens):
                return self.model(tokens, return_dict=False)[0]

        return Wrapped()


def export(full_name, path):
    import torch

    package, _, name = full_name.partition("-")
    torch.manual_seed(SEED)
    if package == "transformers":
        module, given = Output(text_model(name), torch), torch.randint(0, 1000, (1, 64))
        free = {"tokens": {0: "batch", 1: "sequence"}, "y": {0: "batch", 1: "sequence"}}
    else:
        if package == "torchvision":
            import torchvision

            module = torchvision.models.get_model(name, weights=None)
        else:
            import timm

            module = timm.create_model(name, pretrained=False)
        given, free = torch.randn(IMAGE), {"x": {0: "batch"}, "y": {0: "batch"}}
    module = settle(module, torch)
    torch.onnx.export(module, (given,), path + ".part", input_names=[next(iter(free))], output_names=["y"], dynamic_axes=free, opset_version=17,
                      dynamo=False)
    os.replace(path + ".part", path)


def fill(source, target):
    """Random weights for the ConstantOfShape nodes of constant shape and more than 64 elements of float32."""
    import numpy as np
    import onnx
    from onnx import numpy_helper

    model = onnx.load(source)
    shapes = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant" and node.attribute and node.attribute[0].name == "value":
            shapes[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    random, kept = np.random.default_rng(SEED), []
    for node in model.graph.node:
        shape = shapes.get(node.input[0]) if node.op_type == "ConstantOfShape" else None
        is_float = not (shape is not None and node.attribute) or node.attribute[0].t.data_type == onnx.TensorProto.FLOAT
        if shape is None or not is_float or np.prod(shape) <= 64:
            kept.append(node)
            continue
        size = tuple(int(d) for d in shape)
        inputs = np.prod(size[1:]) if len(size) == 4 else size[0] if len(size) == 2 else 1
        array = random.standard_normal(size) * np.sqrt(2 / inputs) if len(size) > 1 else random.uniform(0.5, 1.5, size)
        model.graph.initializer.append(numpy_helper.from_array(array.astype(np.float32), node.output[0]))
    del model.graph.node[:]
    model.graph.node.extend(kept)
    onnx.save(model, target + ".part")
    os.replace(target + ".part", target)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--fill", metavar="GIVEN", help="folder of exports whose weights are ConstantOfShape nodes")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    if args.list:
        print("\n".join(names()))
        return 0
    if not args.folder:
        parser.error("a folder is required")
    os.makedirs(args.folder, exist_ok=True)
    known = sorted(f[:-5] for f in os.listdir(args.fill) if f.endswith(".onnx")) if args.fill else names()
    failed = False
    for name in args.names or known:
        path = os.path.join(args.folder, name + ".onnx")
        if os.path.exists(path):
            continue
        print(name, file=sys.stderr, flush=True)
        try:
            fill(os.path.join(args.fill, name + ".onnx"), path) if args.fill else export(name, path)
        except Exception:  # of any package; the others are exported
            traceback.print_exc()
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
