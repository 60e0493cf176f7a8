// SPDX-License-Identifier: Apache-2.0
// The C interface between ridge and a runtime plug-in: a shared library by which ridge runs models
// in a runtime, measures it and attributes its layers to the nodes of the model. This file is all
// that a plug-in needs; it is plain C (C11) and C++. docs/plug-in.md builds one from nothing.
//
//   cc -O2 -shared -fPIC -I INCLUDE -o mine.so mine.c        // #include "ridgeline/runtime/abi.h"
//   ridge profile model.onnx --runtime ./mine.so
//
// A plug-in exports one function, ridge_runtime_get_api, visible and with C linkage, which returns
// its table of calls:
//
//   static const RidgeRuntimeApi api = {.size = sizeof api, .version = RIDGE_RUNTIME_ABI, ...};
//   const RidgeRuntimeApi* ridge_runtime_get_api(uint32_t version) {
//     return version == RIDGE_RUNTIME_ABI ? &api : NULL;
//   }
//
// Ridge opens it with dlopen (RTLD_NOW | RTLD_LOCAL) in a child process for each measuring process,
// so it may crash, hang or run out of memory without harm to ridge: ridge ends the child, and
// reports what the child wrote to standard error. The calls, in this order:
//
//   RidgeRuntime* runtime;   api->open(&options, &runtime, &error);
//   api->info(runtime, &info, &error);
//   RidgeSession* session;   api->load(runtime, &model, &session, &error);
//   api->graph(session, &graph, &error);
//   api->set_inputs(session, &inputs, &error);
//   api->run(session, &error);                 // any number of times
//   api->profile(session, &sink, &error);      // from here on every run reports its events
//   api->run(session, &error);
//   api->profile(session, NULL, &error);       // and from here on none does
//   api->outputs(session, &outputs, &error);   // of the last run
//   api->unload(session);   api->close(runtime);
//
// Several runtimes and sessions may be open at once. A process may end without unload and close.
// Calls that a plug-in must have: open, info, close, load, graph, set_inputs, run, outputs,
// profile, unload. The others belong to a capability and are NULL without it.
//
// The model is an ONNX ModelProto, a copy of the user's in a form that is easy to read: all nodes
// of a graph in an order in which they can run, functions replaced by their bodies, Constant nodes
// by initializers, sizes of inputs and outputs as numbers where they were bound. Names of nodes and
// tensors are unique and differ from the user's except for the model's inputs and outputs; in
// errors ridge replaces them by the user's. The elements of most weights are not in it: an
// initializer of the main graph with external data (location "ridge") has its elements in
// RidgeModel::weights, under its name; small constants (shapes, axes) and constants of bodies are
// embedded. Work that load does is not timed as a run.
//
// Layer times: set RIDGE_CAN_PROFILE and RIDGE_HAS_LAYERS, list the layers in graph, and report in
// each profiled run an event for each layer with the same name and type, then one of
// RIDGE_LEVEL_RUN. From a layer's `originals` ridge knows which nodes it executes: give the outputs
// of all nodes that the layer stands for, also those that exist nowhere in memory, such as a sum
// that a fused Relu reads. A model that ridge makes itself, a chain of MaxPool or, where that is
// refused, of Relu, tells what an event costs: load must accept one of them in float32, each node a
// layer of its own.
//
// Runs of one session at the same time, each worker on a thread of its own, the weights shared:
//
//   api->prepare_input(session, &inputs, &prepared, &error);   // any number, between runs
//   api->open_worker(session, &worker, &error);                // one for each thread
//   api->run_worker(worker, prepared, &error);
//   api->close_worker(worker);   api->drop_input(prepared);     // before unload
//
// Outputs that are the inputs of the next run, such as a decoder's cache, without a copy:
//
//   const RidgePair pairs[] = {{sizeof(RidgePair), 0, "present", "past"}};
//   api->hand_over(worker, worker, pairs, 1, sizeof(RidgePair), &copied_bytes, &error);
//   api->run_worker(worker, next_prepared, &error);            // prepared without "past"
//
// A model made ready once, for loads that come later in other processes:
//
//   RidgePrepared prepared;   api->prepare(runtime, &model, &prepared, &error);
//   const RidgeModel again = {.data = prepared model, .weights = its weights, wherever they lie,
//                             .flags = RIDGE_MODEL_PREPARED};
//   api->load(runtime, &again, &session, &error);              // in another process
//
// A process that loads once and is copied by fork for each user of the model:
//
//   api->quiesce(runtime, &error);   api->load(runtime, &model, &session, &error);
//   if (fork() == 0) {
//     api->resume(runtime, &error);                            // and then any call on the session
//   }
//
// A cache of one buffer, in which a run reads what is there and writes what it adds:
//
//   api->share_buffers(worker, &buffers, pairs, sizeof(RidgePair), &error);
//
// Versions: a struct in the interface begins with `size`, which the side that makes it sets to its
// own sizeof; the other side reads no further and treats missing fields as zero. Fields are only
// appended. Arrays of structs have a `stride`, the distance of two rows in bytes, for the same
// reason. Structs that a call fills (RidgeInfo, RidgeGraph, RidgeTensors, RidgePrepared,
// RidgeError) come with `size` set and all else zero. The major version in RIDGE_RUNTIME_ABI
// changes when that is not enough.
//
// Ownership: arguments belong to the caller and must live until the call returns, except tensor
// elements given to load and set_inputs, which must live until unload (with RIDGE_TAKES_WEIGHTS:
// the elements of weights until load returns). Results belong to the plug-in and live until the
// next call on the same object, unless stated otherwise. Threads: calls on one session come from
// one thread, and calls on one worker from one thread, while no call on its session is made but
// cancel, which may come from any; prepared inputs are read by several workers at once. Failure: a
// status other than RIDGE_OK with `error` filled. Texts end with a zero byte and are UTF-8; NULL is
// an empty one.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RIDGE_RUNTIME_ABI 1u

typedef struct RidgeRuntime RidgeRuntime;             /* an opened runtime with its options */
typedef struct RidgeSession RidgeSession;             /* one loaded model */
typedef struct RidgeWorker RidgeWorker;               /* one of several callers of a session */
typedef struct RidgePreparedInput RidgePreparedInput; /* inputs prepared for runs in any worker */

/* Outcome: who has to act, and two that are nobody's fault. */
typedef enum RidgeStatus {
  RIDGE_OK = 0,
  RIDGE_INPUT = 1,       /* the model or its inputs were rejected, such as an unknown operator */
  RIDGE_ENVIRONMENT = 2, /* the machine lacks something */
  RIDGE_USAGE = 3,       /* an option is wrong */
  RIDGE_BUG = 4,         /* the plug-in broke its own rules */
  RIDGE_CANCELED = 5,
  RIDGE_MEMORY = 6 /* an allocation failed */
} RidgeStatus;

typedef struct RidgeError {
  uint32_t size;
  char code[24];       /* the plug-in's own, such as "MINE-0001"; "" if it has none */
  char message[4096];  /* the runtime's own message if it has one */
  char evidence[2048]; /* what was found; may be "" */
  char hint[512];      /* what to do; may be "" */
} RidgeError;

/* Capabilities of a plug-in; a caller must check them before use. */
enum {
  RIDGE_CAN_PROFILE = 1u << 0, /* one session serves profiled and unprofiled runs */
  RIDGE_CAN_RUN_ASYNC = 1u << 1,
  RIDGE_CAN_CANCEL = 1u << 2,          /* a run in progress can be ended early */
  RIDGE_HAS_OPTIMIZED_MODEL = 1u << 3, /* graph returns the executed graph as an ONNX model */
  RIDGE_HAS_LAYERS = 1u << 4,          /* graph lists layers with their originals */
  RIDGE_HAS_FACTS = 1u << 5,           /* facts: memory of each kernel */
  /* load reads weights from the files that the model names, by absolute paths without the first
     '/', and keeps no pointers into weights passed in memory. After load returns, a file may be
     unlinked but its content must not change */
  RIDGE_TAKES_WEIGHTS = 1u << 6,
  /* several sessions may be profiled at once, and `profile` with a sink while profiling is on sends
     the events since the last call and leaves it on. Set by runtimes that run a copy of the model
     with profiling: turning it on or off runs that copy or the other one, which warms its caches */
  RIDGE_KEEPS_PROFILING = 1u << 7,
  RIDGE_HAS_WORKERS =
      1u << 8, /* runs of one session at the same time: open_worker and what follows */
  RIDGE_HAS_HAND_OVER = 1u << 9, /* with workers: hand_over and worker_inputs */
  /* with workers: share_buffers; which kernels read and write one buffer at once, a model shows */
  RIDGE_SHARES_BUFFERS = 1u << 10,
  RIDGE_CAN_PREPARE = 1u << 11, /* prepare, and load with RIDGE_MODEL_PREPARED */
  RIDGE_CAN_FORK = 1u << 12     /* quiesce and resume: its process may be copied by fork */
};

typedef struct RidgeEntry {
  const char* key;
  const char* value;
} RidgeEntry;

typedef enum RidgeValueKind {
  RIDGE_TENSOR = 0,
  RIDGE_SEQUENCE = 1,        /* a sequence of tensors */
  RIDGE_ABSENT = 2,          /* an optional tensor without a value */
  RIDGE_ABSENT_SEQUENCE = 3, /* an optional sequence without a value */
} RidgeValueKind;

typedef struct RidgeTensor {
  uint32_t size;
  int32_t type; /* TensorProto.DataType of onnx.proto */
  const char* name;
  const int64_t* dims; /* -1 = unknown */
  uint32_t rank;
  uint32_t kind; /* RidgeValueKind; kinds other than tensor occur among inputs only */
  /* packed little-endian elements; for text the ends of the elements as int64, then their bytes;
     for a sequence a RidgeTensors; NULL if only the type is described */
  const void* data;
  uint64_t bytes;
} RidgeTensor;

typedef struct RidgeTensors {
  const RidgeTensor* items;
  uint64_t count;
  uint64_t stride;
} RidgeTensors;

/* An output whose tensor becomes an input's. */
typedef struct RidgePair {
  uint32_t size;
  uint32_t reserved;
  const char* output;
  const char* input;
} RidgePair;

typedef enum RidgeOptimization {
  RIDGE_OPTIMIZE_ALL = 0,
  RIDGE_OPTIMIZE_NONE = 1,
  RIDGE_OPTIMIZE_BASIC = 2,
  RIDGE_OPTIMIZE_EXTENDED = 3
} RidgeOptimization;

typedef struct RidgeOpenOptions {
  uint32_t size;
  uint32_t threads; /* threads of the runtime, including the calling one; at least 1 */
  /* the user's choice of the runtime's library; NULL = search `folders`, then as the loader does */
  const char* library;
  const char* const* folders;
  uint32_t folder_count;
  uint32_t optimization; /* RidgeOptimization */
  /* processor numbers to pin the threads to, the calling thread to the first; `cpu_count` is 0 or
     `threads` */
  const uint32_t* cpus;
  uint32_t cpu_count;
  uint32_t deterministic; /* 1 = the same result on every run, even if slower */
  /* the runtime's own options; keys that begin with "ridge." are the plug-in's */
  const RidgeEntry* entries;
  uint64_t entry_count;
  /* an existing folder of the caller for files that live during a call; NULL = the folder
     that TMPDIR names, or /tmp */
  const char* temporary;
} RidgeOpenOptions;

typedef struct RidgeInfo {
  uint32_t size;
  uint32_t reserved;
  uint64_t capabilities; /* actual ones, after open: an older library may lack some */
  /* what documents, tables and stores call the runtime: "ONNX Runtime", "1.31.0"; not empty */
  const char* name;
  const char* version;
  /* path of the runtime's library, which documents have, and locks with its SHA-256; "" if the
     plug-in is the runtime */
  const char* library;
  const char* notes; /* notes for readers of results, one per line; may be "" */
} RidgeInfo;

enum RidgeDump {
  RIDGE_DUMP_NONE = 0,
  RIDGE_DUMP_STRUCTURE = 1, /* without weights */
  RIDGE_DUMP_WEIGHTS = 2    /* runnable */
};

enum RidgeModelFlags {
  /* `data` is the model that `prepare` returned, in a runtime of the same version, options and kind
     of processor: it is not optimized again. Elements of its weights are all in `weights`; they are
     used in place, not copied, never written, and live until unload, whatever the capabilities */
  RIDGE_MODEL_PREPARED = 1u << 0,
  /* weights are not brought into another layout for faster kernels; load is shorter, runs may be
     longer and round differently. A runtime that does not rearrange weights ignores it */
  RIDGE_MODEL_UNPACKED = 1u << 1
};

/* Source of a model: `data`, else `path`, else `descriptor` (read from its start). Ridge gives
   `data`, which lives until load returns. */
typedef struct RidgeModel {
  uint32_t size;
  int32_t descriptor;
  const char* path;
  const void* data;
  uint64_t bytes;
  /* elements of the model's external initializers, by name; with RIDGE_TAKES_WEIGHTS those for
     which the model names a file may be missing */
  RidgeTensors weights;
  uint32_t dump; /* RidgeDump: content of RidgeGraph::model */
  uint32_t reserved;
  /* before each run, a block of random size, at most so many bytes, is taken from the memory arena,
     and returned after it, so that activations lie elsewhere in every run; 0: none. Ignored by
     runtimes without an arena that sessions share. The outputs of a session with a reach exist
     until another one with a reach runs. */
  uint64_t arena_reach;
  uint32_t flags; /* RidgeModelFlags; those of a capability that the plug-in lacks are not set */
  uint32_t reserved_flags;
} RidgeModel;

/* A weight of a prepared model. */
typedef struct RidgePreparedWeight {
  uint32_t size;
  int32_t type; /* TensorProto.DataType */
  const char* name;
  const int64_t* dims;
  uint32_t rank;
  uint32_t reserved;
  uint64_t offset; /* of its elements in RidgePrepared::descriptor, laid out as in RidgeTensor */
  uint64_t bytes;
} RidgePreparedWeight;

/* A model made ready to load; lives until the next call of prepare, or close. */
typedef struct RidgePrepared {
  uint32_t size;
  int32_t descriptor; /* an open file with the elements of the weights; -1: there are no weights */
  const void* model;  /* in a form of the plug-in's choice; without those elements */
  uint64_t model_bytes;
  const RidgePreparedWeight* weights;
  uint64_t weight_count;
  uint64_t weight_stride;
} RidgePrepared;

/* Layer executed by the runtime; only for runtimes with RIDGE_HAS_LAYERS. */
typedef struct RidgeLayer {
  uint32_t size;
  uint32_t reserved;
  const char* name;           /* unique; its events have the same */
  const char* type;           /* "Gemm+Relu"; its events have the same */
  const char* implementation; /* of the kernel: "avx2 6x16" */
  const char* precision;      /* "float32", "float16", "bfloat16", "int8", ...; "" if not known */
  const char* layout; /* "plain", "channels_last" or an order of dimensions such as "aBcd16b" */
  /* its origin as far as the runtime reports it: tensors of the model that it produces, and with
     a '~' in front tensors of which it computes a part */
  const char* const* originals;
  uint64_t original_count;
  /* tensors between layers, by names of the plug-in's choice: the edges of the executed graph. A
     tensor that no layer produces is an input of the model or a constant */
  const char* const* inputs;
  uint64_t input_count;
  const char* const* outputs;
  uint64_t output_count;
} RidgeLayer;

/* Graph of a session; lives until unload. */
typedef struct RidgeGraph {
  uint32_t size;
  uint32_t reserved;
  const void* model; /* with RIDGE_HAS_OPTIMIZED_MODEL, if a dump was requested */
  uint64_t model_bytes;
  /* types and shapes that the runtime infers before its main optimizations; no elements */
  RidgeTensors tensors;
  RidgeTensors inputs; /* of the model */
  RidgeTensors outputs;
  const RidgeLayer* layers; /* in order of execution */
  uint64_t layer_count;
  uint64_t layer_stride;
} RidgeGraph;

enum RidgeLevel {
  RIDGE_LEVEL_RUN = 0,   /* the runtime's own event around a run or a body */
  RIDGE_LEVEL_LAYER = 1, /* a node of the optimized graph */
  RIDGE_LEVEL_KERNEL = 2 /* something launched inside a layer */
};

/* One execution of a run, layer or kernel. Strings live during the callback only. */
typedef struct RidgeEvent {
  uint32_t size;
  uint32_t level; /* RidgeLevel */
  uint64_t queue; /* any number for the thread or stream; its events run one after the other */
  uint64_t correlation; /* the runtime's correlation id; 0 = none */
  const char* name;     /* with the type, of the layer or kernel */
  const char* type;
  const char* implementation;
  const char* shapes; /* output shapes as printed by the runtime; may be "" */
  /* CLOCK_MONOTONIC; window around the event, including the overhead of profiling */
  int64_t start_ns;
  int64_t stop_ns;
  int64_t duration_ns; /* as measured by the runtime */
  /* number of enclosing events on the same queue that have not ended: bodies of control flow are
     deeper than their owner. The event of the whole run has 0, a layer 1 */
  uint32_t depth;
  uint32_t reserved;
  /* > 0 for a runtime that reports running means only: duration_ns is then the mean over this many
     executions up to this one, truncated to whole microseconds, and before_ns the mean before it */
  uint64_t executions;
  int64_t before_ns;
} RidgeEvent;

/* Receiver of events. A nested event is sent before the one that encloses it. All events have been
   sent when `profile` with NULL returns. Called by one thread at a time. */
typedef struct RidgeProfileSink {
  uint32_t size;
  uint32_t reserved;
  void* context;
  void (*event)(void* context, const RidgeEvent* event);
} RidgeProfileSink;

/* Memory of one kernel according to the runtime; -1 = unknown. Strings live during the callback
   only. */
typedef struct RidgeFact {
  uint32_t size;
  uint32_t reserved;
  const char* name;
  const char* type;
  const char* implementation;
  const char* input_shapes;
  const char* output_shapes;
  int64_t activation_bytes;
  int64_t parameter_bytes;
  int64_t output_bytes;
} RidgeFact;

typedef struct RidgeFactSink {
  uint32_t size;
  uint32_t reserved;
  void* context;
  void (*fact)(void* context, const RidgeFact* fact);
} RidgeFactSink;

/* Called once from any thread. `error` is NULL after success. */
typedef void (*RidgeDone)(void* context, RidgeStatus status, const RidgeError* error);

typedef struct RidgeRuntimeApi {
  uint32_t size;
  uint32_t version;      /* RIDGE_RUNTIME_ABI of the plug-in */
  const char* name;      /* short, such as "ort"; for debuggers */
  uint64_t capabilities; /* at most; RidgeInfo has the actual ones after open */

  RidgeStatus (*open)(const RidgeOpenOptions* options, RidgeRuntime** runtime, RidgeError* error);
  RidgeStatus (*info)(RidgeRuntime* runtime, RidgeInfo* info, RidgeError* error);
  void (*close)(RidgeRuntime* runtime); /* after its sessions have been unloaded */

  RidgeStatus (*load)(RidgeRuntime* runtime, const RidgeModel* model, RidgeSession** session,
                      RidgeError* error);
  RidgeStatus (*graph)(RidgeSession* session, RidgeGraph* graph, RidgeError* error);
  RidgeStatus (*set_inputs)(RidgeSession* session, const RidgeTensors* inputs, RidgeError* error);
  RidgeStatus (*run)(RidgeSession* session, RidgeError* error);
  /* Returns at once; no other call on the session until `done` was called. */
  RidgeStatus (*run_async)(RidgeSession* session, RidgeDone done, void* context, RidgeError* error);
  /* Outputs of the last run; valid until the next one. */
  RidgeStatus (*outputs)(RidgeSession* session, RidgeTensors* outputs, RidgeError* error);
  /* Turns profiling on for the runs that follow, or off with a NULL sink. The sink is copied. See
     RIDGE_KEEPS_PROFILING for a sink while it is on. */
  RidgeStatus (*profile)(RidgeSession* session, const RidgeProfileSink* sink, RidgeError* error);
  /* Runs once; one row per executed kernel. */
  RidgeStatus (*facts)(RidgeSession* session, const RidgeFactSink* sink, RidgeError* error);
  /* Ends the run in progress; later runs end at once with RIDGE_CANCELED. From any thread. */
  void (*cancel)(RidgeSession* session);
  void (*unload)(RidgeSession* session);

  /* With RIDGE_HAS_WORKERS; a table may end here, or before the calls of any later capability. */
  /* The elements must live until drop_input. All inputs of the model that have no default. */
  RidgeStatus (*prepare_input)(RidgeSession* session, const RidgeTensors* inputs,
                               RidgePreparedInput** prepared, RidgeError* error);
  void (*drop_input)(RidgePreparedInput* prepared);
  RidgeStatus (*open_worker)(RidgeSession* session, RidgeWorker** worker, RidgeError* error);
  RidgeStatus (*run_worker)(RidgeWorker* worker, const RidgePreparedInput* prepared,
                            RidgeError* error);
  /* Outputs of the worker's last run; valid until its next one. */
  RidgeStatus (*worker_outputs)(RidgeWorker* worker, RidgeTensors* outputs, RidgeError* error);
  void (*close_worker)(RidgeWorker* worker);

  /* With RIDGE_HAS_HAND_OVER. */
  /* Outputs of the last run of `from` become inputs of the runs of `to` that follow, in place of
     their prepared inputs, which need not contain them. They replace all that `to` was
     given before: with a count of 0 it has only its prepared inputs again. Both workers belong to
     the caller's thread and to sessions of one runtime; they may be the same one. Another worker
     `from` must not run while `to` has its outputs. `copied_bytes`: elements that were copied all
     the same, 0 where all tensors are passed on by address. */
  RidgeStatus (*hand_over)(RidgeWorker* from, RidgeWorker* to, const RidgePair* pairs,
                           uint64_t count, uint64_t stride, uint64_t* copied_bytes,
                           RidgeError* error);
  /* The inputs that were handed over to the worker, by the names of its inputs, with the addresses
     that its runs read. */
  RidgeStatus (*worker_inputs)(RidgeWorker* worker, RidgeTensors* inputs, RidgeError* error);

  /* With RIDGE_SHARES_BUFFERS. */
  /* Runs of the worker that follow read the input of each pair from the buffer in the same place of
     `buffers`, and write its output to it, which then has the buffer's shape. Prepared inputs need
     not contain these inputs. Replaces the buffers before; with a count of 0 there are none. The
     elements are writable and must live until they are replaced, or close_worker. */
  RidgeStatus (*share_buffers)(RidgeWorker* worker, const RidgeTensors* buffers,
                               const RidgePair* pairs, uint64_t stride, RidgeError* error);

  /* With RIDGE_CAN_PREPARE. */
  /* Does what load does to a model but for what depends on the process, and returns the result, to
     be loaded with RIDGE_MODEL_PREPARED. `model` is as for load; `dump` and `arena_reach` are 0. */
  RidgeStatus (*prepare)(RidgeRuntime* runtime, const RidgeModel* model, RidgePrepared* prepared,
                         RidgeError* error);

  /* With RIDGE_CAN_FORK. */
  /* Before the only load: from now on the runtime starts no thread, and holds back those of the
     session. Between the return of load and resume the process may be copied by fork, any number of
     times, as long as no other call is made. A thread that exists all the same must wait, hold no
     lock, and not be missed in a copy. An error if threads that exist already, or that the options
     ask for, prevent that. */
  RidgeStatus (*quiesce)(RidgeRuntime* runtime, RidgeError* error);
  /* In a copy of the process: starts the threads that were held back. */
  RidgeStatus (*resume)(RidgeRuntime* runtime, RidgeError* error);
} RidgeRuntimeApi;

/* Returns NULL if the plug-in does not support `version`. Static storage. */
typedef const RidgeRuntimeApi* (*RidgeGetApi)(uint32_t version);
#define RIDGE_RUNTIME_GET_API "ridge_runtime_get_api"

#ifdef __cplusplus
}
#endif
