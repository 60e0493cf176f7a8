// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/gate.h"

#include <gtest/gtest.h>

namespace ridge::lab::serve {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

class GateOfServer : public testing::Test {
 protected:
  /// Status and code of a refusal; "passes".
  std::string asked(std::string method, std::string target, Headers headers) {
    request_ = {.method = std::move(method),
                .raw_target = std::move(target),
                .headers = std::move(headers)};
    const auto refusal = gate_.refusal(request_);
    if (!refusal) return "passes";
    return std::to_string(refusal->status) + " " + refusal->error.code();
  }

  Gate gate_{"secret",
             {.hosts = {"127.0.0.1:80", "lab:80"}, .cookie = "ridge-80", .token = "token"}};
  Request request_;
};

const std::pair<std::string, std::string> kHost{"Host", "127.0.0.1:80"},
    kCookie{"Cookie", "ridge-80=secret"};

TEST_F(GateOfServer, LetsKnownBrowsersAndProgramsPass) {
  EXPECT_EQ(asked("GET", "/", {kHost, kCookie}), "passes");
  EXPECT_EQ(asked("GET", "/", {{"host", "lab:80"}, {"authorization", "Bearer token"}}), "passes");
  EXPECT_EQ(request_.target.path(), "/");
}

TEST_F(GateOfServer, RefusesOtherHostsFirst) {
  EXPECT_EQ(asked("GET", "/", {kCookie}), "421 RIDGE-SERVE-0013");
  EXPECT_EQ(asked("GET", "/", {{"Host", "evil.example:80"}, kCookie}), "421 RIDGE-SERVE-0013");
  EXPECT_EQ(asked("GET", "/", {{"Host", "127.0.0.1"}, kCookie}), "421 RIDGE-SERVE-0013");
  EXPECT_EQ(asked("GET", "/", {kHost, kHost, kCookie}), "421 RIDGE-SERVE-0013");
  EXPECT_EQ(asked("GET", "/..", {{"Host", "evil"}}), "421 RIDGE-SERVE-0013");
}

TEST_F(GateOfServer, RefusesMethodsAndPaths) {
  EXPECT_EQ(asked("TRACE", "/", {kHost, kCookie}), "405 RIDGE-SERVE-0021");
  EXPECT_EQ(asked("get", "/", {kHost, kCookie}), "405 RIDGE-SERVE-0021");
  EXPECT_EQ(asked("GET", "/..", {kHost, kCookie}), "400 RIDGE-SERVE-0010");
}

TEST_F(GateOfServer, RefusesPagesOfOtherSites) {
  EXPECT_EQ(asked("GET", "/", {kHost, kCookie, {"Origin", "http://evil.example"}}),
            "403 RIDGE-SERVE-0014");
  EXPECT_EQ(asked("GET", "/", {kHost, kCookie, {"Origin", "null"}}), "403 RIDGE-SERVE-0014");
  EXPECT_EQ(asked("GET", "/", {kHost, kCookie, {"Origin", "http://lab:80"}}),
            "403 RIDGE-SERVE-0014");
  EXPECT_EQ(asked("POST", "/",
                  {kHost, kCookie, {"Sec-Fetch-Site", "cross-site"}, {"X-Ridge-Request", "1"}}),
            "403 RIDGE-SERVE-0014");
  EXPECT_EQ(asked("GET", "/", {kHost, kCookie, {"Origin", "http://127.0.0.1:80"}}), "passes");
}

TEST_F(GateOfServer, RefusesWhoIsNotKnown) {
  EXPECT_EQ(asked("GET", "/", {kHost}), "401 RIDGE-SERVE-0015");
  EXPECT_EQ(asked("GET", "/", {kHost, {"Cookie", "ridge-80=secre"}}), "401 RIDGE-SERVE-0015");
  EXPECT_EQ(asked("GET", "/", {kHost, {"Cookie", "ridge-81=secret"}}), "401 RIDGE-SERVE-0015");
  EXPECT_EQ(asked("GET", "/", {kHost, {"Authorization", "Bearer secret"}}), "401 RIDGE-SERVE-0015");
}

TEST_F(GateOfServer, GivesItsStyleSheetToPagesOfRefusals) {
  EXPECT_EQ(asked("GET", "/style.css", {kHost}), "passes");
  EXPECT_EQ(asked("POST", "/style.css", {kHost}), "401 RIDGE-SERVE-0015");
  EXPECT_EQ(asked("GET", "/style.css/x", {kHost}), "401 RIDGE-SERVE-0015");
  EXPECT_EQ(asked("GET", "/style.css", {{"Host", "evil"}}), "421 RIDGE-SERVE-0013");
}

TEST_F(GateOfServer, WithoutATokenTakesNone) {
  const Gate gate("secret", {.hosts = {"127.0.0.1:80"}, .cookie = "ridge-80", .token = ""});
  Request request{
      .method = "GET", .raw_target = "/", .headers = {kHost, {"Authorization", "Bearer "}}};
  EXPECT_TRUE(gate.refusal(request).has_value());
}

TEST_F(GateOfServer, AsksWritersForAHeaderThatFormsCannotSend) {
  EXPECT_EQ(asked("POST", "/", {kHost, kCookie}), "403 RIDGE-SERVE-0016");
  EXPECT_EQ(asked("DELETE", "/", {kHost, kCookie}), "403 RIDGE-SERVE-0016");
  EXPECT_EQ(asked("POST", "/", {kHost, kCookie, {"X-Ridge-Request", "1"}}), "passes");
}

TEST_F(GateOfServer, LogsInOnceByAKey) {
  const std::string key = gate_.next_key().value();
  EXPECT_EQ(key.size(), 64U);
  EXPECT_EQ(asked("GET", "/login?key=" + key, {kHost}), "passes");
  EXPECT_TRUE(Gate::is_login(request_));
  const auto answer = gate_.login(request_);
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->status, 303U);
  EXPECT_EQ(answer->headers[0].second, "/");
  EXPECT_EQ(answer->headers[1].second, "ridge-80=secret; Path=/; HttpOnly; SameSite=Strict");
  EXPECT_EQ(gate_.login(request_).error().code(), "RIDGE-SERVE-0017");
}

TEST_F(GateOfServer, LeadsFromTheLoginToItsOwnPagesAlone) {
  const std::pair<const char*, const char*> kCases[] = {{"/runs/1?a=b", "/runs/1?a=b"},
                                                        {"//evil.example/", "/"},
                                                        {"http://evil.example/", "/"},
                                                        {"/\\evil.example", "/"},
                                                        {"/..", "/"},
                                                        {"", "/"}};
  for (const auto& [to, place] : kCases) {
    const std::string key = gate_.next_key().value();
    Request request{.method = "GET",
                    .target = {.segments = {"login"}, .query = {{"key", key}, {"to", to}}}};
    EXPECT_EQ(gate_.login(request)->headers[0].second, place) << to;
  }
}

TEST_F(GateOfServer, LogsNobodyInByAnotherKey) {
  EXPECT_EQ(asked("GET", "/login?key=", {kHost}), "passes");
  EXPECT_FALSE(gate_.login(request_).ok());  // before the first key
  ASSERT_TRUE(gate_.next_key().ok());
  EXPECT_FALSE(gate_.login(request_).ok());
  EXPECT_EQ(asked("GET", "/login", {kHost}), "passes");
  EXPECT_FALSE(gate_.login(request_).ok());
}

}  // namespace
}  // namespace ridge::lab::serve
