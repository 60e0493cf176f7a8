// SPDX-License-Identifier: Apache-2.0
// Description of a plan of bricks (record/describe.h): the document ridge.bricks/1.
#pragma once

#include "bricks/manifest.h"
#include "record/describe.h"

namespace ridge {

template <>
struct record::Describe<bricks::PlannedModel> {
  using T = bricks::PlannedModel;
  static constexpr std::array fields{
      field<&T::name>("name",
                      "path, and the sizes given for it: zoo:bert_base sequence=64; no two are "
                      "equal"),
      field<&T::path>("path", "path of the model, or zoo:NAME"),
      field<&T::graph_hash>("graph_hash", "structure of the model"),
      field<&T::sizes>("sizes", "its free sizes by name, given or assumed"),
      field<&T::macs>("macs", "multiply-accumulates of all nodes", at_least(0)),
      field<&T::resident_bytes>(
          "resident_bytes",
          "bytes that a run touches: weights, and the most activations alive at a time; the bricks "
          "of the model are measured at the reuse distance that follows from them",
          at_least(0)),
      field<&T::traffic_bytes>(
          "traffic_bytes",
          "bytes that the nodes read and write in a run; bricks with large weights are measured at "
          "half of them if that is more than the reuse distance; 0: unknown",
          at_least(0)),
      field<&T::bricks>("bricks",
                        "pieces that it is cut into (`pieces` in the table): occurrences of bricks",
                        at_least(0)),
      field<&T::unique>("unique", "different bricks among them", at_least(0)),
      field<&T::added>("new", "bricks among them that no model before it has", at_least(0))};
};

template <>
struct record::Describe<bricks::Occurrence> {
  using T = bricks::Occurrence;
  static constexpr std::array fields{
      field<&T::model>("model", "name of a model above"),
      field<&T::nodes>("nodes", "rows of its nodes, ascending", at_least(0)),
      field<&T::live_bytes>("live_bytes",
                            "computed tensors that are alive in the model while it runs; "
                            "activations of the brick are spread over so much memory",
                            at_least(0))};
};

template <>
struct record::Describe<bricks::BrickPort> {
  using T = bricks::BrickPort;
  static constexpr std::array fields{
      field<&T::name>("name", "input or output of the file"),
      field<&T::direction>("direction", "seen from the brick"),
      field<&T::dtype>("dtype", "element type"),
      field<&T::shape>("shape",
                       "of the tensor in the model; behind a donor the file's own port is another"),
      field<&T::layout>("layout",
                        "how the runtime stores it in the model: as the model has it, with its "
                        "channels in blocks, or with its channels last"),
      field<&T::donor>("donor",
                       "operators between the file's port and the piece that produce or accept "
                       "this layout; null: none",
                       zero_is_null())};
};

template <>
struct record::Describe<bricks::Brick> {
  using T = bricks::Brick;
  static constexpr std::array fields{
      field<&T::key>("key", "identity: equal for equal pieces of any model"),
      field<&T::file>("file", "ONNX model in the same folder: conv-0d7f7b4f3060c9e7.onnx"),
      field<&T::digest, &bricks::FileDigest::sha256>(
          "sha256", "SHA-256 of that file; another file under its name is not measured"),
      field<&T::digest, &bricks::FileDigest::bytes>("file_bytes", "size of that file", at_least(0)),
      field<&T::macs>("macs", "multiply-accumulates of one run, without those of donors",
                      at_least(0)),
      field<&T::bytes>("bytes",
                       "tensors at its ports and constants: what one run reads and writes at least",
                       at_least(0)),
      field<&T::ports>("ports", "tensors that enter and leave"),
      field<&T::kernels>("kernels",
                         "operators of the runtime's kernels in order, without donors; the same in "
                         "the brick and in the models"),
      field<&T::whole>("whole",
                       "it is a whole model of very short kernels, without donors; its time is "
                       "that of its runs, and includes the time outside kernels"),
      field<&T::occurrences>("occurrences", "places in the models that it stands for"),
      field<&T::rejected>("rejected", "why it is not used; null: it is", zero_is_null())};
  static Result<void> check(const T& brick) { return bricks::check_names(brick); }
};

template <>
struct record::Describe<bricks::LeftOver> {
  using T = bricks::LeftOver;
  static constexpr std::array fields{
      field<&T::model>("model", "name of a model above"),
      field<&T::nodes>("nodes", "rows of its nodes, ascending", at_least(0)),
      field<&T::why>("why", "for people: how the kernels differ, or why there are none"),
      field<&T::key>("key", "identity of the piece; null for nodes outside the runtime's layers",
                     zero_is_null())};
};

template <>
struct record::Describe<bricks::Plan> {
  using T = bricks::Plan;
  static constexpr std::string_view schema = "ridge.bricks/1";
  static constexpr std::string_view text =
      "Bricks of several models: `ridge bricks plan MODEL... --out DIR --format json`, and "
      "DIR/manifest.json. Every node of a model (a row of ridge.analysis/1) is in exactly one "
      "occurrence or left over, and the MACs of a model's occurrences and nodes left over are the "
      "model's.";
  static constexpr std::array fields{
      field<&T::ridge>("ridge", "version that planned last"),
      field<&T::runtime>("runtime", "whose kernels the bricks run, as it names itself"),
      field<&T::runtime_version>("runtime_version", "as it says"),
      field<&T::host>("host",
                      "host, processor, number of processors: kernels and layouts depend on them"),
      field<&T::threads>("threads", "of the runtime", at_least(1)),
      field<&T::models>("models", "in the order planned", item_lines()),
      field<&T::bricks>("bricks", "in the order first found", item_lines()),
      field<&T::left_over>("left_over", "nodes that no brick stands for", item_lines())};
  static Result<void> check(const T& plan) { return bricks::check_consistent(plan); }
};

}  // namespace ridge
