// SPDX-License-Identifier: Apache-2.0
#include "onnx_graph.h"

#include <stdlib.h>
#include <string.h>

/* Protocol buffers: a message is a row of fields, each a key (number * 8 + kind) and a value. */
struct Bytes {
  const unsigned char* at;
  uint64_t left;
};

struct Field {
  uint32_t number;
  uint64_t integer;    /* kinds 0, 1 and 5 */
  struct Bytes inside; /* kind 2 */
};

static int read_varint(struct Bytes* b, uint64_t* out) {
  *out = 0;
  for (unsigned shift = 0; shift < 64 && b->left > 0; shift += 7) {
    const unsigned char c = *b->at++;
    b->left--;
    *out |= (uint64_t)(c & 0x7f) << shift;
    if (c < 0x80) return 1;
  }
  return 0;
}

static int read_fixed(struct Bytes* b, unsigned size, uint64_t* out) {
  if (b->left < size) return 0;
  *out = 0;
  memcpy(out, b->at, size); /* little-endian, as this machine */
  b->at += size;
  b->left -= size;
  return 1;
}

/* 1: a field, 0: the end, -1: not a message. */
static int next_field(struct Bytes* b, struct Field* f) {
  uint64_t key = 0, length = 0;
  if (b->left == 0) return 0;
  if (!read_varint(b, &key)) return -1;
  memset(f, 0, sizeof *f);
  f->number = (uint32_t)(key >> 3);
  switch (key & 7) {
    case 0:
      return read_varint(b, &f->integer) ? 1 : -1;
    case 1:
      return read_fixed(b, 8, &f->integer) ? 1 : -1;
    case 5:
      return read_fixed(b, 4, &f->integer) ? 1 : -1;
    case 2:
      if (!read_varint(b, &length) || length > b->left) return -1;
      f->inside.at = b->at;
      f->inside.left = length;
      b->at += length;
      b->left -= length;
      return 1;
    default:
      return -1;
  }
}

static char* text_of(struct Bytes b) {
  char* out = malloc(b.left + 1);
  if (out == NULL) return NULL;
  memcpy(out, b.at, b.left);
  out[b.left] = '\0';
  return out;
}

/* Room for one more row, set to zero; NULL: no memory. */
static void* add_row(void** rows, size_t* count, size_t size) {
  void* grown = realloc(*rows, (*count + 1) * size);
  if (grown == NULL) return NULL;
  *rows = grown;
  return memset((char*)grown + (*count)++ * size, 0, size);
}

static int add_dim(struct Tensor* t, uint64_t value) {
  if (t->rank == kMaxRank) return 0;
  t->dims[t->rank++] = (int64_t)value;
  return 1;
}

/* TensorShapeProto: dim = 1, which has dim_value = 1. */
static int read_shape(struct Bytes b, struct Tensor* out) {
  struct Field dim, value;
  int more;
  while ((more = next_field(&b, &dim)) == 1) {
    if (dim.number != 1) continue;
    uint64_t size = (uint64_t)-1;
    int inner;
    while ((inner = next_field(&dim.inside, &value)) == 1)
      if (value.number == 1) size = value.integer;
    if (inner < 0 || !add_dim(out, size)) return 0;
  }
  return more == 0;
}

/* ValueInfoProto: name = 1, type = 2 { tensor_type = 1 { elem_type = 1, shape = 2 } }. */
static int read_type(struct Bytes type, struct Tensor* out) {
  struct Field kind, f;
  int more;
  while ((more = next_field(&type, &kind)) == 1) {
    if (kind.number != 1) continue;
    int inner;
    while ((inner = next_field(&kind.inside, &f)) == 1) {
      if (f.number == 1) out->type = (int32_t)f.integer;
      if (f.number == 2 && !read_shape(f.inside, out)) return 0;
    }
    if (inner < 0) return 0;
  }
  return more == 0;
}

static int read_value_info(struct Bytes b, struct Tensor* out) {
  struct Field f;
  int more;
  while ((more = next_field(&b, &f)) == 1) {
    if (f.number == 1 && out->name == NULL) out->name = text_of(f.inside);
    if (f.number == 2 && !read_type(f.inside, out)) return 0;
  }
  return more == 0 && out->name != NULL;
}

/* TensorProto: dims = 1 (packed or not), data_type = 2, float_data = 4, name = 8, raw_data = 9. */
static int read_tensor(struct Bytes b, struct Tensor* out) {
  struct Field f;
  int more;
  while ((more = next_field(&b, &f)) == 1) {
    if (f.number == 1 && f.inside.at == NULL && !add_dim(out, f.integer)) return 0;
    while (f.number == 1 && f.inside.left > 0) {
      uint64_t dim = 0;
      if (!read_varint(&f.inside, &dim) || !add_dim(out, dim)) return 0;
    }
    if (f.number == 2) out->type = (int32_t)f.integer;
    if (f.number == 8 && out->name == NULL) out->name = text_of(f.inside);
    if ((f.number == 9 || f.number == 4) && f.inside.left > 0) {
      out->data = f.inside.at;
      out->bytes = f.inside.left;
    }
  }
  return more == 0 && out->name != NULL;
}

/* AttributeProto: name = 1, f = 2, i = 3. */
static int read_attribute(struct Bytes b, struct Node* out) {
  struct Field f;
  struct Bytes name = {NULL, 0};
  uint64_t real = 0, integer = 0;
  int more;
  while ((more = next_field(&b, &f)) == 1) {
    if (f.number == 1) name = f.inside;
    if (f.number == 2) real = f.integer;
    if (f.number == 3) integer = f.integer;
  }
  if (more < 0) return 0;
  const uint32_t bits = (uint32_t)real;
  float number;
  memcpy(&number, &bits, sizeof number);
#define NAMED(text) (name.left == sizeof(text) - 1 && memcmp(name.at, text, name.left) == 0)
  if (NAMED("alpha")) out->alpha = number;
  if (NAMED("beta")) out->beta = number;
  if (NAMED("transA")) out->trans_a = (int64_t)integer;
  if (NAMED("transB")) out->trans_b = (int64_t)integer;
#undef NAMED
  return 1;
}

static int add_name(char** names, uint32_t* count, struct Bytes b) {
  if (*count == kMaxPorts) return 0;
  return (names[(*count)++] = text_of(b)) != NULL;
}

/* NodeProto: input = 1, output = 2, op_type = 4, attribute = 5. */
static int read_node(struct Bytes b, struct Node* out) {
  struct Field f;
  int more;
  out->alpha = out->beta = 1;
  while ((more = next_field(&b, &f)) == 1) {
    int good = 1;
    if (f.number == 1) good = add_name(out->inputs, &out->input_count, f.inside);
    if (f.number == 2) good = add_name(out->outputs, &out->output_count, f.inside);
    if (f.number == 4 && out->type == NULL) good = (out->type = text_of(f.inside)) != NULL;
    if (f.number == 5) good = read_attribute(f.inside, out);
    if (!good) return 0;
  }
  return more == 0 && out->type != NULL;
}

/* GraphProto: node = 1, initializer = 5, input = 11, output = 12. */
static int read_part(const struct Field* f, struct Graph* g) {
  if (f->number == 1) {
    struct Node* node = add_row((void**)&g->nodes, &g->node_count, sizeof *node);
    return node != NULL && read_node(f->inside, node);
  }
  struct Tensor* tensor = NULL;
  if (f->number == 5) {
    tensor = add_row((void**)&g->initializers, &g->initializer_count, sizeof *tensor);
    return tensor != NULL && read_tensor(f->inside, tensor);
  }
  if (f->number == 11) tensor = add_row((void**)&g->inputs, &g->input_count, sizeof *tensor);
  if (f->number == 12) tensor = add_row((void**)&g->outputs, &g->output_count, sizeof *tensor);
  if (f->number != 11 && f->number != 12) return 1;
  return tensor != NULL && read_value_info(f->inside, tensor);
}

/* ModelProto: graph = 7. */
int read_graph(const void* bytes, uint64_t size, struct Graph* graph) {
  memset(graph, 0, sizeof *graph);
  struct Bytes model = {bytes, size};
  struct Field f, part;
  int more, inner = 0;
  while ((more = next_field(&model, &f)) == 1) {
    if (f.number != 7) continue;
    while ((inner = next_field(&f.inside, &part)) == 1)
      if (!read_part(&part, graph)) inner = -1, f.inside.left = 0;
    if (inner < 0) break;
  }
  if (more < 0 || inner < 0) graph->fault = "the bytes are no ONNX model that it can read";
  if (graph->fault == NULL && graph->node_count == 0) graph->fault = "the model has no nodes";
  return graph->fault == NULL;
}

static void free_tensors(struct Tensor* tensors, size_t count) {
  for (size_t i = 0; i < count; ++i) free(tensors[i].name);
  free(tensors);
}

void free_graph(struct Graph* graph) {
  for (size_t n = 0; n < graph->node_count; ++n) {
    struct Node* node = &graph->nodes[n];
    free(node->type);
    for (uint32_t i = 0; i < node->input_count; ++i) free(node->inputs[i]);
    for (uint32_t i = 0; i < node->output_count; ++i) free(node->outputs[i]);
  }
  free(graph->nodes);
  free_tensors(graph->inputs, graph->input_count);
  free_tensors(graph->outputs, graph->output_count);
  free_tensors(graph->initializers, graph->initializer_count);
  memset(graph, 0, sizeof *graph);
}
