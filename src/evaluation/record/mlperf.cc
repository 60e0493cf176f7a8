#include "evaluation/record/mlperf.h"

#include <fmt/format.h>

#include "base/numeral.h"
#include "base/text.h"

namespace ridge::evaluation {
namespace {

std::string figure_text(const AuditVerdict& v, double figure) {
  if (v.in_ns) return duration(figure);
  return significant(figure, 4) + " samples/s";
}

void write_audit(JsonWriter& json, const std::optional<AuditVerdict>& audit) {
  json.key("audit");
  if (!audit) {
    json.null();
    return;
  }
  json.begin_object().key("name").value(name(audit->audit)).key("passed").value(audit->passed);
  json.key("outputs_compared").value(static_cast<std::int64_t>(audit->outputs.compared));
  json.key("outputs_different").value(static_cast<std::int64_t>(audit->outputs.different));
  json.key("unit").value(audit->in_ns ? "ns" : "samples/s");
  json.key("first").value(audit->first).key("second").value(audit->second);
  json.key("tolerance").value(audit->tolerance).key("reasons").begin_array();
  for (const std::string& reason : audit->reasons) json.value(reason);
  json.end_array().end_object();
}

}  // namespace

std::vector<std::string> reasons_of(const scenario::LoadgenResult& result,
                                    const scenario::LoadgenTest& test) {
  std::vector<std::string> out;
  if (result.valid) return out;
  const auto need = [&](bool met, const char* what) {
    if (!met) out.push_back(fmt::format("LoadGen's rules: {} is not met", what));
  };
  need(result.bound_met, "the bound on the latency");
  need(result.duration_met, "the least duration");
  need(result.queries_met, "the least number of queries");
  need(result.early_stopping_met, "early stopping");
  if (test.errors > 0) out.push_back("LoadGen's rules: " + test.end_reason);
  return out;
}

std::string_view name(Audit audit) {
  switch (audit) {
    case Audit::kNone:
      return "none";
    case Audit::kTest01:
      return "test01";
    case Audit::kTest04:
      return "test04";
  }
  return "";
}

std::optional<Audit> audit_named(std::string_view name) {
  for (const Audit audit : {Audit::kNone, Audit::kTest01, Audit::kTest04})
    if (name == evaluation::name(audit)) return audit;
  return std::nullopt;
}

std::vector<std::string> AuditVerdict::sentences() const {
  std::vector<std::string> out;
  const char* of = audit == Audit::kTest01 ? "TEST01" : "TEST04";
  out.push_back(fmt::format("{}: {}", of, passed ? "pass" : "FAIL"));
  if (audit == Audit::kTest01)
    out.push_back(fmt::format("{} under load, {} of them other than in accuracy mode",
                              counted(static_cast<std::int64_t>(outputs.compared), "output"),
                              outputs.different));
  out.push_back(fmt::format("{} with the audit, {} without; allowed: {:g} %",
                            figure_text(*this, second), figure_text(*this, first),
                            100 * tolerance));
  out.insert(out.end(), reasons.begin(), reasons.end());
  return out;
}

std::vector<std::string> MlperfFigures::sentences() const {
  std::vector<std::string> out;
  if (load)
    out.push_back(fmt::format("by LoadGen's rules {} (not an MLPerf result); logs in {}",
                              valid ? "VALID" : "INVALID", folder));
  else
    out.push_back(
        fmt::format("outputs by LoadGen's rules (not an MLPerf result); logs in {}", folder));
  if (audit) {
    const std::vector<std::string> of_audit = audit->sentences();
    out.insert(out.end(), of_audit.begin(), of_audit.end());
  }
  out.insert(out.end(), notes.begin(), notes.end());
  return out;
}

void write_mlperf(JsonWriter& json, const std::optional<MlperfFigures>& figures) {
  json.line().key("mlperf");
  if (!figures) {
    json.null();
    return;
  }
  json.begin_object().key("folder").value(figures->folder).key("valid");
  if (figures->load)
    json.value(figures->valid);
  else
    json.null();
  json.key("reasons").begin_array();
  for (const std::string& reason : figures->reasons) json.value(reason);
  json.end_array();
  write_audit(json, figures->audit);
  json.key("notes").begin_array();
  for (const std::string& note : figures->notes) json.value(note);
  json.end_array().end_object();
}

}  // namespace ridge::evaluation
