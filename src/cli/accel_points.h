// The points of ridge accel: machines x sizes x pads, each a network and what it costs there.
//
//   const exports::AcceleratorView view = TRY(accel_points(options, console));
//
// At most 4,096 points; a network is lowered once per size, whatever machines and pads it is asked
// with. Errors: those of networks, machines and pads; a tile that does not fit (input class).
#pragma once

#include "base/result.h"
#include "cli/accel_options.h"
#include "cli/console.h"
#include "export/accelerator_view.h"

namespace ridge::cli {

Result<exports::AcceleratorView> accel_points(const AccelOptions& options, Console& console);

}  // namespace ridge::cli
