// SPDX-License-Identifier: Apache-2.0
/* A runtime of two operators, Gemm (MatMul is one without a bias) and Relu in float32, as a plug-in
 * of ridge: docs/plug-in.md builds it step by step. It needs ridgeline/runtime/abi.h alone:
 *
 *   cc -O2 -shared -fPIC -o two_operators.so two_operators.c onnx_graph.c
 *   ridge profile model.onnx --runtime ./two_operators.so
 *
 * A Relu that alone reads a product runs with it as one layer, except with --optimization disable. */
#define _GNU_SOURCE /* sched_setaffinity */
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "onnx_graph.h"
#include "ridgeline/runtime/abi.h"

enum { kFloat = 1 }; /* TensorProto.DataType */

/* A tensor of the model, with its elements while it runs. */
struct Value {
  const char* name;
  int64_t dims[kMaxRank];
  uint32_t rank;
  int known;         /* its sizes */
  const float* data; /* of the caller, of the model, or `own` */
  float* own;
};

struct Layer {
  const struct Node* node;
  const struct Node* relu; /* a Relu at its end, or NULL */
  struct Value *inputs[3], *output;
  const char* names[5]; /* inputs, then originals: what the nodes of the layer produce */
  char name[32];
};

struct RidgeRuntime {
  int fuses;
};

struct RidgeSession {
  struct Graph graph;
  struct Value* values;
  size_t value_count;
  struct Layer* layers;
  RidgeLayer* listed;
  RidgeEvent* events;
  size_t layer_count;
  RidgeTensor *inputs, *outputs; /* their types */
  RidgeProfileSink sink;         /* event: NULL while profiling is off */
};

/* Errors */

static RidgeStatus fail(RidgeError* error, RidgeStatus status, const char* code, const char* format,
                        ...) {
  va_list arguments;
  va_start(arguments, format);
  snprintf(error->code, sizeof error->code, "%s", code);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return status;
}

static RidgeStatus no_memory(RidgeError* error) {
  return fail(error, RIDGE_MEMORY, "TWO-0001", "no memory");
}

/* The runtime */

static RidgeStatus open_runtime(const RidgeOpenOptions* options, RidgeRuntime** runtime,
                                RidgeError* error) {
  if (options->entry_count > 0)
    return fail(error, RIDGE_USAGE, "TWO-0002", "there is no option '%s'", options->entries[0].key);
  if (options->threads > 1)
    return fail(error, RIDGE_USAGE, "TWO-0003", "it has one thread, not %u", options->threads);
  if (options->cpu_count > 0) {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(options->cpus[0], &processors);
    if (sched_setaffinity(0, sizeof processors, &processors) != 0)
      return fail(error, RIDGE_ENVIRONMENT, "TWO-0004", "it cannot run on processor %u",
                  options->cpus[0]);
  }
  *runtime = malloc(sizeof **runtime);
  if (*runtime == NULL) return no_memory(error);
  (*runtime)->fuses = options->optimization != RIDGE_OPTIMIZE_NONE;
  return RIDGE_OK;
}

static RidgeStatus describe_runtime(RidgeRuntime* runtime, RidgeInfo* info, RidgeError* error) {
  (void)runtime, (void)error;
  info->capabilities = RIDGE_CAN_PROFILE | RIDGE_HAS_LAYERS;
  info->name = "Two operators";
  info->version = "1.0";
  info->library = ""; /* this file is all of it */
  info->notes = "";
  return RIDGE_OK;
}

static void close_runtime(RidgeRuntime* runtime) { free(runtime); }

/* Loading: values */

static struct Value* find_value(const RidgeSession* s, const char* name) {
  for (size_t i = 0; i < s->value_count; ++i)
    if (strcmp(s->values[i].name, name) == 0) return &s->values[i];
  return NULL;
}

static void add_value(RidgeSession* s, const char* name) {
  if (find_value(s, name) == NULL) s->values[s->value_count++].name = name;
}

static void set_sizes(struct Value* v, const int64_t* dims, uint32_t rank) {
  v->known = rank <= kMaxRank;
  v->rank = v->known ? rank : 0;
  for (uint32_t i = 0; i < v->rank; ++i) {
    v->dims[i] = dims[i];
    if (dims[i] < 0) v->known = 0;
  }
}

static int64_t elements(const struct Value* v) {
  int64_t product = 1;
  for (uint32_t i = 0; i < v->rank; ++i) product *= v->dims[i];
  return product;
}

/* Elements of the values that are no result: weights that ridge hands over by their names, and
 * small ones inside the model. */
static RidgeStatus take_weights(RidgeSession* s, const RidgeTensors* weights, RidgeError* error) {
  for (size_t i = 0; i < s->graph.initializer_count; ++i) {
    const struct Tensor* t = &s->graph.initializers[i];
    struct Value* v = find_value(s, t->name);
    set_sizes(v, t->dims, t->rank);
    if (t->type != kFloat)
      return fail(error, RIDGE_INPUT, "TWO-0005", "weight '%s' is not of float32", t->name);
    if (t->data != NULL && t->bytes == (uint64_t)elements(v) * sizeof(float)) {
      v->own = malloc(t->bytes);
      if (v->own == NULL) return no_memory(error);
      v->data = memcpy(v->own, t->data, t->bytes);
    }
  }
  for (uint64_t i = 0; i < weights->count; ++i) {
    const RidgeTensor* t = (const RidgeTensor*)((const char*)weights->items + i * weights->stride);
    struct Value* v = find_value(s, t->name);
    if (v != NULL && t->bytes == (uint64_t)elements(v) * sizeof(float)) v->data = t->data;
  }
  for (size_t i = 0; i < s->graph.initializer_count; ++i)
    if (find_value(s, s->graph.initializers[i].name)->data == NULL)
      return fail(error, RIDGE_INPUT, "TWO-0006", "weight '%s' has no elements",
                  s->graph.initializers[i].name);
  return RIDGE_OK;
}

static RidgeStatus make_values(RidgeSession* s, const RidgeTensors* weights, RidgeError* error) {
  const struct Graph* g = &s->graph;
  const size_t most =
      g->input_count + g->output_count + g->initializer_count + g->node_count * 2 * kMaxPorts;
  s->values = calloc(most, sizeof *s->values);
  if (s->values == NULL) return no_memory(error);
  for (size_t i = 0; i < g->initializer_count; ++i) add_value(s, g->initializers[i].name);
  for (size_t i = 0; i < g->input_count; ++i) {
    add_value(s, g->inputs[i].name);
    set_sizes(find_value(s, g->inputs[i].name), g->inputs[i].dims, g->inputs[i].rank);
    if (g->inputs[i].type != kFloat)
      return fail(error, RIDGE_INPUT, "TWO-0007", "input '%s' is not of float32",
                  g->inputs[i].name);
  }
  for (size_t n = 0; n < g->node_count; ++n) {
    for (uint32_t i = 0; i < g->nodes[n].input_count; ++i) add_value(s, g->nodes[n].inputs[i]);
    for (uint32_t i = 0; i < g->nodes[n].output_count; ++i) add_value(s, g->nodes[n].outputs[i]);
  }
  for (size_t i = 0; i < g->output_count; ++i) add_value(s, g->outputs[i].name);
  return take_weights(s, weights, error);
}

/* Loading: layers */

static int is(const struct Node* node, const char* type) { return strcmp(node->type, type) == 0; }

static int is_product(const struct Node* node) { return is(node, "Gemm") || is(node, "MatMul"); }

/* The Relu that alone reads the node's result, or NULL. */
static const struct Node* only_relu(const struct Graph* g, const struct Node* node) {
  const struct Node* reader = NULL;
  size_t readers = 0;
  for (size_t i = 0; i < g->output_count; ++i)
    if (strcmp(g->outputs[i].name, node->outputs[0]) == 0) ++readers;
  for (size_t n = 0; n < g->node_count; ++n)
    for (uint32_t i = 0; i < g->nodes[n].input_count; ++i)
      if (strcmp(g->nodes[n].inputs[i], node->outputs[0]) == 0) reader = &g->nodes[n], ++readers;
  return readers == 1 && reader != NULL && is(reader, "Relu") ? reader : NULL;
}

/* [.., K] x [K, N] -> [.., N], where trans_b swaps the second's; a bias is [N], [1, N] or [1]. */
static int product_fits(const struct Layer* l) {
  const struct Value *a = l->inputs[0], *b = l->inputs[1], *c = l->inputs[2];
  if (l->node->trans_a != 0 || a->rank < 1 || b->rank != 2) return 0;
  const int64_t k = b->dims[l->node->trans_b != 0], n = b->dims[l->node->trans_b == 0];
  if (a->dims[a->rank - 1] != k) return 0;
  set_sizes(l->output, a->dims, a->rank);
  l->output->dims[a->rank - 1] = n;
  return c == NULL || elements(c) == 1 || (elements(c) == n && c->dims[c->rank - 1] == n);
}

static RidgeStatus add_layer(RidgeSession* s, const struct Node* node, const struct Node* relu,
                             RidgeError* error) {
  struct Layer* l = &s->layers[s->layer_count];
  l->node = node;
  l->relu = relu;
  const uint32_t most = is_product(node) ? 3 : 1;
  if ((!is_product(node) && !is(node, "Relu")) || node->output_count != 1 ||
      node->input_count < (is_product(node) ? 2u : 1u) || node->input_count > most)
    return fail(error, RIDGE_INPUT, "TWO-0008", "operator %s: it runs Gemm, MatMul and Relu",
                node->type);
  for (uint32_t i = 0; i < node->input_count; ++i) {
    l->inputs[i] = find_value(s, node->inputs[i]);
    l->names[i] = node->inputs[i];
    if (!l->inputs[i]->known)
      return fail(error, RIDGE_INPUT, "TWO-0009", "the sizes of '%s' are not known",
                  node->inputs[i]);
  }
  l->output = find_value(s, (relu != NULL ? relu : node)->outputs[0]);
  if (!is_product(node))
    set_sizes(l->output, l->inputs[0]->dims, l->inputs[0]->rank);
  else if (!product_fits(l))
    return fail(error, RIDGE_INPUT, "TWO-0010", "'%s' is a product that it does not run",
                node->outputs[0]);
  l->output->own = malloc((size_t)elements(l->output) * sizeof(float) + 1);
  if (l->output->own == NULL) return no_memory(error);
  l->output->data = l->output->own;
  snprintf(l->name, sizeof l->name, "layer %zu", s->layer_count++);
  return RIDGE_OK;
}

static RidgeStatus make_layers(RidgeSession* s, int fuses, RidgeError* error) {
  s->layers = calloc(s->graph.node_count, sizeof *s->layers);
  s->listed = calloc(s->graph.node_count, sizeof *s->listed);
  s->events = calloc(s->graph.node_count, sizeof *s->events);
  if (s->layers == NULL || s->listed == NULL || s->events == NULL) return no_memory(error);
  const struct Node* done = NULL; /* a Relu in the layer before */
  for (size_t n = 0; n < s->graph.node_count; ++n) {
    const struct Node* node = &s->graph.nodes[n];
    int fused = node == done;
    for (size_t i = 0; i < s->layer_count; ++i) fused |= s->layers[i].relu == node;
    if (fused) continue;
    const struct Node* relu = fuses && is_product(node) ? only_relu(&s->graph, node) : NULL;
    const RidgeStatus added = add_layer(s, node, relu, error);
    if (added != RIDGE_OK) return added;
  }
  return RIDGE_OK;
}

/* What ridge attributes: each layer with the tensors of the model that it produces. */
static void list_layers(RidgeSession* s) {
  for (size_t i = 0; i < s->layer_count; ++i) {
    struct Layer* l = &s->layers[i];
    RidgeLayer* out = &s->listed[i];
    out->size = sizeof *out;
    out->name = l->name;
    out->type = l->relu != NULL ? "Gemm+Relu" : l->node->type;
    out->implementation = is_product(l->node) ? "triple loop" : "loop";
    out->precision = "float32";
    out->layout = "plain";
    out->inputs = l->names;
    out->input_count = l->node->input_count;
    out->originals = l->names + 3;
    out->original_count = l->relu != NULL ? 2 : 1;
    l->names[3] = l->node->outputs[0];
    l->names[4] = l->output->name;
    out->outputs = l->names + (l->relu != NULL ? 4 : 3);
    out->output_count = 1;
  }
}

static RidgeTensor* describe(RidgeSession* s, const struct Tensor* tensors, size_t count) {
  RidgeTensor* out = calloc(count + 1, sizeof *out);
  for (size_t i = 0; out != NULL && i < count; ++i) {
    const struct Value* v = find_value(s, tensors[i].name);
    out[i].size = sizeof *out;
    out[i].type = kFloat;
    out[i].name = v->name;
    out[i].dims = v->dims;
    out[i].rank = v->rank;
    out[i].data = v->data;
    out[i].bytes = (uint64_t)elements(v) * sizeof(float);
  }
  return out;
}

static void unload(RidgeSession* s) {
  for (size_t i = 0; i < s->value_count; ++i) free(s->values[i].own);
  free(s->values);
  free(s->layers);
  free(s->listed);
  free(s->events);
  free(s->inputs);
  free(s->outputs);
  free_graph(&s->graph);
  free(s);
}

static RidgeStatus fill(RidgeSession* s, const RidgeModel* model, int fuses, RidgeError* error) {
  if (!read_graph(model->data, model->bytes, &s->graph))
    return fail(error, RIDGE_INPUT, "TWO-0011", "%s", s->graph.fault);
  RidgeStatus status = make_values(s, &model->weights, error);
  if (status == RIDGE_OK) status = make_layers(s, fuses, error);
  if (status != RIDGE_OK) return status;
  list_layers(s);
  s->inputs = describe(s, s->graph.inputs, s->graph.input_count);
  s->outputs = describe(s, s->graph.outputs, s->graph.output_count);
  return s->inputs != NULL && s->outputs != NULL ? RIDGE_OK : no_memory(error);
}

static RidgeStatus load(RidgeRuntime* runtime, const RidgeModel* model, RidgeSession** session,
                        RidgeError* error) {
  RidgeSession* s = calloc(1, sizeof *s);
  if (s == NULL) return no_memory(error);
  const RidgeStatus status = fill(s, model, runtime->fuses, error);
  if (status == RIDGE_OK)
    *session = s;
  else
    unload(s);
  return status;
}

static RidgeStatus graph(RidgeSession* s, RidgeGraph* out, RidgeError* error) {
  (void)error;
  const RidgeTensors inputs = {s->inputs, s->graph.input_count, sizeof *s->inputs};
  const RidgeTensors outputs = {s->outputs, s->graph.output_count, sizeof *s->outputs};
  out->inputs = inputs;
  out->outputs = outputs;
  out->layers = s->listed;
  out->layer_count = s->layer_count;
  out->layer_stride = sizeof *s->listed;
  return RIDGE_OK;
}

/* Running */

static RidgeStatus set_inputs(RidgeSession* s, const RidgeTensors* inputs, RidgeError* error) {
  for (uint64_t i = 0; i < inputs->count; ++i) {
    const RidgeTensor* t = (const RidgeTensor*)((const char*)inputs->items + i * inputs->stride);
    struct Value* v = find_value(s, t->name);
    if (v == NULL || t->type != kFloat || t->bytes != (uint64_t)elements(v) * sizeof(float))
      return fail(error, RIDGE_INPUT, "TWO-0012", "input '%s' has another type or size", t->name);
    v->data = t->data;
  }
  return RIDGE_OK;
}

/* out = alpha * a x b + beta * c, a row of sums at a time. */
static void multiply(const struct Layer* l) {
  const struct Value *a = l->inputs[0], *b = l->inputs[1], *c = l->inputs[2];
  const int64_t k = a->dims[a->rank - 1], n = l->output->dims[l->output->rank - 1];
  const int64_t rows = k > 0 ? elements(a) / k : 0, biases = c != NULL ? elements(c) : 0;
  const int transposed = l->node->trans_b != 0;
  for (int64_t row = 0; row < rows; ++row) {
    float* out = l->output->own + row * n;
    for (int64_t j = 0; j < n; ++j)
      out[j] = c != NULL ? l->node->beta * c->data[biases == 1 ? 0 : j] : 0;
    for (int64_t j = 0; transposed && j < n; ++j) {
      float sum = 0;
      for (int64_t i = 0; i < k; ++i) sum += a->data[row * k + i] * b->data[j * k + i];
      out[j] += l->node->alpha * sum;
    }
    for (int64_t i = 0; !transposed && i < k; ++i) {
      const float factor = l->node->alpha * a->data[row * k + i];
      for (int64_t j = 0; j < n; ++j) out[j] += factor * b->data[i * n + j];
    }
  }
}

static void rectify(const float* in, struct Value* out) {
  const int64_t count = elements(out);
  for (int64_t i = 0; i < count; ++i) out->own[i] = in[i] > 0 ? in[i] : 0;
}

static void run_layer(const struct Layer* l) {
  if (is_product(l->node)) multiply(l);
  if (l->relu != NULL || is(l->node, "Relu"))
    rectify(is_product(l->node) ? l->output->own : l->inputs[0]->data, l->output);
}

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Reports after the run, so that it takes no time of it. */
static void report(RidgeSession* s, int64_t start_ns, int64_t stop_ns) {
  RidgeEvent whole = {.size = sizeof whole, .level = RIDGE_LEVEL_RUN};
  whole.name = "run";
  whole.type = whole.implementation = whole.shapes = "";
  whole.start_ns = start_ns;
  whole.stop_ns = stop_ns;
  whole.duration_ns = stop_ns - start_ns;
  for (size_t i = 0; i < s->layer_count; ++i) s->sink.event(s->sink.context, &s->events[i]);
  s->sink.event(s->sink.context, &whole);
}

static RidgeStatus run(RidgeSession* s, RidgeError* error) {
  (void)error;
  if (s->sink.event == NULL) {
    for (size_t i = 0; i < s->layer_count; ++i) run_layer(&s->layers[i]);
    return RIDGE_OK;
  }
  const int64_t begun = now_ns();
  for (size_t i = 0; i < s->layer_count; ++i) {
    RidgeEvent* e = &s->events[i];
    e->start_ns = now_ns();
    run_layer(&s->layers[i]);
    e->stop_ns = now_ns();
    e->duration_ns = e->stop_ns - e->start_ns;
  }
  report(s, begun, now_ns());
  return RIDGE_OK;
}

static RidgeStatus outputs(RidgeSession* s, RidgeTensors* out, RidgeError* error) {
  (void)error;
  out->items = s->outputs;
  out->count = s->graph.output_count;
  out->stride = sizeof *s->outputs;
  return RIDGE_OK;
}

static RidgeStatus profile(RidgeSession* s, const RidgeProfileSink* sink, RidgeError* error) {
  (void)error;
  const RidgeProfileSink off = {0};
  s->sink = sink != NULL ? *sink : off;
  for (size_t i = 0; i < s->layer_count; ++i) {
    RidgeEvent* e = &s->events[i];
    e->size = sizeof *e;
    e->level = RIDGE_LEVEL_LAYER;
    e->depth = 1; /* inside the run */
    e->name = s->listed[i].name;
    e->type = s->listed[i].type;
    e->implementation = s->listed[i].implementation;
    e->shapes = "";
  }
  return RIDGE_OK;
}

__attribute__((visibility("default"))) const RidgeRuntimeApi* ridge_runtime_get_api(
    uint32_t version) {
  static const RidgeRuntimeApi api = {
      .size = sizeof api,
      .version = RIDGE_RUNTIME_ABI,
      .name = "two_operators",
      .capabilities = RIDGE_CAN_PROFILE | RIDGE_HAS_LAYERS,
      .open = open_runtime,
      .info = describe_runtime,
      .close = close_runtime,
      .load = load,
      .graph = graph,
      .set_inputs = set_inputs,
      .run = run,
      .outputs = outputs,
      .profile = profile,
      .unload = unload,
  };
  return version == RIDGE_RUNTIME_ABI ? &api : NULL;
}
