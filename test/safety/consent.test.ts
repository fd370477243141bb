import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Consent } from "../../server/src/base/ports.ts";
import type { Settings } from "../../server/src/protocol/settings.ts";
import { createService, type Service } from "../../server/src/service/service.ts";
import type { Host } from "../../server/src/workspace/host.ts";
import { thorough } from "../support/depth.ts";
import { person, testHost } from "../support/host.ts";
import { answering, type HostileServer, hostileServer, type Misbehaviour } from "../support/hostileServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";
import { openTrap, type Trap } from "../support/trap.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const balance = { method: "eth_getBalance", params: [alice, "latest"] };

/** A workspace that tries to send something to a trap. */
interface Workspace {
  readonly files?: Readonly<Record<string, unknown>>;
  /** Members of the notebook, including `cells`. */
  readonly notebook?: Readonly<Record<string, unknown>>;
  /** The whole text, in place of those members. */
  readonly text?: string;
  readonly settings?: Settings;
  readonly trusted?: boolean;
  /** The approvals that a person has already given. */
  readonly approved?: readonly string[];
  /** The choice in the picker. */
  readonly picked?: string;
  /** The value of `--endpoint`. */
  readonly endpoint?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Allows reads there, so that only runs are checked. */
  readonly runsOnly?: true;
}

interface Places {
  readonly trap: Trap;
  /** An endpoint that a person has allowed, and that redirects as the test says. */
  readonly friend: HostileServer;
}

const cells = [{ name: "b", ...balance }];
const inFile = (entry: unknown, more: Partial<Workspace> = {}): Workspace => ({
  files: { "rpc-endpoints.json": { main: entry } },
  notebook: { endpoint: "main", cells },
  ...more,
});
const writes = (...methods: readonly string[]) => methods.map((method) => ({ method, params: [] }));

const workspaces: Readonly<Record<string, (places: Places) => Workspace>> = {
  "rpc-endpoints.json": ({ trap }) => inFile(`http://${trap.host}`),
  "an entry with everything": ({ trap }) => inFile({ url: `http://${trap.host}`, chainId: 1, preconfirmed: true }),
  "rpc-endpoints.private.json": ({ trap }) => ({
    files: { "rpc-endpoints.private.json": { main: `http://${trap.host}/key` } },
    notebook: { endpoint: "main", cells },
  }),
  "the folder above": ({ trap }) => ({
    files: { "../rpc-endpoints.json": { main: `http://${trap.host}` } },
    notebook: { endpoint: "main", cells },
  }),
  "foundry.toml": ({ trap }) => ({
    files: { "foundry.toml": `[rpc_endpoints]\nmain = "http://${trap.host}"\n` },
    notebook: { endpoint: "main", cells },
  }),
  "an address in the header": ({ trap }) => ({ notebook: { endpoint: `http://${trap.host}`, cells } }),
  "an address in a cell": ({ trap }) => ({ notebook: { cells: [{ ...balance, endpoint: `http://${trap.host}` }] } }),
  "an address of a batch": ({ trap }) => ({
    notebook: { cells: [{ batch: [balance, balance], endpoint: `http://${trap.host}` }] },
  }),
  "the chain id of the header": ({ trap }) => ({
    notebook: { endpoint: `http://${trap.host}`, chainId: "0x1", cells },
  }),
  "a block counted from the head": ({ trap }) => ({
    notebook: { endpoint: `http://${trap.host}`, cells: [{ method: "eth_getBalance", params: [alice, "latest - 5"] }] },
  }),
  "the workspace's setting of the endpoint": ({ trap }) => ({
    settings: { workspace: { endpoint: `http://${trap.host}` } },
    notebook: { cells },
  }),
  "the workspace's setting of endpoints": ({ trap }) => ({
    settings: { workspace: { endpoint: "main", endpoints: { main: `http://${trap.host}` } } },
    notebook: { cells },
  }),
  "an endpoint of the workspace's settings in the header": ({ trap }) => ({
    settings: { workspace: { endpoints: { main: { url: `http://${trap.host}` } } } },
    notebook: { endpoint: "main", cells },
  }),
  "a name that a person's own setting has too": ({ trap, friend }) => ({
    settings: {
      rpcNotebook: { endpoint: "main", endpoints: { main: friend.url } },
      workspace: { endpoints: { main: `http://${trap.host}` } },
    },
    notebook: { cells },
  }),
  "the name of the built-in endpoint": ({ trap }) => ({
    files: { "rpc-endpoints.json": { local: `http://${trap.host}` } },
    notebook: { endpoint: "local", cells },
  }),
  "a picked name": ({ trap }) => ({ ...inFile(`http://${trap.host}`), notebook: { cells }, picked: "main" }),
  "an address from the environment": ({ trap }) => ({
    ...inFile("{{$env.NODE_URL}}"),
    environment: { NODE_URL: `http://${trap.host}` },
  }),
  "an address from .env": ({ trap }) => ({
    files: { "rpc-endpoints.json": { main: "http://{{$dotenv.AT}}/" }, ".env": `AT=${trap.host}` },
    notebook: { endpoint: "main", cells },
  }),
  "an approved host as a user name": ({ trap }) =>
    inFile(`http://127.0.0.1:8545@${trap.host}`, { approved: ["http://127.0.0.1:8545"] }),
  "an approved host as a path": ({ trap }) =>
    inFile(`http://${trap.host}/http://127.0.0.1:8545`, { approved: ["http://127.0.0.1:8545"] }),
  "the same host by https only": ({ trap }) => inFile(`http://${trap.host}`, { approved: [`https://${trap.host}`] }),
  "another port": ({ trap }) => inFile(`http://${trap.host}`, { approved: ["http://0.0.0.0"] }),
  "an approved value only": ({ trap }) =>
    inFile(`http://${trap.host}`, { approved: [`http://${trap.host} $secret.A`] }),
  "a WebSocket address": ({ trap }) => inFile(`ws://${trap.host}`),
  "a WebSocket beside an approved address": ({ trap, friend }) => ({
    ...inFile({ url: friend.url, ws: `ws://${trap.host}` }, { approved: [`http://${friend.host}`] }),
    notebook: { endpoint: "main", cells: [{ method: "eth_subscribe", params: ["newHeads"] }] },
  }),
  "a WebSocket beside an address that --endpoint chose": ({ trap, friend }) => ({
    ...inFile({ url: friend.url, ws: `ws://${trap.host}` }, { endpoint: "main" }),
    notebook: { cells: [{ method: "eth_subscribe", params: ["newHeads"] }] },
  }),
  "a secret to an approved host": ({ trap }) =>
    inFile(
      { url: `http://${trap.host}`, headers: { "x-key": "{{$env.KEY}}" } },
      { approved: [`http://${trap.host}`], environment: { KEY: "s3cr3t-value" } },
    ),
  "a secret in a cell": ({ trap }) => ({
    notebook: { endpoint: `http://${trap.host}`, cells: [{ method: "web3_sha3", params: ["{{$env.KEY}}"] }] },
    runsOnly: true,
    approved: [`http://${trap.host}`],
    environment: { KEY: "0x5ec2e7" },
  }),
  "writes to an approved host": ({ trap }) => ({
    notebook: {
      endpoint: `http://${trap.host}`,
      cells: writes("eth_sendRawTransaction", "anvil_setBalance", "eth_sign", "personal_sign", "debug_setHead"),
    },
    runsOnly: true,
    approved: [`http://${trap.host}`],
  }),
  "writes in other spellings": ({ trap }) => ({
    notebook: {
      endpoint: `http://${trap.host}`,
      cells: writes(
        "ETH_SENDRAWTRANSACTION",
        "Anvil_setBalance",
        " eth_sendRawTransaction",
        "eth_sendRawTransaction ",
        "eth_\u200bsign",
      ),
    },
    runsOnly: true,
    approved: [`http://${trap.host}`],
  }),
  "writes of other families": ({ trap }) => ({
    notebook: {
      endpoint: `http://${trap.host}`,
      cells: writes(
        "author_submitExtrinsic",
        "broadcast_tx_sync",
        "signer_confirmRequest",
        "starknet_addInvokeTransaction",
        "raft_addPeer",
      ),
    },
    runsOnly: true,
    approved: [`http://${trap.host}`],
  }),
  "unknown methods": ({ trap }) => ({
    notebook: {
      endpoint: `http://${trap.host}`,
      cells: writes("acme_do", "x", "eth_getBalanc", "zks_getL1BatchNumber"),
    },
    runsOnly: true,
    approved: [`http://${trap.host}`],
  }),
  "methods that an OpenRPC document of the repository describes": ({ trap }) => ({
    files: {
      "openrpc.json": {
        openrpc: "1.2.6",
        info: { title: "x", version: "1" },
        methods: [{ name: "acme_read", params: [], result: { name: "r", schema: { type: "string" } } }],
      },
    },
    notebook: { openrpc: ["openrpc.json"], endpoint: `http://${trap.host}`, cells: writes("acme_read") },
    runsOnly: true,
    approved: [`http://${trap.host}`],
  }),
  "a write in a batch of reads": ({ trap }) => ({
    notebook: { endpoint: `http://${trap.host}`, cells: [{ batch: [balance, ...writes("eth_sendRawTransaction")] }] },
    runsOnly: true,
    approved: [`http://${trap.host}`],
  }),
  "an address where files are meant": ({ trap }) => ({
    notebook: {
      abi: [`http://${trap.host}/a.json`],
      openrpc: [`http://${trap.host}/openrpc.json`],
      $schema: `http://${trap.host}/schema.json`,
      cells: [{ ...balance, abi: [`http://${trap.host}/b.json`] }, { markdown: `![x](http://${trap.host}/x.png)` }],
    },
  }),
  "an explorer": ({ trap, friend }) =>
    inFile({ url: friend.url, explorer: `http://${trap.host}` }, { approved: [`http://${friend.host}`] }),
  "a proxy in .env": ({ trap, friend }) => ({
    files: {
      "rpc-endpoints.json": { main: friend.url },
      ".env": `http_proxy=http://${trap.host}\nHTTP_PROXY=http://${trap.host}\nall_proxy=http://${trap.host}`,
    },
    notebook: { endpoint: "main", cells },
    approved: [`http://${friend.host}`],
  }),
  "a method twice in one request": ({ trap }) => ({
    text: `{ "endpoint": "http://${trap.host}", "cells": [
      { "method": "eth_sendRawTransaction", "method": "eth_blockNumber", "params": [] },
      { "jsonrpc": "2.0", "id": 1, "m\\u0065thod": "eth_sendRawTransaction", "params": ["0x00"], "method": "eth_gasPrice" },
      { "method": "eth_call", "params": [{ "to": "${alice}", "to": "0x0000000000000000000000000000000000000001" }, "latest"] },
      { "method": "eth_chainId", "params": [], "params": [1] }
    ] }`,
    approved: [`http://${trap.host}`],
    runsOnly: true,
  }),
  "an approved endpoint that redirects": ({ trap, friend }) =>
    inFile(`${friend.url}to/${trap.host}`, { approved: [`http://${friend.host}`] }),
  "a workspace that is not trusted": ({ trap }) =>
    inFile(`http://${trap.host}`, { trusted: false, approved: [`http://${trap.host}`, `http://${trap.host} *`] }),
  "a workspace that is not trusted, and a person's own setting": ({ trap }) => ({
    trusted: false,
    settings: { rpcNotebook: { endpoint: `http://${trap.host}` } },
    notebook: { cells },
  }),
};

/** Workspaces that send nothing to the trap, whatever a person allows. */
const never = new Set([
  "an address where files are meant",
  "an explorer",
  "a proxy in .env",
  "a method twice in one request",
  "an approved endpoint that redirects",
]);
const untrusted = /not trusted/;

/** Answers as a node does, and redirects if the path asks for it. */
const friendly: Misbehaviour = (seen, response, socket) => {
  const to = /^\/to\/(.+)/.exec(seen.path)?.[1];
  if (to === undefined) return answering(() => "0x1")(seen, response, socket);
  return response.writeHead(307, { location: `http://${to}/` }).end();
};

describe("consent", () => {
  let places: Places;
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    places = { trap: await openTrap(), friend: await hostileServer(friendly) };
  });
  afterEach(() => Promise.all([places.trap.close(), places.friend.close()]));

  it("is tested with at least 40 workspaces", () => assert.ok(Object.keys(workspaces).length >= 40));

  for (const [name, make] of Object.entries(workspaces)) {
    it(`is needed for ${name}`, async () => {
      const workspace = make(places);
      const refusing = person({ allowMethods: async () => "no" });
      await everything(workspace, folder, refusing);
      assert.equal(places.trap.bytes, 0, places.trap.text.slice(0, 500));

      const asked: string[] = [];
      const agreeing: Consent = {
        allowHost: async ({ site }) => asked.push(site) > 0,
        allowWrites: async ({ writes }) => asked.push(...writes.map(({ site }) => site)) > 0,
        allowMethods: async ({ site }) => (asked.push(site) > 0 ? "once" : "no"),
      };
      await everything({ ...workspace, trusted: true }, folder, agreeing);
      if (never.has(name)) return assert.equal(places.trap.bytes, 0, places.trap.text);
      assert.ok(places.trap.bytes > 0, "nothing came with consent either");
      const site = new RegExp(`^(?:http|ws)://${places.trap.host.replaceAll(".", "\\.")}$`);
      if (!untrusted.test(name))
        assert.ok(
          asked.some((one) => site.test(one)),
          `asked about ${asked}`,
        );
    });
  }
});

/** Opens, inspects and runs a workspace in every possible way. */
async function everything(workspace: Workspace, folder: string, consent: Consent): Promise<void> {
  const { files = {}, notebook = {}, settings = {}, trusted = true, approved = [], environment = {} } = workspace;
  const project = join(folder, "project/notebooks");
  mkdirSync(project, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const path = join(project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  const text = workspace.text ?? JSON.stringify(notebook);
  const path = join(project, "a.rpc.json");
  writeFileSync(path, text);
  const uri = pathToFileURL(path).href;
  const host: Partial<Host> = {
    roots: [pathToFileURL(join(folder, "project")).href],
    settings: { ...settings, rpcNotebook: { liveHints: "always", ...settings.rpcNotebook } },
    trusted,
    approvedHosts: approved,
    consent,
    environment: { variable: (name) => environment[name], names: () => Object.keys(environment) },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  };
  const service = createService(testHost(host));
  service.openText(uri, text);
  await service.settled(uri);
  if (workspace.picked !== undefined) service.pickEndpoint(uri, workspace.picked);
  await look(service, uri, text, workspace.runsOnly !== true);
  await act(service, uri, workspace);
  service.close(uri);
}

const long = 1500;
const soon = (): AbortSignal => AbortSignal.timeout(long);

async function look(service: Service, uri: string, text: string, live: boolean): Promise<void> {
  for (let at = 0; at <= text.length; at++) {
    if (thorough || at % 4 === 0) service.hover(uri, at);
    if (at % 5 === 0) service.completion(uri, at);
    if (live && at % 9 === 0) await service.liveHover(uri, at, soon());
  }
  service.diagnostics(uri);
  service.inlayHints(uri, { start: 0, end: text.length });
  service.codeLenses(uri);
  await service.endpoints(uri);
  await service.tests(uri);
  if (!live) return;
  await service.addressHover({ uri: uri.replace("a.rpc.json", "A.sol"), text: alice, offset: 3 }, soon());
  await service.watch({ id: "a", uri, address: alice });
  await service.watch({ id: "b", uri, index: 0 });
  service.showWatches(true);
}

async function act(service: Service, uri: string, { endpoint }: Workspace): Promise<void> {
  const chosen = endpoint !== undefined && { endpoint };
  if (endpoint !== undefined) await service.chooseEndpoint(uri, endpoint);
  const events = { started: () => {}, finished: () => {} };
  await service.run({ uri, ...chosen, snapshot: "show", stream: { forMs: 100 } }, events, soon());
  service.inlayHints(uri, { start: 0, end: 10_000 });
  await service.exported(uri, undefined, "curl");
  for (const id of ["a", "b"]) service.unwatch(id);
}
