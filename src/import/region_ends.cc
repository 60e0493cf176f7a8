// SPDX-License-Identifier: Apache-2.0
#include "import/region_ends.h"

#include "import/trtexec_names.h"

namespace ridge::imports {

RegionEnd region_end(std::string_view text, const NameIndex& names, Naming naming) {
  std::vector<std::string> parts;
  std::vector<RecordedRegion> regions;
  RegionEnd out;
  if (const Found whole = names.find(text, naming)) {
    out.nodes.push_back(whole);
    return out;
  }
  split_name(text, parts, regions);
  for (const std::string& part : parts) {
    if (const Found found = names.find(part, naming))
      out.nodes.push_back(found);
    else
      for (const graph::NodeId reader : names.readers_of_weight(part))
        out.readers.push_back(reader);
  }
  if (out.named()) out.readers.clear();
  return out;
}

}  // namespace ridge::imports
