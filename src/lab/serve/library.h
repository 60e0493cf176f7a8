// SPDX-License-Identifier: Apache-2.0
// GNU libmicrohttpd, which speaks HTTP, opened when a server is started: ridge starts and measures
// where it is absent. Thread rule: any thread.
#pragma once

#include <microhttpd.h>

#include "base/result.h"

namespace ridge::lab::serve {

/// Its functions, by their names without the prefix MHD_.
struct Library {
  decltype(&MHD_add_response_header) add_response_header;
  decltype(&MHD_create_response_from_buffer) create_response_from_buffer;
  decltype(&MHD_create_response_from_callback) create_response_from_callback;
  decltype(&MHD_destroy_response) destroy_response;
  decltype(&MHD_get_connection_values) get_connection_values;
  decltype(&MHD_queue_response) queue_response;
  decltype(&MHD_resume_connection) resume_connection;
  decltype(&MHD_set_connection_option) set_connection_option;
  decltype(&MHD_start_daemon) start_daemon;
  decltype(&MHD_stop_daemon) stop_daemon;
  decltype(&MHD_suspend_connection) suspend_connection;
};

/// Stays open until the process ends. Error: it is not installed, or not usable.
Result<const Library*> library();

}  // namespace ridge::lab::serve
