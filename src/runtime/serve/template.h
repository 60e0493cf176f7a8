// SPDX-License-Identifier: Apache-2.0
// Process that hosts a runtime with a model loaded, and copies itself by fork for each user of it
// (runtime/template.h): serves calls over a socket until it is closed.
//
// The program calls template_main first thing in main if its first argument is kTemplateArgument:
//
//   if (argc > 1 && argv[1] == kTemplateArgument) return template_main();
//
// Descriptors 3 and 4 are as in child/child.h: the end of the control socket (ridge has died) ends
// the process, by a signal, since it has no thread that could listen.
#pragma once

#include "runtime/protocol.h"

namespace ridge::runtime {

/// Returns the exit status for main.
int template_main();

}  // namespace ridge::runtime
