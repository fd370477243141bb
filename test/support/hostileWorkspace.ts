import { parseAbi } from "viem";
import type { JsonValue } from "../../server/src/base/json.ts";
import type { Files } from "../../server/src/base/ports.ts";
import { createService, type Service } from "../../server/src/service/service.ts";
import { testHost } from "./host.ts";

export const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

/** The parts of a workspace that others may have written, each a JSON value in which any text can be another one. */
export interface Workspace {
  readonly notebook: JsonValue;
  readonly openrpc: JsonValue;
  readonly endpoints: JsonValue;
  readonly artifact: JsonValue;
  /** The name of a contract's file and folder. */
  readonly paths: JsonValue;
  /** Names of variables, secrets and entries of `.env`. */
  readonly names: JsonValue;
}

/** A workspace without malice that has every kind of text somewhere. */
export function plainWorkspace(url: string): Workspace {
  const docs = { url: "https://acme.example/docs", description: "docs" };
  const speed = { type: "string", title: "Speed", description: "A speed.", enum: ["fast", "slow"], default: "fast" };
  const word = { type: "string", title: "Text", const: "a" };
  const others = { type: "string", description: "A word." };
  const inner = { type: "object", title: "Inner", description: "Inside.", additionalProperties: others };
  const mode = { type: "string", enum: ["one", "two"], description: "A mode." };
  const texts = { title: "Options", description: "What to mind." };
  const options = { type: "object", ...texts, required: ["mode"], properties: { mode, inner } };
  const state = { enum: ["good", "bad"], description: "How it is." };
  const answer = {
    type: "object",
    title: "Answer",
    properties: { text: { ...others, description: "A text." }, state },
  };
  const values = Object.entries({ speed: "fast", options: { mode: "one" } }).map(([name, value]) => ({ name, value }));
  const deep = { mode: "one", inner: { deep: "x" } };
  const hostValues = ["{{$env.A_NAME}}", "{{$secret.KEY}}"];
  const call = (name: string, called: string, args: JsonValue) => {
    const data = { function: called, args };
    return { name, method: "eth_call", params: [{ to: bob, data }, "latest"] };
  };
  const logs = (name: string, topic: JsonValue, range: object = {}) => {
    return { name, method: "eth_getLogs", params: [{ address: bob, topics: [topic], ...range }] };
  };
  return {
    notebook: {
      endpoint: "mine",
      chainId: "0x1",
      variables: { alice, amount: "1000000000000000000", note: "a note", list: ["one", { inner: "two" }] },
      labels: { [bob]: "bob" },
      tokens: { [bob]: { symbol: "TOK", decimals: 6 } },
      abi: [
        "function pay(address to, uint256 amount) returns (bool done)",
        "event Paid(address indexed who, uint256 sum)",
        "event Noted(address indexed who, string memo)",
        "abi.json",
      ],
      openrpc: ["openrpc.json"],
      cells: [
        { markdown: ["# A title", "text"] },
        { name: "called", method: "acme_do", params: ["fast", deep, ["a"]], expect: { "result.state": "good" } },
        { name: "next", method: "acme_do", params: ["{{called.result.text}}", { mode: "{{note}}" }, hostValues] },
        { ...call("paid", "pay", [alice, "5"]), abi: ["function other(bytes data)"], endpoint: "mine", within: "1 ms" },
        call("many", "many", [[[alice]]]),
        logs("owned", { event: "Owned", args: { owner: alice } }),
        { method: "eth_call", params: [{ to: bob, data: `0x7a0e3a5b${"0".repeat(64)}` }, "latest"] },
        logs("notes", { event: "Noted" }, { fromBlock: "0x1", toBlock: "0x2" }),
        logs("logs", { event: "Paid", args: { who: alice } }, { fromBlock: "0x1", toBlock: "latest" }),
        { method: "eth_getBalance", params: [bob, "latest"] },
        {
          batch: [
            { name: "first", method: "eth_chainId" },
            { method: "acme_other", params: ["text"] },
          ],
        },
        { method: "eth_sendTransaction", params: [{ from: alice, to: bob, value: "0x1" }] },
        { method: "rpc.discover", params: [] },
      ],
    },
    openrpc: {
      openrpc: "1.3.2",
      info: { title: "Acme", description: "What it is.", version: "1" },
      externalDocs: docs,
      methods: [
        {
          name: "acme_do",
          summary: "Does it.",
          description: "Does it at length.",
          tags: [{ name: "tag", description: "a tag" }],
          params: [
            { name: "speed", summary: "How fast.", description: "At length.", required: true, schema: speed },
            { name: "options", schema: { $ref: "#/components/schemas/Options" } },
            { name: "rest", schema: { type: "array", items: { oneOf: [word, { type: "integer", title: "Number" }] } } },
          ],
          result: { name: "answer", description: "What comes.", schema: answer },
          errors: [{ code: -32001, message: "no luck", data: "more" }],
          examples: [{ name: "an example", params: values, result: { name: "answer", value: { text: "hello" } } }],
          externalDocs: docs,
        },
        {
          name: "acme_other",
          description: "Another.",
          params: [{ name: "text", schema: { type: "string", pattern: "^t" } }],
          result: { name: "r", schema: { type: "string", description: "A result." } },
        },
      ],
      components: { schemas: { Options: options } },
    },
    endpoints: {
      mine: { url, explorer: "https://explorer.example", headers: { "x-team": "acme" } },
      other: "https://rpc.example/path",
      broken: { url: "nonsense", what: "x" },
    },
    artifact: {
      contractName: "Payments",
      sourceName: "src/Payments.sol",
      abi: abiOf(
        "function pay(address to, uint256 amount) view returns (bool done)",
        "function many((address to)[] all)",
        "event Paid(address indexed who, uint256 sum)",
        "event Owned(address indexed owner, string text)",
        "error NoLuck(string why)",
      ),
      bytecode: "0x6001",
      devdoc: { title: "a title", details: "details", methods: { "pay(address,uint256)": { details: "pays" } } },
      userdoc: { notice: "a notice" },
    },
    paths: { folder: "Payments.sol", file: "Payments" },
    names: { variable: "A_NAME", secret: "KEY", dotenv: "D_NAME", section: "profile" },
  };
}

/** An ABI as a compiler writes it. */
function abiOf(...signatures: readonly string[]): JsonValue {
  const items = parseAbi(signatures).map((item) => ({
    ...item,
    inputs: "inputs" in item ? item.inputs.map((input) => ({ ...input, internalType: input.type })) : [],
  }));
  return JSON.parse(JSON.stringify(items));
}

/** Members whose text can be anything. */
const free =
  /^(?:title|description|summary|message|default|const|enum|note|inner|list|symbol|details|notice|internalType|data|value|markdown|memo|text|state|labels|why|example|version)$/;

/** Returns a copy with another text in each of these members. */
export function freeTexts(value: JsonValue, text: string, isFree = false): JsonValue {
  if (typeof value === "string") return isFree ? text : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => freeTexts(inner, text, isFree));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, freeTexts(inner, text, free.test(key))]));
}

/** A text as Solidity returns it. */
function abiString(text: string): string {
  const bytes = Buffer.from(text.slice(0, 1_000));
  const word = (number: number): string => number.toString(16).padStart(64, "0");
  return word(32) + word(bytes.length) + bytes.toString("hex").padEnd(Math.ceil(bytes.length / 32) * 64, "0");
}

/** Answers of an endpoint that puts a text into every field. */
export function hostileAnswer(
  method: string,
  params: JsonValue | undefined,
  text: string,
  document: JsonValue,
): JsonValue {
  const log = {
    address: bob,
    topics: [notedTopic, `0x${"0".repeat(24)}${alice.slice(2)}`],
    data: `0x${abiString(text)}`,
    blockNumber: "0x1",
    blockHash: `0x${"1".repeat(64)}`,
    transactionHash: `0x${"2".repeat(64)}`,
    transactionIndex: "0x0",
    logIndex: "0x0",
    removed: false,
    [text]: text,
  };
  const reverted = { code: 3, message: text, data: `0x08c379a0${abiString(text)}` };
  switch (method) {
    case "acme_do":
      return { result: { text, state: text, [text]: text, list: [text, { [text]: text }] } };
    case "eth_getLogs":
      return { result: [log] };
    case "eth_chainId":
      return { result: "0x1" };
    case "eth_blockNumber":
    case "eth_getBalance":
    case "eth_getTransactionCount":
      return { result: "0x5" };
    case "eth_getCode":
      return { result: "0x6001" };
    case "eth_getStorageAt":
      return { result: `0x${"0".repeat(64)}` };
    case "eth_call": {
      const asked = JSON.stringify(params ?? null);
      if (asked.includes("0x313ce567")) return { result: `0x${"6".padStart(64, "0")}` };
      return /0x06fdde03|0x95d89b41/.test(asked) ? { result: `0x${abiString(text)}` } : { error: reverted };
    }
    case "eth_simulateV1": {
      const call = { status: "0x0", gasUsed: "0x5", returnData: reverted.data, logs: [log], error: reverted };
      return { result: [{ number: "0x5", hash: text, calls: [call], [text]: text }] };
    }
    case "rpc.discover":
      return { result: freeTexts(document, text) };
    default:
      return { error: { code: -32000, message: text, data: text } };
  }
}

/** The topic of `Noted(address,string)`. */
const notedTopic = "0x7f81f8dfab8bf457e7f40035271f4b7e329fa48cf282f6b94c7a058b6d7159c5";

export const top = "file:///w";
export const notebookUri = `${top}/notes/a.rpc.json`;

export interface OpenWorkspace {
  readonly service: Service;
  /** The text of the notebook. */
  readonly text: string;
}

/** The files of a workspace by their paths. */
export function textsOf(workspace: Workspace): ReadonlyMap<string, string> {
  const { notebook, openrpc, artifact, endpoints, names, paths } = workspace;
  const [folder, file] = valuesOf(paths).map((name) => name.replaceAll(/[/\0]/g, "_").slice(0, 60));
  const [, , dotenv, section] = valuesOf(names);
  return new Map([
    ["notes/a.rpc.json", JSON.stringify(notebook, undefined, 1)],
    ["notes/openrpc.json", JSON.stringify(openrpc)],
    ["notes/abi.json", JSON.stringify(artifact)],
    ["rpc-endpoints.json", JSON.stringify(endpoints, undefined, 1)],
    ["foundry.toml", `[rpc_endpoints]\n${JSON.stringify(section)} = "https://foundry.example/"\n`],
    [".env", `${dotenv}=value\n`],
    [`out/${folder}/${file}.json`, JSON.stringify(artifact)],
  ]);
}

function valuesOf(value: JsonValue): readonly string[] {
  return Object.values(value as Readonly<Record<string, string>>); // its callers have objects of texts
}

/** Opens the notebook of a workspace, whose files are in memory. */
export async function openWorkspace(workspace: Workspace): Promise<OpenWorkspace> {
  const [variable = "", secret = ""] = valuesOf(workspace.names);
  const service = createService(
    testHost({
      files: filesOf(workspace),
      roots: [top],
      log: { info: () => {}, warn: () => {}, error: () => {} },
      consent: {
        allowHost: async () => true,
        allowWrites: async () => false,
        allowMethods: async () => "once",
        allowCost: async () => true,
      },
      environment: { variable: () => "value of a variable", names: () => [variable] },
      secrets: {
        names: async () => [secret],
        read: async (wanted) => new Map(wanted.map((one) => [one, "s3cret-of-a-person"])),
      },
    }),
  );
  const text = textsOf(workspace).get("notes/a.rpc.json") ?? "";
  service.openText(notebookUri, text);
  await service.settled(notebookUri);
  service.hover(notebookUri, 0); // the first hover makes the service look for contracts
  await service.settled(notebookUri);
  return { service, text };
}

/** The files of a workspace, in memory. */
export function filesOf(workspace: Workspace): Files {
  const uriOf = (path: string) => `${top}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const texts = new Map([...textsOf(workspace)].map(([path, text]) => [uriOf(path), text]));
  return {
    read: async (uri) => {
      const text = texts.get(uri);
      return text === undefined ? undefined : new TextEncoder().encode(text);
    },
    async list(uri) {
      const inside = [...texts.keys()].flatMap((one) => (one.startsWith(`${uri}/`) ? one.slice(uri.length + 1) : []));
      const entries = new Map(inside.map((path) => [decodeURIComponent(path.split("/")[0] ?? ""), path.includes("/")]));
      return [...entries].map(([name, isFolder]) => ({ name, kind: isFolder ? "folder" : "file", version: "1" }));
    },
  };
}
