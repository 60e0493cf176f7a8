// SPDX-License-Identifier: Apache-2.0
#include "generation/document.h"

#include <fmt/format.h>

#include "generation/describe.h"
#include "record/json_read.h"

namespace ridge::generation {

Result<TokenGeneration> read_generation(std::string_view document) {
  record::Reading reading;
  reading.limits.bytes = kLargestGeneration;
  return record::read_json<TokenGeneration>(document, reading);
}

void write_generation(const TokenGeneration& g, const record::DocumentSink& out) { out.write(g); }

void write_steps(const TokenGeneration& g, Sink& sink) {
  sink.write("runtime,request,step,kind,cache,id,scheduled_ns,start_ns,run_ns,done_ns\n");
  for (const GeneratedPoint& p : g.points)
    for (const scenario::RequestRecord& request : p.generated.requests)
      for (std::size_t i = 0; i < request.steps.size(); ++i) {
        const scenario::StepRecord& s = request.steps[i];
        const std::int64_t begun = p.generated.begun_ns;
        sink.write(fmt::format("{},{},{},{},{},{},{},{},{},{}\n", p.runtime_name, request.request,
                               i, word(s.kind), std::uint32_t{s.cache}, s.id,
                               request.scheduled_ns - begun, s.start_ns - begun, s.run_ns,
                               s.done_ns - begun));
      }
}

}  // namespace ridge::generation
