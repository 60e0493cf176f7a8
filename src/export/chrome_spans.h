// Recorded spans as Chrome trace events: a process per device, a thread per lane of
// export/lanes.h, counters, and a flow from each launch to the kernel of its correlation.
//
// Times are relative, microseconds with three decimals, as numbers (pytorch/kineto writes the same;
// absolute or textual times break viewers). Private to src/export: chrome_trace.h is the way in.
#pragma once

#include <cstdint>
#include <string>

#include "base/json_writer.h"
#include "profile/timeline.h"

namespace ridge::exports {

/// The elements of "traceEvents".
void write_chrome_spans(const profile::Timeline& timeline, JsonWriter& json);

/// 1234567 -> "1234.567"
std::string microseconds(std::uint64_t ns);
/// {"name":"thread_name" or "process_name","ph":"M",...}
void name_chrome_track(JsonWriter& json, std::string_view what, std::int64_t pid, std::int64_t tid,
                       std::string_view name);

}  // namespace ridge::exports
