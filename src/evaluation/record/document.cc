// SPDX-License-Identifier: Apache-2.0
#include "evaluation/record/document.h"

#include <fmt/format.h>

#include "evaluation/record/describe.h"
#include "record/json_read.h"

namespace ridge::evaluation {

void write_evaluation(const Evaluation& e, const record::DocumentSink& out) { out.write(e); }

Result<Evaluation> read_evaluation(std::string_view document) {
  record::Reading reading;
  reading.limits.bytes = kLargestEvaluation;
  return record::read_json<Evaluation>(document, reading);
}

void write_queries(const Evaluation& e, Sink& sink) {
  sink.write("runtime,scheduled_ns,issued_ns,done_ns,late_ns,sample,failed,warmup\n");
  for (const EvaluatedPoint& p : e.points)
    for (const scenario::Query& q : p.load.queries)
      sink.write(fmt::format("{},{},{},{},{},{},{},{}\n", p.runtime_name,
                             q.scheduled_ns - p.load.begun_ns, q.issued_ns - p.load.begun_ns,
                             q.done_ns - p.load.begun_ns, q.late_ns, std::uint32_t{q.sample},
                             std::uint32_t{q.failed}, std::uint32_t{q.warmup}));
}

}  // namespace ridge::evaluation
