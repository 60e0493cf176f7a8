// SPDX-License-Identifier: Apache-2.0
#include "session/request_code.h"

#include <gtest/gtest.h>

#include <vector>

namespace ridge::session {
namespace {

using Values = std::vector<std::string>;

TEST(RequestCode, NoRequestSaysWhichCodeIsLoaded) {
  EXPECT_EQ(refuse_code("runtime", Values{"ort", "openvino,./own.so"}).error().text(),
            "error: no request decides 'runtime': it says which code is loaded\n"
            "  hint: leave it out, and state it on the command line\n  [RIDGE-WB-0395]\n");
  for (const char* field : {"runtime", "runtimes"})
    for (const char* value : {"/opt/own", "own.so", "ort,own.so", "../x"})
      EXPECT_EQ(refuse_code(field, Values{value}).error().code(), "RIDGE-WB-0395") << value;
  for (const char* field : {"runtime-library", "runtime_library"})
    for (const char* value : {"", "ort", "/opt/libort.so"})
      EXPECT_FALSE(refuse_code(field, Values{value}).ok()) << field << value;
}

TEST(RequestCode, NamesOfRuntimesAndOtherFieldsAreFine) {
  EXPECT_TRUE(refuse_code("runtime", Values{"ort,openvino", "null"}).ok());
  EXPECT_TRUE(refuse_code("model", Values{"/models/net.so"}).ok());
  EXPECT_TRUE(refuse_code("runtime", Values{}).ok());
}

TEST(RequestCode, OptionsThatNameFilesAreRefusedInBothSpellings) {
  for (const char* field : {"runtime-option", "runtime_option"}) {
    EXPECT_EQ(refuse_code(field, Values{"NUM_STREAMS=1", "CACHE_DIR=/tmp"}).error().code(),
              "RIDGE-RT-0090");
    EXPECT_TRUE(refuse_code(field, Values{"NUM_STREAMS=1", "ridge.wait=spin"}).ok());
  }
}

}  // namespace
}  // namespace ridge::session
