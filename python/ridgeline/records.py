# SPDX-License-Identifier: Apache-2.0
"""Results as classes, made by scripts/python_records.py from data/schema; change those.

A figure has its unit in its name: `_ns` nanoseconds, `bytes`, `macs` multiply-accumulates,
`gflop_per_s`, `gb_per_s`. Shapes are lists of integers, of names of free sizes, or of None.
"""

from __future__ import annotations

from .record import Record, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from .table import Table


class AcceleratorPointMachineArray(Record):
    """Multiply-accumulate units."""

    rows: int
    """Rows."""
    columns: int
    """Columns."""
    dataflow: Literal["os", "ws", "is"] | None
    """What stays in the array: "os" outputs, "ws" weights, "is" inputs."""

    _optional = frozenset({
        "dataflow",
    })


class AcceleratorPointMachineSramBytes(Record):
    """Of each operand's buffer, both halves."""

    ifmap: int
    """Bytes."""
    filter: int
    """Bytes."""
    ofmap: int
    """Bytes."""


class AcceleratorPointMachinePrecision(Record):
    """Widths of elements."""

    format: Literal["int", "float"]
    """Number format of the units: "int" (and fixed point) or "float"."""
    ifmap_bits: int
    """Bits of an activation in memory."""
    filter_bits: int
    """Bits of a weight in memory."""
    ofmap_bits: int
    """Bits of a result in memory."""
    accumulator_bits: int
    """Bits of a partial sum."""


class AcceleratorPointMachineSram(Record):
    """On-chip memory."""

    shared_kib: float | None
    """KiB of one SRAM for the three operands."""
    ifmap_kib: float | None
    """KiB for activations, where each operand has an SRAM of its own."""
    filter_kib: float | None
    """KiB for weights."""
    ofmap_kib: float | None
    """KiB for partial sums."""
    banks: int
    """Banks of each SRAM."""
    ports: int
    """Ports of each bank."""
    port_bytes: int
    """Bytes per port and cycle; 0: unlimited."""


class AcceleratorPointMachineDram(Record):
    """Memory off the chip."""

    gb_per_s: float
    """GB/s (10^9 bytes) of reads and writes together."""
    latency_ns: float
    """Ns from the request to the first byte."""


class AcceleratorPointMachineVector(Record):
    """The vector unit."""

    lanes: int
    """Elements per cycle of the vector unit; 0: no vector unit."""


class AcceleratorPointMachine(Record):
    """As described: the keys of a machine file, or those of a SCALE-Sim configuration."""

    array: AcceleratorPointMachineArray
    """Multiply-accumulate units."""
    dataflow: Literal["os", "ws", "is"] | None
    """What stays in the array; of a configuration, as all but array below."""
    bandwidth: int | None
    """Words per cycle of each operand's port; null where nothing stalls (mode CALC)."""
    sparse: bool | None
    """Whether filters have the N:M sparsity of their layers (SparsitySupport of SCALE-Sim v3)."""
    sram_bytes: AcceleratorPointMachineSramBytes | None
    """Of each operand's buffer, both halves."""
    name: str | None
    """Name shown in tables."""
    clock_mhz: float | None
    """Clock of the array, MHz."""
    energy: str | None
    """Energy table: a shipped name, or a file with the suffix .toml."""
    double_buffered: bool | None
    """Whether tiles are loaded and stored while the array works."""
    precision: AcceleratorPointMachinePrecision | None
    """Widths of elements."""
    sram: AcceleratorPointMachineSram | None
    """On-chip memory."""
    dram: AcceleratorPointMachineDram | None
    """Memory off the chip."""
    vector: AcceleratorPointMachineVector | None
    """The vector unit."""

    _kinds = {
        "array": ("record", "AcceleratorPointMachineArray", False),
        "sram_bytes": ("record", "AcceleratorPointMachineSramBytes", False),
        "precision": ("record", "AcceleratorPointMachinePrecision", False),
        "sram": ("record", "AcceleratorPointMachineSram", False),
        "dram": ("record", "AcceleratorPointMachineDram", False),
        "vector": ("record", "AcceleratorPointMachineVector", False),
    }
    _optional = frozenset({
        "dataflow",
        "bandwidth",
        "sparse",
        "sram_bytes",
        "name",
        "clock_mhz",
        "energy",
        "double_buffered",
        "precision",
        "sram",
        "dram",
        "vector",
    })


class Binding(Record):
    """Binding."""

    value: int
    """The size."""
    assumed: bool
    """Nobody said so: a free leading dimension taken as 1, or a default of the zoo."""


class AcceleratorPointEnergyBand(Record):
    """What the shipped tables say of the same counts; null where none can answer."""

    low_pj: float
    """The least."""
    low: str
    """By which table."""
    high_pj: float
    """The most."""
    high: str
    """By which table."""
    tables: list[str]
    """All that can answer for the machine."""


class AcceleratorPointEnergy(Record):
    """Where picojoules come from; null where the machine names no table."""

    table: str
    """Name of the energy table."""
    source: str | None
    """Its source."""
    node_nm: float
    """Process node in nm."""
    mac_row: str | None
    """The row that a multiply-accumulate is taken for."""
    vector_row: str | None
    """The numbers whose addition and multiplication an operation of the vector unit is the mean of;
    null where the table has none as wide.
    """
    leaves_out: list[str]
    """What the table knows nothing of."""
    band: AcceleratorPointEnergyBand | None
    """What the shipped tables say of the same counts; null where none can answer."""

    _kinds = {
        "band": ("record", "AcceleratorPointEnergyBand", True),
    }


class AcceleratorPointLayerGemm(Record):
    """AcceleratorPointLayerGemm."""

    m: int
    """Rows: output positions."""
    n: int
    """Columns: filters."""
    k: int
    """What is summed."""
    count: int
    """Independent products of this shape."""
    sparsity: str | None
    """N:M: of each M rows of the filter N are not zero; absent where all are."""

    _optional = frozenset({
        "sparsity",
    })


class AcceleratorPointLayerPrecision(Record):
    """Widths that the layer is reckoned with; null of a SCALE-Sim configuration, where a word is a
    byte.
    """

    format: Literal["int", "float"]
    """Numbers of the units."""
    ifmap_bits: int
    """Of an activation in memory."""
    filter_bits: int
    """Of a weight in memory."""
    ofmap_bits: int
    """Of a result in memory."""
    accumulator_bits: int
    """Of a partial sum."""


class AcceleratorPointLayerBuffer(Record):
    """AcceleratorPointLayerBuffer."""

    name: str
    """Of the tensor."""
    role: Literal["input", "parameter", "output", "intermediate"]
    """What it is to the layer."""
    shape: list[int]
    """Elements along each axis."""
    dtype: str
    """Element type."""
    bytes: int
    """As stored."""
    reads: int | None
    """Elements that the loops read, every access counted; null where there are no loops, or the
    data decide.
    """
    writes: int | None
    """The same of those written."""


class AcceleratorPointLayerTile(Record):
    """What the array works on at a time, in elements."""

    m: int
    """Rows."""
    n: int
    """Columns."""
    k: int
    """Depth."""
    products: int
    """Of the same shape, worked on as one; more than 1 only of whole ones."""


class AcceleratorPointLayerSramReads(Record):
    """Words that the array asks of its buffers."""

    ifmap: int
    """Of the M x K operand."""
    filter: int
    """Of the K x N operand."""
    psum: int
    """Partial sums; the scalesim convention never reads them back."""


class AcceleratorPointLayerSramWrites(Record):
    """Words that leave the array."""

    ofmap: int
    """Of the M x N result; in the scalesim convention with the partial sums of every fold along K.
    """
    psum: int
    """Partial sums told apart from the ofmap."""


class AcceleratorPointLayerEnergyPj(Record):
    """Picojoules by the table of the point; null where there is none, or words of DRAM are not
    known.
    """

    mac: float
    """Multiplying and adding."""
    register: float
    """Registers of the array."""
    vector: float
    """Operations of the vector unit, each the mean of an addition and a multiplication of the
    accumulator's width; 0 where the table has no such row (leaves_out).
    """
    sram: float
    """On-chip memory."""
    dram: float
    """DRAM."""
    leakage: float
    """Leakage over the latency."""
    total: float
    """All of them."""


class AcceleratorPointLayerFront(Record):
    """AcceleratorPointLayerFront."""

    dataflow: Literal["os", "ws", "is"]
    """What stays in the array."""
    tile: AcceleratorPointLayerTile
    """Elements."""
    loop_order: str | None
    """Outermost first."""
    total_cycles: int
    """Of one product."""
    latency_ns: float | None
    """Of one product."""
    energy_pj: float | None
    """Null where the machine names no table."""

    _kinds = {
        "tile": ("record", "AcceleratorPointLayerTile", False),
    }


class AcceleratorPointLayer(Record):
    """AcceleratorPointLayer."""

    name: str
    """Of the node or of the topology's row."""
    node: int | None
    """Index of the node in ridge.analysis/1; null where there is no model."""
    op_type: str | None
    """Operator of the node."""
    gemms: list[AcceleratorPointLayerGemm]
    """The products that make the layer."""
    reason: str | None
    """Why there are no products."""
    move: Literal[
        "copy", "view", "in place", "part", "append", "broadcast", "strided read",
        "strided write"
    ] | None
    """How a layer that only moves data does so: docs/accelerator.md; null where it computes, too.
    """
    move_reason: str | None
    """Why it copies."""
    precision: AcceleratorPointLayerPrecision | None
    """Widths that the layer is reckoned with; null of a SCALE-Sim configuration, where a word is a
    byte.
    """
    macs: int
    """Multiply-accumulates of the definition."""
    params: int | None
    """Elements of the weights it reads; null where there is no model."""
    param_bytes: int | None
    """Bytes of its weights and constants as the model stores them; null where there is no model, as
    for the four below.
    """
    allocated_bytes: int | None
    """Bytes of its results."""
    padded_param_bytes: int | None
    """The first with the filters padded."""
    padded_allocated_bytes: int | None
    """The second with the results padded."""
    buffers: list[AcceleratorPointLayerBuffer] | None
    """The tensors that cross its boundary."""
    profiled_macs: int | None
    """Multiply-accumulates as the source of --profile-with tells them; null as for buffers."""
    profiled_squares: int | None
    """Sums of squares in the loops, which are multiply-accumulates of no layer."""
    hooked_macs: int | None
    """As hooks counted them while the compiled network ran; null where it did not."""
    profile_remark: str | None
    """Why figures differ from the closed form's, or why none are known."""
    dataflow: Literal["os", "ws", "is"] | None
    """What stays in the array: outputs, weights, inputs."""
    tile: AcceleratorPointLayerTile | None
    """What the array works on at a time, in elements."""
    loop_order: str | None
    """Dimensions of the loops over tiles and streams, outermost first."""
    padded_macs: int | None
    """Multiply-accumulates of the padded products: macs where nothing is padded."""
    vector_operations: int | None
    """Operations of the vector unit; 0 where the machine has none."""
    folds: int | None
    """Times that the array is filled anew; null where the layer has no products, as for all below.
    """
    compute_cycles: int | None
    """Cycles without stalls."""
    stall_cycles: int | None
    """Cycles in which the array waits for memory."""
    total_cycles: int | None
    """Both."""
    cycles_with_prefetch: int | None
    """From the first word prefetched to the last one stored, as SCALE-Sim v3 counts; null outside
    its mode CALC.
    """
    utilization: float | None
    """Multiply-accumulates per cycle and processing element."""
    sram_used_bytes: int | None
    """Most bytes of SRAM in use at a time; in the scalesim convention all there are."""
    sram_reads: AcceleratorPointLayerSramReads | None
    """Words that the array asks of its buffers."""
    sram_writes: AcceleratorPointLayerSramWrites | None
    """Words that leave the array."""
    dram_reads: AcceleratorPointLayerSramReads | None
    """Words (elements, never bytes) that the buffers read; null where counting them would take too
    long.
    """
    dram_writes: AcceleratorPointLayerSramWrites | None
    """Words that are written."""
    dram_read_bytes: int | None
    """Bytes read from DRAM; partial sums at the accumulator's width."""
    dram_write_bytes: int | None
    """Bytes written to DRAM."""
    latency_ns: float | None
    """Ns; null where the machine has no clock."""
    energy_pj: AcceleratorPointLayerEnergyPj | None
    """Picojoules by the table of the point; null where there is none, or words of DRAM are not
    known.
    """
    edp_pj_ns: float | None
    """Energy times latency."""
    sensitivity: dict[str, float | None]
    """Key of the machine and the share of the latency that twice its value takes away; empty where
    not asked for.
    """
    bound: Literal[
        "compute", "fill", "dram ifmap", "dram filter", "dram ofmap", "dram psum",
        "sram port", "vector unit"
    ] | None
    """What most of its time waits for; null where nothing tells."""
    front: list[AcceleratorPointLayerFront] | None
    """With --pareto: the mappings of its largest product that no other beats in both latency and
    energy, fastest first.
    """

    _kinds = {
        "gemms": ("list", "AcceleratorPointLayerGemm", False),
        "precision": ("record", "AcceleratorPointLayerPrecision", True),
        "buffers": ("list", "AcceleratorPointLayerBuffer", True),
        "tile": ("record", "AcceleratorPointLayerTile", True),
        "sram_reads": ("record", "AcceleratorPointLayerSramReads", True),
        "sram_writes": ("record", "AcceleratorPointLayerSramWrites", True),
        "dram_reads": ("record", "AcceleratorPointLayerSramReads", True),
        "dram_writes": ("record", "AcceleratorPointLayerSramWrites", True),
        "energy_pj": ("record", "AcceleratorPointLayerEnergyPj", True),
        "front": ("list", "AcceleratorPointLayerFront", True),
    }
    _optional = frozenset({
        "front",
    })


class AcceleratorPointTotals(Record):
    """Sums over the layers that have products."""

    layers: int
    """How many, with those that have no products."""
    macs: int
    """Of all layers."""
    macs_without_products: int
    """Of the layers that cost nothing here because no products are known."""
    padded_param_bytes: int | None
    """Of all layers' parameters, as the model stores them and padded as the products are; null
    where there is no model.
    """
    padded_allocated_bytes: int | None
    """The same of their results."""
    padded_macs: int | None
    """Multiply-accumulates of the padded products: macs where nothing is padded."""
    vector_operations: int | None
    """Operations of the vector unit; 0 where the machine has none."""
    folds: int | None
    """Times that the array is filled anew; null where the layer has no products, as for all below.
    """
    compute_cycles: int | None
    """Cycles without stalls."""
    stall_cycles: int | None
    """Cycles in which the array waits for memory."""
    total_cycles: int | None
    """Both."""
    cycles_with_prefetch: int | None
    """From the first word prefetched to the last one stored, as SCALE-Sim v3 counts; null outside
    its mode CALC.
    """
    utilization: float | None
    """Multiply-accumulates per cycle and processing element."""
    sram_used_bytes: int | None
    """Most bytes of SRAM in use at a time; in the scalesim convention all there are."""
    sram_reads: AcceleratorPointLayerSramReads | None
    """Words that the array asks of its buffers."""
    sram_writes: AcceleratorPointLayerSramWrites | None
    """Words that leave the array."""
    dram_reads: AcceleratorPointLayerSramReads | None
    """Words (elements, never bytes) that the buffers read; null where counting them would take too
    long.
    """
    dram_writes: AcceleratorPointLayerSramWrites | None
    """Words that are written."""
    dram_read_bytes: int | None
    """Bytes read from DRAM; partial sums at the accumulator's width."""
    dram_write_bytes: int | None
    """Bytes written to DRAM."""
    latency_ns: float | None
    """Ns; null where the machine has no clock."""
    energy_pj: AcceleratorPointLayerEnergyPj | None
    """Picojoules by the table of the point; null where there is none, or words of DRAM are not
    known.
    """
    edp_pj_ns: float | None
    """Energy times latency."""
    sensitivity: dict[str, float | None]
    """Key of the machine and the share of the latency that twice its value takes away; empty where
    not asked for.
    """

    _kinds = {
        "sram_reads": ("record", "AcceleratorPointLayerSramReads", True),
        "sram_writes": ("record", "AcceleratorPointLayerSramWrites", True),
        "dram_reads": ("record", "AcceleratorPointLayerSramReads", True),
        "dram_writes": ("record", "AcceleratorPointLayerSramWrites", True),
        "energy_pj": ("record", "AcceleratorPointLayerEnergyPj", True),
    }


class AcceleratorPoint(Record):
    """AcceleratorPoint."""

    machine: AcceleratorPointMachine
    """As described: the keys of a machine file, or those of a SCALE-Sim configuration."""
    pad: str
    """Multiples that M x N x K are padded to: "none", "16x16x16"."""
    precision: Literal["machine", "file"]
    """Whose widths the operands have: the machine's, or layer by layer those of the model's
    tensors.
    """
    bindings: dict[str, Binding]
    """Every free size in force, by name; an unnamed dimension is called like `input[2]`."""
    set: dict[str, str]
    """Keys of the machine that differ from its file."""
    energy: AcceleratorPointEnergy | None
    """Where picojoules come from; null where the machine names no table."""
    best: bool
    """No other point is both faster and thriftier."""
    layers: list[AcceleratorPointLayer]
    """In file order."""
    totals: AcceleratorPointTotals
    """Sums over the layers that have products."""
    run: Any | None
    """The same as a run, a ridge.profile/1 of kind estimated with an empty host and no weights,
    which verbs that take runs read; absent without a model, and where the machine has no clock.
    """

    _kinds = {
        "machine": ("record", "AcceleratorPointMachine", False),
        "bindings": ("map", "Binding", False),
        "energy": ("record", "AcceleratorPointEnergy", True),
        "layers": ("list", "AcceleratorPointLayer", False),
        "totals": ("record", "AcceleratorPointTotals", False),
    }
    _optional = frozenset({
        "run",
    })


class Accelerator(Result):
    """What a network costs on an accelerator that is only described: `ridge accel ... --format
    json`. Every figure is modelled, by the rules of `convention`.
    """

    schema: str
    """Name and version of this document."""
    subject: str
    """The model, topology or product."""
    origin: Literal["modelled"]
    """Of every figure: by formulas, never measured."""
    convention: Literal["scalesim", "overlapped"]
    """Whose rules: docs/accelerator.md."""
    objective: Literal["latency", "energy", "edp"] | None
    """What tiles, orders and dataflows were searched for, edp (energy x latency) unless asked
    otherwise; without an energy table DRAM bytes stand for the energy; null where nothing is
    searched.
    """
    points: Table[AcceleratorPoint]
    """A machine and what the network costs on it."""
    layers: Table[AcceleratorPointLayer] | None
    """Those of the only point; null where there are several."""

    _tables = {
        "points": "AcceleratorPoint",
        "layers": "AcceleratorPointLayer",
    }


class AdviceMeasured(Record):
    """Latency of a run."""

    median_ns: float | None
    """Median of runs without the profiler."""
    ci95_ns: list[float] | None
    """95 % interval, low and high."""

    _kinds = {
        "ci95_ns": ("interval", "", True),
    }


class AdviceBoundOfKernelsCoverage(Record):
    """Layers with a bound."""

    nodes: float
    """Share of the nodes that layers execute."""
    time: float
    """Share of the measured time of layers."""
    unknown: list[int]
    """Nodes of layers without a bound, ascending."""


class AdviceBoundOfKernels(Record):
    """Least time of the kernels that the run has, under the measured roofs of the machine; fewer
    kernels may be faster; layers without a bound count as 0.
    """

    sequential_ns: float | None
    """Sum of the layers' bounds with the threads of the run, not below the bound of the model; null
    if none is known.
    """
    critical_path_ns: float | None
    """In any order, each layer at the roofs of all processors: longest path, what all layers need
    of one roof, or the bound of the model.
    """
    coverage: AdviceBoundOfKernelsCoverage
    """Layers with a bound."""
    beyond: list[int]
    """Nodes of layers measured to be faster than their roof, ascending."""

    _kinds = {
        "coverage": ("record", "AdviceBoundOfKernelsCoverage", False),
    }


class AdviceBoundOfModel(Record):
    """Least time of the model however it is cut into kernels: its arithmetic, or its inputs,
    weights and outputs, each once; tensors between nodes do not count.
    """

    time_ns: float | None
    """At the roofs of the threads of the run."""
    parallel_ns: float | None
    """At the roofs of all processors."""
    kind: str | None
    """The roof that takes longest: compute, memory:L2, memory:memory."""
    macs: int
    """Of products that an output depends on, by the direct algorithm, equal ones once."""
    input_bytes: int
    """That are read of the inputs, each once."""
    weight_bytes: int
    """That are read of the weights of products and of tables, each once."""
    output_bytes: int
    """Of the outputs that no node reads."""
    unknown: list[int]
    """Products whose arithmetic is unknown and counts as 0, ascending."""
    reason: str | None
    """For people: why there is no time."""


class AdviceAchievableLayer(Record):
    """AdviceAchievableLayer."""

    nodes: list[int]
    """Its nodes, ascending."""
    time_ns: float
    """Of one run."""
    from_: str
    """"brick KEY", or the way in which the model was run: "OpenVINO"."""


class AdviceAchievable(Record):
    """Least time that was measured: of the run, of bricks that cover the model, or of pieces of
    several runs.
    """

    sequential_ns: float
    """Layers one after the other."""
    scheduled_ns: float | None
    """Estimate: independent layers at the same time on all processors, one thread each; null for
    runs with several threads.
    """
    coverage: AdviceBoundOfKernelsCoverage
    """Pieces with a measured brick; 0 without a store of bricks."""
    layers: list[AdviceAchievableLayer]
    """Pieces with a measured brick, in an executable order."""

    _kinds = {
        "coverage": ("record", "AdviceBoundOfKernelsCoverage", False),
        "layers": ("list", "AdviceAchievableLayer", False),
    }


class AdviceFindingChanged(Record):
    """AdviceFindingChanged."""

    nodes: list[int]
    """Of the model, ascending; empty: kernels of the runtime's own."""
    before_ns: float
    """In the measured run."""
    after_ns: float
    """By the bricks of the edited copy."""


class AdviceFindingCheckOutputs(Record):
    """Difference of the outputs, and where they were compared; null if they were not."""

    max_abs: float | None
    """Largest difference of two elements for usual inputs: seeded, of the user's files, zeros; of
    outputs that are no floats: largest share of elements that differ.
    """
    max_rel: float | None
    """Relative to the largest element of the output."""
    rounding: float
    """Greatest relative difference that was taken for rounding: that of the type, or twice the
    difference of the model itself between two optimization levels for the same inputs.
    """
    sizes: list[str]
    """Free sizes: "batch=1", "batch=2"."""
    inputs: list[str]
    """Elements of float inputs: "seeded", "zeros", "times 1e-30", "times 100", "some of 1e20",
    "some NaN", "some infinite".
    """
    differs_usually: str | None
    """For people: the first difference beyond rounding for usual inputs."""
    differs_unusually: str | None
    """For people: the first one for other inputs."""
    not_compared: list[str]
    """For people: what was not compared, and why."""


class AdviceFindingCheck(Record):
    """Measured in turns; null if not asked for."""

    state: Literal["gained", "lost", "no_difference", "not_judged"]
    """What the repair did, whatever was predicted: the interval of the gain lies above 0, below 0,
    or includes 0.
    """
    prediction: Literal["within", "missed", "unpredictable"] | None
    """How the predicted gain fared: as near to the achieved one as allowed, or not; unpredictable:
    its interval is wider than what is allowed; null: nothing was predicted, or the check was not
    judged.
    """
    before_ns: float | None
    """Latency of the model."""
    after_ns: float | None
    """Latency of the edited copy."""
    achieved_gain_ns: float | None
    """Median difference of runs side by side."""
    ci95_ns: list[float] | None
    """Its 95 % interval."""
    outputs: AdviceFindingCheckOutputs | None
    """Difference of the outputs, and where they were compared; null if they were not."""
    reason: str | None
    """For people: why it was not judged."""

    _kinds = {
        "ci95_ns": ("interval", "", True),
        "outputs": ("record", "AdviceFindingCheckOutputs", True),
    }


class AdviceFinding(Record):
    """AdviceFinding."""

    id: str
    """For --check and --apply."""
    question: Literal["Q1", "Q2", "Q3", "Q4", "Q5", "Q6"] | None
    """Benanza's question that it answers: Q1 distance to what is possible, Q2 independent branches,
    Q3 slower implementations, Q4 time for what is not needed, Q5 missed fusions, Q6 a narrower
    type.
    """
    kind: Literal[
        "constant_is_input", "output_kept", "unfused_pattern", "layout", "narrow_type",
        "branches", "threads", "optimization_level", "free_sizes", "overhead", "distance",
        "slower_kernel", "runtime", "spinning", "batch", "weights_reread"
    ]
    """What is wrong."""
    nodes: list[int]
    """Nodes that it concerns, ascending."""
    evidence: str
    """For people: what is wrong, in how many places, and which kernels run without it."""
    predicted_gain_ns: float | None
    """Latency before less latency after, from bricks; null without them."""
    ci95_ns: list[float] | None
    """95 % interval of the predicted gain."""
    predictable: bool | None
    """False: the gain cannot be predicted in this budget, because half of its interval is wider
    than the greater of 10 % of the gain and 2 % of the latency; null without a predicted gain.
    """
    confidence: str | None
    """How well predictions of this kind have held on this host; null with too few checks."""
    no_price: str | None
    """For people: why there is no predicted gain."""
    changed: list[AdviceFindingChanged]
    """Where the predicted gain arises: groups of nodes whose bricks the edit changes, largest gain
    first; empty without bricks.
    """
    lossless: bool | None
    """True: a check compared all outputs, at the sizes and for the inputs that it lists, and they
    are the same up to rounding; null: nothing can be applied.
    """
    effect: Literal["rounding", "values", "interface", "accuracy"] | None
    """What a caller sees of it: nothing but rounding; other values for some inputs; other inputs,
    outputs or sizes; approximate outputs; null: nothing can be applied.
    """
    effect_where: str | None
    """For people: for which inputs values differ, or what of the interface changes."""
    how: str
    """For people: the repair."""
    command: str
    """That writes the edited model."""
    check: AdviceFindingCheck | None
    """Measured in turns; null if not asked for."""

    _kinds = {
        "ci95_ns": ("interval", "", True),
        "changed": ("list", "AdviceFindingChanged", False),
        "check": ("record", "AdviceFindingCheck", True),
    }


class AdviceJoint(Record):
    """All edits applied together but those that change values; null unless there are two."""

    ids: list[str]
    """In the order in which they were applied."""
    predicted_ns: float | None
    """Gain of all together, from bricks; null without them."""
    achieved_ns: float | None
    """Gain measured in turns; null if it was not."""
    ci95_ns: list[float] | None
    """Its 95 % interval."""
    check: AdviceFindingCheck | None
    """Measured in turns; null if not asked for."""

    _kinds = {
        "ci95_ns": ("interval", "", True),
        "check": ("record", "AdviceFindingCheck", True),
    }


class Advice(Result):
    """How fast a model could be and what is in the way: `ridge advise MODEL --format json`. Nodes
    are rows of ridge.analysis/1. A figure that is unknown is null.
    """

    schema: str
    """Name and version of this document."""
    ridge: str
    """Version that wrote this."""
    model: str
    """As given."""
    runtime: str
    """As it names itself."""
    runtime_version: str
    """As it says."""
    host: str
    """Host, processor, number of processors."""
    threads: int
    """Of the runtime."""
    measured: AdviceMeasured
    """Latency of a run."""
    bound_of_kernels: AdviceBoundOfKernels
    """Least time of the kernels that the run has, under the measured roofs of the machine; fewer
    kernels may be faster; layers without a bound count as 0.
    """
    bound_of_model: AdviceBoundOfModel
    """Least time of the model however it is cut into kernels: its arithmetic, or its inputs,
    weights and outputs, each once; tensors between nodes do not count.
    """
    achievable: AdviceAchievable
    """Least time that was measured: of the run, of bricks that cover the model, or of pieces of
    several runs.
    """
    simulated_ns: float | None
    """Latency that the measured layers and the time between them add up to."""
    findings: Table[AdviceFinding]
    """Edits after which the runtime executes other kernels, other ways to run the model, and where
    its time goes.
    """
    joint: AdviceJoint | None
    """All edits applied together but those that change values; null unless there are two."""
    notes: list[str]
    """For people: what the reader must know."""

    _tables = {
        "findings": "AdviceFinding",
    }
    _kinds = {
        "measured": ("record", "AdviceMeasured", False),
        "bound_of_kernels": ("record", "AdviceBoundOfKernels", False),
        "bound_of_model": ("record", "AdviceBoundOfModel", False),
        "achievable": ("record", "AdviceAchievable", False),
        "joint": ("record", "AdviceJoint", True),
    }


class AdviceScoreboardRowUnpredictable(Record):
    """Those whose gain could not be predicted in the budget: half of the interval is wider than
    what is allowed.
    """

    count: int
    """How many."""
    of: int
    """Out of how many."""
    share: float | None
    """Their ratio."""
    ci95: list[float] | None
    """Its 95 % interval by Wilson, low and high."""

    _kinds = {
        "ci95": ("interval", "", True),
    }


class AdviceScoreboardRow(Record):
    """AdviceScoreboardRow."""

    kind: str
    """Kind of the findings, as in ridge.advice/1, or "together": all edits at the same time."""
    host: str
    """Host, processor, number of processors."""
    runtime: str
    """As it names itself."""
    checks: int
    """All of them."""
    judged: int
    """Those that were not left unjudged."""
    repeated: int
    """Judged ones with a prediction that a newer one of the same finding replaces."""
    predicted: int
    """The other judged ones with a predicted gain."""
    unpredictable: AdviceScoreboardRowUnpredictable
    """Those whose gain could not be predicted in the budget: half of the interval is wider than
    what is allowed.
    """
    within: AdviceScoreboardRowUnpredictable
    """Of the others, predictions that differ from the measured gain by at most the greater of 10 %
    of the gain and 2 % of the latency before.
    """
    sign_right: AdviceScoreboardRowUnpredictable
    """Of the same, predictions with the sign of the measured gain, out of those of more than 3 % of
    the latency.
    """
    covered: AdviceScoreboardRowUnpredictable
    """Predicted gains, unpredictable ones too, with an interval for which the 95 % interval of
    their difference from the measured gain includes 0.
    """
    inside: AdviceScoreboardRowUnpredictable
    """Out of the same, those whose own interval holds the measured gain."""
    median_relative_error: float | None
    """Median of the difference from the measured gain, as a share of the gain."""
    confidence: Literal["high", "medium", "low"] | None
    """High: the interval of within lies above one half; low: below; medium: it includes one half;
    null: fewer than five predictions.
    """

    _kinds = {
        "unpredictable": ("record", "AdviceScoreboardRowUnpredictable", False),
        "within": ("record", "AdviceScoreboardRowUnpredictable", False),
        "sign_right": ("record", "AdviceScoreboardRowUnpredictable", False),
        "covered": ("record", "AdviceScoreboardRowUnpredictable", False),
        "inside": ("record", "AdviceScoreboardRowUnpredictable", False),
    }


class AdviceScoreboardTotal(Record):
    """Over all rows."""

    checks: int
    """All of them."""
    judged: int
    """Those that were not left unjudged."""
    repeated: int
    """Judged ones with a prediction that a newer one of the same finding replaces."""
    predicted: int
    """The other judged ones with a predicted gain."""
    unpredictable: AdviceScoreboardRowUnpredictable
    """Those whose gain could not be predicted in the budget: half of the interval is wider than
    what is allowed.
    """
    within: AdviceScoreboardRowUnpredictable
    """Of the others, predictions that differ from the measured gain by at most the greater of 10 %
    of the gain and 2 % of the latency before.
    """
    sign_right: AdviceScoreboardRowUnpredictable
    """Of the same, predictions with the sign of the measured gain, out of those of more than 3 % of
    the latency.
    """
    covered: AdviceScoreboardRowUnpredictable
    """Predicted gains, unpredictable ones too, with an interval for which the 95 % interval of
    their difference from the measured gain includes 0.
    """
    inside: AdviceScoreboardRowUnpredictable
    """Out of the same, those whose own interval holds the measured gain."""
    median_relative_error: float | None
    """Median of the difference from the measured gain, as a share of the gain."""

    _kinds = {
        "unpredictable": ("record", "AdviceScoreboardRowUnpredictable", False),
        "within": ("record", "AdviceScoreboardRowUnpredictable", False),
        "sign_right": ("record", "AdviceScoreboardRowUnpredictable", False),
        "covered": ("record", "AdviceScoreboardRowUnpredictable", False),
        "inside": ("record", "AdviceScoreboardRowUnpredictable", False),
    }


class AdviceScoreboard(Result):
    """How well predicted gains agreed with measured ones, over all checks in a run database: `ridge
    advise --scoreboard runs.db --format json`. Of checks of one finding that were made again,
    shares count the newest. A figure that is unknown is null.
    """

    schema: str
    """Name and version of this document."""
    ridge: str
    """Version that wrote this."""
    rows: Table[AdviceScoreboardRow]
    """By kind, host and runtime."""
    total: AdviceScoreboardTotal
    """Over all rows."""

    _tables = {
        "rows": "AdviceScoreboardRow",
    }
    _kinds = {
        "total": ("record", "AdviceScoreboardTotal", False),
    }


class Runtime(Record):
    """Runtime."""

    name: str
    """As --runtimes names it."""
    title: str
    """For people."""
    version: str | None
    """As it says; null if it cannot be opened."""


class Model(Record):
    """Model."""

    model: str
    """As requests name it."""
    sha256: str | None
    """Of its file; null for one without."""
    bytes: int | None
    """Of its file; null for one without."""


class AgentsAgent(Record):
    """AgentsAgent."""

    experiment: int
    """Number of the experiment that it worked for last."""
    name: str
    """Host, partition, or partition/node."""
    machine: str
    """Host, processor, number of processors; empty where it did not say."""
    ridge: str
    """Its version; empty where it did not say."""
    state: Literal["connecting", "idle", "measuring", "unfit", "gone", "ended"]
    """What it does."""
    doing: str
    """The point that it measures; empty without one."""
    reason: str
    """Why it is unfit or gone; empty if it is not."""
    done: int
    """Points that it measured."""
    last_s: int
    """Its last sign of life, seconds since 1970 (UTC); 0 before the first."""
    runtimes: list[Runtime]
    """That it has."""
    models: list[Model]
    """That it has."""

    _kinds = {
        "runtimes": ("list", "Runtime", False),
        "models": ("list", "Model", False),
    }


class Agents(Result):
    """Agents of all experiments of a store, each as it was last heard of: `GET /api/v1/agents` of
    `ridge serve`.
    """

    schema: str
    """Name and version of this document."""
    agents: Table[AgentsAgent]
    """By name."""

    _tables = {
        "agents": "AgentsAgent",
    }


class AnalysesSweep(Record):
    """What was asked for."""

    points: int
    """Every combination of the values, the first name slowest."""
    sizes: dict[str, list[int]]
    """Name to its values."""
    together: list[list[str]] | None
    """Only where names vary in step: the names of each group; their first values are one point,
    their second ones the next.
    """

    _optional = frozenset({
        "together",
    })


class Analyses(Result):
    """The work in a model under several sizes: `ridge analyze MODEL --bind batch=1,2,4 --format
    json`.
    """

    schema: str
    """Name and version of this document."""
    sweep: AnalysesSweep
    """What was asked for."""
    analyses: list[Analysis]
    """Each a ridge.analysis/1, in the order of the points."""

    _results = {
        "analyses": "Analysis",
    }
    _kinds = {
        "sweep": ("record", "AnalysesSweep", False),
    }


class AnalysisModel(Record):
    """The file as it describes itself."""

    path: str
    """As given, or zoo:NAME."""
    graph_hash: str
    """32 hex digits of what is computed, whatever the names; of a weight only type, shape and
    sharing count.
    """
    ir_version: int
    """Of the ONNX file format."""
    opsets: dict[str, int]
    """Imported operator sets: domain to version; the empty domain is ai.onnx."""
    producer: str
    """Tool and version that wrote the file."""


class Input(Record):
    """Input."""

    name: str
    """Of the tensor."""
    dtype: str | None
    """Element type, such as float32; sequence(float32) and the like for what is no tensor."""
    shape: list[int | str | None] | None
    """Dimensions; null where the rank is not known."""


class AnalysisTotalsCoverage(Record):
    """Nodes by status."""

    counted: int
    """Their work is known."""
    zero: int
    """No work by definition."""
    unknown: int
    """Operators that ridge does not know, or sizes that cannot be."""


class AnalysisTotals(Record):
    """Sums over the nodes; null where one is not known."""

    nodes: int
    """Rows, those in bodies of control flow and called functions included."""
    macs: int | str | None
    """Multiply-accumulates."""
    macs_max: int | str | None
    """Only where `macs` lacks a node or constants make it less: an upper bound, null where a node
    has none.
    """
    flops: int | str | None
    """Other element-wise arithmetic on floating types."""
    special: int | str | None
    """Divisions, roots, exponentials and the like."""
    int_ops: int | str | None
    """Arithmetic on integers."""
    params: int
    """Elements of the weights, each tensor once."""
    active_params: int | None
    """Only with mixtures of experts: of `params` those that one token uses."""
    weight_bytes: int
    """Of those tensors, as stored."""
    bytes_read: int | str | None
    """Sum over the nodes, without fusion."""
    bytes_written: int | str | None
    """Sum over the nodes, without fusion."""
    peak_activation_bytes: int | str | None
    """Live activations at the worst moment of file order."""
    bytes_min: int | None
    """With --traffic: moved with a boundless cache, inputs and weights once, outputs once."""
    bytes_expected: int | None
    """With --traffic: read from and written to memory with the cache and fusion of `traffic`."""
    bytes_max: int | None
    """With --traffic: the same without a cache."""
    coverage: AnalysisTotalsCoverage
    """Nodes by status."""
    intensity: float | None
    """(2 macs + flops + special + int_ops) / (bytes_read + bytes_written), FLOP/B."""
    at_least: dict[str, int | str | None] | None
    """Only where totals lack a node: by their names the sums of what is known, lower bounds."""
    incomplete: list[str]
    """Totals that lack at least one node, so are null."""

    _kinds = {
        "coverage": ("record", "AnalysisTotalsCoverage", False),
    }
    _optional = frozenset({
        "macs_max",
        "active_params",
        "bytes_min",
        "bytes_expected",
        "bytes_max",
        "at_least",
    })


class AnalysisConvention(Record):
    """With --convention: the figure that another tool would print."""

    name: Literal["ridge", "torchvision", "timm", "ptflops", "ultralytics", "proof", "onnx-tool"]
    """Whose way of counting (docs/reference/conventions.md)."""
    unit: Literal["MACs", "FLOPs"]
    """Of the total and of the nodes' figures."""
    total: int | str | None
    """Sum over the nodes; null where one is not known."""
    at_least: int | str | None
    """Only where a node is not known: the sum over the others, a lower bound."""
    complete: bool
    """False: a node is not known, the total is null."""

    _optional = frozenset({
        "at_least",
    })


class AnalysisTraffic(Record):
    """With --traffic, --cache or --fuse: the assumptions under which bytes are expected."""

    cache_bytes: int
    """Of the last-level cache."""
    cache_from: Literal["given", "machine", "assumed"]
    """The flag, this machine, or nobody."""
    fuse: Literal["none", "epilogue", "runtime"]
    """Which nodes are taken to run as one."""
    fused_nodes: int
    """Nodes that run with a later one."""
    peak_activation_bytes: int
    """Live activations at the worst moment of this schedule."""


class AnalysisSymbolicSize(Record):
    """AnalysisSymbolicSize."""

    name: str
    """Of the size; `input[2]` where it has none."""
    of_input: bool
    """False: data decides it, and only a declaration inside the file names it."""


class AnalysisSymbolicFixed(Record):
    """AnalysisSymbolicFixed."""

    equation: str
    """Such as `batch = 1`."""
    node: int
    """The first node that works for these sizes only."""
    nodes: int
    """How many such nodes there are."""


class AnalysisSymbolicTotalTerm(Record):
    """AnalysisSymbolicTotalTerm."""

    coefficient: int
    """Of the product."""
    powers: dict[str, int]
    """A size, or an expression such as `(height//2)`, to its power."""


class AnalysisSymbolicTotal(Record):
    """AnalysisSymbolicTotal."""

    expression: str | None
    """A sum of products; null where it is not known."""
    terms: list[AnalysisSymbolicTotalTerm]
    """The same, term by term."""
    missing_nodes: int
    """Nodes whose figure is not known: the sum is a lower bound."""
    reason: str | None
    """Why the first of them is not, or why there is no expression."""

    _kinds = {
        "terms": ("list", "AnalysisSymbolicTotalTerm", False),
    }


class AnalysisSymbolic(Record):
    """With --symbolic and a size that is not bound: totals as expressions of the free sizes."""

    sizes: list[AnalysisSymbolicSize]
    """The names in the expressions."""
    fixed: list[AnalysisSymbolicFixed]
    """Sizes that nodes inside the model fix, often at export: the totals hold for them only."""
    totals: dict[str, AnalysisSymbolicTotal]
    """By figure, named as in `totals`."""

    _kinds = {
        "sizes": ("list", "AnalysisSymbolicSize", False),
        "fixed": ("list", "AnalysisSymbolicFixed", False),
        "totals": ("map", "AnalysisSymbolicTotal", False),
    }


class NodeInput(Record):
    """NodeInput."""

    name: str
    """Of the tensor."""
    dtype: str | None
    """Element type, such as float32; sequence(float32) and the like for what is no tensor."""
    shape: list[int | str | None] | None
    """Dimensions; null where the rank is not known."""
    kind: Literal["activation", "weight", "constant", "absent"]
    """What it is to the node."""


class Node(Record):
    """Node."""

    index: int
    """Main graph in file order, then depth-first through bodies, then function bodies per call."""
    parent: int | None
    """The node whose body this one stands in."""
    repeat: int | str | None
    """Executions; figures of the row are totals over them."""
    name: str
    """A label only: may be empty or repeated."""
    op_type: str
    """Operator."""
    domain: str
    """Of the operator; empty is ai.onnx."""
    module: str
    """Path in the module tree; empty is the root."""
    inputs: list[NodeInput]
    """By position; one that is not given is of kind `absent`."""
    outputs: list[Input]
    """Those that are wanted."""
    macs: int | str | None
    """Multiply-accumulates."""
    macs_max: int | str | None
    """Only where `macs` is null and bounded, or less because of constant sequence lengths: an upper
    bound, such as the most that a Loop may repeat its body.
    """
    flops: int | str | None
    """Other element-wise arithmetic on floating types."""
    special: int | str | None
    """Divisions, roots, exponentials and the like."""
    int_ops: int | str | None
    """Arithmetic on integers."""
    convention: int | str | None
    """With --convention: what that tool counts for it."""
    params: int
    """Elements of the weights it reads."""
    active_params: int | None
    """Only of a mixture of experts: of `params` those that one token uses."""
    bytes_read: int | str | None
    """Each distinct input once; Gather, Slice and the like what they touch."""
    bytes_written: int | str | None
    """Each output once; views 0."""
    bytes_expected: int | str | None
    """With --traffic: what it reads from memory, and what of its outputs reaches memory."""
    bytes_max: int | str | None
    """With --traffic: the same without a cache."""
    runs_with: int | None
    """With --traffic: the node at whose place it runs, itself where it is not fused."""
    intensity: float | None
    """FLOP/B, as in `totals`."""
    status: Literal["counted", "zero", "unknown"]
    """Whether the figures are known."""
    reason: str | None
    """Why a figure is null or the node unknown."""

    _kinds = {
        "inputs": ("list", "NodeInput", False),
        "outputs": ("list", "Input", False),
    }
    _optional = frozenset({
        "macs_max",
        "convention",
        "active_params",
        "bytes_expected",
        "bytes_max",
        "runs_with",
    })


class AnalysisModule(Record):
    """AnalysisModule."""

    path: str
    """As in `module` of a node; empty is the whole model."""
    depth: int
    """Parts of the path."""
    output: Input | None
    """The last tensor made inside that is read outside, a floating one where there is any; null
    where nothing leaves.
    """
    nodes: int
    """Inside, at any depth."""
    own_nodes: int
    """Of those, the ones in no module inside this one."""
    macs: int | str | None
    """Of everything inside; null where a node of it is not known, as are the next figures."""
    flops: int | str | None
    """Other element-wise arithmetic on floating types."""
    special: int | str | None
    """Divisions, roots, exponentials and the like."""
    int_ops: int | str | None
    """Arithmetic on integers."""
    params: int
    """Elements of the weights read inside, each tensor once."""
    bytes_read: int | str | None
    """Sum over the nodes."""
    bytes_written: int | str | None
    """Sum over the nodes."""
    unknown: int
    """Nodes inside whose work is not known."""
    at_least: dict[str, int | str | None] | None
    """Only where figures lack a node and are null: by their names the sums of what is known, lower
    bounds.
    """

    _kinds = {
        "output": ("record", "Input", True),
    }
    _optional = frozenset({
        "at_least",
    })


class Analysis(Result):
    """The work in a model under one binding of its free sizes: `ridge analyze MODEL --format json`.
    A figure is an integer, an expression of free sizes, or null where it cannot be known.
    """

    schema: str
    """Name and version of this document."""
    model: AnalysisModel
    """The file as it describes itself."""
    bindings: dict[str, Binding]
    """Every free size in force, by name; an unnamed dimension is called like `input[2]`."""
    values: dict[str, str] | None
    """Only with --input: inputs whose elements took part in the analysis, and the file or elements
    given for each.
    """
    inputs: Table[Input]
    """Of the model, weights left out."""
    outputs: Table[Input]
    """Of the model."""
    totals: AnalysisTotals
    """Sums over the nodes; null where one is not known."""
    convention: AnalysisConvention | None
    """With --convention: the figure that another tool would print."""
    traffic: AnalysisTraffic | None
    """With --traffic, --cache or --fuse: the assumptions under which bytes are expected."""
    symbolic: AnalysisSymbolic | None
    """With --symbolic and a size that is not bound: totals as expressions of the free sizes."""
    nodes: Table[Node]
    """One row per node, in the order of `index` (with --top: most work first)."""
    modules: Table[AnalysisModule]
    """The module tree, parents before children (with --depth: its upper levels)."""

    _tables = {
        "inputs": "Input",
        "outputs": "Input",
        "nodes": "Node",
        "modules": "AnalysisModule",
    }
    _kinds = {
        "model": ("record", "AnalysisModel", False),
        "bindings": ("map", "Binding", False),
        "totals": ("record", "AnalysisTotals", False),
        "convention": ("record", "AnalysisConvention", True),
        "traffic": ("record", "AnalysisTraffic", True),
        "symbolic": ("record", "AnalysisSymbolic", True),
    }
    _optional = frozenset({
        "values",
        "convention",
        "traffic",
        "symbolic",
    })


class BaselineRule(Record):
    """How machines are judged."""

    false_accusations: float
    """Chance that any machine is named where all are equal, over all tests together."""
    least_difference: float
    """A machine that is slower by less than this share is not named."""
    least_machines: int
    """A test with fewer is left out."""
    method: str
    """How machines are judged, with sources."""


class BaselineMachine(Record):
    """BaselineMachine."""

    name: str
    """Of the host."""
    processor: str
    """Kind and number: machines of one kind are compared."""
    runs: int
    """That were read."""


class BaselinePoint(Record):
    """BaselinePoint."""

    model: str
    """Path, or zoo:NAME."""
    graph_hash: str
    """Structure of the model."""
    sizes: str
    """Free sizes as bound: batch=4, sequence=128."""
    runtime: str
    """As it names itself."""
    runtime_version: str
    """As it says."""
    options: str
    """Of the runtime, and how it was pinned."""
    threads: int
    """Of the runtime; 0 where the run does not say."""
    batch: int
    """Items of one run of the model."""
    processor: str
    """Kind and number of processors."""


class BaselineSubjectThingVote(Record):
    """BaselineSubjectThingVote."""

    machine: int
    """Its position in `machines`."""
    value: float
    """Median over its runs; of a roof the best."""
    best: float
    """Shortest time, highest roof."""
    runs: int
    """How many."""


class BaselineSubjectThing(Record):
    """BaselineSubjectThing."""

    name: str
    """Roof, latency, or names of a group of layers."""
    unit: str
    """Ns, B/s or FLOP/s."""
    center: float
    """Median over the machines that are not outside."""
    votes: list[BaselineSubjectThingVote]
    """One for each machine, whatever its number of runs."""

    _kinds = {
        "votes": ("list", "BaselineSubjectThingVote", False),
    }


class BaselineSubject(Record):
    """BaselineSubject."""

    kind: Literal["roofs", "latency", "layer"]
    """What is tested: the roofs of a level, a latency, or a layer group."""
    point: int | None
    """Its position in `points`; null for roofs."""
    processor: str
    """Kind and number of processors of its machines."""
    level: str | None
    """Of roofs: compute, L1, L2, L3, memory."""
    threads: int | None
    """Of roofs; null otherwise."""
    nodes: list[int]
    """Of a layer group: nodes of the model."""
    things: list[BaselineSubjectThing]
    """Its figures."""
    center: float
    """Slowness of the machines that are not outside; 1: the median."""
    spread: float
    """Its standard deviation over these machines, as a factor."""
    limit: float
    """Another machine lies outside if it is slower by more."""
    machines: int
    """That center and spread are of."""
    significance: float
    """Part of false_accusations that this test has."""
    outside: list[int]
    """Machines that are slower: their positions in `machines`."""

    _kinds = {
        "things": ("list", "BaselineSubjectThing", False),
    }


class Evidence(Record):
    """Evidence."""

    thing: str
    """Roof, latency, or names of a group of layers."""
    unit: str
    """Ns, B/s or FLOP/s."""
    value: float
    """Of this machine."""
    expected_low: float
    """Center / limit."""
    expected_high: float
    """Center x limit."""
    ratio: float
    """Value / center."""


class Finding(Record):
    """Finding."""

    machine: str
    """That lies outside."""
    kind: Literal["roofs", "latency", "layer"]
    """Roofs, latency or layer."""
    subject: str
    """What is slower."""
    slowness: float
    """How many times slower than the others."""
    limit: float
    """Up to which it would not be named."""
    machines: int
    """That it is compared with."""
    evidence: list[Evidence]
    """Its figures beside what is expected."""

    _kinds = {
        "evidence": ("list", "Evidence", False),
    }


class LeftOut(Record):
    """LeftOut."""

    why: str
    """It cannot be compared."""
    count: int
    """How many."""
    examples: list[str]
    """The first of them."""


class Baseline(Result):
    """What equal machines do, with its spread, and which of them lie outside: `ridge runs baseline
    STORE --format json`. `ridge doctor --baseline FILE` reads it.
    """

    schema: str
    """Name and version of this document."""
    ridge_version: str
    """Of the program that made it."""
    rows: str
    """Value of --rows: model or roof."""
    columns: str
    """Value of --columns: host."""
    rule: BaselineRule
    """How machines are judged."""
    machines: Table[BaselineMachine]
    """By name."""
    points: Table[BaselinePoint]
    """Models as they were measured."""
    subjects: Table[BaselineSubject]
    """Roofs, then latencies, then layer groups."""
    findings: Table[Finding]
    """Machines that lie outside, and where."""
    left_out: Table[LeftOut]
    """What could not be compared."""

    _tables = {
        "machines": "BaselineMachine",
        "points": "BaselinePoint",
        "subjects": "BaselineSubject",
        "findings": "Finding",
        "left_out": "LeftOut",
    }
    _kinds = {
        "rule": ("record", "BaselineRule", False),
    }


class BaselineCheck(Result):
    """This machine beside a baseline: `ridge doctor --baseline FILE --format json`."""

    schema: str
    """Name and version of this document."""
    machine: str
    """Name of the host."""
    processor: str
    """Kind and number of processors."""
    judged: int
    """Number of tests."""
    findings: Table[Finding]
    """Where it lies outside; empty: nowhere."""
    left_out: Table[LeftOut]
    """What could not be compared."""

    _tables = {
        "findings": "Finding",
        "left_out": "LeftOut",
    }


class BenchPoint(Record):
    """BenchPoint."""

    model: str
    """Path of the model, or zoo:NAME."""
    point: str
    """Sizes and threads: batch=4, 2 threads."""
    runtime: str
    """As --runtimes names it."""
    threads: int
    """Of the runtime."""
    state: Literal["waiting", "impossible", "held", "measured", "failed"]
    """Waiting: not measured; impossible: the model does not take these sizes (of --dry-run); held:
    the store had a run of it; measured: now; failed: see error.
    """
    run: int | None
    """Its number in the store; null where there is none, also where a measured point could not be
    stored (a full disk).
    """
    median_ns: float | None
    """Unprofiled latency; null without a run."""
    ci95_ns: list[float | None]
    """Its 95 % interval."""
    items_per_s: float | None
    """Throughput; null without a run."""
    least_s: float | None
    """The point did not fit into what was left of --budget: seconds that it takes at least, judged
    by points before it; null of all others.
    """
    error: str | None
    """Why it failed or is impossible."""
    key: str | None
    """Of the point in this request, for --point: the same on every machine; null of an impossible
    one.
    """
    store_key: str | None
    """Of --dry-run: the key of its run in a store, as this machine measures it; null where its
    runtime is not here.
    """

    _kinds = {
        "ci95_ns": ("interval", "", False),
    }


class Bench(Result):
    """What became of a matrix: `ridge bench MODEL... --store FILE --format json`. The runs
    themselves are in the store (ridge.runs/1, ridge.profile/1).
    """

    schema: str
    """Name and version of this document."""
    points: Table[BenchPoint]
    """Every model in every runtime at every combination of sizes and threads, in the order asked
    for.
    """
    notes: list[str]
    """What a model was given in place of what was asked for, of points measured now."""

    _tables = {
        "points": "BenchPoint",
    }


class BricksModel(Record):
    """BricksModel."""

    name: str
    """Path, and the sizes given for it: zoo:bert_base sequence=64; no two are equal."""
    path: str
    """Path of the model, or zoo:NAME."""
    graph_hash: str
    """Structure of the model."""
    sizes: dict[str, int]
    """Its free sizes by name, given or assumed."""
    macs: int
    """Multiply-accumulates of all nodes."""
    resident_bytes: int
    """Bytes that a run touches: weights, and the most activations alive at a time; the bricks of
    the model are measured at the reuse distance that follows from them.
    """
    traffic_bytes: int
    """Bytes that the nodes read and write in a run; bricks with large weights are measured at half
    of them if that is more than the reuse distance; 0: unknown.
    """
    bricks: int
    """Pieces that it is cut into (`pieces` in the table): occurrences of bricks."""
    unique: int
    """Different bricks among them."""
    new: int
    """Bricks among them that no model before it has."""


class BricksBrickPort(Record):
    """BricksBrickPort."""

    name: str
    """Input or output of the file."""
    direction: Literal["input", "output"]
    """Seen from the brick."""
    dtype: str
    """Element type."""
    shape: list[int]
    """Of the tensor in the model; behind a donor the file's own port is another."""
    layout: Literal["plain", "blocked", "channels_last"]
    """How the runtime stores it in the model: as the model has it, with its channels in blocks, or
    with its channels last.
    """
    donor: str | None
    """Operators between the file's port and the piece that produce or accept this layout; null:
    none.
    """


class BricksBrickOccurrence(Record):
    """BricksBrickOccurrence."""

    model: str
    """Name of a model above."""
    nodes: list[int]
    """Rows of its nodes, ascending."""
    live_bytes: int
    """Computed tensors that are alive in the model while it runs; activations of the brick are
    spread over so much memory.
    """


class BricksBrick(Record):
    """BricksBrick."""

    key: str
    """Identity: equal for equal pieces of any model."""
    file: str
    """ONNX model in the same folder: conv-0d7f7b4f3060c9e7.onnx."""
    sha256: str
    """SHA-256 of that file; another file under its name is not measured."""
    file_bytes: int
    """Size of that file."""
    macs: int
    """Multiply-accumulates of one run, without those of donors."""
    bytes: int
    """Tensors at its ports and constants: what one run reads and writes at least."""
    ports: list[BricksBrickPort]
    """Tensors that enter and leave."""
    kernels: list[str]
    """Operators of the runtime's kernels in order, without donors; the same in the brick and in the
    models.
    """
    whole: bool
    """It is a whole model of very short kernels, without donors; its time is that of its runs, and
    includes the time outside kernels.
    """
    occurrences: list[BricksBrickOccurrence]
    """Places in the models that it stands for."""
    rejected: str | None
    """Why it is not used; null: it is."""

    _kinds = {
        "ports": ("list", "BricksBrickPort", False),
        "occurrences": ("list", "BricksBrickOccurrence", False),
    }


class BricksLeftOver(Record):
    """BricksLeftOver."""

    model: str
    """Name of a model above."""
    nodes: list[int]
    """Rows of its nodes, ascending."""
    why: str
    """For people: how the kernels differ, or why there are none."""
    key: str | None
    """Identity of the piece; null for nodes outside the runtime's layers."""


class Bricks(Result):
    """Bricks of several models: `ridge bricks plan MODEL... --out DIR --format json`, and
    DIR/manifest.json. Every node of a model (a row of ridge.analysis/1) is in exactly one
    occurrence or left over, and the MACs of a model's occurrences and nodes left over are the
    model's.
    """

    schema: str
    """Name and version of this document."""
    ridge: str
    """Version that planned last."""
    runtime: str
    """Whose kernels the bricks run, as it names itself."""
    runtime_version: str
    """As it says."""
    host: str
    """Host, processor, number of processors: kernels and layouts depend on them."""
    threads: int
    """Of the runtime."""
    models: Table[BricksModel]
    """In the order planned."""
    bricks: Table[BricksBrick]
    """In the order first found."""
    left_over: Table[BricksLeftOver]
    """Nodes that no brick stands for."""

    _tables = {
        "models": "BricksModel",
        "bricks": "BricksBrick",
        "left_over": "BricksLeftOver",
    }


class BricksCheckModel(Record):
    """BricksCheckModel."""

    name: str
    """Path, and the sizes given for it."""
    measured_ns: float
    """Latency: mean of the medians of its processes."""
    measured_ci95_ns: list[float] | None
    """95 % interval, low and high."""
    estimate_ns: float
    """From bricks."""
    ci95_ns: list[float] | None
    """95 % interval of the estimate."""
    error: float
    """Estimate / measured - 1."""
    intervals_meet: bool
    """The two intervals have a point in common."""
    processes: int
    """In which the model was measured."""
    seconds: float
    """Time to load and run the model in all of them."""
    narrow: bool
    """Its measured interval reached the width; if not, its time does not count as saved."""
    measured_width: float | None
    """Half of the measured interval, relative; null if it was measured in too few processes."""
    estimate_width: float | None
    """Half of what measuring the bricks adds to the interval of the estimate, relative."""
    estimate_narrow: bool
    """The estimate reached the width; if not, the model's time does not count as saved."""

    _kinds = {
        "measured_ci95_ns": ("interval", "", True),
        "ci95_ns": ("interval", "", True),
    }


class BricksCheckTimeBricks(Record):
    """What the bricks took, in seconds."""

    plan_s: float
    """Loading models and cutting them."""
    load_s: float
    """Starting processes and loading bricks."""
    run_s: float
    """Running bricks, donors and dropped runs included."""


class BricksCheckTime(Record):
    """What bricks and models took, in seconds."""

    bricks: BricksCheckTimeBricks
    """What the bricks took, in seconds."""
    models_s: float | None
    """Loading and running the models that count: measured interval and estimate both reached the
    width.
    """
    width: float
    """Half an interval relative to its figure, wanted for models and estimates alike."""
    models_counted: int
    """Models that count in models_s and saved."""
    models_width: float | None
    """Largest measured_width of these."""
    estimates_width: float | None
    """Largest estimate_width of these."""
    saved: float | None
    """Models_s / (plan_s + load_s + run_s); null if the store had bricks before, or no model
    counts.
    """
    saved_equal_runs: float | None
    """Time of one run of every model / time of one run of every brick."""

    _kinds = {
        "bricks": ("record", "BricksCheckTimeBricks", False),
    }


class BricksCheck(Result):
    """Estimates from bricks beside measured models, and what both cost: `ridge bricks check
    MODEL... --store FILE --format json`. Bricks and models took turns, one process each.
    """

    schema: str
    """Name and version of this document."""
    ridge: str
    """Version that wrote this."""
    runtime: str
    """Whose kernels the bricks run, as it names itself."""
    runtime_version: str
    """As it says."""
    host: str
    """Host, processor, number of processors."""
    threads: int
    """Of the runtime."""
    models: Table[BricksCheckModel]
    """In the order given."""
    without_estimate: list[str]
    """Measured models that have a brick without a time."""
    mape: float | None
    """Mean of |error|."""
    p95: float | None
    """|error| at rank floor(0.95 n), from 0."""
    worst: float | None
    """Largest |error|."""
    bias: float | None
    """Mean of error."""
    intervals_met: int
    """Models whose intervals meet."""
    time: BricksCheckTime
    """What bricks and models took, in seconds."""

    _tables = {
        "models": "BricksCheckModel",
    }
    _kinds = {
        "time": ("record", "BricksCheckTime", False),
    }


class BundleFile(Record):
    """BundleFile."""

    role: str
    """Model, external data, data, labels, or input NAME."""
    name: str
    """As the run or its lock has it."""
    place: str
    """Where it is unpacked, below a folder."""
    entry: str | None
    """Of the bundle; null by reference."""
    sha256: str
    """Hash of its content."""
    bytes: int
    """Its size."""


class BundleLibrary(Record):
    """BundleLibrary."""

    runtime: str
    """As it names itself."""
    version: str
    """As it says."""
    sha256: str | None
    """Hash of its library; null where it is not known."""


class Bundle(Result):
    """What a bundle holds: `ridge bundle show FILE --format json`. Its other entries are the
    result's document, its lock, a run database with the one result, and the files.
    """

    schema: str
    """Name and version of this document."""
    result: str
    """Run or evaluation."""
    model: str
    """As given: a path, or zoo:NAME."""
    runtime: str
    """As it names itself."""
    runtime_version: str
    """As it says."""
    ridge: str
    """Version that measured."""
    machine: str
    """Host, processor, number of processors."""
    recorded_s: int
    """When it was stored, seconds since 1970 (UTC)."""
    files: Table[BundleFile]
    """That the result depends on."""
    libraries: Table[BundleLibrary]
    """Of the runtimes."""

    _tables = {
        "files": "BundleFile",
        "libraries": "BundleLibrary",
    }


class ComparisonRunDriftKernel(Record):
    """ComparisonRunDriftKernel."""

    kernel: str
    """As in reference of ridge.profile/1."""
    baseline_ns: list[int]
    """Shortest and longest time in the baseline."""
    ns: list[int]
    """Shortest and longest time in this run."""
    scatter: float | None
    """Standard deviation of the logarithms of its times within a run, pooled over both."""

    _kinds = {
        "baseline_ns": ("interval", "", False),
        "ns": ("interval", "", False),
    }


class ComparisonRunDrift(Record):
    """How far the reference kernels of this run and of the baseline lie apart; null for the
    baseline, for runs in turns, on different machines, and where one of both has none.
    """

    share: float
    """Largest difference of the latency that drift of the machine may explain, as a share: the
    range of a kernel in both runs, as far as the latency follows that kernel within a run.
    """
    latency_scatter: float | None
    """Standard deviation of the logarithms of the processes' median latencies within a run, pooled
    over both.
    """
    kernels: list[ComparisonRunDriftKernel]
    """One entry per kernel that both have."""

    _kinds = {
        "kernels": ("list", "ComparisonRunDriftKernel", False),
    }


class ComparisonRunNodes(Record):
    """How its nodes were joined with the first run's."""

    joined_by: Literal["index", "name", "structure"]
    """Index: the same operators and names in the same places."""
    matched: int
    """Nodes with a partner."""
    of: int
    """Nodes of the run's model."""


class ComparisonRun(Record):
    """ComparisonRun."""

    label: str
    """What the column is called."""
    kind: Literal["measured", "imported", "estimated", "bounded"]
    """Where its times come from."""
    model: str
    """Path of the model."""
    graph_hash: str
    """Of its structure."""
    runtime: str
    """Name of the runtime."""
    version: str
    """Of the runtime."""
    options: dict[str, int | str]
    """Threads (a number), optimization, pinning and the user's own (text)."""
    bindings: dict[str, Binding]
    """Sizes by name."""
    drift: ComparisonRunDrift | None
    """How far the reference kernels of this run and of the baseline lie apart; null for the
    baseline, for runs in turns, on different machines, and where one of both has none.
    """
    batch: int
    """Items of one run."""
    machine: str | None
    """Hostname, processor and count; null where the run does not say."""
    nodes: ComparisonRunNodes
    """How its nodes were joined with the first run's."""

    _kinds = {
        "bindings": ("map", "Binding", False),
        "drift": ("record", "ComparisonRunDrift", True),
        "nodes": ("record", "ComparisonRunNodes", False),
    }


class ComparisonLatencyNode(Record):
    """ComparisonLatencyNode."""

    run: int
    """Position of the first run whose model has the node."""
    index: int
    """Index of `ridge analyze` in that model."""
    name: str
    """As the model names it."""
    op_type: str
    """Operator."""


class ComparisonLatencyRun(Record):
    """ComparisonLatencyRun."""

    layers: int
    """How many layers of the run the row has."""
    time_ns: float | None
    """Median over runs of the sum of the layers' corrected times; null: not known, or the run's
    model has none of the nodes.
    """
    time_ci95: list[float] | None
    """Its 95 % interval, processes as blocks; null where single runs are not kept or fewer than
    six.
    """
    below_resolution: bool
    """The run's profiler cannot tell so short a time."""
    difference_ns: float | None
    """Less the baseline's time."""
    difference_ci95: list[float] | None
    """Its interval, of `confidence`; null where there are too few runs."""
    ratio: float | None
    """Of the baseline's time, over pairs of runs where interleaved; null where either is 0 or not
    known.
    """
    ratio_ci95: list[float] | None
    """Its interval, of `confidence`; null where there are too few runs."""
    confidence: float | None
    """Of ratio_ci95 and difference_ci95: 0.95 for a row by itself; in a table wider, so that of its
    verdicts at most false_discovery_rate are wrong on average.
    """
    detectable: float | None
    """What this comparison could have shown: the least slowdown, as a share, at which an interval
    as wide as ratio_ci95 lies past the threshold: (1 + threshold) x sqrt(high / low) - 1; null
    where there is no interval.
    """
    per_item_ratio: float | None
    """The ratio of the time for one item of the batch; null where batches do not differ."""
    verdict: Literal["baseline", "faster", "slower", "no difference shown", "drift", "not judged"]
    """Faster and slower: ratio_ci95 (where there is no ratio, difference_ci95) lies past the
    threshold; drift: it does, but the reference kernels of the two runs, which did not take
    turns, differ by at least as much.
    """
    reason: str | None
    """Why it is not judged."""

    _kinds = {
        "time_ci95": ("interval", "", True),
        "difference_ci95": ("interval", "", True),
        "ratio_ci95": ("interval", "", True),
    }


class ComparisonLatency(Record):
    """Whole unprofiled runs."""

    name: str
    """The group, module or operator as tables call it."""
    module: str | None
    """Groups: the deepest module that holds all nodes."""
    operator: str | None
    """Groups: what it counts under by operator."""
    nodes: list[ComparisonLatencyNode] | None
    """Groups: its nodes."""
    runs: list[ComparisonLatencyRun]
    """By run; everything but the time is against the first."""

    _kinds = {
        "nodes": ("list", "ComparisonLatencyNode", False),
        "runs": ("list", "ComparisonLatencyRun", False),
    }
    _optional = frozenset({
        "module",
        "operator",
        "nodes",
    })


class ComparisonTotalTime(Record):
    """The latency in parts; null where it is not known."""

    latency_ns: float
    """Of a whole unprofiled run, median."""
    groups_ns: float
    """Sum over the groups."""
    inserted_ns: float
    """Layers that the runtime inserted: reorder, cast, copy."""
    unattributed_ns: float
    """Layers that no node is known for."""
    outside_layers_ns: float
    """What the run's own profile says passes between layers."""
    unexplained_ns: float
    """What is left, so that the parts add up to the latency."""


class ComparisonTotalGroups(Record):
    """Verdicts over groups."""

    faster: int
    """Groups that are faster."""
    faster_by_ns: float
    """By so much together."""
    slower: int
    """Groups that are slower."""
    slower_by_ns: float
    """By so much together."""
    no_difference_shown: int
    """Groups without a verdict either way."""
    drift: int
    """Groups whose difference is no larger than the drift of the machine between the runs."""
    not_judged: int
    """Groups that cannot be judged."""


class ComparisonTotal(Record):
    """ComparisonTotal."""

    time: ComparisonTotalTime | None
    """The latency in parts; null where it is not known."""
    difference: ComparisonTotalTime | None
    """Less the baseline's parts; null for the baseline and where either is not known."""
    explained: float | None
    """Share of the difference of the latency that groups and inserted layers have; null where no
    difference is shown.
    """
    groups: ComparisonTotalGroups
    """Verdicts over groups."""

    _kinds = {
        "time": ("record", "ComparisonTotalTime", True),
        "difference": ("record", "ComparisonTotalTime", True),
        "groups": ("record", "ComparisonTotalGroups", False),
    }


class Comparison(Result):
    """Two or more runs over the nodes of one model, against the first: `ridge compare RUN RUN...
    --format json`.
    """

    schema: str
    """Name and version of this document."""
    threshold: float
    """A share: smaller differences are not called faster or slower."""
    interleaved: bool
    """The runs took turns one by one, so that every run of a column has a partner in each other
    column.
    """
    false_discovery_rate: float
    """How many of a table's verdicts may be wrong on average (Benjamini and Hochberg)."""
    runs: Table[ComparisonRun]
    """The columns, the baseline first."""
    latency: ComparisonLatency
    """Whole unprofiled runs."""
    groups: Table[ComparisonLatency]
    """The smallest groups of nodes that every run times on its own, by first node."""
    modules: Table[ComparisonLatency]
    """The groups within each module; the median over runs of their sum."""
    operators: Table[ComparisonLatency]
    """The groups by operator; the median over runs of their sum."""
    inserted: ComparisonLatency
    """Layers that the runtimes inserted."""
    unattributed: ComparisonLatency
    """Layers that no node is known for."""
    totals: Table[ComparisonTotal]
    """By run."""
    best_of_each_ns: float
    """Sum over the groups that all runs have of the fastest run's time, and the least that a run
    takes for the others: the lower limit of a combination, conversions between runtimes not
    counted.
    """
    nodes_without_layer: int
    """Nodes that no run has a layer for."""
    notes: list[str]
    """What the reader must know: other models, and the notes of the runs."""

    _tables = {
        "runs": "ComparisonRun",
        "groups": "ComparisonLatency",
        "modules": "ComparisonLatency",
        "operators": "ComparisonLatency",
        "totals": "ComparisonTotal",
    }
    _kinds = {
        "latency": ("record", "ComparisonLatency", False),
        "inserted": ("record", "ComparisonLatency", False),
        "unattributed": ("record", "ComparisonLatency", False),
    }


class DiffA(Record):
    """The first model."""

    path: str
    """As given, or zoo:NAME."""
    graph_hash: str
    """As in ridge.analysis/1."""
    bindings: dict[str, Binding]
    """Free sizes in force, by name."""

    _kinds = {
        "bindings": ("map", "Binding", False),
    }


class DiffCounts(Record):
    """Nodes by `change`; a pair of partners counts once."""

    same: int
    """Nothing differs."""
    renamed: int
    """Another name or module, all else the same."""
    changed: int
    """Attributes, constants, types or work differ."""
    added: int
    """Only in B."""
    removed: int
    """Only in A."""


class DiffTotal(Record):
    """DiffTotal."""

    a: int | None
    """Of A; null where it lacks a node."""
    b: int | None
    """Of B; null where it lacks a node."""
    difference: int | None
    """B - a."""
    at_least: bool
    """A side lacks at least one node, so its total is null."""
    a_at_least: int | None
    """Only where A lacks a node: the sum of what is known, a lower bound."""
    b_at_least: int | None
    """Only where B lacks a node: the sum of what is known, a lower bound."""

    _optional = frozenset({
        "a_at_least",
        "b_at_least",
    })


class DiffNodeA(Record):
    """The node of A; null where there is none."""

    index: int
    """As in ridge.analysis/1."""
    name: str
    """A label only: may be empty or repeated."""
    module: str
    """Path in the module tree; empty is the root."""
    macs: int | None
    """Multiply-accumulates; null where there is no number, as are others."""
    flops: int | None
    """Other element-wise arithmetic on floating types."""
    special: int | None
    """Divisions, roots, exponentials and the like."""
    int_ops: int | None
    """Arithmetic on integers."""
    params: int | None
    """Elements of the weights."""
    bytes_read: int | None
    """Each distinct input once."""
    bytes_written: int | None
    """Each output once."""


class DiffNodeDifference(Record):
    """B - a, of what is not there 0."""

    macs: int | None
    """Multiply-accumulates; null where there is no number, as are others."""
    flops: int | None
    """Other element-wise arithmetic on floating types."""
    special: int | None
    """Divisions, roots, exponentials and the like."""
    int_ops: int | None
    """Arithmetic on integers."""
    params: int | None
    """Elements of the weights."""
    bytes_read: int | None
    """Each distinct input once."""
    bytes_written: int | None
    """Each output once."""


class DiffNode(Record):
    """DiffNode."""

    change: Literal["same", "renamed", "changed", "added", "removed"]
    """What became of it."""
    op_type: str
    """Operator."""
    domain: str
    """Of the operator; empty is ai.onnx."""
    a: DiffNodeA | None
    """The node of A; null where there is none."""
    b: DiffNodeA | None
    """The node of B; null where there is none."""
    what: list[str]
    """What differs, as text: an attribute, a constant, a type with both values; `name`, `module`,
    `work`.
    """
    difference: DiffNodeDifference
    """B - a, of what is not there 0."""

    _kinds = {
        "a": ("record", "DiffNodeA", True),
        "b": ("record", "DiffNodeA", True),
        "difference": ("record", "DiffNodeDifference", False),
    }


class DiffModuleA(Record):
    """Of what is inside, in A."""

    nodes: int
    """Rows."""
    macs: int | None
    """Multiply-accumulates; null where there is no number, as are others."""
    flops: int | None
    """Other element-wise arithmetic on floating types."""
    special: int | None
    """Divisions, roots, exponentials and the like."""
    int_ops: int | None
    """Arithmetic on integers."""
    params: int | None
    """Elements of the weights."""
    bytes_read: int | None
    """Each distinct input once."""
    bytes_written: int | None
    """Each output once."""


class DiffModule(Record):
    """DiffModule."""

    path: str
    """Empty is the whole model."""
    depth: int
    """Parts of the path."""
    a: DiffModuleA
    """Of what is inside, in A."""
    b: DiffModuleA
    """Of what is inside, in B."""

    _kinds = {
        "a": ("record", "DiffModuleA", False),
        "b": ("record", "DiffModuleA", False),
    }


class Diff(Result):
    """What work changed from one model to another: `ridge diff A B --format json`. A figure is null
    where it is no number.
    """

    schema: str
    """Name and version of this document."""
    a: DiffA
    """The first model."""
    b: DiffA
    """The second model."""
    fuse: Literal["epilogue", "runtime"] | None
    """Only with --fuse: which operators run as one, so that bytes are those at their common
    boundary.
    """
    counts: DiffCounts
    """Nodes by `change`; a pair of partners counts once."""
    totals: dict[str, DiffTotal]
    """Totals of ridge.analysis/1 by name, on both sides."""
    nodes: Table[DiffNode]
    """Along A, what is added behind what it follows in B; those that are the same only with --all.
    """
    modules: Table[DiffModule]
    """The module tree of A, parents before children; a node of B counts where its partner stands,
    without a partner under its own path.
    """

    _tables = {
        "nodes": "DiffNode",
        "modules": "DiffModule",
    }
    _kinds = {
        "a": ("record", "DiffA", False),
        "b": ("record", "DiffA", False),
        "counts": ("record", "DiffCounts", False),
        "totals": ("map", "DiffTotal", False),
    }
    _optional = frozenset({
        "fuse",
    })


class Error(Result):
    """Why `ridge serve` did not do what it was asked."""

    schema: str
    """Name and version of this document."""
    code: str
    """RIDGE-AREA-NNNN, as docs/reference/messages.md lists them."""
    message: str
    """What is wrong."""
    where: str | None
    """The place of it; null without one."""
    evidence: str | None
    """What was found there; null without."""
    hint: str | None
    """The next step; null without."""


class EstimateModelCoverage(Record):
    """Where the times of the layers come from."""

    measured: float
    """Share of the layers' time that measured bricks stand for."""
    predicted: float
    """Share that is predicted from measured bricks with kernels in common."""


class EstimateModelLayer(Record):
    """EstimateModelLayer."""

    nodes: list[int]
    """Rows of its nodes in ridge.analysis/1, ascending."""
    brick: str | None
    """Key of its brick; null if the piece has none."""
    time_ns: float
    """Of one run, without the cost of profiling."""
    ci95_ns: list[float] | None
    """95 % interval, low and high."""
    source: Literal["measured", "predicted"]
    """Measured: its brick was; predicted: from measured bricks with kernels in common."""

    _kinds = {
        "ci95_ns": ("interval", "", True),
    }


class EstimateModelMissing(Record):
    """EstimateModelMissing."""

    brick: str | None
    """Key that a brick of this layer alone has."""
    nodes: list[int]
    """Rows of its nodes, ascending."""
    why: str | None
    """For people: why its brick was not measured and cannot be predicted."""


class EstimateModel(Record):
    """EstimateModel."""

    name: str
    """Path, and the sizes given for it."""
    estimate_ns: float | None
    """Latency; null if a layer is missing."""
    ci95_ns: list[float] | None
    """95 % interval, low and high; null if a brick was measured in one process only."""
    critical_path_ns: float | None
    """Longest path through the layers and the time outside them: least time with any number of
    processors.
    """
    outside_layers_ns: float | None
    """Time of a run outside its kernels, from chains of equal kernels."""
    coverage: EstimateModelCoverage
    """Where the times of the layers come from."""
    layers: list[EstimateModelLayer]
    """Pieces in an executable order."""
    missing: list[EstimateModelMissing]
    """Layers without a time."""

    _kinds = {
        "ci95_ns": ("interval", "", True),
        "coverage": ("record", "EstimateModelCoverage", False),
        "layers": ("list", "EstimateModelLayer", False),
        "missing": ("list", "EstimateModelMissing", False),
    }


class Estimate(Result):
    """Latencies of models from measured bricks: `ridge bricks estimate MODEL... --store FILE
    --format json`. The models were loaded and not run. Layers and time outside layers add up to
    the estimate.
    """

    schema: str
    """Name and version of this document."""
    ridge: str
    """Version that wrote this."""
    runtime: str
    """Whose kernels the bricks run, as it names itself."""
    runtime_version: str
    """As it says."""
    host: str
    """Host, processor, number of processors."""
    threads: int
    """Of the runtime."""
    models: Table[EstimateModel]
    """In the order given."""

    _tables = {
        "models": "EstimateModel",
    }


class EvaluationModel(Record):
    """Model."""

    path: str
    """File, or zoo:NAME."""
    graph_hash: str
    """Hash of the structure."""


class EvaluationScenarioBatching(Record):
    """Queries that run together; null: one by one."""

    max: int
    """Queries in a batch at most."""
    wait_ns: int
    """Time for which the first query waits for others."""
    sizes: list[int]
    """Sizes of batches that can be run; none: powers of two and max."""


class EvaluationScenarioBound(Record):
    """Bound that was asked for."""

    percentile: float
    """99 for the 99th."""
    latency_ns: int
    """Latency within which it must be."""


class EvaluationScenario(Record):
    """Load as asked; null for accuracy alone."""

    kind: Literal["single-stream", "multi-stream", "offline", "server", "closed-loop"]
    """As in MLPerf Inference where it has the scenario."""
    arrivals: Literal["constant", "poisson", "gamma", "bursty", "replay"] | None
    """Process of a server's arrivals."""
    queries_per_s: float | None
    """Mean rate of the schedule as asked."""
    samples_per_query: int
    """Samples of each query."""
    lanes: int
    """Runs at the same time."""
    seed: int
    """Seed of arrivals and samples."""
    min_duration_ns: int
    """Time for which queries are issued at least."""
    max_duration_ns: int
    """Time after which none are issued."""
    min_queries: int
    """Queries that are issued at least."""
    warmup_ns: int
    """Time at the beginning that figures leave out."""
    warmup_queries: int
    """Queries at the beginning that figures leave out."""
    clients: int
    """Clients of a closed loop; 0: each worker is one."""
    batching: EvaluationScenarioBatching | None
    """Queries that run together; null: one by one."""
    bound: EvaluationScenarioBound | None
    """Bound that was asked for."""

    _kinds = {
        "batching": ("record", "EvaluationScenarioBatching", True),
        "bound": ("record", "EvaluationScenarioBound", True),
    }


class EvaluationDataStepTime(Record):
    """EvaluationDataStepTime."""

    step: str
    """Read, or the step."""
    median_ns: float | None
    """Median over samples."""


class EvaluationData(Record):
    """Samples of --data; null for seeded ones."""

    source: str
    """Folder or .npy."""
    labels: str | None
    """What is true of each."""
    steps: str
    """Steps from a file or element to the input."""
    metric: Literal["top-k", "coco", "voc", "miou", "psnr", "ssim", "exact", "f1", "cer"]
    """How answers are judged."""
    post: str
    """Steps from the outputs to an answer."""
    step_times: list[EvaluationDataStepTime]
    """Reading, then each of the steps; of one thread, and no part of any latency."""
    samples: list[str]
    """Name of each sample."""
    samples_ns: list[int]
    """Time in which each sample was read and made."""
    notes: list[str]
    """Labels that were passed over, and images whose data are damaged, so that pixels may be wrong.
    """

    _kinds = {
        "step_times": ("list", "EvaluationDataStepTime", False),
    }


class PointRuntime(Record):
    """Runtime."""

    name: str
    """As it names itself."""
    version: str
    """Its version."""
    library: str
    """Path of its library."""


class EvaluationPointPeakProbe(Record):
    """EvaluationPointPeakProbe."""

    queries_per_s: float
    """Rate."""
    queries: int
    """Number."""
    late: float
    """Share beyond the bound."""
    seconds: float
    """Duration."""


class EvaluationPointPeak(Record):
    """Search for the largest rate; null without --find-peak."""

    queries_per_s: float
    """Largest rate that keeps the bound; 0 if none."""
    estimate_per_s: float
    """Estimate of the peak from the shares of late queries."""
    invalid_per_s: float
    """Smallest rate that does not keep it, or remained undecided; 0 if none."""
    undecided: bool
    """Invalid_per_s remained undecided."""
    seconds: float
    """Duration of the probes."""
    probes: list[EvaluationPointPeakProbe]
    """In order."""

    _kinds = {
        "probes": ("list", "EvaluationPointPeakProbe", False),
    }


class Top1(Record):
    """Share of samples with the right class first; null without labels."""

    value: float | None
    """Value; null without samples that count."""
    ci95: list[float] | None
    """95 % interval, Wilson's or from a bootstrap over samples."""

    _kinds = {
        "ci95": ("interval", "", True),
    }


class EvaluationPointAccuracyMetric(Record):
    """EvaluationPointAccuracyMetric."""

    metric: str
    """Top1, top5, coco_ap, voc_ap, mean_iou, psnr, ssim, exact_match, f1, cer, wer, ..."""
    value: float | None
    """Value; null without samples that count."""
    ci95: list[float] | None
    """95 % interval, Wilson's or from a bootstrap over samples."""

    _kinds = {
        "ci95": ("interval", "", True),
    }


class EvaluationPointAccuracyClassName(Record):
    """EvaluationPointAccuracyClassName."""

    class_: int
    """Number."""
    name: str
    """Name."""


class EvaluationPointAccuracy(Record):
    """With --data; null otherwise."""

    samples: int
    """Samples that were judged."""
    classes: int
    """Classes of the model."""
    top1: Top1 | None
    """Share of samples with the right class first; null without labels."""
    top5: Top1 | None
    """Share with it among the first five; null for up to five classes."""
    metrics: list[EvaluationPointAccuracyMetric]
    """All figures, those above among them."""
    class_names: list[EvaluationPointAccuracyClassName]
    """Names of predicted classes, with labels(FILE) after the run."""
    predicted: list[int]
    """Class of each sample, -1 where all scores are NaN; empty where answers are no classes."""
    correct: list[int]
    """1 for each sample that is right, else 0; empty without labels."""
    notes: list[str]
    """What is true of samples and was passed over: lines of other samples, images without boxes."""

    _kinds = {
        "top1": ("record", "Top1", True),
        "top5": ("record", "Top1", True),
        "metrics": ("list", "EvaluationPointAccuracyMetric", False),
        "class_names": ("list", "EvaluationPointAccuracyClassName", False),
    }


class LargestAbsolute(Record):
    """Largest difference."""

    value: float | None
    """Difference."""
    sample: int
    """Its sample, from 0."""
    index: int
    """Its position among the values of the sample."""


class Divergence(Record):
    """Divergence."""

    output: str
    """Name of the output."""
    kind: Literal["values", "scores", "probabilities"]
    """Probabilities: made by a Softmax; scores: one axis of values for each sample; values: others.
    """
    comparable: bool
    """False: the outputs differ in size, and there are no figures."""
    samples: int
    """Samples compared."""
    values: int
    """Pairs of values."""
    largest_absolute: LargestAbsolute
    """Largest difference."""
    largest_relative: LargestAbsolute
    """Largest difference relative to the larger value."""
    mean_absolute: float | None
    """Mean difference of finite values."""
    differ_in_kind: int
    """Pairs of which one is NaN or infinite and the other is not so."""
    agreement: Top1 | None
    """Share of samples with the same class of highest score; null for values."""
    kl: Top1 | None
    """Mean Kullback-Leibler divergence from the first run, nats; null for values."""
    js: Top1 | None
    """Mean Jensen-Shannon divergence, nats; null for values."""
    infinite_divergences: int
    """Samples whose Kullback-Leibler divergence is infinite, as a score of the other run is zero;
    the mean of kl is null then.
    """
    no_distribution: int
    """Samples whose scores are no distribution in one of both, left out of kl and js."""
    differ: list[int]
    """Samples with another class of highest score, from 0."""

    _kinds = {
        "largest_absolute": ("record", "LargestAbsolute", False),
        "largest_relative": ("record", "LargestAbsolute", False),
        "agreement": ("record", "Top1", True),
        "kl": ("record", "Top1", True),
        "js": ("record", "Top1", True),
    }


class EvaluationPointOutput(Record):
    """EvaluationPointOutput."""

    output: str
    """Name of the output."""
    kind: Literal["values", "scores", "probabilities"]
    """As in divergence."""
    file: str | None
    """A .npy of float32, samples along its first axis; null: samples differ in size or have no
    values.
    """
    sha256: str | None
    """Hash of the file."""


class EvaluationPointMlperfAudit(Record):
    """Compliance test; null without --audit."""

    name: Literal["none", "test01", "test04"]
    """Which."""
    passed: bool
    """Its verdict."""
    outputs_compared: int
    """Outputs logged under load (test01)."""
    outputs_different: int
    """Those that are not the ones of accuracy mode."""
    unit: Literal["ns", "samples/s"]
    """Unit of the figures."""
    first: float
    """Figure without the audit."""
    second: float
    """Figure with it."""
    tolerance: float
    """Relative difference that is allowed."""
    reasons: list[str]
    """For not passing."""


class EvaluationPointMlperf(Record):
    """The test by LoadGen's rules; null without --mlperf-logs. Never an MLPerf result."""

    folder: str
    """Folder of the logs."""
    valid: bool | None
    """LoadGen's verdict; null in accuracy mode."""
    reasons: list[str]
    """For not being valid."""
    audit: EvaluationPointMlperfAudit | None
    """Compliance test; null without --audit."""
    notes: list[str]
    """Keys of the configuration that LoadGen does not know."""

    _kinds = {
        "audit": ("record", "EvaluationPointMlperfAudit", True),
    }


class EvaluationPointLockModel(Record):
    """Model with its external data; a network of the zoo by its structure."""

    name: str | None
    """As given."""
    sha256: str | None
    """Hash."""
    entry: str | None
    """Name and version in a manifest or registry; null: found by none."""


class EvaluationPointLockRuntime(Record):
    """EvaluationPointLockRuntime."""

    name: str
    """Value of --runtime."""
    version: str | None
    """As it says."""
    sha256: str | None
    """Hash of its library; null for the null runtime."""


class EvaluationPointLockFile(Record):
    """EvaluationPointLockFile."""

    use: str
    """Input NAME, arrivals, runtime library."""
    name: str
    """Path as given."""
    sha256: str | None
    """Hash; null for the library, which is that of the runtime."""


class EvaluationPointLockPipeline(Record):
    """Steps from files to the input and after the output."""

    sha256: str
    """Hash of the steps as text."""
    before: list[list[str]]
    """Steps of each input."""
    after: list[str]
    """Steps after the run."""


class EvaluationPointLock(Record):
    """Everything that the result depends on: ridge eval --lock repeats it; hashes are SHA-256."""

    format: Literal["ridge.lock/1"]
    """Name and version of locks."""
    ridge: str | None
    """Version that evaluated."""
    model: EvaluationPointLockModel
    """Model with its external data; a network of the zoo by its structure."""
    data: EvaluationPointLockModel
    """Array, or images of a folder in order; null without data."""
    labels: EvaluationPointLockModel
    """File of labels; null without labels."""
    runtimes: list[EvaluationPointLockRuntime]
    """The runtimes that evaluated."""
    files: list[EvaluationPointLockFile]
    """Other files that options name."""
    pipeline: EvaluationPointLockPipeline
    """Steps from files to the input and after the output."""
    options: dict[str, str]
    """Options of scenario and runtime by name, as text."""
    seeds: dict[str, str]
    """Seeds by name, as text."""
    host: dict[str, str]
    """Facts about the machine by name, as text."""

    _kinds = {
        "model": ("record", "EvaluationPointLockModel", False),
        "data": ("record", "EvaluationPointLockModel", False),
        "labels": ("record", "EvaluationPointLockModel", False),
        "runtimes": ("list", "EvaluationPointLockRuntime", False),
        "files": ("list", "EvaluationPointLockFile", False),
        "pipeline": ("record", "EvaluationPointLockPipeline", False),
    }


class Completed(Record):
    """Queries done."""

    per_s: float
    """Number per second."""
    ci95_per_s: list[float] | None
    """95 % interval from ten equal parts of the time; null where there are too few queries."""

    _kinds = {
        "ci95_per_s": ("interval", "", True),
    }


class Percentile(Record):
    """Percentile."""

    percentile: float
    """99 for the 99th."""
    value_ns: int | None
    """Order statistic of rank ceil(n p); null without a query that was answered."""
    ci95_ns: list[float] | None
    """95 % interval, which accounts for queries that wait for each other; null where there are too
    few queries.
    """
    effective_queries: float
    """Number of independent queries that show as much."""
    needed_queries: int
    """Queries that would be enough for an interval."""

    _kinds = {
        "ci95_ns": ("interval", "", True),
    }


class EvaluationPointFiguresLatency(Record):
    """Latencies."""

    mean_ns: float | None
    """Mean."""
    trimmed_mean_ns: float | None
    """Mean without 20 % at each end."""
    percentiles: list[Percentile]
    """Latency from the due time of a query to its end, failed queries left out."""

    _kinds = {
        "percentiles": ("list", "Percentile", False),
    }


class EvaluationPointFiguresLateness(Record):
    """Time from when a query was due and a worker was free to when it was issued: the generator's
    own fault.
    """

    median_ns: int
    """Median."""
    p99_ns: int
    """99th percentile."""
    max_ns: int
    """Largest."""
    share_late: float
    """Share later than 20 us."""


class EvaluationPointFigures(Record):
    """Null for accuracy alone."""

    queries: int
    """Queries that were recorded."""
    failed: int
    """Queries whose input the runtime rejected."""
    abandoned: int
    """Queries that were due before the end and not issued."""
    duration_s: float
    """From the first due time of the schedule to the last query done."""
    scheduled_per_s: float
    """Offered: queries of a server per second as they were due, not as asked for; 0 for other
    scenarios.
    """
    completed: Completed
    """Queries done."""
    samples: Completed
    """Samples done."""
    latency: EvaluationPointFiguresLatency
    """Latencies."""
    within_bound: Top1 | None
    """Queries within the bound; null without one."""
    missed_one_in: int | None
    """What happens once in so many queries is in none of these with a probability of 5 % (a third
    of the queries: the rule of three); null for fewer than three.
    """
    lateness: EvaluationPointFiguresLateness
    """Time from when a query was due and a worker was free to when it was issued: the generator's
    own fault.
    """

    _kinds = {
        "completed": ("record", "Completed", False),
        "samples": ("record", "Completed", False),
        "latency": ("record", "EvaluationPointFiguresLatency", False),
        "within_bound": ("record", "Top1", True),
        "lateness": ("record", "EvaluationPointFiguresLateness", False),
    }


class EvaluationPointPhases(Record):
    """Times after the first due time of the schedule; null for accuracy alone."""

    warmup_queries: int
    """Queries of the warm-up, which figures leave out."""
    measured_ns: int
    """End of the warm-up."""
    last_scheduled_ns: int
    """Due time of the last query."""
    drained_ns: int
    """End of the last query."""
    still_warming_queries: int
    """Queries after the warm-up that ran slower than those after them; 0: none were seen."""
    still_warming_ns: int
    """Due time of the first query after those; 0: none were seen."""


class EvaluationPointBatchesCount(Record):
    """EvaluationPointBatchesCount."""

    queries: int
    """Queries in a batch."""
    batches: int
    """Number of batches."""


class EvaluationPointBatchesSession(Record):
    """EvaluationPointBatchesSession."""

    size: int
    """Samples in a batch."""
    bytes: int
    """Growth of the process's resident memory by loading it."""


class EvaluationPointBatches(Record):
    """Batches that were run; null without batching."""

    mean_queries: float
    """Mean number of queries in a batch."""
    most_queries: int
    """Largest number."""
    counts: list[EvaluationPointBatchesCount]
    """Histogram."""
    sessions: list[EvaluationPointBatchesSession]
    """Loaded beside that of the model."""

    _kinds = {
        "counts": ("list", "EvaluationPointBatchesCount", False),
        "sessions": ("list", "EvaluationPointBatchesSession", False),
    }


class EvaluationPointModel(Record):
    """EvaluationPointModel."""

    path: str
    """File, or zoo:NAME."""
    share: float
    """Of the queries, as asked."""
    samples: int
    """Sets of inputs that its queries take."""
    queries: int
    """Queries that were recorded."""
    failed: int
    """Queries whose input the runtime rejected."""
    completed: Completed
    """Queries done."""
    latency: EvaluationPointFiguresLatency
    """Latencies."""

    _kinds = {
        "completed": ("record", "Completed", False),
        "latency": ("record", "EvaluationPointFiguresLatency", False),
    }


class Validity(Record):
    """If the figures count; null for accuracy alone."""

    state: Literal["valid", "invalid", "undecided"]
    """Undecided: the queries do not show if the bound is kept."""
    reasons: list[str]
    """Sentences."""


class EvaluationPoint(Record):
    """EvaluationPoint."""

    runtime: PointRuntime
    """Runtime."""
    threads: int
    """Threads of each run."""
    samples: int
    """Sets of inputs that queries take."""
    queries_per_s: float | None
    """Mean rate as run: that of the peak where it was searched."""
    peak: EvaluationPointPeak | None
    """Search for the largest rate; null without --find-peak."""
    accuracy: EvaluationPointAccuracy | None
    """With --data; null otherwise."""
    divergence: list[Divergence]
    """Differences between the outputs and those of the first runtime, one for each output; empty
    for the first.
    """
    outputs: list[EvaluationPointOutput]
    """Files of --save-outputs, one for each output."""
    mlperf: EvaluationPointMlperf | None
    """The test by LoadGen's rules; null without --mlperf-logs. Never an MLPerf result."""
    lock: EvaluationPointLock
    """Everything that the result depends on: ridge eval --lock repeats it; hashes are SHA-256."""
    figures: EvaluationPointFigures | None
    """Null for accuracy alone."""
    phases: EvaluationPointPhases | None
    """Times after the first due time of the schedule; null for accuracy alone."""
    batches: EvaluationPointBatches | None
    """Batches that were run; null without batching."""
    models: list[EvaluationPointModel]
    """Models of a mix, the first one included; empty without."""
    validity: Validity | None
    """If the figures count; null for accuracy alone."""

    _kinds = {
        "runtime": ("record", "PointRuntime", False),
        "peak": ("record", "EvaluationPointPeak", True),
        "accuracy": ("record", "EvaluationPointAccuracy", True),
        "divergence": ("list", "Divergence", False),
        "outputs": ("list", "EvaluationPointOutput", False),
        "mlperf": ("record", "EvaluationPointMlperf", True),
        "lock": ("record", "EvaluationPointLock", False),
        "figures": ("record", "EvaluationPointFigures", True),
        "phases": ("record", "EvaluationPointPhases", True),
        "batches": ("record", "EvaluationPointBatches", True),
        "models": ("list", "EvaluationPointModel", False),
        "validity": ("record", "Validity", True),
    }


class Evaluation(Result):
    """A model under load, and its accuracy on data: `ridge eval MODEL --format json`. Times are
    nanoseconds; what is unknown is null.
    """

    schema: str
    """Name and version of this document."""
    ridge: str
    """Version that wrote this."""
    host: str
    """Host, processor, number of processors."""
    model: EvaluationModel
    """Model."""
    bindings: dict[str, Binding]
    """Sizes by name."""
    scenario: EvaluationScenario | None
    """Load as asked; null for accuracy alone."""
    data: EvaluationData | None
    """Samples of --data; null for seeded ones."""
    points: Table[EvaluationPoint]
    """One for each runtime."""

    _tables = {
        "points": "EvaluationPoint",
    }
    _kinds = {
        "model": ("record", "EvaluationModel", False),
        "bindings": ("map", "Binding", False),
        "scenario": ("record", "EvaluationScenario", True),
        "data": ("record", "EvaluationData", True),
    }


class EvaluationComparisonRun(Record):
    """EvaluationComparisonRun."""

    label: str
    """Name in tables."""
    model: str
    """File, or zoo:NAME."""
    graph_hash: str
    """Hash of the structure."""
    runtime: str
    """As it names itself."""
    version: str
    """Its version."""
    threads: int
    """Threads of each run."""
    data: str | None
    """Source of the samples."""
    steps: str | None
    """Steps from a file to the input."""
    scenario: str | None
    """Load; null for accuracy alone."""


class EvaluationComparisonDifferenceAccuracy(Record):
    """Null without labels in both."""

    both: int
    """Samples that are right in both."""
    lost: int
    """In the baseline alone."""
    gained: int
    """In the run alone."""
    neither: int
    """In neither."""
    difference: Top1
    """Share that is right, minus that of the baseline; Tango's interval."""
    p_value: float
    """McNemar's exact test."""
    significant: bool
    """Of the tests of all runs at most 5 % of the findings are wrong."""

    _kinds = {
        "difference": ("record", "Top1", False),
    }


class EvaluationComparisonDifferencePreparationNs(Record):
    """Medians over samples of the time in which they were made; ratio: median of the samples'
    ratios.
    """

    first: float
    """Value of the baseline."""
    second: float
    """Value of the run."""
    ratio: float
    """Second over first."""
    ci95: list[float] | None
    """95 % interval of the ratio."""

    _kinds = {
        "ci95": ("interval", "", True),
    }


class EvaluationComparisonDifferenceLatencyN(Record):
    """EvaluationComparisonDifferenceLatencyN."""

    percentile: float
    """99 for the 99th."""
    change: EvaluationComparisonDifferencePreparationNs
    """Its values."""

    _kinds = {
        "change": ("record", "EvaluationComparisonDifferencePreparationNs", False),
    }


class EvaluationComparisonDifferenceAnswer(Record):
    """EvaluationComparisonDifferenceAnswer."""

    sample: str
    """Name."""
    first: int
    """Class in the baseline."""
    second: int
    """Class in the run."""
    first_text: str
    """Class and its name where known."""
    second_text: str
    """Class and its name where known."""
    change: Literal["changed", "lost", "gained"]
    """Lost: right in the baseline alone; gained: wrong in it alone; changed: otherwise, or without
    labels.
    """


class EvaluationComparisonDifference(Record):
    """EvaluationComparisonDifference."""

    run: int
    """Position in runs."""
    samples: int
    """Samples of both, joined by name."""
    unjoined: int
    """Samples of the baseline alone."""
    changed: Top1 | None
    """Share of samples whose answer changed; Wilson's interval."""
    accuracy: EvaluationComparisonDifferenceAccuracy | None
    """Null without labels in both."""
    preparation_ns: EvaluationComparisonDifferencePreparationNs | None
    """Medians over samples of the time in which they were made; ratio: median of the samples'
    ratios.
    """
    latency_ns: list[EvaluationComparisonDifferenceLatencyN]
    """Percentiles that both have."""
    completed_per_s: EvaluationComparisonDifferencePreparationNs | None
    """Queries done in a second."""
    outputs: list[Divergence]
    """Differences between the outputs that both have files of (--save-outputs) and the baseline's,
    one for each output; samples are positions in the baseline.
    """
    answers: list[EvaluationComparisonDifferenceAnswer]
    """Samples whose answer changed, lost ones first."""

    _kinds = {
        "changed": ("record", "Top1", True),
        "accuracy": ("record", "EvaluationComparisonDifferenceAccuracy", True),
        "preparation_ns": ("record", "EvaluationComparisonDifferencePreparationNs", True),
        "latency_ns": ("list", "EvaluationComparisonDifferenceLatencyN", False),
        "completed_per_s": ("record", "EvaluationComparisonDifferencePreparationNs", True),
        "outputs": ("list", "Divergence", False),
        "answers": ("list", "EvaluationComparisonDifferenceAnswer", False),
    }


class EvaluationComparison(Result):
    """Evaluations against the first of them: `ridge eval compare BASE OTHER... --format json`.
    Intervals are of 95 %; what is unknown is null.
    """

    schema: str
    """Name and version of this document."""
    runs: Table[EvaluationComparisonRun]
    """Runtimes of the documents; the first is the baseline."""
    differences: Table[EvaluationComparisonDifference]
    """One for each run but the baseline."""
    notes: list[str]
    """Other differences between the runs."""

    _tables = {
        "runs": "EvaluationComparisonRun",
        "differences": "EvaluationComparisonDifference",
    }


class EvaluationPageEvaluation(Record):
    """EvaluationPageEvaluation."""

    evaluation: int
    """Its number; none is given twice."""
    recorded_s: int
    """When it was kept, seconds since 1970 (UTC)."""
    model: str
    """Path of the model, or zoo:NAME."""
    model_sha256: str
    """Hash of the model."""
    data: str | None
    """Folder or array; null for seeded samples."""
    scenario: str
    """Value of --scenario."""
    runtime: str
    """As it names itself."""
    runtime_version: str
    """As it says."""
    threads: int
    """Of each run."""
    queries_per_s: float | None
    """Queries done; null for accuracy alone."""
    median_ns: float | None
    """Median latency of a query; null for accuracy alone."""
    top1: float | None
    """Share of samples that are right; null without labels."""
    validity: str
    """Valid, invalid or undecided."""
    machine: str
    """Host, processor, number of processors."""
    ridge: str
    """Version that evaluated."""


class EvaluationPage(Result):
    """Evaluations of a store, newest first: `GET /api/v1/evaluations` of `ridge serve`."""

    schema: str
    """Name and version of this document."""
    total: int
    """Evaluations that the filters let pass."""
    offset: int
    """Of them, those that were skipped."""
    evaluations: Table[EvaluationPageEvaluation]
    """Newest first."""

    _tables = {
        "evaluations": "EvaluationPageEvaluation",
    }


class ExperimentRequest(Record):
    """ExperimentRequest."""

    path: str
    """As it was named."""
    verb: str
    """Bench, eval, generate."""
    text: str
    """Content of the file."""


class ExperimentPoint(Record):
    """ExperimentPoint."""

    point: int
    """Its number in the experiment."""
    label: str
    """Model, sizes and threads, runtime."""
    state: Literal["waiting", "measured", "failed"]
    """Whether the store has its result."""
    machines: list[str]
    """That may measure it."""
    machine: str | None
    """Whose result it is; null without one."""
    run: int | None
    """Number of its newest run; null without one."""
    evaluation: int | None
    """Number of its newest evaluation; null without one."""
    generation: int | None
    """Number of its newest generation; null without one."""
    error: str | None
    """Why it failed; null if it did not."""


class ExperimentAgent(Record):
    """ExperimentAgent."""

    name: str
    """Host, partition, or partition/node."""
    machine: str
    """Host, processor, number of processors; empty where it did not say."""
    ridge: str
    """Its version; empty where it did not say."""
    state: Literal["connecting", "idle", "measuring", "unfit", "gone", "ended"]
    """What it does."""
    doing: str
    """The point that it measures; empty without one."""
    reason: str
    """Why it is unfit or gone; empty if it is not."""
    done: int
    """Points that it measured."""
    last_s: int
    """Its last sign of life, seconds since 1970 (UTC); 0 before the first."""
    runtimes: list[Runtime]
    """That it has."""
    models: list[Model]
    """That it has."""

    _kinds = {
        "runtimes": ("list", "Runtime", False),
        "models": ("list", "Model", False),
    }


class Experiment(Result):
    """Trials that were asked for together, and the agents that measure them: `ridge runs
    experiments STORE NAME --format json`.
    """

    schema: str
    """Name and version of this document."""
    experiment: int
    """Its number."""
    name: str
    """Of --experiment, or of the request's file."""
    hosts: str
    """Each: a point on every machine that fits; any: on one of them."""
    lab: str
    """Description of the machines, as named."""
    state: Literal["running", "done", "stopped"]
    """What became of the command that asked."""
    started_s: int
    """When it was first asked for, seconds since 1970 (UTC)."""
    last_s: int
    """Last sign of life of the command, seconds since 1970 (UTC)."""
    ended_s: int | None
    """When the command ended; null while it runs."""
    ridge: str
    """Version that asked."""
    asked: int
    """Points that it has."""
    measured: int
    """Points of which the store has a result."""
    failed: int
    """Points that could not be measured."""
    waiting: int
    """All others."""
    requests: Table[ExperimentRequest]
    """In their order."""
    points: Table[ExperimentPoint]
    """In the order in which they were planned."""
    agents: Table[ExperimentAgent]
    """By name."""

    _tables = {
        "requests": "ExperimentRequest",
        "points": "ExperimentPoint",
        "agents": "ExperimentAgent",
    }


class ExperimentsExperiment(Record):
    """ExperimentsExperiment."""

    experiment: int
    """Its number."""
    name: str
    """Of --experiment, or of the request's file."""
    hosts: str
    """Each: a point on every machine that fits; any: on one of them."""
    lab: str
    """Description of the machines, as named."""
    state: Literal["running", "done", "stopped"]
    """What became of the command that asked."""
    started_s: int
    """When it was first asked for, seconds since 1970 (UTC)."""
    last_s: int
    """Last sign of life of the command, seconds since 1970 (UTC)."""
    ended_s: int | None
    """When the command ended; null while it runs."""
    ridge: str
    """Version that asked."""
    asked: int
    """Points that it has."""
    measured: int
    """Points of which the store has a result."""
    failed: int
    """Points that could not be measured."""
    waiting: int
    """All others."""


class Experiments(Result):
    """Experiments of a store, newest first: `ridge runs experiments STORE --format json`."""

    schema: str
    """Name and version of this document."""
    experiments: Table[ExperimentsExperiment]
    """Newest first."""

    _tables = {
        "experiments": "ExperimentsExperiment",
    }


class ExplanationOperatorVersion(Record):
    """ExplanationOperatorVersion."""

    since: int
    """The opset that it begins with."""
    work: str
    """Formula of what is counted."""


class ExplanationOperator(Record):
    """Null where a node or layer is explained."""

    name: str
    """Of the operator."""
    domain: str
    """`ai.onnx`, `com.microsoft`."""
    status: Literal["counted", "moves data", "view", "its bodies count"]
    """Whether its work is counted."""
    versions: list[ExplanationOperatorVersion]
    """Oldest first."""
    reads: str
    """Bytes read."""
    writes: str
    """Bytes written."""
    shape: str | None
    """Of the outputs; null: by a rule without words."""

    _kinds = {
        "versions": ("list", "ExplanationOperatorVersion", False),
    }


class ExplanationRun(Record):
    """Null where nothing was measured."""

    runtime: str
    """That it ran in."""
    version: str
    """Of the runtime."""
    latency_ns: float | None
    """The median."""
    ci95_ns: list[float | None]
    """Its 95 % interval."""

    _kinds = {
        "ci95_ns": ("interval", "", False),
    }


class TimeNs(Record):
    """As the profiler reports it, per run of the model."""

    median: float | None
    """In the unit of the key; null where an import does not tell it."""
    ci95: list[float | None]
    """95 % interval: low and high end; null for too few runs."""

    _kinds = {
        "ci95": ("interval", "", False),
    }


class Verified(Record):
    """What the layer's time rests on beside the profiler: the two cuts of verification between
    which it lies; absent where nothing was verified.
    """

    from_: int | None
    """Node of the cut before it; null: the model begins."""
    to: int | None
    """Node of the cut after it; null: the model ends."""
    difference: float | None
    """How much more of the latency the layers between the two are said to take than the model's
    parts say.
    """


class Kernel(Record):
    """Kernel."""

    name: str
    """In the runtime's optimized graph."""
    type: str
    """Operator."""
    time_ns: TimeNs
    """As reported."""

    _kinds = {
        "time_ns": ("record", "TimeNs", False),
    }


class Member(Record):
    """Member."""

    node: int
    """Index in `nodes`."""
    role: Literal["executes", "part", "absorbed"]
    """Carries the node's work, a further layer of it, or it lives on in weights or a post-op."""
    evidence: Literal[
        "runtime_list", "same_tensor", "renamed", "region", "value", "shapes", "order",
        "fusion", "guess"
    ]
    """How that is known."""


class Least(Record):
    """What the layer must do at least, however it is implemented: what its bound stands on
    (docs/roofline.md).
    """

    macs: int | None
    """Multiply-accumulates of all its executions, without taps in padding."""
    bytes: int | None
    """That one execution touches."""
    line_bytes: int | None
    """Of the cache lines that these lie in."""
    trips: int
    """Executions in a run of the model."""
    streamed: int | None
    """Of bytes, those of weights and of the model's inputs, which each run reads anew; a tensor
    that several layers read counts for one of them, so that the sum over layers is what a run
    reads of different addresses.
    """


class Layer(Record):
    """Layer."""

    index: int
    """Position in this array."""
    name: str
    """Of the node that carries the work, else of the kernel."""
    type: str
    """Operator as the runtime calls it."""
    implementation: str
    """Execution provider and kernel family as the runtime says it."""
    precision: str
    """Element type it ran in, named as roofs are."""
    layout: str
    """Plain, blocked:N, channels_last; empty where not known."""
    order: int
    """Of execution."""
    inserted: bool
    """By the runtime: a reorder, cast or copy."""
    module: str
    """The deepest module that holds all members."""
    time_ns: TimeNs
    """As the profiler reports it, per run of the model."""
    corrected_ns: float
    """Time_ns less what profiling added (docs/profile.md), not below 0; time_ns itself where
    profiling.layer_times is reported.
    """
    corrected_ci95: list[float | None] | None
    """95 % interval of corrected_ns: the noise of the runs, how processes differ, and how well the
    profiler's cost is known.
    """
    verified: Verified | None
    """What the layer's time rests on beside the profiler: the two cuts of verification between
    which it lies; absent where nothing was verified.
    """
    below_resolution: bool
    """Too short to be told apart from the profiler's own steps."""
    runs_ns: list[int]
    """The corrected time (the reported one where layer_times is reported) in each profiled run, run
    i of every layer the same run; it ran beside the i-th of the samples of all processes of
    latency. corrected_ns is their median.
    """
    share: float
    """Of corrected_sum_ns."""
    executions: int
    """Per run of the model."""
    kernels: list[Kernel]
    """Those it is made of."""
    members: list[Member]
    """Nodes of the original model; `node` is the index of ridge.analysis/1."""
    macs: int | None
    """Multiply-accumulates; null where it cannot be known."""
    flops: int | None
    """Other arithmetic on floating types."""
    special: int | None
    """Divisions, roots, exponentials and the like."""
    int_ops: int | None
    """Arithmetic on integers."""
    bytes: int | None
    """Of the tensors that cross its boundary, read + written."""
    output_bytes: int | None
    """Of those written."""
    gflop_per_s: float | None
    """(2 macs + flops + special + int_ops) / corrected_ns."""
    gb_per_s: float | None
    """Bytes / corrected_ns."""
    intensity: float | None
    """FLOP/B."""
    bound: str
    """What binds: compute, memory:LEVEL, overhead; empty where it cannot be said."""
    bound_ns: float | None
    """The least time under the measured roofs."""
    roof_share: float | None
    """Of its bound: bound_ns / corrected_ns; above 1 where the layer beats it."""
    bound_reason: str
    """Why a figure of the bound is null."""
    least: Least | None
    """What the layer must do at least, however it is implemented: what its bound stands on
    (docs/roofline.md).
    """

    _kinds = {
        "time_ns": ("record", "TimeNs", False),
        "corrected_ci95": ("interval", "", False),
        "verified": ("record", "Verified", True),
        "kernels": ("list", "Kernel", False),
        "members": ("list", "Member", False),
        "least": ("record", "Least", False),
    }
    _optional = frozenset({
        "corrected_ci95",
        "verified",
        "least",
    })


class ProfiledNode(Record):
    """ProfiledNode."""

    index: int
    """Position in this array."""
    parent: int | None
    """The node whose body this one stands in."""
    repeat: int | None
    """Executions; null where they depend on data."""
    name: str
    """A label only."""
    op_type: str
    """Operator."""
    domain: str
    """Of the operator; empty is ai.onnx."""
    module: str
    """Path in the module tree."""
    status: Literal["", "counted", "zero", "unknown"]
    """Whether the figures are known."""
    output: str
    """Shape and element type of the first output."""
    macs: int | None
    """Multiply-accumulates; null where it cannot be known."""
    flops: int | None
    """Other arithmetic on floating types."""
    special: int | None
    """Divisions, roots, exponentials and the like."""
    int_ops: int | None
    """Arithmetic on integers."""
    bytes_read: int | None
    """Each distinct input once."""
    bytes_written: int | None
    """Each output once."""
    params: int
    """Elements of the weights it reads."""


class NodesWithoutLayer(Record):
    """NodesWithoutLayer."""

    node: int
    """Index in `nodes`."""
    why: Literal["folded", "eliminated", "merged", "not_executed"]
    """Computed at load, without effect, equal to another, or not reached."""
    with_: int | None
    """Merged: the node that is computed."""


class Explanation(Result):
    """What is known of an operator, a node, or layers of a run: `ridge explain --format json`."""

    schema: str
    """Name and version of this document."""
    subject: str
    """The model, run or operator as it was given."""
    operator: ExplanationOperator | None
    """Null where a node or layer is explained."""
    nodes: Table[Node]
    """The node that was asked for, of the model, as in ridge.analysis/1; empty where a run or a
    layer is given.
    """
    run: ExplanationRun | None
    """Null where nothing was measured."""
    layers: Table[Layer]
    """That are asked for, or that run the node, the one that executes it first; as in
    ridge.profile/1.
    """
    profiled_nodes: Table[ProfiledNode]
    """The node and the members of the layers, as in ridge.profile/1."""
    nodes_without_layer: Table[NodesWithoutLayer]
    """Why no layer runs the node."""

    _tables = {
        "nodes": "Node",
        "layers": "Layer",
        "profiled_nodes": "ProfiledNode",
        "nodes_without_layer": "NodesWithoutLayer",
    }
    _kinds = {
        "operator": ("record", "ExplanationOperator", True),
        "run": ("record", "ExplanationRun", True),
    }


class GenerationPortsInput(Record):
    """GenerationPortsInput."""

    name: str
    """Name."""
    value: Literal[
        "as given", "ids", "a seeded row for each id", "places of the tokens",
        "the tokens so far", "0", "1", "0, 1, 2, ...", "whether tokens came before",
        "tokens before", "place of the last token", "tokens so far"
    ]
    """What runs put into it."""


class GenerationPortsState(Record):
    """GenerationPortsState."""

    output: str
    """Name."""
    input: str
    """Name."""


class GenerationPorts(Record):
    """Roles of the decoder's inputs and outputs."""

    ids: str | None
    """Input of the tokens."""
    positions: str | None
    """Input of their positions; null: none."""
    mask: str | None
    """Input of the mask; null: none."""
    logits: str | None
    """Output of the scores."""
    inputs: list[GenerationPortsInput]
    """Inputs other than the cache."""
    state: list[GenerationPortsState]
    """Outputs that are inputs of the next run."""

    _kinds = {
        "inputs": ("list", "GenerationPortsInput", False),
        "state": ("list", "GenerationPortsState", False),
    }


class GenerationWorkload(Record):
    """Requests as asked."""

    prompt: str
    """Length of prompts: 128, uniform:64,256, lognormal:200,0.5, or trace."""
    tokens: str
    """Tokens of each request, likewise."""
    arrivals: str | None
    """Process of arrivals; null: each client's next when its last is done, or the due times of the
    trace.
    """
    requests_per_s: float | None
    """Mean rate of the arrivals."""
    requests: int
    """Number of requests."""
    clients: int
    """Requests at the same time."""
    batch: int
    """Sequences of each request."""
    seed: int
    """Seed of lengths, prompts and arrivals."""


class GenerationPointCache(Record):
    """Cache between runs."""

    by: Literal["grow", "shared"]
    """Grow: what a run writes is handed to the next one; shared: past and present are one buffer.
    """
    room_tokens: int | None
    """Tokens for which a shared buffer, or a cache of one size, has room; null: it grows."""
    window_tokens: int | None
    """Most places of a cache that had fewer than the tokens before it; null: none had."""
    buffer_bytes: int
    """Bytes of the shared buffers of a client; 0: none."""
    handed_bytes: int
    """Bytes handed over."""
    copied_bytes: int
    """Of those the ones that were copied: 0 where every run reads what the last one wrote."""
    compared_tensors: int
    """Tensors whose addresses were compared."""


class GenerationPointFiguresFirstToken(Record):
    """GenerationPointFiguresFirstToken."""

    percentile: float
    """99 for the 99th."""
    ns: int | None
    """The percentile; null where it would be the largest of too few."""
    ci95_ns: list[float] | None
    """95 % interval; null for too few requests."""
    needed: int
    """About how many requests an interval takes."""

    _kinds = {
        "ci95_ns": ("interval", "", True),
    }


class GenerationPointFiguresStepBound(Record):
    """The least time of the bytes that any implementation must read; null where no roofs are known.
    """

    weight_bytes: int
    """Of weights, of those that a lookup reads the rows alone."""
    cache_bytes: int
    """Of keys and values."""
    ns: float | None
    """Time that the memory needs for them."""
    kind: str
    """The roof: memory:memory, memory:L3, ..."""
    level_bytes: int
    """What that level must deliver: the bytes that the caches before it cannot keep."""
    bytes_per_s: float | None
    """Weight_bytes and cache_bytes over the step's time."""


class GenerationPointFiguresStep(Record):
    """GenerationPointFiguresStep."""

    low: int
    """Least tokens in the cache before the step."""
    high: int
    """Most."""
    mean_length: float
    """Their mean."""
    steps: int
    """Steps of one token for each sequence."""
    step_ns: int
    """Median time of a step: handing over, inputs, run, choice of the next token."""
    ci95_ns: list[float] | None
    """95 % interval of the median."""
    run_ns: float
    """Median of the runtime's run."""
    bound: GenerationPointFiguresStepBound | None
    """The least time of the bytes that any implementation must read; null where no roofs are known.
    """

    _kinds = {
        "ci95_ns": ("interval", "", True),
        "bound": ("record", "GenerationPointFiguresStepBound", True),
    }


class GenerationPointFigures(Record):
    """What was measured."""

    requests: int
    """Requests that began."""
    failed: int
    """Of those, the ones that failed."""
    tokens_generated: int
    """Tokens of all sequences."""
    duration_s: float
    """From the first request to the last token."""
    tokens: Completed
    """Tokens, all clients and sequences together."""
    client_tokens: Completed
    """Tokens of the mean client."""
    prompt_per_s: float | None
    """Tokens of prompts per second while a client runs them; null where none ran."""
    decode_per_s: float | None
    """Tokens after the first per second while a client generates them; null without any."""
    first_token: list[GenerationPointFiguresFirstToken]
    """Time from the due time to the first token."""
    per_token: list[GenerationPointFiguresFirstToken]
    """Time from the first to the last token, over the tokens between."""
    latency: list[GenerationPointFiguresFirstToken]
    """Time from the due time to the last token."""
    steps: list[GenerationPointFiguresStep]
    """Steps over the length of the cache, ascending."""

    _kinds = {
        "tokens": ("record", "Completed", False),
        "client_tokens": ("record", "Completed", False),
        "first_token": ("list", "GenerationPointFiguresFirstToken", False),
        "per_token": ("list", "GenerationPointFiguresFirstToken", False),
        "latency": ("list", "GenerationPointFiguresFirstToken", False),
        "steps": ("list", "GenerationPointFiguresStep", False),
    }


class GenerationPoint(Record):
    """GenerationPoint."""

    runtime: PointRuntime
    """Runtime."""
    threads: int
    """Threads of each run."""
    prompts_by: Literal["model", "at-once", "token-by-token", "given-cache"]
    """What fills the cache of a prompt: another model, one run of the decoder, a run for each
    token, nothing.
    """
    cache: GenerationPointCache
    """Cache between runs."""
    figures: GenerationPointFigures
    """What was measured."""
    validity: Validity
    """If the figures count."""

    _kinds = {
        "runtime": ("record", "PointRuntime", False),
        "cache": ("record", "GenerationPointCache", False),
        "figures": ("record", "GenerationPointFigures", False),
        "validity": ("record", "Validity", False),
    }


class Generation(Result):
    """A decoder that generates tokens: `ridge generate MODEL --format json`. What is unknown is
    null.
    """

    schema: str
    """Name and version of this document."""
    ridge: str
    """Version that wrote this."""
    host: str
    """Host, processor, number of processors."""
    model: EvaluationModel
    """Decoder."""
    prefill: str | None
    """Model that runs prompts; null: the decoder does."""
    ports: GenerationPorts
    """Roles of the decoder's inputs and outputs."""
    workload: GenerationWorkload
    """Requests as asked."""
    points: Table[GenerationPoint]
    """One for each runtime."""

    _tables = {
        "points": "GenerationPoint",
    }
    _kinds = {
        "model": ("record", "EvaluationModel", False),
        "ports": ("record", "GenerationPorts", False),
        "workload": ("record", "GenerationWorkload", False),
    }


class GridCellBatche(Record):
    """GridCellBatche."""

    batch: int
    """Items of one run of the model."""
    items_per_s: float | None
    """Batch / median latency."""
    items_ci95_per_s: list[float] | None
    """95 % interval; null for too few runs."""
    runs: int
    """That are pooled."""
    processes: int
    """That measured."""

    _kinds = {
        "items_ci95_per_s": ("interval", "", True),
    }


class GridCell(Record):
    """GridCell."""

    row: int
    """Position in rows."""
    column: int
    """Position in columns."""
    host: str
    """Machine of the setting."""
    setting: str
    """What was measured; runs of it are pooled."""
    recorded_s: int
    """When the newest was stored, seconds since 1970 (UTC)."""
    accuracy_metric: str
    """Top1, ...; empty without accuracy."""
    accuracy: float | None
    """Of the newest evaluation that has one."""
    accuracy_ci95: list[float] | None
    """95 % interval."""
    latency_batch: int | None
    """Smallest batch, of which the latencies are; null for evaluations."""
    median_ns: float | None
    """Median latency."""
    median_ci95_ns: list[float] | None
    """95 % interval; null for too few runs."""
    trimmed_mean_ns: float | None
    """Mean latency without 20 % at each end."""
    trimmed_mean_ci95_ns: list[float] | None
    """95 % interval; null for too few runs."""
    p90_ns: float | None
    """90th percentile of the latency, rank ceil(0.9 n)."""
    p90_ci95_ns: list[float] | None
    """95 % interval; null for too few runs."""
    items_per_s: float | None
    """Largest throughput over the batches."""
    items_ci95_per_s: list[float] | None
    """95 % interval."""
    items_batch: int | None
    """Batch where it is; null for evaluations."""
    params: int | None
    """Parameters of the model, those of each node."""
    cost_per_million: float | None
    """Of inferences at items_per_s, in the price's currency; null without a price."""
    cost_per_million_ci95: list[float] | None
    """95 % interval."""
    speed_up: float | None
    """Median latency of the base over this one's; 1: the base."""
    speed_up_ci95: list[float] | None
    """95 % interval."""
    runs: int
    """That are pooled."""
    processes: int
    """That measured them."""
    samples: int
    """Latencies."""
    validity: str
    """Valid, invalid or undecided: the load of the evaluation that gives the times; empty for runs.
    """
    evaluations: int
    """That fit; the newest with a figure gives it."""
    left_out: int
    """Runs of older settings."""
    batches: list[GridCellBatche]
    """Throughput over batch."""

    _kinds = {
        "accuracy_ci95": ("interval", "", True),
        "median_ci95_ns": ("interval", "", True),
        "trimmed_mean_ci95_ns": ("interval", "", True),
        "p90_ci95_ns": ("interval", "", True),
        "items_ci95_per_s": ("interval", "", True),
        "cost_per_million_ci95": ("interval", "", True),
        "speed_up_ci95": ("interval", "", True),
        "batches": ("list", "GridCellBatche", False),
    }


class Grid(Result):
    """What a run database has measured, rows by columns: `ridge report STORE --format json`. A
    place where nothing was measured has no cell.
    """

    schema: str
    """Name and version of this document."""
    rows_by: list[
        Literal["model", "host", "runtime", "version", "precision", "batch", "threads",
        "sizes", "scenario"]
    ]
    """Keys that make a row."""
    columns_by: list[
        Literal["model", "host", "runtime", "version", "precision", "batch", "threads",
        "sizes", "scenario"]
    ]
    """Keys that make a column."""
    rows: list[str]
    """Their names."""
    columns: list[str]
    """Their names."""
    base: str
    """Column that speed-ups refer to; empty without."""
    cells: Table[GridCell]
    """By row, then column."""

    _tables = {
        "cells": "GridCell",
    }


class HostsHost(Record):
    """HostsHost."""

    machine: str
    """Host, processor, number of processors; empty where results do not say."""
    runtime: str
    """As it names itself."""
    runtime_version: str
    """As it says."""
    runs: int
    """That the store has of it."""
    evaluations: int
    """That the store has of it."""
    models: int
    """Different ones."""
    last_s: int
    """When its last result was kept, seconds since 1970 (UTC)."""


class Hosts(Result):
    """Machines that a store has results of, with each of their runtimes and their last sign of
    life: `GET /api/v1/hosts` of `ridge serve`.
    """

    schema: str
    """Name and version of this document."""
    hosts: Table[HostsHost]
    """By name, runtime and version."""

    _tables = {
        "hosts": "HostsHost",
    }


class Job(Result):
    """A measurement that a client of `ridge serve --allow-run` started: `GET /api/v1/jobs/N`."""

    schema: str
    """Name and version of this document."""
    job: int
    """Its number."""
    verb: str
    """Eval or bench."""
    request: Any
    """As it was sent (ridge.request/1)."""
    state: Literal["running", "done", "failed", "canceled"]
    """What it does."""
    started_s: int
    """When it began, seconds since 1970 (UTC)."""
    ended_s: int | None
    """When it ended; null while it runs."""
    status: int | None
    """Exit status of the program; null while it runs."""
    said: str
    """The last lines that it printed."""


class Jobs(Result):
    """Measurements that clients started: `GET /api/v1/jobs` of `ridge serve`."""

    schema: str
    """Name and version of this document."""
    jobs: list[Job]
    """Newest first."""

    _results = {
        "jobs": "Job",
    }


class MachineHostCpu(Record):
    """As CPUID says."""

    model: str
    """Brand string."""
    vendor: str
    """Such as AuthenticAMD."""
    family: int
    """With the extended part."""
    model_number: int
    """With the extended part."""
    stepping: int
    """Revision."""
    microarchitecture: str | None
    """From ridge's table; null where the processor is not in it."""
    microcode: str | None
    """Version."""


class MachineHostCache(Record):
    """MachineHostCache."""

    level: int
    """1 is nearest."""
    type: Literal["data", "instruction", "unified"]
    """What it holds."""
    bytes: int
    """Of one instance."""
    line: int
    """Bytes of a cache line."""
    shared_by: int
    """Logical processors per instance."""


class MachineHost(Record):
    """The machine."""

    hostname: str
    """As the system says."""
    cpu: MachineHostCpu
    """As CPUID says."""
    sockets: int | None
    """Processor packages."""
    cores: int | None
    """Physical cores."""
    logical_cpus: int | None
    """SMT siblings counted."""
    allowed_cpus: list[int]
    """Numbers of those that this process may use."""
    numa_nodes: int | None
    """Memory nodes."""
    smt: bool | None
    """More than one logical processor per core."""
    caches: list[MachineHostCache]
    """Nearest first."""
    isa: list[str]
    """Instruction sets that processor and system allow."""
    governor: str | None
    """Of frequency scaling."""
    turbo: bool | None
    """Clock above the nominal one allowed."""
    virtualised: bool
    """Runs under a hypervisor."""
    hypervisor: str | None
    """Its name."""
    memory_bytes: int | None
    """Of the machine."""
    kernel: str | None
    """Release of Linux."""
    os: str | None
    """Distribution."""
    cgroup_cpus: float | None
    """Quota in processors."""
    cgroup_memory_bytes: int | None
    """Limit on memory."""
    reasons: dict[str, str]
    """Why a key is null."""

    _kinds = {
        "cpu": ("record", "MachineHostCpu", False),
        "caches": ("list", "MachineHostCache", False),
    }


class MachineFitness(Record):
    """MachineFitness."""

    check: str
    """Short name, stable."""
    ok: bool | None
    """Null where it cannot be known."""
    finding: str
    """What was seen."""
    advice: str | None
    """What to do; null where nothing needs doing."""
    serious: bool
    """While it fails, nothing worth reading can be measured."""


class MachineCeiling(Record):
    """MachineCeiling."""

    kind: Literal["compute", "read", "write", "copy", "triad"]
    """What was done."""
    dtype: str
    """Element type: float32, int8."""
    level: str | None
    """Where the bytes lay: L1, L2, L3, memory; null for compute."""
    threads: int
    """Pinned, one per core first."""
    value: float
    """The best burst."""
    unit: Literal["FLOP/s", "B/s"]
    """A multiply-add is 2 FLOP; bytes are read + written, no write-allocate."""
    ci95: list[float]
    """Of that best under resampling of the bursts."""
    theory: float | None
    """Lanes x units x 2 x the clock of the same bursts; null where it cannot be known."""
    share: float | None
    """Value / theory."""
    theory_reason: str | None
    """Why there is no theory."""
    clock_hz: float | None
    """Measured by a chain of dependent adds beside the bursts."""
    kernel: str
    """The kernel of ridge that won."""
    instruction: str
    """What it is made of."""
    bursts: int
    """How many were measured, at least 20."""
    slowest_burst: float
    """In the unit of `value`."""
    median_burst: float
    """In the unit of `value`."""
    working_set_bytes: int | None
    """Per thread; null for compute."""
    reach_bytes: int | None
    """What this cache keeps of data that all threads read again and again; null where it was not
    measured (only reads of the outermost cache).
    """
    warning: str | None
    """Below 70 % or above 105 % of its theory."""

    _kinds = {
        "ci95": ("interval", "", False),
    }


class Machine(Result):
    """What this host is, whether it is fit to measure, and its measured roofs: `ridge machine
    --format json`, and without roofs `ridge doctor --format json`.
    """

    schema: str
    """Name and version of this document."""
    ridge_version: str
    """Of the program that measured."""
    host: MachineHost
    """The machine."""
    fitness: Table[MachineFitness]
    """Checks of `ridge doctor`."""
    ceilings: Table[MachineCeiling]
    """Measured roofs; empty from `ridge doctor`."""
    notes: list[str]
    """Levels left out, disturbances, trouble with the cache."""

    _tables = {
        "fitness": "MachineFitness",
        "ceilings": "MachineCeiling",
    }
    _kinds = {
        "host": ("record", "MachineHost", False),
    }


class ModelsModel(Record):
    """ModelsModel."""

    model: str
    """Name and version, as requests take it."""
    sha256: str
    """Digest of the names and hashes of its files."""
    bytes: int
    """Of all its files."""


class Models(Result):
    """Models of the registry: `GET /api/v1/models` of `ridge serve`."""

    schema: str
    """Name and version of this document."""
    models: Table[ModelsModel]
    """By name and precedence of versions."""

    _tables = {
        "models": "ModelsModel",
    }


class PointsPoint(Record):
    """PointsPoint."""

    key: str
    """For --point: the same on every machine."""
    model: str
    """As given."""
    point: str
    """Sizes and threads: batch=4, 2 threads."""
    runtime: str
    """As --runtimes names it."""
    threads: int
    """Of the runtime."""
    state: Literal["waiting", "held"]
    """Waiting: not measured; held: the store has it, as this machine measured it."""
    stored: str | None
    """Its name in the store: evaluation:3; null of others."""
    store_key: str | None
    """Of its result in a store, as this machine measures it; null of a runtime that is not here."""
    machines: list[str]
    """Whose results of it the store has: host, processor, number of processors; this one among them
    where it is held.
    """


class Points(Result):
    """Points of a request: `ridge eval MODEL --dry-run --format json`, and the same of `ridge
    generate`. Those of `ridge bench` are in ridge.bench/1.
    """

    schema: str
    """Name and version of this document."""
    points: Table[PointsPoint]
    """In the order in which they run."""

    _tables = {
        "points": "PointsPoint",
    }


class ProfileRuntime(Record):
    """What executed the model."""

    name: str
    """Such as ONNX Runtime."""
    version: str
    """As the library says."""
    library: str
    """Path that was opened."""
    options: dict[str, int | str]
    """Threads (a number), optimization, pinning and the user's own (text)."""


class ProfileModel(Record):
    """The original file."""

    path: str
    """As given, or zoo:NAME."""
    graph_hash: str
    """As in ridge.analysis/1."""
    ir_version: int
    """Of the ONNX file format."""
    opsets: dict[str, int]
    """Imported operator sets: domain to version; the one without a name is called ai.onnx."""
    producer: str
    """Tool and version that wrote the file."""
    weights: Literal["", "seeded", "as-is", "file"]
    """What the elements of the weights were; empty where nobody says so."""


class ProfileSetup(Record):
    """Before the first measured run, medians over processes."""

    load_ns: int | None
    """The runtime's load call: parsing, optimizing, packing weights."""
    first_run_ns: int | None
    """The very first run."""


class ProfileLatencyProcess(Record):
    """ProfileLatencyProcess."""

    samples_ns: list[int]
    """The runs that count, in order of time."""
    warmup_dropped: int
    """Leading runs left out."""
    steadiness: Literal["", "flat", "warm-up", "slowdown", "no steady state"]
    """What the series looked like."""


class ProfileLatency(Record):
    """Of one run, profiling off."""

    processes: list[ProfileLatencyProcess]
    """One entry per process that measured."""
    median_ns: float | None
    """Of all samples."""
    ci95_ns: list[float | None]
    """95 % interval that knows that neighboring runs are alike and processes differ
    (docs/measuring.md); nulls for fewer than six runs.
    """
    rejected: int
    """Pairs of runs left out because other processes used the processors."""

    _kinds = {
        "processes": ("list", "ProfileLatencyProcess", False),
        "ci95_ns": ("interval", "", False),
    }


class ProfileThroughput(Record):
    """At that latency, one run after the other."""

    items_per_s: float | None
    """Batch / latency."""
    batch: int
    """First dimension of the first input."""


class ProfileProfiledLatency(Record):
    """Of one run, profiling on."""

    median_ns: float | None
    """Of the profiled runs of the same pairs."""
    ci95_ns: list[float | None]
    """95 % interval of that median."""

    _kinds = {
        "ci95_ns": ("interval", "", False),
    }


class ProfileProfiling(Record):
    """The profiler's own cost and what it leaves unexplained."""

    excess_ns: TimeNs
    """Of a profiled run over the plain run beside it."""
    event_cost_ns: float | None
    """That one event adds to a run, measured on chains of trivial kernels."""
    event_share_ns: float | None
    """The part of it that lies inside the event's own duration."""
    event_cost: TimeNs | None
    """Event_cost_ns with its interval."""
    fixed_cost: TimeNs | None
    """That profiling adds to a run beside its events, measured on the same chains."""
    predicted_profiled_ns: TimeNs | None
    """Latency + events * event cost + fixed cost; beside profiled_latency it says whether an event
    costs in this model what it costs in the chains.
    """
    total_ns: TimeNs | None
    """A run less what profiling added, layers and gaps together, run by run."""
    factor: TimeNs | None
    """That layers are scaled by, so that they and the gaps come to a run without the profiler:
    median over runs; far from 1 it is named in notes.
    """
    predicted_ratio: TimeNs | None
    """(plain run + events * event cost + fixed cost) / profiled run beside it, median over runs;
    wholly beyond 0.02 from 1 it is named in notes.
    """
    unscaled_residual_share: float | None
    """(reported times less the calibrated part of each event + the chains' time outside events) /
    plain run - 1, median over runs: nothing is scaled, so time that events do not report shows
    here.
    """
    unscaled_residual_ci95: list[float | None] | None
    """Of unscaled_residual_share; wholly beyond 0.05 it is named in notes."""
    layer_times: Literal["corrected", "reported"] | None
    """What corrected_ns of the layers is: reported where the correction is not usable, which notes
    say.
    """
    resolution_ns: float | None
    """Durations below it cannot be told apart."""
    cheapest_kernel_ns: float | None
    """Of the runtime's cheapest kernel, unprofiled: the floor called overhead."""
    raw_sum_ns: float | None
    """Of the layers' times as reported; null where no run counts, as every other time then."""
    corrected_sum_ns: float | None
    """Of the layers' times less the profiler's part."""
    gaps_ns: float | None
    """Of a run between layers: scheduling, inputs and outputs."""
    disturbance_ns: float | None
    """By how much whole runs (total_ns) exceed the medians of their layers and gaps: other
    processes hit a few layers of each run; 0 on a quiet machine.
    """
    outside_layers_ns: float | None
    """Gaps + disturbance."""
    residual_share: float | None
    """(corrected_sum + outside_layers) / latency - 1: small by construction;
    unscaled_residual_share is the check.
    """

    _kinds = {
        "excess_ns": ("record", "TimeNs", False),
        "event_cost": ("record", "TimeNs", True),
        "fixed_cost": ("record", "TimeNs", True),
        "predicted_profiled_ns": ("record", "TimeNs", True),
        "total_ns": ("record", "TimeNs", True),
        "factor": ("record", "TimeNs", True),
        "predicted_ratio": ("record", "TimeNs", True),
        "unscaled_residual_ci95": ("interval", "", False),
    }
    _optional = frozenset({
        "event_cost",
        "fixed_cost",
        "predicted_profiled_ns",
        "total_ns",
        "factor",
        "predicted_ratio",
        "unscaled_residual_share",
        "unscaled_residual_ci95",
        "layer_times",
    })


class ProfileUnattributed(Record):
    """Layers that stand for no node and were not inserted."""

    layers: int
    """How many."""
    time_share: float | None
    """Of corrected_sum_ns."""


class ProfileCeiling(Record):
    """ProfileCeiling."""

    kind: Literal["compute", "read", "write", "copy", "triad"]
    """What was done."""
    dtype: str
    """Element type."""
    level: str | None
    """Where the bytes lay: L1, L2, L3, memory; null for compute."""
    threads: int
    """As those of the run."""
    value: float
    """The best burst."""
    unit: Literal["FLOP/s", "B/s"]
    """A multiply-add is 2 FLOP."""
    ci95: list[float | None]
    """95 % interval."""
    theory: float | None
    """In the same unit."""
    instruction: str
    """Of the kernel that won."""

    _kinds = {
        "ci95": ("interval", "", False),
    }


class ProfileModule(Record):
    """ProfileModule."""

    path: str
    """In the module tree."""
    depth: int
    """0 is the root."""
    layers: int
    """Inside it."""
    time_ns: float
    """Corrected."""
    share: float
    """Of corrected_sum_ns."""
    macs: int | None
    """Multiply-accumulates; null where it cannot be known."""
    flops: int | None
    """Other arithmetic on floating types."""
    special: int | None
    """Divisions, roots, exponentials and the like."""
    int_ops: int | None
    """Arithmetic on integers."""
    bytes: int | None
    """Sum over its layers."""


class ProfileVerification(Record):
    """ProfileVerification."""

    node: int
    """Makes the tensor that crosses."""
    tensor: str
    """Its name in the model."""
    layers: int
    """The first so many, in order of execution, lie before the cut."""
    layers_ns: float
    """Sum of their corrected times."""
    outside_ns: float | None
    """Their part of what a run takes outside layers."""
    part_ns: float | None
    """What the part before the cut takes in a model of its own, without the profiler, in units of
    latency.median_ns: the median of part / whole model over rounds in which both ran; less
    inserted_ns.
    """
    ci95_ns: list[float | None]
    """95 % interval of part_ns."""
    inserted_ns: float
    """Taken out of part_ns: kernels that the runtime inserts only because the part ends there, as
    the profiler reports them.
    """
    difference: float | None
    """(layers_ns + outside_ns - part_ns) / latency."""
    difference_ci95: list[float | None]
    """95 % interval of the difference."""
    explained_ns: TimeNs | None
    """Part_ns where each run of the part follows one of the whole model in the same process, so
    that it finds those caches; measured only where the difference is beyond the limit.
    """
    verdict: Literal["agrees", "explained", "differs", "incomparable"]
    """Differs: the whole interval of the difference lies beyond 2 % of the latency; explained: with
    the caches of the whole model it does not; incomparable: the runtime runs other kernels in
    the part than in the whole model.
    """

    _kinds = {
        "ci95_ns": ("interval", "", False),
        "difference_ci95": ("interval", "", False),
        "explained_ns": ("record", "TimeNs", True),
    }


class ProfileLevelsCost(Record):
    """ProfileLevelsCost."""

    level: Literal["application", "model", "layer", "library", "kernel", "thread", "counter"]
    """Thread or counter."""
    runs: int
    """That carried all of the level."""
    events: float | None
    """Readings of one such run."""
    latency_ns: TimeNs
    """Of these runs."""
    event_cost: TimeNs
    """That one reading adds, from runs with half of the readings and with all, beside runs with
    none.
    """
    fixed_cost: TimeNs
    """That the level adds beside its readings."""

    _kinds = {
        "latency_ns": ("record", "TimeNs", False),
        "event_cost": ("record", "TimeNs", False),
        "fixed_cost": ("record", "TimeNs", False),
    }


class ProfileLevelsThread(Record):
    """ProfileLevelsThread."""

    name: str
    """The system's name of the thread."""
    cpu_ns: TimeNs
    """On a processor."""
    wait_ns: TimeNs | None
    """Ready and without a processor; null where the system does not say."""
    switches: TimeNs | None
    """Times that it was given a processor, no unit; null where the system does not say."""

    _kinds = {
        "cpu_ns": ("record", "TimeNs", False),
        "wait_ns": ("record", "TimeNs", True),
        "switches": ("record", "TimeNs", True),
    }


class ProfileLevelsCounter(Record):
    """ProfileLevelsCounter."""

    name: str
    """As perf(1) has it: cycles, instructions, page-faults, ..."""
    unit: str
    """Ns, or empty for a number of events."""
    origin: str
    """Who counted: perf hardware, perf software, the system's accounts; empty where nobody could.
    """
    value: TimeNs | None
    """Null where it could not be counted, never 0; `reason` says why."""
    running_share: float | None
    """Part of the time that the counter ran; below 1 the value is scaled by it."""
    reason: str
    """Why there is no value."""

    _kinds = {
        "value": ("record", "TimeNs", True),
    }


class ProfileLevels(Record):
    """Levels below the layers, recorded in runs of their own (--level); absent where none was."""

    costs: list[ProfileLevelsCost]
    """What each of these levels adds to a run; level layer stands in profiling."""
    deepest_ns: TimeNs | None
    """Of a run with all levels at once."""
    predicted_deepest_ns: TimeNs | None
    """Latency + for each level events * event cost + fixed cost; beside deepest_ns it says whether
    the costs add up.
    """
    imbalance: TimeNs | None
    """Processor time of the busiest thread over the mean of as many threads as the runtime was
    given; 1 is even, no unit.
    """
    threads: list[ProfileLevelsThread]
    """Of the runtime, per run of the model; the one that calls it first."""
    counters: list[ProfileLevelsCounter]
    """Per run of the model, all threads together."""

    _kinds = {
        "costs": ("list", "ProfileLevelsCost", False),
        "deepest_ns": ("record", "TimeNs", True),
        "predicted_deepest_ns": ("record", "TimeNs", True),
        "imbalance": ("record", "TimeNs", True),
        "threads": ("list", "ProfileLevelsThread", False),
        "counters": ("list", "ProfileLevelsCounter", False),
    }


class ProfileReference(Record):
    """ProfileReference."""

    when: int
    """How many processes had measured the model before."""
    kernel: str
    """Multiply-add (in registers) or read (16 MiB, eight times)."""
    ns: int
    """Median of three passes on one thread."""


class ProfileTimelineSpan(Record):
    """ProfileTimelineSpan."""

    level: Literal["application", "model", "layer", "library", "kernel", "thread", "counter"]
    """Of the stack."""
    name: int
    """Position in texts."""
    start_ns: int
    """From the start of the timeline."""
    end_ns: int
    """From the start of the timeline."""
    parent: int | None
    """Position of the span that caused it, where there is one."""
    thread: int | None
    """Position in texts."""
    device: int | None
    """Position in texts."""
    queue: int | None
    """Position in texts: the stream of a device."""
    correlation: int | None
    """Equal on a launch and what it launched."""
    attributes: dict[str, str] | None
    """Further facts, name to text."""

    _optional = frozenset({
        "parent",
        "thread",
        "device",
        "queue",
        "correlation",
        "attributes",
    })


class ProfileTimeline(Record):
    """Spans of recorded runs on one clock; absent where none was kept."""

    texts: list[str]
    """What name, thread, device and queue of the spans refer to by position; the first is the empty
    text.
    """
    spans: list[ProfileTimelineSpan]
    """A parent is a position in this array."""

    _kinds = {
        "spans": ("list", "ProfileTimelineSpan", False),
    }


class Profile(Result):
    """One model in one runtime on one machine, keyed by the nodes of the model: `ridge profile
    MODEL --format json`. Times are nanoseconds.
    """

    schema: str
    """Name and version of this document."""
    host: Any
    """As in ridge.machine/1."""
    kind: Literal["measured", "imported", "estimated", "bounded"]
    """Where the times come from."""
    ridge: str
    """Version of the program."""
    runtime: ProfileRuntime
    """What executed the model."""
    model: ProfileModel
    """The original file."""
    bindings: dict[str, Binding]
    """Every free size in force, by name."""
    setup: ProfileSetup
    """Before the first measured run, medians over processes."""
    latency: ProfileLatency
    """Of one run, profiling off."""
    throughput: ProfileThroughput
    """At that latency, one run after the other."""
    profiled_latency: ProfileProfiledLatency
    """Of one run, profiling on."""
    profiling: ProfileProfiling
    """The profiler's own cost and what it leaves unexplained."""
    layers: Table[Layer]
    """What the runtime executed, each the smallest group of kernels whose nodes are certain."""
    nodes: Table[ProfiledNode]
    """Every node of the model."""
    nodes_without_layer: Table[NodesWithoutLayer]
    """Every node that is a member of no layer."""
    unattributed: ProfileUnattributed
    """Layers that stand for no node and were not inserted."""
    ceilings: Table[ProfileCeiling]
    """The roofs that the layers were held against, at the threads of the run."""
    modules: Table[ProfileModule]
    """Layers summed up under their module and each one above it; the root (path empty) first."""
    verification: Table[ProfileVerification] | None
    """Layer times held against the model cut where one tensor crosses (--verify); absent where
    nobody asked. In order of execution.
    """
    verification_reason: str | None
    """Why there are no cuts; empty where there are. Absent where nobody asked."""
    levels: ProfileLevels | None
    """Levels below the layers, recorded in runs of their own (--level); absent where none was."""
    reference: Table[ProfileReference] | None
    """Kernels of ridge's own that do the same work every time, run before, between and after the
    processes: where their times differ the machine drifted; absent where they were not run.
    """
    timeline: ProfileTimeline | None
    """Spans of recorded runs on one clock; absent where none was kept."""
    notes: list[str]
    """What a reader must know: a noisy host, an interruption, fallbacks."""

    _tables = {
        "layers": "Layer",
        "nodes": "ProfiledNode",
        "nodes_without_layer": "NodesWithoutLayer",
        "ceilings": "ProfileCeiling",
        "modules": "ProfileModule",
        "verification": "ProfileVerification",
        "reference": "ProfileReference",
    }
    _kinds = {
        "runtime": ("record", "ProfileRuntime", False),
        "model": ("record", "ProfileModel", False),
        "bindings": ("map", "Binding", False),
        "setup": ("record", "ProfileSetup", False),
        "latency": ("record", "ProfileLatency", False),
        "throughput": ("record", "ProfileThroughput", False),
        "profiled_latency": ("record", "ProfileProfiledLatency", False),
        "profiling": ("record", "ProfileProfiling", False),
        "unattributed": ("record", "ProfileUnattributed", False),
        "levels": ("record", "ProfileLevels", False),
        "timeline": ("record", "ProfileTimeline", False),
    }
    _optional = frozenset({
        "verification",
        "verification_reason",
        "levels",
        "reference",
        "timeline",
    })


class ProfilesSweepPoint(Record):
    """ProfilesSweepPoint."""

    label: str
    """Sizes and threads, after the runtime where that varies."""
    runtime: str
    """Its name, such as ONNX Runtime."""
    batch: int
    """Items per run."""
    threads: int
    """Of the runtime."""
    median_ns: float | None
    """Latency, profiling off."""
    ci95_ns: list[float | None]
    """95 % interval of that median."""
    items_per_s: float | None
    """Throughput at that latency."""

    _kinds = {
        "ci95_ns": ("interval", "", False),
    }


class ProfilesSweepEffectStep(Record):
    """ProfilesSweepEffectStep."""

    value: str
    """OpenVINO, 2 threads, batch=4."""
    others: str
    """Values of the other axes that vary; empty where none does."""
    ratio: float | None
    """Throughput by that at the base; above 1 is faster."""
    ci95: list[float] | None
    """Its 95 % interval; null where too little was measured to tell."""
    reason: str | None
    """Why there is no interval."""

    _kinds = {
        "ci95": ("interval", "", True),
    }


class ProfilesSweepEffect(Record):
    """ProfilesSweepEffect."""

    axis: Literal["runtime", "threads", "size"]
    """What varies."""
    size: str | None
    """Name of the size; null of other axes."""
    base: str
    """The first runtime, the least number of threads, or the least size."""
    text: str
    """The steps as a sentence."""
    steps: list[ProfilesSweepEffectStep]
    """Each value but the base, with each value of the other axes."""

    _kinds = {
        "steps": ("list", "ProfilesSweepEffectStep", False),
    }


class ProfilesSweep(Record):
    """What the points say together."""

    points: list[ProfilesSweepPoint]
    """One per profile, in the same order."""
    effects: list[ProfilesSweepEffect]
    """What each axis did that varies: the throughput at its values by that at its base, all other
    axes the same.
    """
    knee_batch: int | None
    """The smallest batch whose doubling adds at most 5 % throughput in the same runtime at the same
    threads; null where every doubling measured still paid, or none was.
    """

    _kinds = {
        "points": ("list", "ProfilesSweepPoint", False),
        "effects": ("list", "ProfilesSweepEffect", False),
    }


class Profiles(Result):
    """A sweep over runtimes, sizes or threads: `ridge profile MODEL --runtimes ort,openvino --bind
    batch=1,2,4 --threads 1,2 --format json`.
    """

    schema: str
    """Name and version of this document."""
    sweep: ProfilesSweep
    """What the points say together."""
    profiles: list[Profile]
    """Each a ridge.profile/1."""

    _results = {
        "profiles": "Profile",
    }
    _kinds = {
        "sweep": ("record", "ProfilesSweep", False),
    }


class RooflinePoint(Record):
    """RooflinePoint."""

    name: str
    """Model, sizes and threads, and the runtime where that varies."""
    machine: str | None
    """That it was measured on; null where that is not known."""
    runtime: str
    """Its name, such as ONNX Runtime."""
    threads: int
    """Of the runtime."""
    latency_ns: float | None
    """Of an unprofiled run, the median."""
    dtype: str
    """Element type in which most of the operations run."""
    compute_roof: float | None
    """FLOP/s of the roofs of its element types, weighted by work; null where one was not measured.
    """
    operations: float
    """Of a run, a multiply-add as 2."""
    bytes: float
    """Across the boundaries of all layers."""
    flop_per_s: float | None
    """Operations by latency."""
    bytes_per_s: float | None
    """Bytes by latency."""
    intensity: float | None
    """Operations by bytes."""
    roof_share: float | None
    """Flop_per_s over compute_roof."""


class RooflineRoofCompute(Record):
    """RooflineRoofCompute."""

    dtype: str
    """Element type."""
    flop_per_s: float | None
    """A multiply-add as 2."""


class RooflineRoofLevel(Record):
    """RooflineRoofLevel."""

    name: str
    """`L1`, `L2`, `L3`, `memory`."""
    bytes: int | None
    """That it holds for all the threads; null of memory."""
    bytes_per_s: float
    """The fastest of read, write, copy, triad."""


class RooflineRoof(Record):
    """RooflineRoof."""

    threads: int
    """Of these roofs."""
    compute: list[RooflineRoofCompute]
    """A roof per element type."""
    levels: list[RooflineRoofLevel]
    """A roof per memory level, nearest first."""

    _kinds = {
        "compute": ("list", "RooflineRoofCompute", False),
        "levels": ("list", "RooflineRoofLevel", False),
    }


class Roofline(Result):
    """Whole models as points under one machine's roofs: `ridge roofline --format json`."""

    schema: str
    """Name and version of this document."""
    points: Table[RooflinePoint]
    """In the order given."""
    roofs: Table[RooflineRoof]
    """Of every number of threads among the points."""
    notes: list[str]
    """What the models were given in place of what was asked for."""

    _tables = {
        "points": "RooflinePoint",
        "roofs": "RooflineRoof",
    }


class Run(Record):
    """Run."""

    run: int
    """Its number; none is given twice."""
    recorded_s: int
    """When it was kept, seconds since 1970 (UTC)."""
    kind: str
    """Measured, imported, estimated or bounded."""
    model: str
    """Path of the model, or zoo:NAME."""
    graph_hash: str
    """Structure of the model."""
    sizes: str
    """Free sizes as bound: batch=4, sequence=128."""
    runtime: str
    """As it names itself."""
    runtime_version: str
    """As it says."""
    threads: int | None
    """Of the runtime; null where the run does not say."""
    batch: int
    """Items of one run of the model."""
    median_ns: float | None
    """Unprofiled latency; null where an imported run does not say."""
    ci95_ns: list[float | None]
    """Its 95 % interval."""
    items_per_s: float | None
    """Throughput; null where an imported run does not say."""
    layers: int
    """Rows of the runtime's layers."""
    machine: str
    """Host, processor, number of processors; empty where the run does not say."""
    ridge: str
    """Version that measured."""
    content: str
    """Digest of the whole run; equal for equal runs."""

    _kinds = {
        "ci95_ns": ("interval", "", False),
    }


class RunPage(Result):
    """Runs of a store, newest first: `GET /api/v1/runs` of `ridge serve`."""

    schema: str
    """Name and version of this document."""
    total: int
    """Runs that the filters let pass."""
    offset: int
    """Of them, those that were skipped."""
    runs: Table[Run]
    """Newest first."""

    _tables = {
        "runs": "Run",
    }


class RunsFailure(Record):
    """RunsFailure."""

    recorded_s: int
    """When, seconds since 1970 (UTC)."""
    model: str
    """As it was asked for."""
    point: str
    """Sizes and threads."""
    runtime: str
    """Name of --runtimes: ort, openvino."""
    error: str
    """First line of the message."""


class RunsGeneration(Record):
    """RunsGeneration."""

    generation: int
    """Its number, of which evaluations have others."""
    recorded_s: int
    """When it was kept, seconds since 1970 (UTC)."""
    model: str
    """Path of the decoder, or zoo:NAME."""
    model_sha256: str
    """Hash of the decoder."""
    lengths: str
    """Of its requests: prompt 128, tokens 64."""
    runtime: str
    """As it names itself."""
    runtime_version: str
    """As it says."""
    threads: int
    """Of each run."""
    requests: int | None
    """That began."""
    tokens_per_s: float | None
    """Tokens of all requests."""
    first_token_ns: float | None
    """Median time to the first token; null of too few requests."""
    per_token_ns: float | None
    """Median time per token after it; null of too few requests."""
    validity: str
    """Valid, invalid or undecided."""
    machine: str
    """Host, processor, number of processors."""
    ridge: str
    """Version that generated."""


class Runs(Result):
    """What a run database holds: `ridge runs list FILE --format json`. The whole of a run: `ridge
    runs show FILE:RUN --format json` (ridge.profile/1).
    """

    schema: str
    """Name and version of this document."""
    runs: Table[Run]
    """Oldest first."""
    failures: Table[RunsFailure]
    """Points that `ridge bench` could not measure, the last failure of each."""
    evaluations: Table[EvaluationPageEvaluation]
    """Of `ridge eval --store`, oldest first; the whole of one: `ridge runs show FILE evaluation:N
    --format json` (ridge.evaluation/1).
    """
    generations: Table[RunsGeneration]
    """Of `ridge generate --store`, oldest first; the whole of one: `ridge runs show FILE
    generation:N --format json` (ridge.generation/1).
    """

    _tables = {
        "runs": "Run",
        "failures": "RunsFailure",
        "evaluations": "EvaluationPageEvaluation",
        "generations": "RunsGeneration",
    }


class ShareListLevel(Record):
    """ShareListLevel."""

    level: Literal["memory", "templates"]
    """Where objects lie."""
    policy: str
    """Which object leaves when memory is short."""
    budget_bytes: int
    """Bytes that objects may take."""
    used_bytes: int
    """Bytes that they take, those of loads in progress included."""


class ShareListObject(Record):
    """ShareListObject."""

    key: str
    """Name of the object, which other content has not."""
    model: str
    """Path by which it was asked for first."""
    level: Literal["memory", "templates"]
    """Where it lies."""
    state: Literal["absent", "loading", "ready", "evicting"]
    """Whether it can be leased."""
    bytes: int
    """Memory that it takes."""
    leases: int
    """Leases of it now."""
    pinned: bool
    """Whether it stays until it is unpinned."""
    hits: int
    """Leases since it was loaded that needed no load."""
    reload_ns: int
    """Duration of its load."""


class ShareList(Result):
    """What the daemon of ridge share has."""

    schema: str
    """Name and version of this document."""
    ridge: str
    """Version of the daemon."""
    process: int
    """Its process."""
    clients: int
    """Programs that are connected, the one that asks included."""
    levels: Table[ShareListLevel]
    """Levels of the cache."""
    objects: Table[ShareListObject]
    """Models that are there, are loaded, or leave."""

    _tables = {
        "levels": "ShareListLevel",
        "objects": "ShareListObject",
    }


class ShareReplayRowReady(Record):
    """Time from a request until its model is ready."""

    p50_ns: int
    """The median."""
    p99_ns: int
    """The 99th percentile."""


class ShareReplayRow(Record):
    """ShareReplayRow."""

    trace: str
    """File, or distribution of the requests over models."""
    clients: int | None
    """Clients of a closed loop; null: requests at the times of the trace."""
    share: float | None
    """Share of the models that may be asked for."""
    models: int
    """Number of models that are asked for."""
    memory_bytes: int
    """Budget of the memory level."""
    policy: str
    """As on the command line."""
    hit_share: float | None
    """Hits over requests."""
    at_most_share: float | None
    """At_most_hits over requests."""
    requests: int
    """Of the trace."""
    hits: int
    """Requests whose model was ready in memory."""
    joined: int
    """Requests that joined a load in progress."""
    disk_loads: int
    """Requests that loaded a prepared file from disk."""
    misses: int
    """Requests that missed every level and loaded by themselves."""
    unadmitted: int
    """Of the latter two, those for which memory had no room that is idle."""
    evictions: int
    """Idle models that left for others."""
    expirations: int
    """Idle models that left because of their time."""
    prewarms: int
    """Loads without a request."""
    ready: ShareReplayRowReady
    """Time from a request until its model is ready."""
    cold: ShareReplayRowReady
    """The same of requests that were no hits."""
    duration_ns: int
    """From the first request to the end of the last run."""
    peak_bytes: int
    """Largest memory in use."""
    byte_seconds: float | None
    """Memory in use, summed over time."""
    speedup: float | None
    """Time of all requests where each loads by itself, over the same here."""
    all_miss_speedup: float | None
    """The same where every request misses every level."""
    at_most_hits: int
    """More hits has no policy that loads on demand."""
    at_least_hits: int | None
    """Hits of a schedule that knows the future; null: not looked for."""
    exact: bool
    """The optimum, by trying everything."""

    _kinds = {
        "ready": ("record", "ShareReplayRowReady", False),
        "cold": ("record", "ShareReplayRowReady", False),
    }


class ShareReplay(Result):
    """Traces of requests for models, played against memory budgets and policies."""

    schema: str
    """Name and version of this document."""
    ridge: str
    """Version."""
    seed: int
    """Of what is drawn."""
    arrivals: str
    """Arrivals of drawn requests; empty for a recorded trace."""
    costs: str
    """File with the costs of the models, or built-in examples."""
    admission: str
    """All, or rho: what is worth sharing."""
    not_shared: list[str]
    """Models that rho keeps apart."""
    rows: Table[ShareReplayRow]
    """One for each trace, memory and policy."""

    _tables = {
        "rows": "ShareReplayRow",
    }


class SubmissionMachine(Record):
    """SubmissionMachine."""

    name: str
    """As in the description of the laboratory."""
    state: Literal["ready", "unfit", "gone"]
    """Ready: it takes points; unfit: it fits none; gone: it does not answer."""
    done: int
    """Points that it measured now."""
    reasons: list[str]
    """What it does not fit, or why it is gone."""


class SubmissionPoint(Record):
    """SubmissionPoint."""

    point: str
    """Model, sizes and threads, runtime."""
    state: Literal["waiting", "leased", "held", "done", "failed"]
    """Waiting: not measured; leased: a machine was at it; held: the store had it; done: measured
    now; failed: see reason.
    """
    machine: str | None
    """That measured it; null of others."""
    machines: list[str]
    """That may measure it."""
    wall_ns: int | None
    """Time of its ridge there, by that machine's monotonic clock."""
    dispatch_ns: int | None
    """Time from handing it out to its result in the store, beyond wall_ns."""
    reason: str | None
    """Why it failed."""


class Submission(Result):
    """What became of a submission: `ridge submit REQUEST --on LAB --format json`. The results are
    in the store.
    """

    schema: str
    """Name and version of this document."""
    machines: Table[SubmissionMachine]
    """In the order of the description."""
    points: Table[SubmissionPoint]
    """In the order in which machines listed them."""

    _tables = {
        "machines": "SubmissionMachine",
        "points": "SubmissionPoint",
    }


class TraceQueryColumn(Record):
    """TraceQueryColumn."""

    name: str
    """The key in each row."""
    unit: str | None
    """Ns, B, FLOP, FLOP/s, B/s, FLOP/B, 1/s, or 1 for a share; null for text, counts and ratios."""
    if_null: str | None
    """Why a row has null there; null where none has."""


class TraceQuery(Result):
    """The answer to a query about runs: `ridge trace query A6 RUN --format json`; `list`, `show`
    and `diff` answer in the same form.
    """

    schema: str
    """Name and version of this document."""
    query: str
    """A1 to A15, idle, diff; list or show."""
    title: str
    """The query in words."""
    columns: Table[TraceQueryColumn]
    """Of `rows`, in order."""
    rows: Table[dict[str, Any]]
    """An object per row, keyed by the names of the columns; null where a figure cannot be known."""
    rows_left_out: int
    """By --top."""
    notes: list[str]
    """Where the figures come from."""

    _tables = {
        "columns": "TraceQueryColumn",
        "rows": "",
    }


class TryPairAnswerClass(Record):
    """TryPairAnswerClass."""

    class_: int
    """Its number."""
    name: str | None
    """Its label; null where the manifest has none."""
    score: float | None
    """As the manifest's steps make it; of a mask, share of its pixels."""


class TryPairAnswerBox(Record):
    """TryPairAnswerBox."""

    class_: int
    """Its number."""
    name: str | None
    """Its label; null where the manifest has none."""
    score: float | None
    """As the manifest's steps make it; of a mask, share of its pixels."""
    left: float | None
    """In the unit of the model's output, as the three others."""
    top: float | None
    """Top."""
    right: float | None
    """Right."""
    bottom: float | None
    """Bottom."""


class TryPairAnswer(Record):
    """By the manifest's steps; null without any."""

    kind: Literal["classes", "boxes", "mask", "text"]
    """What it consists of."""
    classes: list[TryPairAnswerClass]
    """By falling score, at most 5."""
    boxes: list[TryPairAnswerBox]
    """By falling score, at most 100."""
    text: str | None
    """What was read; null otherwise."""

    _kinds = {
        "classes": ("list", "TryPairAnswerClass", False),
        "boxes": ("list", "TryPairAnswerBox", False),
    }


class TryPairOutput(Record):
    """TryPairOutput."""

    name: str
    """In the model."""
    type: str
    """Element type of the values as they are kept."""
    shape: list[int]
    """Without the axis of the batch."""
    first: list[float | None]
    """The first values, at most 8."""


class TryPair(Record):
    """TryPair."""

    model: str
    """As asked."""
    runtime: str
    """With its version, if it ran."""
    queries: int
    """One after the other, that the median is of."""
    median: Percentile | None
    """Median latency; null without one."""
    answer: TryPairAnswer | None
    """By the manifest's steps; null without any."""
    outputs: list[TryPairOutput]
    """Each output of the model that has values."""
    notes: list[str]
    """Why the latency does not count, or what must be known of it."""
    error: Error | None
    """Why there is no result; null otherwise."""

    _kinds = {
        "median": ("record", "Percentile", True),
        "answer": ("record", "TryPairAnswer", True),
        "outputs": ("list", "TryPairOutput", False),
        "error": ("record", "Error", True),
    }


class Try(Result):
    """Models that a client of `ridge serve --allow-run` tries on a sample of its own: `GET
    /api/v1/try/N`.
    """

    schema: str
    """Name and version of this document."""
    number: int
    """Of the try."""
    state: Literal["running", "done", "failed", "canceled"]
    """What it does."""
    kind: Literal["picture", "tensor", "text"]
    """Of the sample."""
    name: str | None
    """Of the sample's file, as the client says; null without."""
    bytes: int
    """Of the sample."""
    asked: int
    """Pairs of a model and a runtime."""
    pairs: Table[TryPair]
    """Those that are done, in the order that was asked for."""

    _tables = {
        "pairs": "TryPair",
    }


class TryRequestSample(Record):
    """What they are tried on."""

    kind: Literal["picture", "tensor", "text"]
    """What the bytes are."""
    name: str
    """Name of its file, to be shown."""
    data: str
    """Its bytes in base64 (RFC 4648, section 4)."""


class TryRequest(Result):
    """Models to be tried on a sample: the body of `POST /api/v1/try` of `ridge serve`."""

    schema: str
    """Name and version of this document."""
    models: list[str]
    """Names of the registry, or zoo:NAME."""
    runtimes: list[str]
    """Names of runtimes; empty: the one that the manifest is for, else that of ridge eval."""
    sample: TryRequestSample
    """What they are tried on."""

    _kinds = {
        "sample": ("record", "TryRequestSample", False),
    }


class ZooNetworkInput(Record):
    """ZooNetworkInput."""

    name: str
    """Of the input."""
    dtype: str
    """Element type."""
    shape: list[int | None]
    """Dimensions."""


class ZooNetwork(Record):
    """ZooNetwork."""

    name: str
    """Zoo:NAME stands wherever a model does."""
    family: str
    """What it is a member of: ResNet."""
    description: str
    """What it is."""
    paper: str
    """Where it comes from."""
    sizes: dict[str, int]
    """Free sizes and their defaults."""
    inputs: list[ZooNetworkInput]
    """At those sizes."""
    nodes: int
    """Of its graph."""
    params: int
    """Elements of its weights."""
    macs: int | None
    """Multiply-accumulates at those sizes."""

    _kinds = {
        "inputs": ("list", "ZooNetworkInput", False),
    }


class Zoo(Result):
    """The networks that come with the program: `ridge zoo list --format json`."""

    schema: str
    """Name and version of this document."""
    networks: Table[ZooNetwork]
    """Sorted by name."""

    _tables = {
        "networks": "ZooNetwork",
    }


#: Class of a document by its schema.
DOCUMENTS = {
    "ridge.accelerator/1": Accelerator,
    "ridge.advice/1": Advice,
    "ridge.advice_scoreboard/1": AdviceScoreboard,
    "ridge.agents/1": Agents,
    "ridge.analyses/1": Analyses,
    "ridge.analysis/1": Analysis,
    "ridge.baseline/1": Baseline,
    "ridge.baseline_check/1": BaselineCheck,
    "ridge.bench/1": Bench,
    "ridge.bricks/1": Bricks,
    "ridge.bricks_check/1": BricksCheck,
    "ridge.bundle/1": Bundle,
    "ridge.comparison/1": Comparison,
    "ridge.diff/1": Diff,
    "ridge.error/1": Error,
    "ridge.estimate/1": Estimate,
    "ridge.evaluation/1": Evaluation,
    "ridge.evaluation_comparison/1": EvaluationComparison,
    "ridge.evaluation_page/1": EvaluationPage,
    "ridge.experiment/1": Experiment,
    "ridge.experiments/1": Experiments,
    "ridge.explanation/1": Explanation,
    "ridge.generation/1": Generation,
    "ridge.grid/1": Grid,
    "ridge.hosts/1": Hosts,
    "ridge.job/1": Job,
    "ridge.jobs/1": Jobs,
    "ridge.machine/1": Machine,
    "ridge.models/1": Models,
    "ridge.points/1": Points,
    "ridge.profile/1": Profile,
    "ridge.profiles/1": Profiles,
    "ridge.roofline/1": Roofline,
    "ridge.run_page/1": RunPage,
    "ridge.runs/1": Runs,
    "ridge.share_list/1": ShareList,
    "ridge.share_replay/1": ShareReplay,
    "ridge.submission/1": Submission,
    "ridge.trace_query/1": TraceQuery,
    "ridge.try/1": Try,
    "ridge.try_request/1": TryRequest,
    "ridge.zoo/1": Zoo,
}
