// SPDX-License-Identifier: Apache-2.0
// The daemon of ridge share as a user has it: started, asked, ended.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "golden.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

/// A folder whose path is short enough for a socket, and a daemon that is ended in any case.
constexpr const char* kDaemon = R"(
export XDG_RUNTIME_DIR=$(mktemp -d /tmp/rXXXXXX)
end() { ridge share stop > /dev/null 2>&1 || true; rm -rf $XDG_RUNTIME_DIR; }
trap end EXIT
head -c 4096 /dev/zero > model
)";

Outcome with_daemon(const Workplace& place, const std::string& script) {
  return place.run(std::string(kDaemon) + script);
}

TEST(Share, ADaemonIsStartedInTheBackgroundPinsAndEnds) {
  const Workplace place;
  const Outcome o = with_daemon(place,
                                "ridge share serve --detach --idle-exit 1m\n"
                                "ridge share pin model\n"
                                "ridge share list | sed 's/process [0-9]*/process N/'"
                                " | grep -v -e model -e ---\n"
                                "ridge share evict model || echo status $?\n"
                                "ridge share unpin model; ridge share evict model\n"
                                "ridge share flush; ridge share stop\n"
                                "ridge share list 2> /dev/null || echo none $?\n"
                                "ls $XDG_RUNTIME_DIR/ridge");
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(has(o.out, "model: pinned\nridge ")) << o.out;
  EXPECT_TRUE(has(o.out,
                  ", process N, 1 client\nmemory: 4 KiB of 4096 MiB (gdsf)\n"
                  "templates: 0 KiB of 2048 MiB (gdsf)\n"))
      << o.out;
  EXPECT_TRUE(
      o.out.ends_with("status 3\nmodel: unpinned\nmodel: evicted\n0 models freed, 0 kept\n"
                      "none 4\nshare.lock\n"))
      << o.out;
  EXPECT_TRUE(has(o.err, "model: the model is pinned\n")) << o.err;
}

TEST(Share, APinStartsADaemonAndSeveralStartOne) {
  const Workplace place;
  const Outcome o = with_daemon(place,
                                "for i in 1 2 3 4 5 6; do ridge share pin model & done; wait\n"
                                "ridge share list --format json");
  EXPECT_EQ(o.status, 0) << o.err;
  const std::size_t document = o.out.find('{');
  ASSERT_NE(document, std::string::npos) << o.out << o.err;
  const std::string text = o.out.substr(document);
  const auto list = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  ASSERT_FALSE(list.is_discarded()) << text;
  ASSERT_EQ(list["objects"].size(), 1U) << text << o.err;
  EXPECT_EQ(list["objects"][0]["pinned"], true);
  EXPECT_EQ(golden_findings("ridge.share_list.1.json", text, Figures::kMeasured),
            std::vector<std::string>());
}

TEST(Share, ASignalEndsTheDaemonCleanlyAndAKilledOneIsReplaced) {
  const Workplace place;
  const Outcome o = with_daemon(
      place,
      "set +e\n"
      "serve() { ridge share serve > log & daemon=$!; "
      "for i in $(seq 400); do ridge share list > /dev/null 2>&1 && break; sleep 0.02; done; }\n"
      "serve; kill -9 $daemon; wait $daemon; ls $XDG_RUNTIME_DIR/ridge\n"
      "serve; ridge share serve; echo second $?\n"
      "kill -TERM $daemon; wait $daemon; echo ended $?; ls $XDG_RUNTIME_DIR/ridge");
  EXPECT_EQ(o.out, "share.lock\nshare.socket\nsecond 4\nended 0\nshare.lock\n") << o.err;
  EXPECT_TRUE(has(o.err, ": another daemon serves here\n  it is process ")) << o.err;
}

TEST(Share, WhatADaemonPrintsIsTheReasonWhereItDoesNotStart) {
  const Workplace place;
  const Outcome o = with_daemon(place,
                                "mkdir -m 755 $XDG_RUNTIME_DIR/ridge\n"
                                "ridge share pin model");
  EXPECT_EQ(o.status, 4);
  EXPECT_TRUE(has(o.err, "the folder of the socket is not private")) << o.err;
}

}  // namespace
}  // namespace ridge::tests
