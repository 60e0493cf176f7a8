# SPDX-License-Identifier: Apache-2.0
"""Lowers a static ONNX model with Apache TVM and tells its loop nests.

    lower.py --check                     the versions that are installed, as JSON
    lower.py MODEL FOLDER [--run-hooks]  FOLDER/tir.json, FOLDER/map.json

tir.json is TVM's own JSON of the kernels, one for each call of the network, before any schedule: plain
loops. Every block carries `onnx.node`, the name of the node it works for. map.json says what each kernel
is handed. With --run-hooks a counter is put beside every multiply-accumulate, the network is compiled
and run once, and map.json has what the counters said.

Messages go to standard error; status 2 is another version, 3 a model that TVM does not take.
"""
import json
import sys
from importlib import metadata

PINNED = {"apache-tvm": "0.27.0.post1", "apache-tvm-ffi": "0.1.14.post1"}


def fail(status, text):
    print(text, file=sys.stderr)
    sys.exit(status)


def versions():
    found = {}
    for package in (*PINNED, "onnx", "numpy"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = None
    return found


def check_versions():
    found = versions()
    for package, version in PINNED.items():
        if found[package] != version:
            fail(2, f"{package} {version} is needed, {found[package] or 'none'} is installed")
    return found


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        print(json.dumps(check_versions()))
        sys.exit(0)
    check_versions()

import numpy  # noqa: E402
import onnx  # noqa: E402
import tvm  # noqa: E402
import tvm_ffi  # noqa: E402
from tvm import ir, relax, tirx  # noqa: E402
from tvm.ir.expr import TensorLoad  # noqa: E402
from tvm.relax.frontend.onnx import onnx_frontend  # noqa: E402
from tvm.s_tir.stmt import SBlock, SBlockRealize  # noqa: E402

TRANSFORM, CALL_TIR = relax.transform, ir.Op.get("relax.call_tir")


class Importer(onnx_frontend.ONNXGraphImporter):
    """Imports node by node, so that every new binding has an owner."""

    def _construct_nodes(self, graph):
        self.owner = {}
        for node in graph.node:
            one = onnx.GraphProto()
            one.node.append(node)
            super()._construct_nodes(one)
            for output in filter(None, node.output):
                value = self._nodes[output]
                if isinstance(value, relax.Call):
                    self._nodes[output] = value = self.bb.emit(value, f"n{node.name}_")
                self._claim(value, node.name)

    def _claim(self, value, name):
        if isinstance(value, relax.Var):
            bound = self.bb.lookup_binding(value)
            if bound is not None and self.owner.setdefault(value.name, name) == name:
                self._claim(bound, name)
        elif isinstance(value, relax.Call):
            for argument in value.args:
                self._claim(argument, name)
        elif isinstance(value, relax.Tuple):
            for field in value.fields:
                self._claim(field, name)
        elif isinstance(value, relax.TupleGetItem):
            self._claim(value.tuple_value, name)


def tagged(module, owner):
    """Every call gets a function of its own whose blocks are annotated with the node."""
    functions = dict(module.functions)
    used = {g.name_hint for g in module.get_global_vars()}

    def mark(function, node):
        def annotate(b):
            if b.name_hint == "root":
                return b
            return SBlock(b.iter_vars, b.reads, b.writes, b.name_hint, b.body, b.init,
                          b.alloc_buffers, b.match_buffers,
                          {**dict(b.annotations), "onnx.node": node}, b.span)

        return tvm_ffi.structural_map(function, (SBlock, annotate)).with_attr("onnx.node", node)

    def rebind(binding):
        call = binding.value
        if not (isinstance(call, relax.Call) and call.op == CALL_TIR and binding.var.name in owner):
            return binding
        node = owner[binding.var.name]
        name = base = f"{call.args[0].name_hint}__{node}"
        more = 0
        while name in used:
            more += 1
            name = f"{base}_{more}"
        used.add(name)
        variable = ir.GlobalVar(name)
        relax.expr._update_type(variable, call.args[0].ty)
        functions[variable] = mark(module[call.args[0]], node)
        return relax.VarBinding(binding.var, relax.Call(call.op, [variable, *call.args[1:]],
                                                        call.attrs, call.ty_args, call.span))

    main = tvm_ffi.structural_map(module["main"], (relax.VarBinding, rebind))
    functions[module.get_global_var("main")] = main
    return tvm.IRModule(functions, attrs=module.attrs)


def lowered(path):
    model = onnx.load(path)
    opset = next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx"))
    importer = Importer(None, "float32")
    module = importer.from_onnx(model.graph, opset)
    module = tagged(TRANSFORM.LegalizeOps()(module), importer.owner)
    for step in (TRANSFORM.Normalize(), TRANSFORM.AnnotateTIROpPattern(), TRANSFORM.FoldConstant(),
                 TRANSFORM.FuseOps(), TRANSFORM.FuseTIR(),
                 TRANSFORM.DeadCodeElimination(["main"])):
        module = step(module)
    return module


class Sources:
    """What the variables of `main` are: an input, a constant, or what a kernel made."""

    def __init__(self, main):
        self.known = {p: {"value": p.name} for p in main.params}

    def of(self, value):
        if isinstance(value, ir.GenericConst):
            return {"constant": int(numpy.prod(value.ty.shape or [1]))}
        if isinstance(value, relax.TupleGetItem):
            return self.of(value.tuple_value)
        if isinstance(value, relax.Var):
            return self.known.get(value, {})
        if isinstance(value, relax.Call) and value.args:
            return self.of(value.args[0])  # a view
        return {}


def kernels(main):
    sources, found = Sources(main), []
    for block in main.body.blocks:
        for binding in block.bindings:
            call = binding.value
            if not (isinstance(call, relax.Call) and call.op == CALL_TIR):
                sources.known[binding.var] = sources.of(call)
                continue
            sources.known[binding.var] = {"kernel": len(found)}
            found.append({"function": call.args[0].name_hint,
                          "args": [sources.of(a) for a in call.args[1].fields]})
    return found


def is_mac(store):
    """b[i] = b[i] + x * y, casts aside, and x is not y."""
    def bare(e):
        return bare(e.value) if isinstance(e, tirx.Cast) else e

    def same(a, b):
        return tvm_ffi.structural_equal(a, b, False)

    value = bare(store.value)
    if not isinstance(value, tirx.Add):
        return False
    for old, product in ((value.a, bare(value.b)), (value.b, bare(value.a))):
        if (isinstance(old, TensorLoad) and old.source.same_as(store.buffer)
                and same(list(old.indices), list(store.indices)) and isinstance(product, tirx.Mul)):
            return not same(product.a, product.b)
    return False


def int64(value):
    return tirx.IntImm("int64", value)


def hooked(function, name):
    """The kernel with a counter behind every multiply-accumulate, told to ridge.count at its end."""
    found = []  # blocks that hold no others

    def look(block):
        stores, inner = [], []
        tvm_ffi.structural_walk(block.body, (tirx.BufferStore, stores.append))
        tvm_ffi.structural_walk(block.body, (SBlock, inner.append))
        if not inner and any(is_mac(s) for s in stores):
            found.append(block)

    tvm_ffi.structural_walk(function.body, (SBlock, look))
    if not found:
        return function
    counter = tirx.decl_buffer((len(found),), "int64", name="ridge_count")

    def count_in(body, k):
        more = tirx.BufferStore(
            counter, tirx.BufferLoad(counter, [int64(k)]) + int64(1), [int64(k)])
        return tvm_ffi.structural_map(
            body, (tirx.BufferStore, lambda s: tirx.SeqStmt([s, more]) if is_mac(s) else s))

    def add(block):
        for k, known in enumerate(found):
            if block.same_as(known):
                # The counter must be in the block's signature.
                region = tirx.BufferRegion(counter, [ir.Range.from_min_extent(int64(k), int64(1))])
                return SBlock(block.iter_vars, [*block.reads, region], [*block.writes, region],
                              block.name_hint, count_in(block.body, k), block.init,
                              block.alloc_buffers, block.match_buffers, block.annotations)
        return block

    root = function.body.block
    body = tvm_ffi.structural_map(root.body, (SBlock, add))
    begin = [tirx.BufferStore(counter, int64(0), [int64(k)]) for k in range(len(found))]
    tell = [tirx.Evaluate(tirx.call_packed("ridge.count", name, str(b.annotations["onnx.node"]),
                                           tirx.BufferLoad(counter, [int64(k)])))
            for k, b in enumerate(found)]
    block = SBlock(root.iter_vars, root.reads, root.writes, "root",
                   tirx.SeqStmt([*begin, body, *tell]), root.init,
                   [*root.alloc_buffers, counter], root.match_buffers, root.annotations)
    return function.with_body(
        SBlockRealize(function.body.iter_values, function.body.predicate, block))


def run_hooked(module):
    """Multiply-accumulates by node, as counted while the network ran once on small numbers."""
    functions = {g: hooked(f, g.name_hint) if isinstance(f, tirx.PrimFunc) else f
                 for g, f in module.functions.items()}
    counts = {}

    def count(_kernel, node, number):
        counts[str(node)] = counts.get(str(node), 0) + int(number)

    tvm_ffi.register_global_func("ridge.count", count, override=True)
    built = tvm.IRModule(functions, attrs=module.attrs)
    machine = relax.VirtualMachine(relax.build(built, "llvm"), tvm.cpu())
    random, inputs = numpy.random.default_rng(1), []
    for parameter in module["main"].params:
        shape = [int(n) for n in parameter.ty.shape]
        dtype = str(parameter.ty.dtype)
        value = random.random(shape) if dtype.startswith("float") else numpy.zeros(shape)
        inputs.append(tvm.runtime.tensor(value.astype(dtype)))
    machine["main"](*inputs)
    return counts


def last_line(error):
    return (str(error).strip().splitlines() or [""])[-1]


def main(path, folder, run_hooks):
    try:
        module = lowered(path)
    except Exception as refused:  # whatever TVM throws is its opinion of the model
        fail(3, f"{type(refused).__name__}: {last_line(refused)}")
    called = kernels(module["main"])
    names = {k["function"] for k in called}
    primitive = {g: f for g, f in module.functions.items() if g.name_hint in names}
    with open(f"{folder}/tir.json", "w") as out:
        out.write(tvm.ir.save_json(tvm.IRModule(primitive)))
    document = {"versions": versions(), "kernels": called}
    if run_hooks:
        document["hooks"] = run_hooked(module)
    with open(f"{folder}/map.json", "w") as out:
        json.dump(document, out)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], "--run-hooks" in sys.argv[3:])
