// SPDX-License-Identifier: Apache-2.0
#include "export/profile/roofline_json.h"

#include "export/profile/describe_roofline.h"

namespace ridge::exports {

std::vector<TypedRoof> typed_roofs(const roofline::Roofs& roofs) {
  std::vector<TypedRoof> out;
  for (const machine::Roof& roof : roofs.compute)
    out.push_back({roof.dtype, roofs.flop_per_s(roof.dtype)});
  return out;
}

std::optional<double> roof_share(const RooflinePoint& p) {
  if (!p.compute_roof) return std::nullopt;
  return flop_rate(p) / *p.compute_roof;
}

void write_roofline_document(std::span<const profile::ModelPoint> points,
                             const std::map<std::int32_t, roofline::Roofs>& roofs,
                             std::span<const std::string> notes, const record::DocumentSink& sink) {
  RooflineDocument out{.points = {}, .roofs = {}, .notes = {notes.begin(), notes.end()}};
  for (const profile::ModelPoint& p : points)
    out.points.push_back({p, roofline::compute_roof(p, roofs.at(p.threads))});
  for (const auto& [threads, of_threads] : roofs) out.roofs.push_back(of_threads);
  sink.write(out);
}

}  // namespace ridge::exports
