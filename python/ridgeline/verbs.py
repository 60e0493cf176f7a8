# SPDX-License-Identifier: Apache-2.0
"""The verbs of ridge as functions, made by scripts/python_verbs.py from their flags; change those.

Arguments are the flags without their dashes, with underscores; None: not given. Where a flag takes
NAME=VALUE, a dictionary does too: `bind={"batch": 8}`, `shape={"input": (1, 3, 224, 224)}`,
`input={"image": array}`. Arrays travel as files of their bytes. A list is what may be repeated, or
values of a sweep. Durations and sizes in bytes are texts with a unit: "30s", "32MiB".

`progress`: called with what is done now, and how much of how much (0, 0 where that is not known);
None: a bar of tqdm in notebooks and terminals, where it is installed; False: never. It runs in the
caller's thread.

Ctrl-C reaches ridge once and raises Interrupted, whose `partial` has what was done by then; a second
one kills ridge. Several threads may call at once. Errors: errors.py. Warnings: RidgelineWarning.
"""

# The decorator has the bodies.
# mypy: disable-error-code="empty-body"

from __future__ import annotations

from .call import verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, Sequence

    from .arguments import (
        Data, Evaluated, Inputs, Lengths, Model, Numbers, Pairs, Path, Run, Shapes, Sizes
    )
    from .program import Progress
    from .records import (
        Accelerator, Advice, Analysis, Bricks, Comparison, Evaluation, EvaluationComparison,
        Generation, Machine, Profile
    )


@verb(
    "analyze",
    positional=("model",),
    many=("bind", "shape", "input",),
)
def analyze(
    model: Model,
    *,
    bind: Sizes | None = None,
    shape: Shapes | None = None,
    input: Inputs | None = None,
    by: Literal["all", "node", "module", "op", "operator"] | None = None,
    top: int | None = None,
    depth: int | None = None,
    convention: (
        Literal["ridge", "torchvision", "timm", "ptflops", "ultralytics", "proof", "onnx-tool"]
    ) | None = None,
    traffic: bool | None = None,
    cache: str | None = None,
    fuse: Literal["none", "epilogue", "runtime"] | None = None,
    symbolic: bool | None = None,
    strict: bool | None = None,
    progress: Progress | bool | None = None,
) -> Analysis | Any:
    """Counts the work in a model: MACs, other arithmetic, bytes, parameters, memory.

    Returns: An `Analysis`; with several sizes `Analyses`.

        ridgeline.analyze("zoo:resnet50", bind={"batch": 8}).nodes.to_pandas()

    Arguments:
        bind: free sizes by name: batch=8,sequence=128; several values give a row each:
            batch=1,2,4; in step: height@width=224,256
        shape: shape of an input: input=1x3x224x224; repeatable
        input: data of an input: name=FILE, a .npy or .pb, or name=VALUE: 5, 1,2,3 or
            [[1,2],[3,4]]; repeatable
        by: which tables: all, node, module or op (operator)
        top: number of nodes, most MACs first (10 in tables, all in json and csv)
        depth: levels of the module tree (as many as fit a screen)
        convention: also print the count of another tool: ridge, torchvision, timm, ptflops,
            ultralytics, proof, onnx-tool
        traffic: also estimate the memory traffic, in bytes
        cache: size of the last-level cache: 32MiB (this machine's)
        fuse: which operators are fused: none, epilogue or runtime
        symbolic: print totals as polynomials of the unbound sizes
        strict: exit with 1 if the work of a node is unknown
    """
    ...


@verb(
    "profile",
    positional=("model",),
    many=("bind", "shape", "runtime", "input", "runtime_option",),
    line=("runtime", "runtime_library", "runtime_option", "store",),
    page=True,
)
def profile(
    model: Model,
    *,
    bind: Sizes | None = None,
    shape: Shapes | None = None,
    runtime: (
        Literal["ort", "openvino"] | Path | Sequence[Literal["ort", "openvino"] | Path]
    ) | None = None,
    threads: Numbers | None = None,
    optimization: Literal["all", "extended", "basic", "disable"] | None = None,
    weights: Literal["seeded", "as-is"] | None = None,
    input: Inputs | None = None,
    runtime_library: Path | None = None,
    runtime_option: Pairs | None = None,
    seed: int | None = None,
    no_pin: bool | None = None,
    processes: int | None = None,
    budget: str | None = None,
    refresh_roofs: bool | None = None,
    level: Literal["layer", "thread", "counter"] | None = None,
    verify: int | None = None,
    check_values: bool | None = None,
    top: int | None = None,
    store: Path | None = None,
    progress: Progress | bool | None = None,
) -> Profile | Any:
    """Measures the time of every layer and maps it to the nodes of the model.

    Returns: A `Profile`; of a sweep `Profiles`. Times are nanoseconds.

        ridgeline.profile("model.onnx", threads=2, budget="10s").layers.to_pandas()

    Arguments:
        bind: free sizes by name: batch=8; several values make a sweep: batch=1,2,4
        shape: shape of an input: input=1x3x224x224; repeatable
        runtime: which runtimes: ort (ONNX Runtime), openvino, the path of a plug-in, or
            several: ort,openvino
        threads: threads of the runtime (1); several make a sweep: 1,2
        optimization: graph optimization by the runtime: all, extended, basic or disable
        weights: constants that stand for weights (ConstantOfShape): seeded (random numbers in
            their place, since equal weights make kernels faster) or as-is; weights in the file are
            never replaced
        input: data of an input: name=FILE, a .npy or .pb, or name=VALUE: 5, 1,2,3 or
            [[1,2],[3,4]]; repeatable
        runtime_library: path of the runtime's library
        runtime_option: an option of the runtime: key=value; repeatable
        seed: seed of the random inputs and weights (1)
        no_pin: do not pin the runtime's threads to processors
        processes: number of measuring processes, one after the other (3)
        budget: measuring time of all processes together: 30s, 5m (2 s each); at least ten pairs
            of runs
        refresh_roofs: measure this machine's roofs again
        level: level of detail, recorded in additional untimed runs: layer, thread (work of each
            thread) or counter (also hardware and system events)
        verify: verify layer times: cut the model at N places (5) and measure the parts without
            the profiler
        check_values: decide by values what names do not: run the model and the runtime's
            optimized graph, and match tensors that are equal (evidence value); at most 32 runs with
            128 MiB of values each
        top: layers in the table, slowest first (15); 0 shows all
        store: store every point in this run database (ridge runs)
    """
    ...


@verb(
    "compare",
    positional=("run...",),
    many=("label", "fail_on", "bind", "shape", "runtime", "input", "runtime_option",),
    line=("runtime", "runtime_library", "runtime_option",),
    page=True,
)
def compare(
    *run: Run,
    turns: Literal["runs", "processes"] | None = None,
    by: Literal["group", "module", "op"] | None = None,
    top: int | None = None,
    threshold: str | None = None,
    label: Pairs | None = None,
    fail_on: str | Sequence[str] | None = None,
    fail_on_uncertain: bool | None = None,
    bind: Sizes | None = None,
    shape: Shapes | None = None,
    runtime: (
        Literal["ort", "openvino"] | Path | Sequence[Literal["ort", "openvino"] | Path]
    ) | None = None,
    threads: Numbers | None = None,
    optimization: Literal["all", "extended", "basic", "disable"] | None = None,
    weights: Literal["seeded", "as-is"] | None = None,
    input: Inputs | None = None,
    runtime_library: Path | None = None,
    runtime_option: Pairs | None = None,
    seed: int | None = None,
    no_pin: bool | None = None,
    processes: int | None = None,
    budget: str | None = None,
    progress: Progress | bool | None = None,
) -> Comparison:
    """Compares the times of two or more runs over the nodes of the model.

    Returns: A `Comparison`. Runs are results of `profile`, their files, runs of a store
    (`runs.db:7`), or one model to measure.

        ridgeline.compare(before, after, fail_on="latency>5%").groups.to_pandas()

    Arguments:
        turns: what alternates: runs (all models loaded at once) or processes (one model at a
            time)
        by:
        top: rows in tables, largest time difference first (20); 0 shows all
        threshold: smallest difference that is reported as faster or slower (0%)
        label: label of a run: NAME=RUN; repeatable
        fail_on: exit with 1 if significantly slower: 'latency>5%', 'group>10%',
            'module:layer1>5%', 'latency>3ms'; repeatable
        fail_on_uncertain: exit with 1 also if a limit of `fail_on` lies in the interval
        bind: free sizes by name: batch=8; several values make a sweep: batch=1,2,4
        shape: shape of an input: input=1x3x224x224; repeatable
        runtime: runtimes to measure models in, in turns: ort,openvino, or paths of plug-ins
        threads: threads of the runtime (1); several make a sweep: 1,2
        optimization: graph optimization by the runtime: all, extended, basic or disable
        weights: constants that stand for weights (ConstantOfShape): seeded (random numbers in
            their place, since equal weights make kernels faster) or as-is; weights in the file are
            never replaced
        input: data of an input: name=FILE, a .npy or .pb, or name=VALUE: 5, 1,2,3 or
            [[1,2],[3,4]]; repeatable
        runtime_library: path of the runtime's library
        runtime_option: an option of the runtime: key=value; repeatable
        seed: seed of the random inputs and weights (1)
        no_pin: do not pin the runtime's threads to processors
        processes: number of measuring processes, one after the other (5)
        budget: measuring time of all processes together: 30s, 5m (2 s each); at least ten pairs
            of runs
    """
    ...


@verb(
    "advise",
    positional=("model",),
    many=("check", "runtimes", "bind", "shape", "input", "runtime_option",),
    line=("store", "runtimes", "runtime", "runtime_library", "runtime_option",),
    page=True,
)
def advise(
    model: Model | None = None,
    *,
    check: str | None = None,
    lossless: bool | None = None,
    store: Path | None = None,
    bricks: bool | None = None,
    runtimes: (
        Literal["ort", "openvino"] | Path | Sequence[Literal["ort", "openvino"] | Path]
    ) | None = None,
    scoreboard: Path | None = None,
    bind: Sizes | None = None,
    shape: Shapes | None = None,
    runtime: Literal["ort", "openvino"] | Path | None = None,
    threads: Numbers | None = None,
    optimization: Literal["all", "extended", "basic", "disable"] | None = None,
    weights: Literal["seeded", "as-is"] | None = None,
    input: Inputs | None = None,
    runtime_library: Path | None = None,
    runtime_option: Pairs | None = None,
    seed: int | None = None,
    no_pin: bool | None = None,
    processes: int | None = None,
    budget: str | None = None,
    refresh_roofs: bool | None = None,
    progress: Progress | bool | None = None,
) -> Advice | Any:
    """Reports how fast a model could be and what is in the way; measures repairs.

    Returns: An `Advice`; with `scoreboard` an `AdviceScoreboard`.

        ridgeline.advise("model.onnx", check="all").findings.to_pandas()

    Arguments:
        check: apply this finding, measure before and after in turns and compare outputs; all:
            every one, and all together; repeatable
        lossless: leave out findings that change more than rounding: values for some inputs, the
            inputs or outputs of the model, or its accuracy
        store: run database for the run, for bricks, from which gains are predicted, and for
            checks: what it has is not measured again
        bricks: measure the bricks of the model and of its edited copies that `store` lacks
        runtimes: runtimes to compare with, piece by piece: ort,openvino
        scoreboard: print how well predicted gains held in the checks of this run database, and
            stop
        bind: free sizes by name: batch=8; several values make a sweep: batch=1,2,4
        shape: shape of an input: input=1x3x224x224; repeatable
        runtime: which runtime: ort (ONNX Runtime), openvino, or the path of a plug-in
        threads: threads of the runtime (1); several make a sweep: 1,2
        optimization: graph optimization by the runtime: all, extended, basic or disable
        weights: constants that stand for weights (ConstantOfShape): seeded (random numbers in
            their place, since equal weights make kernels faster) or as-is; weights in the file are
            never replaced
        input: data of an input: name=FILE, a .npy or .pb, or name=VALUE: 5, 1,2,3 or
            [[1,2],[3,4]]; repeatable
        runtime_library: path of the runtime's library
        runtime_option: an option of the runtime: key=value; repeatable
        seed: seed of the random inputs and weights (1)
        no_pin: do not pin the runtime's threads to processors
        processes: number of measuring processes, one after the other (3)
        budget: measuring time of all processes together: 30s, 5m (2 s each); at least ten pairs
            of runs
        refresh_roofs: measure this machine's roofs again
    """
    ...


@verb(
    "eval",
    positional=("model",),
    many=("mix", "bind", "shape", "runtime", "input", "runtime_option",),
    line=(
        "save_outputs", "queries", "store", "lock", "mlperf_logs", "trace", "runtime",
        "runtime_library", "runtime_option",
    ),
    page=True,
)
def evaluate(
    model: Model | None = None,
    *,
    scenario: (
        Literal["single-stream", "multi-stream", "offline", "server", "closed-loop", "accuracy"]
    ) | None = None,
    qps: float | None = None,
    arrivals: str | None = None,
    workers: int | None = None,
    samples_per_query: int | None = None,
    duration: str | None = None,
    max_duration: str | None = None,
    min_queries: int | None = None,
    bound: str | None = None,
    batching: str | None = None,
    clients: int | None = None,
    mix: Pairs | None = None,
    warmup: str | None = None,
    find_peak: bool | None = None,
    budget: str | None = None,
    batch: int | None = None,
    data: Data | None = None,
    labels: Path | None = None,
    metric: (
        Literal["top-k", "coco", "voc", "miou", "psnr", "ssim", "exact", "f1", "cer"]
    ) | None = None,
    post: str | None = None,
    show_answers: int | None = None,
    save_outputs: Path | None = None,
    steps: str | None = None,
    limit: int | None = None,
    samples: int | None = None,
    queries: Path | None = None,
    store: Path | None = None,
    dry_run: bool | None = None,
    point: str | None = None,
    lock: Path | None = None,
    allow_differences: bool | None = None,
    mlperf_logs: Path | None = None,
    user_conf: Path | None = None,
    mlperf_conf: Path | None = None,
    audit: Literal["none", "test01", "test04"] | None = None,
    trace: Path | None = None,
    trace_layers: int | None = None,
    bind: Sizes | None = None,
    shape: Shapes | None = None,
    runtime: (
        Literal["ort", "openvino", "null"] | Path | Sequence[Literal["ort", "openvino", "null"]
        | Path]
    ) | None = None,
    threads: Numbers | None = None,
    optimization: Literal["all", "extended", "basic", "disable"] | None = None,
    weights: Literal["seeded", "as-is"] | None = None,
    input: Inputs | None = None,
    runtime_library: Path | None = None,
    runtime_option: Pairs | None = None,
    seed: int | None = None,
    registry: Path | None = None,
    data_root: Path | None = None,
    runtime_manifest: Path | None = None,
    runtime_version: str | None = None,
    prefer: Literal["code", "parameters"] | None = None,
    progress: Progress | bool | None = None,
) -> Evaluation:
    """Evaluates a model under load: latency percentiles, throughput, their bounds.

    Returns: An `Evaluation`, with a point for each combination of sizes, threads and runtimes.

        ridgeline.evaluate("model.onnx", scenario="server", qps=12, duration="10s")

    Arguments:
        scenario: load under which the model is evaluated (single-stream)
        qps: queries per second of the scenario server
        arrivals: due times of a server's queries: poisson (default), constant, gamma:SHAPE,
            bursty:FACTOR, trace:FILE
        workers: runs at the same time (1); in the scenario closed-loop the number of clients
            (2)
        samples_per_query: samples of each query (1; multi-stream 8)
        duration: time for which queries are issued at least (10s; of a trace, all of it)
        max_duration: time after which none are issued; default: six times `duration`
        min_queries:
        bound: latency within which a percentile of the queries must be answered: p99=15ms
        batching: run queries together that are due at about the same time: max=8,wait=2ms, and
            the sizes of batches that can be run, as sizes=1/4/8; default: powers of two
        clients: clients of the scenario closed-loop, whose queries wait for a worker; default:
            as many as queries can run at the same time
        mix: another model in the same process, and its share of the queries: other.onnx=0.3;
            may be given several times
        warmup: first part of the load, which is left out of the figures: a time (2s) or a
            number of queries (500)
        find_peak: search the largest rate of a server that keeps `bound`, and evaluate the
            model there
        budget: time for the search of `find_peak` (5m)
        batch: samples of each run: the free leading dimension of the inputs, whatever its name
        data: samples that queries take their inputs from, which are also judged with `labels`:
            a folder of images or of texts, a .txt with a text in each line, a .npy with samples
            along its first axis, a manifest of a data set, or one of the registry: NAME@1.2
        labels: what is true of each sample; classes: a line with a number for each, or lines
            NAME,CLASS; docs/accuracy.md has the formats of other metrics
        metric: how answers are judged: top-k (classes), coco or voc (boxes), miou (masks), psnr
            or ssim (images), exact, f1 or cer (text)
        post: steps from the outputs to an answer: 'softmax top(5) labels(classes.txt)'
        show_answers: print the answers to this many samples, with their labels
        save_outputs: write the outputs for every sample into this folder, as .npy, so that
            ridge eval compare measures how far they diverge
        steps: steps from a file or array to the input: 'decode(rgb) resize(256, short)
            crop(224) layout(nchw)'
        limit: samples of `data`, at most
        samples: seeded samples that queries take their inputs from, at most; fewer where they
            are large
        queries: write every query to this file, as CSV
        store: run database: stored evaluations are skipped, new ones are added
        dry_run: list the points with their keys and which are already stored; evaluate nothing
        point: only the points of these keys, which `dry_run` lists; all else as in the whole
            request
        lock: file with everything that the evaluation depends on: written where it does not
            exist, else repeated from
        allow_differences: evaluate although model, data, labels, steps, runtime or options are
            not those of `lock`
        mlperf_logs: issue the load by the rules of MLPerf's LoadGen 6.0.17, and write its log
            files into this folder; never an MLPerf result
        user_conf: configuration of `mlperf_logs`, whose keys go before flags
        mlperf_conf: the same with seeds, read before `user_conf`; default: the seeds of MLPerf
            6.0
        audit: compliance test of MLPerf: outputs under load are those of accuracy mode
            (test01), one sample again and again is not faster (test04)
        trace: write queries and steps as spans to this file, for ui.perfetto.dev: .json or
            .pftrace
        trace_layers: queries that run with the runtime's profiler after the load, for the
            trace: 3
        bind: free sizes by name: batch=8; several values make a sweep: batch=1,2,4
        shape: shape of an input: input=1x3x224x224; repeatable
        runtime: which runtimes: ort (ONNX Runtime), openvino, the path of a plug-in, or
            several: ort,openvino; null computes nothing and shows what the measuring itself costs
        threads: threads of the runtime (1); several make a sweep: 1,2
        optimization: graph optimization by the runtime: all, extended, basic or disable
        weights: constants that stand for weights (ConstantOfShape): seeded (random numbers in
            their place, since equal weights make kernels faster) or as-is; weights in the file are
            never replaced
        input: data of an input: name=FILE, a .npy or .pb, or name=VALUE: 5, 1,2,3 or
            [[1,2],[3,4]]; repeatable
        runtime_library: path of the runtime's library
        runtime_option: an option of the runtime: key=value; repeatable
        seed: seed of the random inputs and weights (1)
        registry: folder of models and data sets by name and version (registry in ridge's cache
            folder)
        data_root: folder with the files that a manifest names by a URL; checksums are compared
        runtime_manifest: a manifest of the runtime: versions, options, what the machine needs:
            ort.toml
        runtime_version: versions of the runtime to accept instead of the manifest's: '>=1.20',
            any
        prefer: which to believe where a manifest's code and parameters contradict each other
    """
    ...


@verb(
    "eval compare",
    positional=("document...",),
    many=("label", "fail_on",),
    page=True,
)
def compare_evaluations(
    *document: Evaluated,
    label: Pairs | None = None,
    fail_on: str | Sequence[str] | None = None,
    fail_on_uncertain: bool | None = None,
    top: int | None = None,
    progress: Progress | bool | None = None,
) -> EvaluationComparison:
    """Compares evaluations: changed answers, accuracy, times.

    Returns: An `EvaluationComparison`. Evaluations are results of `evaluate`, results from a store
    (`store["evaluation:3"]`), and their files.

        ridgeline.compare_evaluations(before, after, fail_on="accuracy<0%").differences.to_pandas()

    Arguments:
        label: label of a document: NAME=DOCUMENT; repeatable
        fail_on: exit with 1 if significantly worse: 'accuracy<0%', 'changed>5%', 'latency>5%',
            'p99>5%', 'throughput<-5%', 'preprocessing>5%', or outputs: 'agreement<99%', 'kl>0.01',
            'js>0.01', 'difference>1e-3'; repeatable
        fail_on_uncertain: exit with 1 also if a limit of `fail_on` lies in the interval
        top: changed samples in tables (20); 0 shows all
    """
    ...


@verb(
    "generate",
    positional=("model",),
    many=("bind", "shape", "runtime", "input", "runtime_option",),
    line=("steps", "store", "runtime", "runtime_library", "runtime_option",),
)
def generate(
    model: Model,
    *,
    prefill: Model | None = None,
    prompt: Lengths | None = None,
    tokens: Lengths | None = None,
    requests: int | None = None,
    clients: int | None = None,
    batch: int | None = None,
    qps: float | None = None,
    given_cache: bool | None = None,
    state: str | None = None,
    cache: Literal["grow", "shared"] | None = None,
    max_duration: str | None = None,
    steps: Path | None = None,
    store: Path | None = None,
    dry_run: bool | None = None,
    point: str | None = None,
    bind: Sizes | None = None,
    shape: Shapes | None = None,
    runtime: (
        Literal["ort", "openvino", "null"] | Path | Sequence[Literal["ort", "openvino", "null"]
        | Path]
    ) | None = None,
    threads: Numbers | None = None,
    optimization: Literal["all", "extended", "basic", "disable"] | None = None,
    weights: Literal["seeded", "as-is"] | None = None,
    input: Inputs | None = None,
    runtime_library: Path | None = None,
    runtime_option: Pairs | None = None,
    seed: int | None = None,
    progress: Progress | bool | None = None,
) -> Generation:
    """Generates tokens with a decoder: time to the first and per token, by cache.

    Returns: A `Generation`. Times are nanoseconds.

        ridgeline.generate("zoo:llama_decode", prefill="zoo:llama_prefill", prompt=128, tokens=64)

    Arguments:
        prefill: model that runs the prompts; default: MODEL itself
        prompt: tokens of each prompt: 128, uniform:64,256, lognormal:200,0.5, or a CSV with the
            columns prompt_tokens and output_tokens
        tokens: tokens that each request generates, likewise; default: 64, or those of the CSV
        requests: requests; default: 3, or those of the CSV
        clients: requests at the same time
        batch: sequences of each request
        qps: requests per second, at random due times; default: each client's next when its last
            is done
        given_cache: run no prompts: begin with caches of their lengths, of random numbers
        state: outputs that are the inputs of the next run: 'present.*=past.*'; default: the
            usual names of caches
        cache: grow: a run's cache is the next run's; shared: one buffer that runs write to, as
            onnxruntime-genai; default: shared where model and runtime can
        max_duration: time after which no request begins
        steps: write every step to this file, as CSV
        store: run database: stored generations are skipped, new ones are added
        dry_run: list the points with their keys and which are already stored; generate nothing
        point: only the points of these keys, which `dry_run` lists; all else as in the whole
            request
        bind: free sizes by name: batch=8; several values make a sweep: batch=1,2,4
        shape: shape of an input: input=1x3x224x224; repeatable
        runtime: which runtimes: ort (ONNX Runtime), openvino, the path of a plug-in, or
            several: ort,openvino; null computes nothing and shows what the measuring itself costs
        threads: threads of the runtime (1); several make a sweep: 1,2
        optimization: graph optimization by the runtime: all, extended, basic or disable
        weights: constants that stand for weights (ConstantOfShape): seeded (random numbers in
            their place, since equal weights make kernels faster) or as-is; weights in the file are
            never replaced
        input: data of an input: name=FILE, a .npy or .pb, or name=VALUE: 5, 1,2,3 or
            [[1,2],[3,4]]; repeatable
        runtime_library: path of the runtime's library
        runtime_option: an option of the runtime: key=value; repeatable
        seed: seed of the random inputs and weights (1)
    """
    ...


@verb(
    "accel",
    positional=("model",),
    many=("gemm", "bind", "shape", "machine", "set", "pad",),
    line=("store", "scalesim_reports",),
    page=True,
)
def accelerate(
    model: Model | None = None,
    *,
    gemm: str | Sequence[str] | None = None,
    topology: Path | None = None,
    bind: Sizes | None = None,
    shape: Shapes | None = None,
    fuse: Literal["none", "epilogue"] | None = None,
    profile_with: Literal["closed-form", "nest", "tir"] | None = None,
    run_hooks: bool | None = None,
    machine: str | Sequence[str] | None = None,
    config: Path | None = None,
    set: Pairs | None = None,
    dataflow: Literal["os", "ws", "is", "best"] | None = None,
    energy: str | None = None,
    convention: Literal["scalesim", "overlapped"] | None = None,
    pad: str | Sequence[str] | None = None,
    precision: Literal["machine", "file"] | None = None,
    tile: str | None = None,
    objective: Literal["latency", "energy", "edp"] | None = None,
    sensitivity: Literal["auto", "on", "off"] | None = None,
    pareto: bool | None = None,
    top: int | None = None,
    store: Path | None = None,
    scalesim_reports: Path | None = None,
    progress: Progress | bool | None = None,
) -> Accelerator | Any:
    """Estimates the cost of a network on an accelerator from its description.

    Returns: An `Accelerator`, with a point for each machine and size.

        ridgeline.accelerate("zoo:resnet50", machine="gemmini-16").layers.to_pandas()

    Arguments:
        gemm: a matrix product instead of a model: M,N,K or M,N,K,count; repeatable
        topology: a SCALE-Sim topology (CSV) instead of a model
        bind: free sizes by name; several values make a sweep: batch=1,8 or sequence=64..1024:*2
        shape: shape of an input: input=1x3x224x224; repeatable
        fuse:
        profile_with: source of memory and buffer sizes: closed-form (default), nest (our loop
            nests) or tir (TVM's)
        run_hooks: with tir: also compile and run the network once, and check the counts by
            hooks
        machine: a shipped machine (`list_machines`) or a .toml; several: edge-32,mine.toml
        config: a SCALE-Sim configuration (.cfg) instead of a machine
        set: a key of the machine; several values make a sweep: array.rows=16,32; repeatable
        dataflow: os, ws or is instead of the machine's; best: the best one per layer
        energy: an energy table instead of the machine's: a shipped one, or a .toml
        convention: cost model: overlapped (default with `machine`) or scalesim (default with
            `config`)
        pad: pad M x N x K to multiples; several make a sweep: none,16x16x16,m16k8
        precision: operand widths: machine (default), or file (as stored in the model)
        tile: tile sizes Tm,Tn,Tk instead of a search
        objective: objective of the mapping search: edp (default: energy x latency), latency,
            energy
        sensitivity: estimate the gain from doubling each part of the machine: auto (for up to
            64 points), on, off
        pareto: also list the Pareto-optimal mappings in latency and energy
        top: layers in tables, most cycles first (20); 0: all, in file order
        store: store every point in this run database (ridge runs)
        scalesim_reports: write COMPUTE_REPORT.csv and DETAILED_ACCESS_REPORT.csv to this folder
    """
    ...


@verb(
    "bricks",
    positional=("action", "model...",),
    many=("bind", "shape",),
    line=("out", "store", "runtime", "runtime_library",),
    page=True,
)
def bricks(
    action: Literal["plan", "run", "estimate", "check"], *model: Model,
    out: Path | None = None,
    granularity: str | None = None,
    store: Path | None = None,
    width: str | None = None,
    budget: str | None = None,
    processes: int | None = None,
    dry_run: bool | None = None,
    bind: Sizes | None = None,
    shape: Shapes | None = None,
    runtime: Literal["ort", "openvino"] | Path | None = None,
    threads: Numbers | None = None,
    runtime_library: Path | None = None,
    progress: Progress | bool | None = None,
) -> Bricks | Any:
    """Estimates many models from the pieces that they share, each measured once.

    Returns: `Bricks` of plan, `Estimate` of estimate, `BricksCheck` of check; None of run, which
    fills the store.

        ridgeline.bricks("plan", "zoo:resnet18", "zoo:resnet34", out="suite").bricks.to_pandas()

    Arguments:
        out: folder for the bricks: new, empty, or of an earlier plan (check: a temporary one)
        granularity: plan, check: layers of a piece to begin with: layer (1), auto (1, but a
            model of very short kernels is one piece), sequence (up to 8 that in the given models
            occur only together), block (up to the next single tensor), or a number
        store: run database: measured bricks are stored there and not measured again
        width: measure until what the measurement adds to half of each 95 % interval is at most
            this part of its estimate (3%)
        budget: run: time for measuring: 90s, 10m; without it there is no limit
        processes: fewest processes in which each brick is measured (4)
        dry_run: run: report what would be measured; measure nothing
        bind: free sizes by name: batch=8; of one of several models: MODEL:batch=8
        shape: shape of an input: input=1x3x224x224; repeatable
        runtime: runtime that runs the bricks: ort (ONNX Runtime), openvino, or the path of a
            plug-in
        threads: threads of the runtime (1)
        runtime_library: path of the runtime's library
    """
    ...


@verb(
    "machine",
    positional=(),
    many=("threads",),
)
def machine(
    *,
    refresh: bool | None = None,
    threads: Numbers | None = None,
    progress: Progress | bool | None = None,
) -> Machine:
    """Describes this host and measures its roofs: peak compute and bandwidths.

    Returns: A `Machine`. Roofs are FLOP/s and B/s.

        ridgeline.machine().ceilings.to_pandas()

    Arguments:
        refresh: measure again instead of reading the cache
        threads: thread counts (1 and all processors): 1,2,4
    """
    ...
