#include "machine/ceilings_json.h"

#include <nlohmann/json.hpp>

namespace ridge::machine {
namespace {

using nlohmann::json;

std::string text(const json& row, const char* key) {
  const auto at = row.find(key);
  return at != row.end() && at->is_string() ? at->get<std::string>() : "";
}

std::optional<double> number(const json& row, const char* key) {
  const auto at = row.find(key);
  return at != row.end() && at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

std::int64_t integer(const json& row, const char* key) {
  const auto at = row.find(key);
  const bool fits = at != row.end() && at->is_number_integer() &&
                    (!at->is_number_unsigned() || at->get<std::uint64_t>() <= INT64_MAX);
  return fits ? at->get<std::int64_t>() : 0;
}

std::optional<stats::Interval> interval(const json& row, const char* key) {
  const auto at = row.find(key);
  if (at == row.end() || !at->is_array() || at->size() != 2) return std::nullopt;
  if (!(*at)[0].is_number() || !(*at)[1].is_number()) return std::nullopt;
  return stats::Interval{(*at)[0].get<double>(), (*at)[1].get<double>()};
}

std::optional<Ceiling> ceiling_from(const json& row) {
  if (!row.is_object()) return std::nullopt;
  const auto value = number(row, "value");
  const auto ci = interval(row, "ci95");
  Ceiling c;
  c.kind = text(row, "kind");
  c.unit = text(row, "unit");
  c.threads = static_cast<int>(integer(row, "threads"));
  if (!value || *value <= 0 || !ci || c.kind.empty() || c.unit.empty() || c.threads < 1) {
    return std::nullopt;
  }
  c.value = *value;
  c.ci = *ci;
  c.dtype = text(row, "dtype");
  c.level = text(row, "level");
  c.theory = number(row, "theory");
  c.share = number(row, "share");
  c.theory_reason = text(row, "theory_reason");
  c.clock_hz = number(row, "clock_hz");
  c.kernel = text(row, "kernel");
  c.instruction = text(row, "instruction");
  c.bursts = static_cast<int>(integer(row, "bursts"));
  c.slowest = number(row, "slowest_burst").value_or(0);
  c.median = number(row, "median_burst").value_or(0);
  c.working_set = integer(row, "working_set_bytes");
  c.reach = integer(row, "reach_bytes");
  return c;
}

}  // namespace

void write_ceilings(JsonWriter& out, const std::vector<Ceiling>& rows) {
  out.begin_array();
  for (const Ceiling& c : rows) {
    out.line().begin_object().key("kind").value(c.kind).key("dtype").value(c.dtype);
    out.key("level").value_or_null(c.level);
    out.key("threads").value(c.threads).key("value").value(c.value).key("unit").value(c.unit);
    out.key("ci95").begin_array().value(c.ci.lo).value(c.ci.hi).end_array();
    out.key("theory").value(c.theory);
    out.key("share").value(c.share);
    out.key("theory_reason").value_or_null(c.theory_reason);
    out.key("clock_hz").value(c.clock_hz);
    out.key("kernel").value(c.kernel).key("instruction").value(c.instruction);
    out.key("bursts").value(c.bursts).key("slowest_burst").value(c.slowest);
    out.key("median_burst").value(c.median).key("working_set_bytes");
    c.working_set > 0 ? out.value(c.working_set) : out.null();
    out.key("reach_bytes");
    c.reach > 0 ? out.value(c.reach) : out.null();
    out.key("warning").value_or_null(warning(c));
    out.end_object();
  }
  out.line().end_array();
}

std::vector<Ceiling> ceilings_from(const json& array) {
  std::vector<Ceiling> out;
  if (!array.is_array()) return out;
  for (const json& row : array) {
    if (auto c = ceiling_from(row)) out.push_back(std::move(*c));
  }
  return out;
}

}  // namespace ridge::machine
