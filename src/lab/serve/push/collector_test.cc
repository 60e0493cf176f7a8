// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/push/collector.h"

#include <gtest/gtest.h>

namespace ridge::lab::serve {
namespace {

/// The address as it is understood, or the code and the evidence of its refusal.
std::string parsed_url(std::string_view url) {
  const Result<Collector> out = parse_collector(url);
  return out.ok() ? out->text() : out.error().code() + " " + out.error().evidence();
}

TEST(CollectorAddress, HasAHostAPortAndAPath) {
  EXPECT_EQ(parsed_url("http://127.0.0.1:4318/v1/traces"), "http://127.0.0.1:4318/v1/traces");
  EXPECT_EQ(parsed_url("http://lab-7.example:80"), "http://lab-7.example:80/v1/traces");
  EXPECT_EQ(parsed_url("http://localhost:65535/"), "http://localhost:65535/v1/traces");
  EXPECT_EQ(parsed_url("http://[::1]:4318/otlp?tenant=a"), "http://[::1]:4318/otlp?tenant=a");
  const Result<Collector> v6 = parse_collector("http://[fe80::1]:1");
  ASSERT_TRUE(v6.ok());
  EXPECT_EQ(v6->host, "fe80::1");
  EXPECT_EQ(v6->port, 1);
}

TEST(CollectorAddress, IsRefusedWithAReason) {
  const std::string host =
      "RIDGE-SERVE-0040 a name, or an address of IPv4 or, in brackets, of IPv6 is expected";
  const std::string port = "RIDGE-SERVE-0040 a port from 1 to 65535 is expected";
  EXPECT_EQ(parsed_url(""), "RIDGE-SERVE-0040 it does not begin with http://");
  EXPECT_EQ(parsed_url("127.0.0.1:4318"), "RIDGE-SERVE-0040 it does not begin with http://");
  EXPECT_EQ(parsed_url("grpc://lab:4317"), "RIDGE-SERVE-0040 it does not begin with http://");
  EXPECT_EQ(parsed_url("http://lab"), "RIDGE-SERVE-0040 it has no port");
  EXPECT_EQ(parsed_url("http://[::1]"), "RIDGE-SERVE-0040 it has no port");
  EXPECT_EQ(parsed_url("http://lab:1/#a"), "RIDGE-SERVE-0040 it has a fragment");
  EXPECT_EQ(parsed_url("http://lab:1?a"), "RIDGE-SERVE-0040 a query without a path");
  for (const char* url : {"http://lab:", "http://lab:0", "http://lab:65536", "http://lab:-1",
                          "http://lab:+1", "http://lab:1a", "http://lab:99999999999999999999"})
    EXPECT_EQ(parsed_url(url), port) << url;
  for (const char* url :
       {"http://:1", "http://::1:1", "http://[::1:1", "http://[lab]:1", "http://[fe80::1%25eth0]:1",
        "http://-lab:1", "http://la%62:1", "http://la\\b:1", "http://[]:1"})
    EXPECT_EQ(parsed_url(url), host) << url;
}

TEST(CollectorAddress, BreaksNoLineOfARequest) {
  for (const std::string& url :
       {std::string("http://lab:1/a\r\nX: y"), std::string("http://lab:1/a b"),
        std::string("http://lab:1/\xc3\xbc"), std::string("http://lab:1/\0a", 15),
        "http://lab:1/" + std::string(2048, 'a')})
    EXPECT_EQ(parsed_url(url),
              "RIDGE-SERVE-0040 at most 2048 visible characters of ASCII are expected");
}

TEST(CollectorAddress, WithTlsNamesTheNextStep) {
  const Result<Collector> out = parse_collector("https://lab:4318");
  ASSERT_FALSE(out.ok());
  EXPECT_EQ(out.error().code(), "RIDGE-SERVE-0041");
  EXPECT_EQ(out.error().hint(),
            "run a collector on this machine, http://127.0.0.1:4318, which sends them on by TLS");
}

TEST(CollectorAddress, NeverRepeatsAPassword) {
  for (const char* url : {"http://me:secret@lab:4318", "https://me:secret@lab:4318",
                          "http://secret@lab", "me:secret@lab:1", "x://:secret@"}) {
    const Result<Collector> out = parse_collector(url);
    ASSERT_FALSE(out.ok());
    EXPECT_EQ(out.error().code(), "RIDGE-SERVE-0042") << url;
    EXPECT_EQ(out.error().text().find("secret"), std::string::npos) << url;
  }
}

}  // namespace
}  // namespace ridge::lab::serve
