// SPDX-License-Identifier: Apache-2.0
// Forms of described types (src/record) beside hand-written code: 200,000 rows of 13 fields.
//
//   build/bench/ridge_bench --benchmark_filter=Record
//
// RecordJsonByHand is the loop over JsonWriter that RecordJsonWrite replaces.
#include <benchmark/benchmark.h>

#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/sink.h"
#include "record/binary.h"
#include "record/json_read.h"
#include "record/json_write.h"

namespace ridge::bench {

enum class Level : std::uint8_t { kModel, kLayer, kKernel };

struct Row {
  std::uint32_t index = 0;
  std::string name, type;
  Level level = Level::kLayer;
  double time_ns = 0, low_ns = 0, high_ns = 0, share = 0;
  std::int64_t executions = 1, bytes = 0;
  std::optional<std::int64_t> macs;
  std::optional<std::uint32_t> parent;
  bool inserted = false;
};

struct Rows {
  std::vector<Row> rows;
};

}  // namespace ridge::bench

namespace ridge {

template <>
struct Words<bench::Level> {
  static constexpr std::array list{Word{bench::Level::kModel, "model"},
                                   Word{bench::Level::kLayer, "layer"},
                                   Word{bench::Level::kKernel, "kernel"}};
};

template <>
struct record::Describe<bench::Row> {
  using T = bench::Row;
  static constexpr std::string_view name = "row";
  static constexpr std::array fields{field<&T::index>("index", ""),
                                     field<&T::name>("name", ""),
                                     field<&T::type>("type", ""),
                                     field<&T::level>("level", ""),
                                     field<&T::time_ns>("time_ns", ""),
                                     field<&T::low_ns>("low_ns", ""),
                                     field<&T::high_ns>("high_ns", ""),
                                     field<&T::share>("share", ""),
                                     field<&T::executions>("executions", ""),
                                     field<&T::bytes>("bytes", ""),
                                     field<&T::macs>("macs", ""),
                                     field<&T::parent>("parent", ""),
                                     field<&T::inserted>("inserted", "")};
};

template <>
struct record::Describe<bench::Rows> {
  using T = bench::Rows;
  static constexpr std::string_view name = "rows";
  static constexpr std::array fields{field<&T::rows>("rows", "", item_lines())};
};

namespace bench {
namespace {

class Discard final : public Sink {
 public:
  void write(std::string_view text) override { bytes_ += text.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

const Rows& rows() {
  static const Rows made = [] {
    Rows out;
    for (std::uint32_t i = 0; i < 200'000; ++i) {
      const double time = 1000 + 0.37 * i;
      out.rows.push_back({.index = i,
                          .name = "/encoder/layer." + std::to_string(i) + "/attention/MatMul",
                          .type = "MatMul",
                          .level = i % 7 == 0 ? Level::kKernel : Level::kLayer,
                          .time_ns = time,
                          .low_ns = time * 0.99,
                          .high_ns = time * 1.01,
                          .share = 1.0 / (i + 1),
                          .executions = i % 3 + 1,
                          .bytes = 4096L * i,
                          .macs = i % 5 == 0 ? std::nullopt : std::optional<std::int64_t>(i * 31L),
                          .parent = i % 2 == 0 ? std::nullopt : std::optional<std::uint32_t>(i / 2),
                          .inserted = i % 11 == 0});
    }
    return out;
  }();
  return made;
}

void write_by_hand(const Rows& all, Sink& sink) {
  JsonWriter json(sink);
  json.begin_object().key("rows").begin_array();
  for (const Row& r : all.rows) {
    json.line().begin_object().key("index").value(r.index);
    json.key("name").value(r.name).key("type").value(r.type).key("level").value(word(r.level));
    json.key("time_ns").value(r.time_ns).key("low_ns").value(r.low_ns);
    json.key("high_ns").value(r.high_ns).key("share").value(r.share);
    json.key("executions").value(r.executions).key("bytes").value(r.bytes);
    json.key("macs").value(r.macs).key("parent").value(r.parent);
    json.key("inserted").value(r.inserted).end_object();
  }
  json.end_array().end_object();
  sink.write("\n");
}

void report(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
  state.counters["bytes"] = static_cast<double>(bytes);
}

void RecordJsonByHand(benchmark::State& state) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    Discard sink;
    write_by_hand(rows(), sink);
    bytes = sink.bytes();
  }
  report(state, bytes);
}
BENCHMARK(RecordJsonByHand)->Unit(benchmark::kMillisecond);

void RecordJsonWrite(benchmark::State& state) {
  std::size_t bytes = 0;
  for (auto _ : state) {
    Discard sink;
    record::write_json(rows(), sink);
    bytes = sink.bytes();
  }
  report(state, bytes);
}
BENCHMARK(RecordJsonWrite)->Unit(benchmark::kMillisecond);

void RecordJsonRead(benchmark::State& state) {
  StringSink sink;
  record::write_json(rows(), sink);
  for (auto _ : state) {
    const auto read = record::read_json<Rows>(sink.text());
    if (!read.ok() || read->rows.size() != rows().rows.size())
      return state.SkipWithError("not read");
  }
  report(state, sink.text().size());
}
BENCHMARK(RecordJsonRead)->Unit(benchmark::kMillisecond);

void RecordBinaryWrite(benchmark::State& state) {
  std::size_t bytes = 0;
  for (auto _ : state) bytes = record::to_binary(rows()).size();
  report(state, bytes);
}
BENCHMARK(RecordBinaryWrite)->Unit(benchmark::kMillisecond);

void RecordBinaryRead(benchmark::State& state) {
  const std::string bytes = record::to_binary(rows());
  for (auto _ : state)
    if (!record::from_binary<Rows>(bytes)) return state.SkipWithError("not read");
  report(state, bytes.size());
}
BENCHMARK(RecordBinaryRead)->Unit(benchmark::kMillisecond);

/// Samples of a measurement: one list of 64-bit integers.
void RecordBinaryNumbers(benchmark::State& state) {
  const std::vector<std::int64_t> samples(2'600'000, 123'456);
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::string out = record::to_binary(samples);
    if (!record::from_binary<std::vector<std::int64_t>>(out))
      return state.SkipWithError("not read");
    bytes = out.size();
  }
  report(state, bytes);
}
BENCHMARK(RecordBinaryNumbers)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bench
}  // namespace ridge
