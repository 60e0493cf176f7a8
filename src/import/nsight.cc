// Nsight Systems' SQLite export. Its tables are made when the first row comes, and their columns
// differ by version, so every one is looked for:
//
//   StringIds(id, value)                    names
//   CUPTI_ACTIVITY_KIND_KERNEL    start, end, deviceId, streamId, correlationId, shortName
//   CUPTI_ACTIVITY_KIND_MEMCPY, _MEMSET     the same, bytes and copyKind instead of names
//   CUPTI_ACTIVITY_KIND_RUNTIME, _DRIVER    start, end, globalTid, correlationId, nameId
//   NVTX_EVENTS                             start, end, text or textId, globalTid
//   TARGET_INFO_GPU                         name
//   META_DATA_EXPORT                        EXPORT_SCHEMA_VERSION
//
// Times are nanoseconds. (User guide of Nsight Systems, "SQLite Schema Reference".)
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/text.h"
#include "import/dropped.h"
#include "import/formats.h"
#include "import/names.h"
#include "import/span_layers.h"
#include "import/sqlite_reader.h"
#include "import/trtexec_names.h"

namespace ridge::imports {
namespace {

using profile::Level;
using profile::TextId;

constexpr std::string_view kKernel = "CUPTI_ACTIVITY_KIND_KERNEL",
                           kMemcpy = "CUPTI_ACTIVITY_KIND_MEMCPY",
                           kMemset = "CUPTI_ACTIVITY_KIND_MEMSET",
                           kRuntime = "CUPTI_ACTIVITY_KIND_RUNTIME",
                           kDriver = "CUPTI_ACTIVITY_KIND_DRIVER", kNvtx = "NVTX_EVENTS";

/// CUpti_ActivityMemcpyKind.
constexpr std::array<std::string_view, 11> kCopies = {
    "Memcpy",      "Memcpy HtoD", "Memcpy DtoH", "Memcpy HtoA", "Memcpy AtoH", "Memcpy AtoA",
    "Memcpy AtoD", "Memcpy DtoA", "Memcpy DtoD", "Memcpy HtoH", "Memcpy PtoP",
};

class Reader {
 public:
  Reader(SqliteReader file, const NameIndex* names) : file_(std::move(file)), names_(names) {
    out_.tool = "Nsight Systems";
    out_.naming = Naming::kTensorRt;  // its layers come as ranges of their names
  }

  Result<Recorded> run() {
    if (!file_.has("StringIds"))
      return input_error("RIDGE-IMP-0052", "the SQLite file is no export of Nsight Systems")
          .evidence("it has no table StringIds")
          .hint("nsys export --type sqlite FILE.nsys-rep writes one");
    TRY(read_strings());
    TRY(read_facts());
    TRY(read_device(kKernel));
    TRY(read_device(kMemcpy));
    TRY(read_device(kMemset));
    TRY(read_calls(kRuntime));
    TRY(read_calls(kDriver));
    TRY(read_ranges());
    note(odd_, out_.notes);
    mark_steps(out_.timeline);
    SpanLayers found = layers_of({out_.timeline, {}, names_, out_.naming});
    if (out_.timeline.empty() || !add_layers(std::move(found), out_))
      return input_error("RIDGE-IMP-0053", "the recording has no kernels, copies or ranges")
          .evidence(absent_)
          .hint("record with nsys profile --trace=cuda,nvtx while the model runs");
    std::int64_t unsplit = 0;
    for (RecordedLayer& layer : out_.layers) {
      if (!split_name(layer.name, layer.parts, layer.regions)) ++unsplit;
      layer.inserted = inserted_name(layer.name, layer.type, out_.naming);
    }
    note_unsplit(unsplit, out_.notes);
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

  bool known(std::string_view table) {
    if (file_.has(table, "start") && file_.has(table, "end")) return true;
    absent_ += fmt::format("{}no table {}", absent_.empty() ? "" : ", ", table);
    return false;
  }

  TextId string_of(const Row& row, int column) const {
    if (row.null(column)) return 0;
    const auto at = strings_.find(row.integer(column));
    return at == strings_.end() ? 0 : at->second;
  }

  /// False: a time that cannot be.
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
    if (!known(table)) return {};
    const auto column = [&](std::string_view name) { return file_.column(table, name); };
    const std::string query = fmt::format(
        R"(SELECT start, "end", {}, {}, {}, {}, {}, {}, {} FROM {})", column("deviceId"),
        column("streamId"), column("correlationId"), column("shortName"), column("demangledName"),
        column("bytes"), column("copyKind"), table);
    return file_.rows(query, [&](const Row& row) {
      profile::Span span{.level = Level::kKernel};
      if (!times(row, span)) return;
      span.device = number(row, 2);
      span.queue = number(row, 3);
      span.correlation = static_cast<std::uint64_t>(row.integer(4));
      span.name = device_name(table, row);
      out_.timeline.add(span);
      if (!row.null(7)) out_.timeline.attribute("bytes", row.text(7));
    });
  }

  TextId device_name(std::string_view table, const Row& row) {
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
    if (!known(table)) return {};
    const auto column = [&](std::string_view name) { return file_.column(table, name); };
    return file_.rows(fmt::format(R"(SELECT start, "end", {}, {}, {} FROM {})", column("globalTid"),
                                  column("correlationId"), column("nameId"), table),
                      [&](const Row& row) {
                        profile::Span span{.level = Level::kLibrary};
                        if (!times(row, span)) return;
                        span.thread = number(row, 2);
                        span.correlation = static_cast<std::uint64_t>(row.integer(3));
                        span.name = string_of(row, 4);
                        out_.timeline.add(span);
                      });
  }

  /// Marks, which have no end, and what only names a domain are no ranges.
  Result<void> read_ranges() {
    if (!known(kNvtx)) return {};
    const auto column = [&](std::string_view name) { return file_.column(kNvtx, name); };
    return file_.rows(
        fmt::format(R"(SELECT start, "end", {}, {}, {} FROM {} WHERE "end" IS NOT NULL)",
                    column("globalTid"), column("text"), column("textId"), kNvtx),
        [&](const Row& row) {
          profile::Span span{.level = Level::kApplication};
          if (!times(row, span)) return;
          span.thread = number(row, 2);
          span.name = row.null(3) ? string_of(row, 4) : out_.timeline.intern(row.text(3));
          if (span.name != 0) out_.timeline.add(span);
        });
  }

  SqliteReader file_;
  const NameIndex* names_;
  Recorded out_;
  Oddities odd_;
  std::string absent_;
  std::unordered_map<std::int64_t, TextId> strings_;
};

}  // namespace

Result<Recorded> read_nsight(const Source& source) {
  return Reader(TRY(SqliteReader::open(std::string(source.path))), source.names).run();
}

}  // namespace ridge::imports
