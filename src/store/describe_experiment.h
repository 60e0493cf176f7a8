// SPDX-License-Identifier: Apache-2.0
// Descriptions (record/describe.h) of the types of experiment.h: rows of the store, and the
// documents ridge.experiments/1, ridge.experiment/1 and ridge.agents/1.
#pragma once

#include "record/describe.h"
#include "store/describe.h"
#include "store/experiment.h"

namespace ridge::store {

/// Documents of lists.
struct ExperimentList {
  std::vector<ExperimentRow> experiments;
};
struct AgentList {
  std::vector<AgentRow> agents;
};

}  // namespace ridge::store

namespace ridge {

template <>
struct record::Describe<store::AskedRequest> {
  using T = store::AskedRequest;
  static constexpr std::array fields{field<&T::path>("path", "as it was named"),
                                     field<&T::verb>("verb", "bench, eval, generate"),
                                     field<&T::text>("text", "content of the file")};
};

template <>
struct record::Describe<store::Experiment> {
  using T = store::Experiment;
  static constexpr std::array fields{
      field<&T::name>("name", "of --experiment, or of the request's file"),
      field<&T::spread>("hosts", "each: a point on every machine that fits; any: on one of them"),
      field<&T::lab>("lab", "description of the machines, as named"),
      field<&T::state>("state", "what became of the command that asked"),
      field<&T::started_s>("started_s", "when it was first asked for, seconds since 1970 (UTC)"),
      field<&T::last_s>("last_s", "last sign of life of the command, seconds since 1970 (UTC)"),
      field<&T::ended_s>("ended_s", "when the command ended; null while it runs"),
      field<&T::ridge_version>("ridge", "version that asked", column("ridge_version")),
      field<&T::requests>("requests", "in their order")};
};

template <>
struct record::Describe<store::ExperimentHead> {
  static constexpr auto fields = store::without_last(Describe<store::Experiment>::fields);
};

template <>
struct record::Describe<store::PointPlace> {
  using T = store::PointPlace;
  static constexpr std::array fields{
      field<&T::machine>("machine", "name of its agent"),
      field<&T::key>("key", "of the point's result in a store"),
      field<&T::measured>("measured", "it measured the point for this experiment")};
};

/// Columns beside the places, which have a table of their own.
template <>
struct record::Describe<store::PlannedPoint> {
  using T = store::PlannedPoint;
  static constexpr std::array fields{
      field<&T::name>("name", "it has no other in its experiment"),
      field<&T::label>("label", "model, sizes and threads, runtime"),
      field<&T::error>("error", "why it failed last"),
      field<&T::places>("places", "machines that may measure it", no_column())};
};

template <>
struct record::Describe<store::ExperimentPoint> {
  using T = store::ExperimentPoint;
  static constexpr std::array fields{
      field<&T::point>("point", "its number in the experiment"),
      field<&T::label>("label", "model, sizes and threads, runtime"),
      field<&T::state>("state", "whether the store has its result"),
      field<&T::machines>("machines", "that may measure it"),
      field<&T::machine>("machine", "whose result it is; null without one"),
      field<&T::run>("run", "number of its newest run; null without one"),
      field<&T::evaluation>("evaluation", "number of its newest evaluation; null without one"),
      field<&T::generation>("generation", "number of its newest generation; null without one"),
      field<&T::error>("error", "why it failed; null if it did not", zero_is_null())};
};

template <>
struct record::Describe<store::AgentRuntime> {
  using T = store::AgentRuntime;
  static constexpr std::array fields{
      field<&T::name>("name", "as --runtimes names it"), field<&T::title>("title", "for people"),
      field<&T::version>("version", "as it says; null if it cannot be opened")};
};

template <>
struct record::Describe<store::AgentModel> {
  using T = store::AgentModel;
  static constexpr std::array fields{
      field<&T::model>("model", "as requests name it"),
      field<&T::sha256>("sha256", "of its file; null for one without", zero_is_null()),
      field<&T::bytes>("bytes", "of its file; null for one without")};
};

template <>
struct record::Describe<store::Agent> {
  using T = store::Agent;
  static constexpr std::array fields{
      field<&T::name>("name", "host, partition, or partition/node"),
      field<&T::machine>("machine",
                         "host, processor, number of processors; empty where it did not say"),
      field<&T::ridge_version>("ridge", "its version; empty where it did not say",
                               column("ridge_version")),
      field<&T::state>("state", "what it does"),
      field<&T::doing>("doing", "the point that it measures; empty without one"),
      field<&T::reason>("reason", "why it is unfit or gone; empty if it is not"),
      field<&T::done>("done", "points that it measured"),
      field<&T::last_s>("last_s",
                        "its last sign of life, seconds since 1970 (UTC); 0 before the first"),
      field<&T::runtimes>("runtimes", "that it has"),
      field<&T::models>("models", "that it has")};
};

template <>
struct record::Describe<store::AgentRow> {
  using T = store::AgentRow;
  static constexpr std::array fields{
      field<&T::experiment>("experiment", "number of the experiment that it worked for last"),
      inlined<&T::agent>()};
};

template <>
struct record::Describe<store::PointCounts> {
  using T = store::PointCounts;
  static constexpr std::array fields{
      field<&T::points>("asked", "points that it has", column("points")),
      field<&T::measured>("measured", "points of which the store has a result"),
      field<&T::failed>("failed", "points that could not be measured"),
      field<&T::waiting>("waiting", "all others")};
};

template <>
struct record::Describe<store::ExperimentRow> {
  using T = store::ExperimentRow;
  static constexpr std::array fields{field<&T::id>("experiment", "its number", column("id")),
                                     inlined<&T::head>(), inlined<&T::counts>()};
};

template <>
struct record::Describe<store::ExperimentReport> {
  using T = store::ExperimentReport;
  static constexpr std::string_view schema = "ridge.experiment/1";
  static constexpr std::string_view text =
      "Trials that were asked for together, and the agents that measure them: `ridge runs "
      "experiments STORE NAME --format json`.";
  static constexpr std::array fields{
      inlined<&T::row>(), field<&T::requests>("requests", "in their order", item_lines()),
      field<&T::points>("points", "in the order in which they were planned", item_lines()),
      field<&T::agents>("agents", "by name", item_lines())};
};

template <>
struct record::Describe<store::ExperimentList> {
  using T = store::ExperimentList;
  static constexpr std::string_view schema = "ridge.experiments/1";
  static constexpr std::string_view text =
      "Experiments of a store, newest first: `ridge runs experiments STORE --format json`.";
  static constexpr std::array fields{
      field<&T::experiments>("experiments", "newest first", item_lines())};
};

template <>
struct record::Describe<store::AgentList> {
  using T = store::AgentList;
  static constexpr std::string_view schema = "ridge.agents/1";
  static constexpr std::string_view text =
      "Agents of all experiments of a store, each as it was last heard of: `GET /api/v1/agents` of "
      "`ridge serve`.";
  static constexpr std::array fields{field<&T::agents>("agents", "by name", item_lines())};
};

}  // namespace ridge
