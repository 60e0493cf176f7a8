// SPDX-License-Identifier: Apache-2.0
#include "export/formats/pprof_profile.h"

#include <array>
#include <protozero/pbf_writer.hpp>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "base/version.h"
#include "export/formats/gzip_sink.h"
#include "export/formats/stacks.h"
#include "export/profile/made_timeline.h"

namespace ridge::exports {
namespace {

using protozero::pbf_writer;

namespace field {
constexpr std::uint32_t kSampleType = 1, kSample = 2, kMapping = 3, kLocation = 4, kFunction = 5,
                        kString = 6, kDuration = 10, kComment = 13, kDefaultSampleType = 14;
constexpr std::uint32_t kType = 1, kUnit = 2;                       // ValueType
constexpr std::uint32_t kLocationIds = 1, kValues = 2, kLabel = 3;  // Sample
constexpr std::uint32_t kKey = 1, kText = 2, kNumber = 3;           // Label
constexpr std::uint32_t kId = 1, kMappingId = 2, kLine = 4;         // Location
constexpr std::uint32_t kFunctionId = 1;                            // Line
constexpr std::uint32_t kName = 2, kSystemName = 3, kFile = 4;      // Function
constexpr std::uint32_t kMappedFile = 5, kHasFunctions = 7;         // Mapping
}  // namespace field

constexpr std::uint64_t kOnlyMapping = 1;

class Message {
 public:
  explicit Message(const profile::Profile& p) : profile_(p) { text(""); }

  std::string build() {
    value_type("time", "nanoseconds");
    value_type("flops", "count");
    value_type("bytes", "bytes");
    for (const StackSample& s : stacks(profile_)) sample(s);
    {
      pbf_writer mapping(out_, field::kMapping);
      mapping.add_uint64(field::kId, kOnlyMapping);
      mapping.add_int64(field::kMappedFile, text(profile_.subject.path));
      mapping.add_bool(field::kHasFunctions, true);  // symbols are complete
    }
    write_functions();
    out_.add_int64(field::kDuration, whole_ns(profile_.latency.ns.value));
    comments();
    out_.add_int64(field::kDefaultSampleType, text("time"));
    for (const std::string& s : strings_) out_.add_string(field::kString, s);
    return std::move(bytes_);
  }

 private:
  std::int64_t text(std::string_view raw) {
    std::string valid = valid_utf8(raw);
    const auto [at, added] =
        string_ids_.try_emplace(valid, static_cast<std::int64_t>(strings_.size()));
    if (added) strings_.push_back(std::move(valid));
    return at->second;
  }

  void value_type(std::string_view type, std::string_view unit) {
    pbf_writer one(out_, field::kSampleType);
    one.add_int64(field::kType, text(type));
    one.add_int64(field::kUnit, text(unit));
  }

  /// Id of the location of a frame; there is one per function, as there are no line numbers.
  std::uint64_t location(std::string_view frame) {
    const std::int64_t name = text(frame);
    const auto [at, added] = location_ids_.try_emplace(name, functions_.size() + 1);
    if (added) functions_.push_back(name);
    return at->second;
  }

  void sample(const StackSample& s) {
    std::vector<std::uint64_t> ids;
    for (auto frame = s.frames.rbegin(); frame != s.frames.rend(); ++frame)
      ids.push_back(location(*frame));
    const std::array<std::int64_t, 3> values = {s.time_ns, s.flops.value_or(0),
                                                s.bytes.value_or(0)};
    pbf_writer one(out_, field::kSample);
    one.add_packed_uint64(field::kLocationIds, ids.begin(), ids.end());
    one.add_packed_int64(field::kValues, values.begin(), values.end());
    if (!s.flops) label(one, "unknown", "flops");
    if (!s.bytes) label(one, "unknown", "bytes");
    if (s.layer != nullptr) labels(one, *s.layer);
  }

  void labels(pbf_writer& sample, const profile::Layer& layer) {
    {
      pbf_writer one(sample, field::kLabel);
      one.add_int64(field::kKey, text("layer"));
      one.add_int64(field::kNumber, layer.index);
    }
    label(sample, "name", layer.name);
    label(sample, "implementation", layer.implementation);
    label(sample, "precision", layer.precision);
    label(sample, "bound", layer.bound.kind);
  }

  void label(pbf_writer& sample, std::string_view key, std::string_view value) {
    if (value.empty()) return;
    pbf_writer one(sample, field::kLabel);
    one.add_int64(field::kKey, text(key));
    one.add_int64(field::kText, text(value));
  }

  void write_functions() {
    const std::int64_t file = text(profile_.subject.path);
    for (std::uint64_t id = 1; id <= functions_.size(); ++id) {
      {
        pbf_writer place(out_, field::kLocation);
        place.add_uint64(field::kId, id);
        place.add_uint64(field::kMappingId, kOnlyMapping);
        pbf_writer line(place, field::kLine);
        line.add_uint64(field::kFunctionId, id);
      }
      pbf_writer function(out_, field::kFunction);
      function.add_uint64(field::kId, id);
      function.add_int64(field::kName, functions_[id - 1]);
      function.add_int64(field::kSystemName, functions_[id - 1]);
      function.add_int64(field::kFile, file);
    }
  }

  void comments() {
    const profile::Subject& s = profile_.subject;
    out_.add_int64(field::kComment, text("ridge " + std::string(version())));
    out_.add_int64(field::kComment, text(s.runtime + " " + s.runtime_version));
  }

  const profile::Profile& profile_;
  std::string bytes_;
  pbf_writer out_{bytes_};
  std::vector<std::string> strings_;
  std::unordered_map<std::string, std::int64_t> string_ids_;
  std::vector<std::int64_t> functions_;  ///< ids of names; function id = position + 1
  std::unordered_map<std::int64_t, std::uint64_t> location_ids_;
};

}  // namespace

std::string pprof_message(const profile::Profile& profile) { return Message(profile).build(); }

void write_pprof(const profile::Profile& profile, Sink& sink) {
  GzipSink zip(sink);
  zip.write(pprof_message(profile));
  zip.finish();
}

}  // namespace ridge::exports
