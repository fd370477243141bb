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
import { answering, hostileServer, type Misbehaviour } from "../support/hostileServer.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";
import { openTrap } from "../support/trap.ts";

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

/** The hosts of a trap, and of an endpoint that a person has allowed; the second redirects as its path says. */
const [trap, friend] = ["http://@trap", "http://@friend"];
const cells = [{ name: "b", ...balance }];
const main = { endpoint: "main", cells };
const inFile = (entry: unknown, more: Partial<Workspace> = {}): Workspace => ({
  files: { "rpc-endpoints.json": { main: entry } },
  notebook: main,
  ...more,
});
/** A notebook whose header has the address of the trap. */
const inHeader = (cells: readonly object[], more: Partial<Workspace> = {}): Workspace => ({
  notebook: { endpoint: trap, cells },
  ...more,
});
/** The same, where a person has allowed reads. */
const approved = (cells: readonly object[], more: Partial<Workspace> = {}): Workspace =>
  inHeader(cells, { runsOnly: true, approved: [trap], ...more });
const writes = (...methods: readonly string[]) => methods.map((method) => ({ method, params: [] }));
const stream = [{ method: "eth_subscribe", params: ["newHeads"] }];
const openrpc = {
  openrpc: "1.2.6",
  info: { title: "x", version: "1" },
  methods: [{ name: "acme_read", params: [], result: { name: "r", schema: { type: "string" } } }],
};
const schemes = ["eth_sendRawTransaction", "anvil_setBalance", "eth_sign", "personal_sign", "debug_setHead"];
const spellings = ["ETH_SENDRAWTRANSACTION", "Anvil_setBalance", " eth_sign", "eth_sign ", "eth_\u200bsign"];
const families = [
  "author_submitExtrinsic",
  "broadcast_tx_sync",
  "signer_confirmRequest",
  "raft_addPeer",
  "starknet_addInvokeTransaction",
];

const workspaces: Readonly<Record<string, Workspace>> = {
  "rpc-endpoints.json": inFile(trap),
  "an entry with everything": inFile({ url: trap, chainId: 1, preconfirmed: true }),
  "rpc-endpoints.private.json": { files: { "rpc-endpoints.private.json": { main: `${trap}/key` } }, notebook: main },
  "the folder above": { files: { "../rpc-endpoints.json": { main: trap } }, notebook: main },
  "foundry.toml": { files: { "foundry.toml": `[rpc_endpoints]\nmain = "${trap}"\n` }, notebook: main },
  "an address in the header": inHeader(cells),
  "an address in a cell": { notebook: { cells: [{ ...balance, endpoint: trap }] } },
  "an address of a batch": { notebook: { cells: [{ batch: [balance, balance], endpoint: trap }] } },
  "the chain id of the header": { notebook: { endpoint: trap, chainId: "0x1", cells } },
  "a block counted from the head": inHeader([{ method: "eth_getBalance", params: [alice, "latest - 5"] }]),
  "the workspace's setting of the endpoint": { settings: { workspace: { endpoint: trap } }, notebook: { cells } },
  "the workspace's setting of endpoints": {
    settings: { workspace: { endpoint: "main", endpoints: { main: trap } } },
    notebook: { cells },
  },
  "an endpoint of the workspace's settings in the header": {
    settings: { workspace: { endpoints: { main: { url: trap } } } },
    notebook: main,
  },
  "a name that a person's own setting has too": {
    settings: {
      rpcNotebook: { endpoint: "main", endpoints: { main: friend } },
      workspace: { endpoints: { main: trap } },
    },
    notebook: { cells },
  },
  "the name of the built-in endpoint": {
    files: { "rpc-endpoints.json": { local: trap } },
    notebook: { endpoint: "local", cells },
  },
  "a picked name": inFile(trap, { notebook: { cells }, picked: "main" }),
  "an address from the environment": inFile("{{$env.NODE_URL}}", { environment: { NODE_URL: trap } }),
  "an address from .env": {
    files: { "rpc-endpoints.json": { main: "http://{{$dotenv.AT}}/" }, ".env": "AT=@trap" },
    notebook: main,
  },
  "an approved host as a user name": inFile("http://127.0.0.1:8545@@trap", { approved: ["http://127.0.0.1:8545"] }),
  "an approved host as a path": inFile(`${trap}/http://127.0.0.1:8545`, { approved: ["http://127.0.0.1:8545"] }),
  "the same host by https only": inFile(trap, { approved: ["https://@trap"] }),
  "another port": inFile(trap, { approved: ["http://0.0.0.0"] }),
  "an approved value only": inFile(trap, { approved: [`${trap} $secret.A`] }),
  "a WebSocket address": inFile("ws://@trap"),
  "a WebSocket beside an approved address": inFile(
    { url: friend, ws: "ws://@trap" },
    { approved: [friend], notebook: { endpoint: "main", cells: stream } },
  ),
  "a WebSocket beside an address that --endpoint chose": inFile(
    { url: friend, ws: "ws://@trap" },
    { endpoint: "main", notebook: { cells: stream } },
  ),
  "a secret to an approved host": inFile(
    { url: trap, headers: { "x-key": "{{$env.KEY}}" } },
    { approved: [trap], environment: { KEY: "s3cr3t-value" } },
  ),
  "a secret in a cell": approved([{ method: "web3_sha3", params: ["{{$env.KEY}}"] }], {
    environment: { KEY: "0x5ec2e7" },
  }),
  "writes to an approved host": approved(writes(...schemes)),
  "writes in other spellings": approved(writes(...spellings)),
  "writes of other families": approved(writes(...families)),
  "unknown methods": approved(writes("acme_do", "x", "eth_getBalanc", "zks_getL1BatchNumber")),
  "methods that an OpenRPC document of the repository describes": approved([], {
    files: { "openrpc.json": openrpc },
    notebook: { openrpc: ["openrpc.json"], endpoint: trap, cells: writes("acme_read") },
  }),
  "a write in a batch of reads": approved([{ batch: [balance, ...writes("eth_sendRawTransaction")] }]),
  "an address where files are meant": {
    notebook: {
      abi: [`${trap}/a.json`],
      openrpc: [`${trap}/openrpc.json`],
      $schema: `${trap}/schema.json`,
      cells: [{ ...balance, abi: [`${trap}/b.json`] }, { markdown: `![x](${trap}/x.png)` }],
    },
  },
  "an explorer": inFile({ url: friend, explorer: trap }, { approved: [friend] }),
  "a proxy in .env": inFile(friend, {
    files: {
      "rpc-endpoints.json": { main: friend },
      ".env": `http_proxy=${trap}\nHTTP_PROXY=${trap}\nall_proxy=${trap}`,
    },
    approved: [friend],
  }),
  "a method twice in one request": approved([], {
    text: `{ "endpoint": "${trap}", "cells": [
      { "method": "eth_sendRawTransaction", "method": "eth_blockNumber", "params": [] },
      { "jsonrpc": "2.0", "id": 1, "m\\u0065thod": "eth_sendRawTransaction", "params": ["0x00"], "method": "eth_gasPrice" },
      { "method": "eth_call", "params": [{ "to": "${alice}", "to": "0x0000000000000000000000000000000000000001" }, "latest"] },
      { "method": "eth_chainId", "params": [], "params": [1] }
    ] }`,
  }),
  "an approved endpoint that redirects": inFile(`${friend}/to/@trap`, { approved: [friend] }),
  "a workspace that is not trusted": inFile(trap, { trusted: false, approved: [trap, `${trap} *`] }),
  "a workspace that is not trusted, and a person's own setting": {
    trusted: false,
    settings: { rpcNotebook: { endpoint: trap } },
    notebook: { cells },
  },
};

/** Workspaces that send nothing to the trap, whatever a person allows. */
const never = new Set([
  "an address where files are meant",
  "an explorer",
  "a proxy in .env",
  "a method twice in one request",
  "an approved endpoint that redirects",
]);

/** Answers as a node does, and redirects if the path asks for it. */
const friendly: Misbehaviour = (seen, response, socket) => {
  const to = /^\/to\/(.+)/.exec(seen.path)?.[1];
  if (to === undefined) return answering(() => "0x1")(seen, response, socket);
  return response.writeHead(307, { location: `http://${to}/` }).end();
};

describe("consent", () => {
  for (const [name, template] of Object.entries(workspaces)) {
    it(`is needed for ${name}`, async () => {
      const [folder, trap, friend] = [temporaryFolder(), await openTrap(), await hostileServer(friendly)];
      const written = JSON.stringify(template).replaceAll("@trap", trap.host).replaceAll("@friend", friend.host);
      const workspace: Workspace = JSON.parse(written);
      await everything(workspace, folder, person({ allowMethods: async () => "no" }));
      assert.equal(trap.bytes, 0, trap.text.slice(0, 500));

      const asked: string[] = [];
      const agreeing: Consent = {
        allowHost: async ({ site }) => asked.push(site) > 0,
        allowCost: async ({ site }) => asked.push(site) > 0,
        allowWrites: async ({ writes }) => asked.push(...writes.map(({ site }) => site)) > 0,
        allowMethods: async ({ site }) => (asked.push(site) > 0 ? "once" : "no"),
      };
      await everything({ ...workspace, trusted: true }, folder, agreeing);
      assert.equal(trap.bytes > 0, !never.has(name), `with consent came: ${trap.text}`);
      const sites = ["http", "ws"].map((scheme) => `${scheme}://${trap.host}`);
      if (trap.bytes > 0 && template.trusted !== false)
        assert.ok(
          asked.some((one) => sites.includes(one)),
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

const uncancelled = new AbortController().signal;

async function look(service: Service, uri: string, text: string, live: boolean): Promise<void> {
  const step = thorough ? 1 : 4;
  for (let at = 0; at <= text.length; at += step) {
    service.hover(uri, at);
    if (at % 5 === 0) service.completion(uri, at);
    if (live && at % 9 === 0) await service.liveHover(uri, at, uncancelled);
  }
  service.diagnostics(uri);
  service.inlayHints(uri, { start: 0, end: text.length });
  service.codeLenses(uri);
  await service.endpoints(uri);
  await service.tests(uri);
  if (!live) return;
  await service.addressHover({ uri: uri.replace("a.rpc.json", "A.sol"), text: alice, offset: 3 }, uncancelled);
  await service.watch({ id: "a", uri, address: alice });
  await service.watch({ id: "b", uri, index: 0 });
  service.showWatches(true);
}

async function act(service: Service, uri: string, { endpoint }: Workspace): Promise<void> {
  const chosen = endpoint !== undefined && { endpoint };
  if (endpoint !== undefined) await service.chooseEndpoint(uri, endpoint);
  const events = { started: () => {}, finished: () => {} };
  await service.run({ uri, ...chosen, snapshot: "show", stream: { forMs: 10_000 } }, events, uncancelled);
  service.inlayHints(uri, { start: 0, end: 10_000 });
  await service.exported(uri, undefined, { to: "curl" });
  for (const id of ["a", "b"]) service.unwatch(id);
}
