// The C interface between ridge and a runtime plug-in (lib/ridge/ridge_<name>.so).
//
// A plug-in exports one function, ridge_runtime_get_api. It is opened with dlopen in a child
// process (runtime/child.h), so it may crash, hang or run out of memory without harm to ridge. Only
// plain C crosses, so that a plug-in may be built by another compiler.
//
//   RidgeRuntime* runtime;   api->open(&options, &runtime, &error);
//   RidgeSession* session;   api->load(runtime, &model, &session, &error);
//   api->set_inputs(session, &inputs, &error);
//   api->run(session, &error);                 // as often as wanted
//   api->profile(session, &sink, &error);      // from here on every run reports its events
//   api->unload(session);   api->close(runtime);
//
// Versions: a struct that crosses begins with `size`, set by whoever fills it to its own sizeof;
// the other side reads no further and takes what is missing as zero. Fields are only appended.
// Arrays of structs carry a `stride` for the same reason. The major version in RIDGE_RUNTIME_ABI
// changes when that is not enough.
//
// Ownership: what goes in belongs to the caller and must live until the call returns, except tensor
// elements given to load and set_inputs, which must live until unload (RIDGE_TAKES_WEIGHTS: of
// weights until load returns). What comes out belongs to
// the plug-in and lives until the next call on the same object, unless stated. Threads: calls on
// one session come from one thread; cancel may come from any. Failure: a status other than RIDGE_OK
// with `error` filled.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RIDGE_RUNTIME_ABI 1u

typedef struct RidgeRuntime RidgeRuntime; /* an opened runtime with its options */
typedef struct RidgeSession RidgeSession; /* one loaded model */

/* Who has to act; the classes of base/error.h and two outcomes that are nobody's fault. */
typedef enum RidgeStatus {
  RIDGE_OK = 0,
  RIDGE_INPUT = 1,       /* the model or its inputs were rejected */
  RIDGE_ENVIRONMENT = 2, /* the machine lacks something */
  RIDGE_USAGE = 3,       /* an option is wrong */
  RIDGE_BUG = 4,         /* the plug-in broke its own rules */
  RIDGE_CANCELLED = 5,
  RIDGE_MEMORY = 6 /* an allocation failed */
} RidgeStatus;

typedef struct RidgeError {
  uint32_t size;
  char code[24];      /* as in docs/reference/messages.md */
  char message[4096]; /* the runtime's own words where it has some */
  char evidence[2048];
  char hint[512];
} RidgeError;

/* What a plug-in can do; a caller asks before it relies on it. */
enum {
  RIDGE_CAN_PROFILE = 1u << 0, /* one session serves profiled and unprofiled runs */
  RIDGE_CAN_RUN_ASYNC = 1u << 1,
  RIDGE_CAN_CANCEL = 1u << 2,          /* a run in progress ends early */
  RIDGE_HAS_OPTIMISED_MODEL = 1u << 3, /* graph gives an ONNX model of what is executed */
  RIDGE_HAS_LAYERS = 1u << 4,          /* graph lists layers that name their originals */
  RIDGE_HAS_FACTS = 1u << 5,
  /* load takes weights from the files that the model names, by absolute paths less the first '/',
     and keeps no pointer into those that it is given. A file may lose its name when load returns,
     not its content */
  RIDGE_TAKES_WEIGHTS = 1u << 6
};

typedef struct RidgeEntry {
  const char* key;
  const char* value;
} RidgeEntry;

typedef enum RidgeValueKind {
  RIDGE_TENSOR = 0,
  RIDGE_SEQUENCE = 1,        /* of tensors */
  RIDGE_ABSENT = 2,          /* an optional tensor that is not there */
  RIDGE_ABSENT_SEQUENCE = 3, /* an optional sequence that is not there */
} RidgeValueKind;

typedef struct RidgeTensor {
  uint32_t size;
  int32_t type; /* TensorProto.DataType of onnx.proto */
  const char* name;
  const int64_t* dims; /* -1 = not known */
  uint32_t rank;
  uint32_t kind; /* RidgeValueKind; a kind other than a tensor occurs among inputs only */
  const void* data;
  /* packed little-endian elements; of text the ends of the elements as int64, then their bytes; of
     a sequence a RidgeTensors; NULL where only the type is meant */
  uint64_t bytes;
} RidgeTensor;

typedef struct RidgeTensors {
  const RidgeTensor* items;
  uint64_t count;
  uint64_t stride;
} RidgeTensors;

typedef enum RidgeOptimisation {
  RIDGE_OPTIMISE_ALL = 0,
  RIDGE_OPTIMISE_NONE = 1,
  RIDGE_OPTIMISE_BASIC = 2,
  RIDGE_OPTIMISE_EXTENDED = 3
} RidgeOptimisation;

typedef struct RidgeOpenOptions {
  uint32_t size;
  uint32_t threads; /* of the runtime, the calling one included; at least 1 */
  const char*
      /* the user's choice of the runtime's library; NULL = look in `folders`, then as the loader
         does */
      library;
  const char* const* folders;
  uint32_t folder_count;
  uint32_t optimisation; /* RidgeOptimisation */
  const uint32_t*
      /* processor numbers to pin the threads to, the calling thread to the first; `cpu_count` =
         0 or threads */
      cpus;
  uint32_t cpu_count;
  uint32_t deterministic; /* 1 = the same result on every run, also where that costs time */
  const RidgeEntry*
      entries; /* the runtime's own options; keys that begin with "ridge." are the plug-in's */
  uint64_t entry_count;
  const char*
      /* an existing folder of the caller's for files that live during a call; NULL = /tmp */
      temporary;
} RidgeOpenOptions;

typedef struct RidgeInfo {
  uint32_t size;
  uint32_t reserved;
  uint64_t capabilities; /* as things are, after open: an older library may lack some */
  const char* name;      /* "ONNX Runtime" */
  const char* version;
  const char* library; /* path that was opened */
  const char* notes;   /* what a reader of results must know, one line each; "" */
} RidgeInfo;

enum RidgeDump {
  RIDGE_DUMP_NONE = 0,
  RIDGE_DUMP_STRUCTURE = 1, /* without weights */
  RIDGE_DUMP_WEIGHTS = 2    /* runnable */
};

/* The model: `data`, else `path`, else `descriptor` (read from its start). */
typedef struct RidgeModel {
  uint32_t size;
  int32_t descriptor;
  const char* path;
  const void* data;
  uint64_t bytes;
  RidgeTensors
      /* elements of the initialisers that the model keeps outside, by name; with
         RIDGE_TAKES_WEIGHTS those that it names a file for may be missing */
      weights;
  uint32_t dump; /* RidgeDump: what graph is to give */
  uint32_t reserved;
} RidgeModel;

/* A layer as the runtime executes it; only of runtimes with RIDGE_HAS_LAYERS. */
typedef struct RidgeLayer {
  uint32_t size;
  uint32_t reserved;
  const char* name;
  const char* type;
  const char* implementation;
  const char* precision;
  const char* layout;
  const char* const*
      /* what it was made from, as far as the runtime says: tensors of the model that it makes, and
         with a '~' before them those that it computes part of */
      originals;
  uint64_t original_count;
  const char* const* inputs;
  uint64_t input_count;
  const char* const* outputs;
  uint64_t output_count;
} RidgeLayer;

/* Lives until unload. */
typedef struct RidgeGraph {
  uint32_t size;
  uint32_t reserved;
  const void* model; /* RIDGE_HAS_OPTIMISED_MODEL, where load was asked for a dump */
  uint64_t model_bytes;
  RidgeTensors
      tensors; /* types and shapes as the runtime infers them before it changes much; no elements */
  RidgeTensors inputs; /* of the model */
  RidgeTensors outputs;
  const RidgeLayer* layers;
  uint64_t layer_count;
  uint64_t layer_stride;
} RidgeGraph;

enum RidgeLevel {
  RIDGE_LEVEL_RUN = 0,   /* the whole run as the runtime sees it */
  RIDGE_LEVEL_LAYER = 1, /* a node of the optimised graph */
  RIDGE_LEVEL_KERNEL = 2 /* something launched inside a layer */
};

/* One execution of something. Strings live during the callback only. */
typedef struct RidgeEvent {
  uint32_t size;
  uint32_t level;       /* RidgeLevel */
  uint64_t queue;       /* equal for events that ran one after the other: a thread or a stream */
  uint64_t correlation; /* the runtime's number, 0 where none */
  const char* name;
  const char* type;
  const char* implementation;
  const char* shapes; /* of the outputs, as the runtime prints them; "" */
  int64_t
      start_ns; /* CLOCK_MONOTONIC; the window around the event, profiling's own work included */
  int64_t stop_ns;
  int64_t duration_ns; /* as the runtime measured it */
  uint32_t
      /* enclosing events on the same queue that have not ended: bodies of control flow are
         deeper than their owner */
      depth;
  uint32_t reserved;
  uint64_t
      /* > 0: of a runtime that tells running means only. duration_ns is then the mean over so many
         executions, this one the last, cut to whole microseconds, and before_ns that mean before
         it */
      executions;
  int64_t before_ns;
} RidgeEvent;

/* An inner event comes before the one around it. Those of the runs in between have all come when
   `profile` is called with NULL. One thread at a time calls. */
typedef struct RidgeProfileSink {
  uint32_t size;
  uint32_t reserved;
  void* context;
  void (*event)(void* context, const RidgeEvent* event);
} RidgeProfileSink;

/* What the runtime knows of one kernel's memory; -1 = not said. Strings live during the callback
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
  const char* name;      /* "ort" */
  uint64_t capabilities; /* at best; RidgeInfo has what holds after open */

  RidgeStatus (*open)(const RidgeOpenOptions* options, RidgeRuntime** runtime, RidgeError* error);
  RidgeStatus (*info)(RidgeRuntime* runtime, RidgeInfo* info, RidgeError* error);
  void (*close)(RidgeRuntime* runtime); /* after its sessions are gone */

  RidgeStatus (*load)(RidgeRuntime* runtime, const RidgeModel* model, RidgeSession** session,
                      RidgeError* error);
  RidgeStatus (*graph)(RidgeSession* session, RidgeGraph* graph, RidgeError* error);
  RidgeStatus (*set_inputs)(RidgeSession* session, const RidgeTensors* inputs, RidgeError* error);
  RidgeStatus (*run)(RidgeSession* session, RidgeError* error);
  /* Returns at once; no other call on the session until `done` was called. */
  RidgeStatus (*run_async)(RidgeSession* session, RidgeDone done, void* context, RidgeError* error);
  /* Of the last run; until the next one. */
  RidgeStatus (*outputs)(RidgeSession* session, RidgeTensors* outputs, RidgeError* error);
  /* Turns profiling on for the runs that follow, or off with a NULL sink. The sink is copied. */
  RidgeStatus (*profile)(RidgeSession* session, const RidgeProfileSink* sink, RidgeError* error);
  /* One run; a row per kernel that it executed. */
  RidgeStatus (*facts)(RidgeSession* session, const RidgeFactSink* sink, RidgeError* error);
  /* Ends the run in progress; those to come end at once with RIDGE_CANCELLED. For any thread. */
  void (*cancel)(RidgeSession* session);
  void (*unload)(RidgeSession* session);
} RidgeRuntimeApi;

/* NULL where the plug-in does not speak `version`. Static storage. */
typedef const RidgeRuntimeApi* (*RidgeGetApi)(uint32_t version);
#define RIDGE_RUNTIME_GET_API "ridge_runtime_get_api"

#ifdef __cplusplus
}
#endif
