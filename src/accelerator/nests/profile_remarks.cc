// SPDX-License-Identifier: Apache-2.0
#include "accelerator/nests/profile_remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace ridge::accelerator {
namespace {

using Role = BufferProfile::Role;

bool allocated(const BufferProfile& b) {
  return b.role == Role::kOutput || b.role == Role::kIntermediate;
}
bool parameter(const BufferProfile& b) { return b.role == Role::kParameter; }

std::string text_of(const BufferProfile& b) {
  return fmt::format("{} [{}] {} B", printable(b.name), fmt::join(b.shape, ", "), b.bytes);
}

/// Buffers of `from` without a counterpart of the same number of bytes in `other`. Names and shapes
/// are not compared: a bias may have more axes, a name may be generated.
std::vector<const BufferProfile*> without_counterpart(const LayerProfile& from,
                                                      const LayerProfile& other,
                                                      bool (*kind)(const BufferProfile&)) {
  std::vector<std::int64_t> bytes;
  for (const BufferProfile& b : other.buffers)
    if (kind(b)) bytes.push_back(b.bytes);
  std::vector<const BufferProfile*> left;
  // Buffers are sorted by role: outputs are matched before intermediates.
  for (const BufferProfile& b : from.buffers) {
    if (!kind(b)) continue;
    const auto found = std::find(bytes.begin(), bytes.end(), b.bytes);
    if (found == bytes.end())
      left.push_back(&b);
    else
      bytes.erase(found);
  }
  return left;
}

void add_remark(std::string& remark, std::string_view begin,
                const std::vector<const BufferProfile*>& buffers) {
  if (buffers.empty()) return;
  if (!remark.empty()) remark += "; ";
  remark += begin;
  for (std::size_t i = 0; i < buffers.size(); ++i)
    remark += (i == 0 ? " " : ", ") + text_of(*buffers[i]);
}

std::string remark_on(const LayerProfile& told, const LayerProfile& expected) {
  std::string out;
  if (told.macs != expected.macs)
    out = fmt::format("{} multiply-accumulates in place of {}", told.macs, expected.macs);
  if (told.hooked_macs && *told.hooked_macs != told.macs)
    out += fmt::format("{}the hooks counted {} multiply-accumulates", out.empty() ? "" : "; ",
                       *told.hooked_macs);
  if (told.squares != 0)
    out += fmt::format("{}{} sums of squares beside them", out.empty() ? "" : "; ", told.squares);
  add_remark(out, "also reads", without_counterpart(told, expected, parameter));
  add_remark(out, "does not read", without_counterpart(expected, told, parameter));
  add_remark(out, "also allocates", without_counterpart(told, expected, allocated));
  add_remark(out, "does not allocate", without_counterpart(expected, told, allocated));
  return out;
}

}  // namespace

void explain_differences(Profiles& told, const Profiles& closed_form) {
  for (LayerProfile& layer : told.layers) {
    const LayerProfile* expected = closed_form.find(layer.node);
    if (expected == nullptr || !expected->reason.empty() || !layer.reason.empty()) continue;
    layer.remark = remark_on(layer, *expected);
  }
}

}  // namespace ridge::accelerator
