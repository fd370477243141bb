import assert from "node:assert/strict";
import { type ProxyRules, proxyFor } from "../../../server/src/node/connector.ts";

describe("the proxy for a host", () => {
  const cases: readonly (readonly [url: string, rules: Partial<ProxyRules>, want: string | undefined])[] = [
    ["https://a.example/", {}, undefined],
    ["https://a.example/", { proxy: "http://p:1" }, "http://p:1"],
    ["https://a.example/", { proxy: "p:1" }, "http://p:1"],
    ["https://a.example/", { proxy: "http://p:1", noProxy: ["a.example"] }, undefined],
    [
      "https://a.example/",
      { proxy: "http://p:1", environment: { https_proxy: "http://q:1", no_proxy: "*" } },
      "http://p:1",
    ],
    ["http://127.0.0.1:8545/", { proxy: "http://p:1" }, undefined],
    ["http://localhost/", { proxy: "http://p:1" }, undefined],
    ["http://[::1]:8545/", { proxy: "http://p:1" }, undefined],
    ["https://a.example/", { environment: { HTTPS_PROXY: "http://q:1" } }, "http://q:1"],
    ["https://a.example/", { environment: { https_proxy: "http://q:1", HTTPS_PROXY: "http://r:1" } }, "http://q:1"],
    ["https://a.example/", { environment: { http_proxy: "http://q:1" } }, undefined],
    ["https://a.example/", { environment: { ALL_PROXY: "http://q:1" } }, "http://q:1"],
    ["http://a.example/", { environment: { HTTP_PROXY: "http://q:1" } }, "http://q:1"],
    ["http://127.0.0.1:8545/", { environment: { HTTP_PROXY: "http://q:1" } }, undefined],
    ["http://127.0.0.1:8545/", { environment: { http_proxy: "http://q:1" } }, "http://q:1"],
    [
      "http://127.0.0.1:8545/",
      { environment: { http_proxy: "http://q:1", no_proxy: "localhost, 127.0.0.1" } },
      undefined,
    ],
    ["https://a.example/", { environment: { https_proxy: "http://q:1", NO_PROXY: ".example" } }, undefined],
    ["https://a.example/", { environment: { https_proxy: "http://q:1", NO_PROXY: "*.example" } }, undefined],
    ["https://ba.example/", { environment: { https_proxy: "http://q:1", NO_PROXY: "a.example" } }, "http://q:1"],
    ["https://a.example/", { environment: { https_proxy: "http://q:1", NO_PROXY: "a.example:443" } }, undefined],
    [
      "https://a.example:8443/",
      { environment: { https_proxy: "http://q:1", NO_PROXY: "a.example:443" } },
      "http://q:1",
    ],
    ["https://[2001:db8::1]/", { environment: { https_proxy: "http://q:1", NO_PROXY: "2001:db8::1" } }, undefined],
    ["https://[2001:db8::1]/", { environment: { https_proxy: "http://q:1", NO_PROXY: "[2001:db8::1]" } }, undefined],
  ];
  for (const [url, rules, want] of cases) {
    it(`${url} with ${JSON.stringify(rules)}`, () =>
      assert.equal(proxyFor(new URL(url), { environment: {}, ...rules }), want));
  }
});
