// SPDX-License-Identifier: Apache-2.0
// Nsight Systems' SQLite export. A table exists only if it has rows, and columns differ by version,
// so the presence of each is checked:
//
//   StringIds(id, value)                    names
//   CUPTI_ACTIVITY_KIND_KERNEL    start, end, deviceId, streamId, correlationId, globalPid,
//                                 demangledName, shortName
//   CUPTI_ACTIVITY_KIND_MEMCPY, _MEMSET     the same, bytes and copyKind instead of names
//   CUPTI_ACTIVITY_KIND_GRAPH_TRACE         the same, graphId: a CUDA graph recorded as a whole
//   CUPTI_ACTIVITY_KIND_RUNTIME, _DRIVER    start, end, globalTid, correlationId, nameId
//   NVTX_EVENTS                             start, end, text or textId, globalTid
//   TARGET_INFO_GPU                         name
//   META_DATA_EXPORT                        EXPORT_SCHEMA_VERSION
//
// A correlation id is unique within its process: globalTid and globalPid contain the process in the
// bits above the 24 of the thread. Times are nanoseconds. (User guide of Nsight Systems, "SQLite
// Schema Reference".)
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "base/text.h"
#include "import/dropped.h"
#include "import/formats.h"
#include "import/names.h"
#include "import/span_layers.h"
#include "import/span_runs.h"
#include "import/sqlite_reader.h"
#include "import/torch_operators.h"
#include "import/trtexec_names.h"

namespace ridge::imports {
namespace {

using profile::Level;
using profile::TextId;

constexpr std::string_view kKernelTable = "CUPTI_ACTIVITY_KIND_KERNEL",
                           kMemcpy = "CUPTI_ACTIVITY_KIND_MEMCPY",
                           kMemset = "CUPTI_ACTIVITY_KIND_MEMSET",
                           kGraph = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                           kRuntime = "CUPTI_ACTIVITY_KIND_RUNTIME",
                           kDriver = "CUPTI_ACTIVITY_KIND_DRIVER", kNvtx = "NVTX_EVENTS";

/// Names by CUpti_ActivityMemcpyKind.
constexpr std::array<std::string_view, 11> kCopies = {
    "Memcpy",      "Memcpy HtoD", "Memcpy DtoH", "Memcpy HtoA", "Memcpy AtoH", "Memcpy AtoA",
    "Memcpy AtoD", "Memcpy DtoA", "Memcpy DtoD", "Memcpy HtoH", "Memcpy PtoP",
};

/// Name of a table in a query; `table` has no quotes (SqliteReader::tables).
std::string quoted_name(std::string_view table) { return fmt::format("\"{}\"", table); }

constexpr int kThreadBits = 24;
constexpr std::int64_t kPidMask = 0xffffff;

class NsightReader {
 public:
  NsightReader(SqliteReader file, const Source& source)
      : file_(std::move(file)), names_(source.names), runs_(source.runs) {
    out_.tool = "Nsight Systems";
    out_.naming = Naming::kTensorRt;  // TensorRT's layers appear as NVTX ranges with their names
  }

  Result<Recorded> run() {
    if (!file_.has("StringIds"))
      return input_error("RIDGE-IMP-0052", "the SQLite file is not an export of Nsight Systems")
          .evidence("it has no table StringIds")
          .hint("nsys export --type sqlite FILE.nsys-rep writes one");
    TRY(read_strings());
    TRY(read_facts());
    TRY(read_calls(kRuntime));
    TRY(read_calls(kDriver));
    TRY(read_ranges());
    for (const std::string_view table : {kKernelTable, kMemcpy, kMemset, kGraph})
      TRY(read_device(table));
    if (pids_.empty()) process_of(0);
    note(odd_, out_.notes);
    if (without_process_ > 0)
      out_.notes.push_back(fmt::format(
          "{} on the device of {} processes without the process that "
          "launched {}",
          counted(without_process_, "span"), pids_.size(), without_process_ == 1 ? "it" : "them"));
    mark_steps(out_.timeline);
    SpanLayers found = layers_of({out_.timeline, facts_, processes_, names_, out_.naming, runs_});
    if (found.refused) return std::move(*found.refused);
    if (out_.timeline.empty() || !add_layers(std::move(found), out_))
      return input_error("RIDGE-IMP-0053", "the recording has no kernels, copies or ranges")
          .evidence(fmt::format("{}", fmt::join(absent_, ", ")))
          .hint("record with nsys profile --trace=cuda,nvtx while the model runs");
    std::int64_t unsplit = 0;
    for (RecordedLayer& layer : out_.layers) {
      if (!split_name(layer.name, layer.parts, layer.regions)) ++unsplit;
      layer.inserted = inserted_name(layer.name, layer.type, out_.naming);
    }
    note_unsplit(unsplit, out_.notes);
    note_processes(processes_, out_);
    begin_at_zero(out_.timeline);
    return std::move(out_);
  }

 private:
  Result<void> read_strings() {
    return file_.rows(fmt::format("SELECT {}, {} FROM StringIds", file_.column("StringIds", "id"),
                                  file_.column("StringIds", "value")),
                      [&](const Row& row) {
                        strings_.emplace(row.integer(0), out_.timeline.intern(row.text(1)));
                      });
  }

  Result<void> read_facts() {
    if (file_.has("TARGET_INFO_GPU", "name"))
      TRY(file_.rows("SELECT name FROM TARGET_INFO_GPU LIMIT 1",
                     [&](const Row& row) { out_.options["device"] = valid_utf8(row.text(0)); }));
    if (file_.has("META_DATA_EXPORT", "name") && file_.has("META_DATA_EXPORT", "value"))
      TRY(file_.rows(
          "SELECT value FROM META_DATA_EXPORT WHERE name = 'EXPORT_SCHEMA_VERSION' LIMIT 1",
          [&](const Row& row) {
            out_.version = fmt::format("(schema {})", valid_utf8(row.text(0)));
          }));
    return {};
  }

  /// Table to read for a kind of event: of a version that added a suffix to its name, that table.
  /// Returns "" if there is none, and records what is there instead.
  std::string table_of(std::string_view kind) {
    const auto readable = [&](std::string_view table) {
      return file_.has(table, "start") && file_.has(table, "end");
    };
    if (readable(kind)) return std::string(kind);
    std::string like;
    for (const std::string& table : file_.tables(kind)) {
      if (table.substr(kind.size()).starts_with("_V") && readable(table)) {
        out_.notes.push_back(fmt::format("{} is read, as there is no {}", printable(table), kind));
        return table;
      }
      like += fmt::format("{}{}", like.empty() ? " (there is " : ", ",
                          printable(shorten(valid_utf8(table), 64)));
    }
    if (!like.empty()) like += ", which is not read)";
    absent_.push_back(fmt::format("no table {}{}", kind, like));
    // Of the other kinds many recordings have none.
    if (kind == kKernelTable || !like.empty())
      out_.notes.push_back(absent_.back() + ": the import has nothing of that kind");
    return "";
  }

  TextId string_of(const Row& row, int column) const {
    if (row.null(column)) return 0;
    const auto at = strings_.find(row.integer(column));
    return at == strings_.end() ? 0 : at->second;
  }

  /// Reads the times of a row; counts invalid times and returns false.
  bool times(const Row& row, profile::Span& span) {
    span.start_ns = row.integer(0);
    span.end_ns = row.integer(1);
    if (row.null(0)) {
      ++odd_.out_of_range;
    } else if (!in_range(span.start_ns, span.end_ns)) {
      ++odd_.too_far;
    } else if (span.duration_ns() < 0) {
      ++odd_.negative;
    } else {
      return true;
    }
    return false;
  }

  TextId number(const Row& row, int column) {
    return out_.timeline.intern(row.null(column) ? "?" : row.text(column));
  }

  Result<void> read_device(std::string_view table) {
    const std::string source = table_of(table);
    if (source.empty()) return {};
    const auto column = [&](std::string_view name) { return file_.column(source, name); };
    const std::string query = fmt::format(
        R"(SELECT start, "end", {}, {}, {}, {}, {}, {}, {}, {}, {} FROM {})", column("deviceId"),
        column("streamId"), column("correlationId"), column("demangledName"), column("shortName"),
        column("bytes"), column("copyKind"), column("globalPid"), column("graphId"),
        quoted_name(source));
    return file_.rows(query, [&](const Row& row) {
      profile::Span span{.level = Level::kKernel};
      if (!times(row, span)) return;
      const std::uint32_t process = device_process(row);
      // Device numbers may be local to a process.
      span.device = pids_.size() < 2 || process == kNoProcess
                        ? number(row, 2)
                        : out_.timeline.intern(fmt::format("{}: {}", processes_[process],
                                                           row.null(2) ? "?" : row.text(2)));
      span.queue = number(row, 3);
      if (process != kNoProcess) span.correlation = correlation(process, row.integer(4));
      span.name = device_name(table, row);
      add(span, {.process = process == kNoProcess ? 0 : process});
      if (!row.null(7)) out_.timeline.attribute("bytes", row.text(7));
    });
  }

  /// Process that launched a device span. Exports before 2021 lack globalPid: then it is known only
  /// if there is a single process.
  std::uint32_t device_process(const Row& row) {
    if (!row.null(9)) return process_of(row.integer(9));
    if (pids_.size() <= 1)
      return process_of(pids_.empty() ? 0
                                      : pids_.begin()->first * (std::int64_t{1} << kThreadBits));
    ++without_process_;
    return kNoProcess;
  }

  std::uint32_t process_of(std::int64_t global) {
    const std::int64_t pid = global >> kThreadBits;
    const auto [at, fresh] = pids_.try_emplace(pid, static_cast<std::uint32_t>(processes_.size()));
    if (fresh) processes_.push_back(fmt::format("process {}", pid & kPidMask));
    return at->second;
  }

  /// Makes a 32-bit id distinct between processes; 0: none.
  static std::uint64_t correlation(std::uint32_t process, std::int64_t id) {
    return id == 0 ? 0 : static_cast<std::uint64_t>(id) ^ std::uint64_t{process} << 40U;
  }

  void add(const profile::Span& span, const SpanFacts& facts) {
    out_.timeline.add(span);
    facts_.push_back(facts);
  }

  TextId device_name(std::string_view table, const Row& row) {
    if (table == kGraph)
      return out_.timeline.intern(fmt::format("CUDA graph {}", row.null(10) ? "?" : row.text(10)));
    if (table == kMemset) return out_.timeline.intern("Memset");
    if (table == kMemcpy) {
      const std::int64_t kind = row.null(8) ? 0 : row.integer(8);
      return out_.timeline.intern(
          kCopies[kind > 0 && kind < std::ssize(kCopies) ? static_cast<std::size_t>(kind) : 0]);
    }
    for (const int column : {5, 6})
      if (const TextId name = string_of(row, column); name != 0) return name;
    return out_.timeline.intern("(kernel without a name)");
  }

  Result<void> read_calls(std::string_view table) {
    const std::string source = table_of(table);
    if (source.empty()) return {};
    const auto column = [&](std::string_view name) { return file_.column(source, name); };
    return file_.rows(fmt::format(R"(SELECT start, "end", {}, {}, {} FROM {})", column("globalTid"),
                                  column("correlationId"), column("nameId"), quoted_name(source)),
                      [&](const Row& row) {
                        profile::Span span{.level = Level::kLibrary};
                        if (!times(row, span)) return;
                        span.thread = number(row, 2);
                        const std::uint32_t process = process_of(row.integer(2));
                        span.correlation = correlation(process, row.integer(3));
                        span.name = string_of(row, 4);
                        add(span, {.process = process});
                      });
  }

  /// Reads NVTX ranges; skips marks, which have no end, and events without a text.
  Result<void> read_ranges() {
    const std::string source = table_of(kNvtx);
    if (source.empty()) return {};
    const auto column = [&](std::string_view name) { return file_.column(source, name); };
    return file_.rows(
        fmt::format(R"(SELECT start, "end", {}, {}, {} FROM {} WHERE "end" IS NOT NULL)",
                    column("globalTid"), column("text"), column("textId"), quoted_name(source)),
        [&](const Row& row) {
          profile::Span span{.level = Level::kApplication};
          if (!times(row, span)) return;
          span.thread = number(row, 2);
          const RangeName name =
              range_name(row.null(3) ? out_.timeline.text(string_of(row, 4)) : row.text(3));
          if (name.operation) span.level = Level::kLayer;  // PyTorch's emit_nvtx
          SpanFacts facts{.process = process_of(row.integer(2))};
          facts.shapes = out_.timeline.intern(name.sizes);
          span.name = out_.timeline.intern(name.name);
          if (span.name != 0) add(span, facts);
        });
  }

  SqliteReader file_;
  const NameIndex* names_;
  std::string_view runs_;
  Recorded out_;
  Oddities odd_;
  std::vector<std::string> absent_;
  std::vector<SpanFacts> facts_;
  std::vector<std::string> processes_;
  std::map<std::int64_t, std::uint32_t> pids_;  // by process id, shifted out of globalPid
  std::int64_t without_process_ = 0;
  std::unordered_map<std::int64_t, TextId> strings_;
};

}  // namespace

Result<Recorded> read_nsight(const Source& source) {
  return NsightReader(TRY(SqliteReader::open(std::string(source.path))), source).run();
}

}  // namespace ridge::imports
