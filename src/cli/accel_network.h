// The networks that ridge accel is asked about: a model at each of its sizes, a topology, products.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "accelerator/lowering.h"
#include "base/result.h"
#include "cli/accel_options.h"
#include "cli/console.h"
#include "export/accelerator_view.h"

namespace ridge::cli {

using SharedNetwork = std::shared_ptr<const exports::AcceleratorNetwork>;

/// One per combination of sizes; a model is read once. Warnings go to `console`, each once.
Result<std::vector<SharedNetwork>> accel_networks(const AccelOptions& options,
                                                  accelerator::Layers layers, Console& console);

/// What was asked about, in a word.
std::string accel_subject(const AccelOptions& options);

}  // namespace ridge::cli
