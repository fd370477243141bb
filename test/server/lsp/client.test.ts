import assert from "node:assert/strict";
import { optionsOf, settingsOf } from "../../../server/src/lsp/client.ts";
import type { InitializationOptions, Settings } from "../../../server/src/protocol/settings.ts";

/** Every member there is: a new one that is not read fails to compile here, or fails the test. */
const settings: Required<{ [Key in keyof Settings]: Required<NonNullable<Settings[Key]>> }> = {
  rpcNotebook: {
    endpoint: "a",
    endpoints: { a: "http://h" },
    timeout: 3,
    maxResponseSize: 5,
    openrpc: ["./a.json"],
    descriptors: ["./words"],
    tokenLookup: false,
    lookupHost: "https://lookup.example",
    liveHints: "always",
    readMethods: ["zks_*"],
  },
  http: { proxy: "http://p", noProxy: ["h"], proxyStrictSSL: false },
  workspace: { endpoint: "b", endpoints: { b: "http://i" } },
};
const options: Required<InitializationOptions> = {
  trusted: false,
  readsFiles: true,
  signatures: "file:///extension/signatures.txt",
  traceCode: "file:///extension/trace.js",
  approvesHosts: true,
  runsCells: true,
  marksStaleResults: true,
  redrawsResults: true,
  takesPushedProblems: true,
  keepsSecrets: true,
  namesAddresses: true,
  version: "1.2.3",
  approvedHosts: ["h"],
  lastNotebook: "file:///a/b.rpc.json",
  settings,
  docs: "https://docs.invalid/",
};

describe("the options of an editor", () => {
  it("are kept if they have the right type", () => {
    assert.deepEqual(optionsOf(options), options);
    assert.deepEqual(settingsOf(settings), settings);
  });

  it("are left out if they have another type", () => {
    const wrong = (value: object): object => Object.fromEntries(Object.keys(value).map((key) => [key, Symbol(key)]));
    assert.deepEqual(optionsOf(wrong(options)), {});
    const nothing = { rpcNotebook: {}, http: {} };
    assert.deepEqual(settingsOf({ rpcNotebook: wrong(settings.rpcNotebook), http: wrong(settings.http) }), nothing);
    assert.deepEqual(settingsOf({ rpcNotebook: { timeout: -1, openrpc: [7] } }), {
      rpcNotebook: { openrpc: [] },
      http: {},
    });
    for (const nonsense of [undefined, null, 7, "x", []]) assert.deepEqual(optionsOf(nonsense), {});
  });
});
