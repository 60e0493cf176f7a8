// SPDX-License-Identifier: Apache-2.0
// Reads what a runtime of few operators needs of an ONNX file: nodes, their tensors and numbers,
// and the sizes of inputs, outputs and initializers (the fields of onnx.proto by their numbers).
//
//   struct Graph graph;
//   if (!read_graph(bytes, size, &graph)) ...      // graph.fault says why
//   free_graph(&graph);
//
// The bytes are untrusted: every length is compared with what remains. Texts are copies.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { kMaxRank = 8, kMaxPorts = 8 };

struct Tensor {
  char* name;
  int32_t type; /* TensorProto.DataType: 1 is float32 */
  int64_t dims[kMaxRank];
  uint32_t rank;
  const void* data; /* of a small initializer, in the file; NULL: ridge passes it on by its name */
  uint64_t bytes;
};

struct Node {
  char* type;
  char* inputs[kMaxPorts];
  char* outputs[kMaxPorts];
  uint32_t input_count, output_count;
  float alpha, beta;
  int64_t trans_a, trans_b;
};

struct Graph {
  struct Node* nodes; /* in an order in which they can run */
  size_t node_count;
  struct Tensor *inputs, *outputs, *initializers;
  size_t input_count, output_count, initializer_count;
  const char* fault; /* NULL: none */
};

/* 1, or 0 with a fault. `size` bytes at `bytes` must outlive the graph. */
int read_graph(const void* bytes, uint64_t size, struct Graph* graph);
void free_graph(struct Graph* graph);
