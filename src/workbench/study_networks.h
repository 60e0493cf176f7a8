// The networks of a study: a model at each of its sizes, a topology, or products.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "accelerator/lowering.h"
#include "accelerator/study.h"
#include "base/result.h"
#include "workbench/environment.h"
#include "workbench/study_spec.h"

namespace ridge::workbench {

using SharedNetwork = std::shared_ptr<const accelerator::StudyNetwork>;

/// One network per combination of sizes; a model is read once. Warnings are reported once each.
Result<std::vector<SharedNetwork>> study_networks(const StudySpec& spec, accelerator::Layers layers,
                                                  const Environment& environment);

/// A short name of the network: the file, the zoo's name, the product, or "3 products".
std::string study_subject(const StudySpec& spec);

}  // namespace ridge::workbench
