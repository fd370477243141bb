import { readBody } from "./body.ts";
import { type CallValue, type CodeValue, jsonOf, type Member, memberNamed, memberOf } from "./codeValue.ts";
import {
  failedImport,
  type Header,
  type Imported,
  type ImportPart,
  isOwnHeader,
  joinedParts,
  type Note,
} from "./importModel.ts";
import { wordAt } from "./words.ts";

export interface CodeRequest {
  readonly call: CallValue;
  /** `undefined` if the call does not say it. */
  readonly url: CodeValue | undefined;
  readonly headers: readonly Member[];
  /** `undefined` if the call sends none. */
  readonly body: CodeValue | undefined;
}

/**
 * Makes entries of what calls send. A part that has to be computed is left out with a note, and so is a function of a client library
 * that asks a node without naming the method.
 *
 * @param requestOf - Returns what a call sends.
 */
export function importedCode(
  calls: readonly CallValue[],
  requestOf: (call: CallValue) => CodeRequest | undefined,
): Imported {
  const parts = calls.map((call): ImportPart => {
    const request = requestOf(call);
    if (request) return importedRequest(request);
    const what = asksNode(call) ? leftOut(call.path) : undefined;
    return { entries: [], notes: what === undefined ? [] : [{ at: call.at, severity: "note", what }] };
  });
  return { ...joinedParts(parts), variables: new Map() };
}

/** Says that something is left out. @param path - Its names in the code. */
export function leftOut(path: string): string {
  return `\`${path}\` belongs to a client library, which is not read, so it is left out.`;
}

/** Functions of viem, ethers, web3.js and web3.py, and those of their contracts. */
const clientFunctions =
  /\.(?:get(?:Balance|Block(?:Number|TransactionCount)?|BlobBaseFee|Bytecode|Chain(?:Id|Tip)?|Code|ContractEvents|Delegation|Ens\w+|FeeData|FeeHistory|Filter(?:Changes|Logs)|GasPrice|Logs|PastLogs|PastEvents|Network|Proof|Storage(?:At)?|Transaction(?:Confirmations|Count|Receipt|Result)?)|readContract|writeContract|deployContract|simulate(?:Contract|Calls|Blocks)|multicall|queryFilter|estimate(?:Gas|ContractGas|FeesPerGas|MaxPriorityFeePerGas)|createAccessList|send(?:Raw)?Transaction(?:Sync)?|broadcastTransaction|waitForTransaction(?:Receipt)?|lookupAddress|resolveName)$|(?:^|\.)eth\.\w+$|(?:client|provider|w3|web3)\w{0,60}\.call$|\.(?:read|simulate|write)\.\w+$|\.(?:functions|methods)\.\w+$/i;

function asksNode({ path, root }: CallValue): boolean {
  if (clientFunctions.test(path)) return !/(?:^|\.)eth\.contract$/i.test(path);
  return root?.kind === "call" && /(?:^|\.)(?:Contract|getContract(?:At)?)$/.test(root.path) && path.includes(".");
}

function importedRequest({ call, url, headers, body }: CodeRequest): ImportPart {
  const left = (what: string): Note => ({ at: call.at, severity: "note", what });
  const name = `\`${call.path.replace(/^.*\./, "")}\``;
  if (!body) return failedImport(`This ${name} sends no body, so it is not a JSON-RPC request.`, call.at);
  const json = body.kind === "text" ? body.text : jsonOf(body);
  if (typeof json !== "string")
    return failedImport(`${name} sends a computed value here, so the request is left out.`, json.at);
  const { text, notes } = readBody(wordAt(json, body.at));
  const address = url?.kind === "text" ? url.text : undefined;
  const read = headersOf(headers);
  const lost = [
    ...(url && address === undefined ? [left(`The address of this ${name} is computed, so it is left out.`)] : []),
    ...(read.isComplete ? [] : [left(`Some headers of this ${name} are computed, so they are left out.`)]),
  ];
  const target = address === undefined ? undefined : { url: address, headers: read.headers, at: url?.at ?? call.at };
  return { entries: [{ kind: "request", body: text, name: undefined, target }], notes: [...lost, ...notes] };
}

/** Headers that browsers add to what they send. */
const browserHeaders =
  /^(?::.*|accept-language|cache-control|pragma|dnt|priority|te|origin|referer|sec-.*|transfer-encoding|upgrade-insecure-requests)$/i;

/** Whether a header says nothing about a request of a notebook. */
export function isBrowserHeader(name: string): boolean {
  return isOwnHeader(name) || browserHeaders.test(name);
}

function headersOf(members: readonly Member[]): { readonly headers: readonly Header[]; readonly isComplete: boolean } {
  const named = members.filter(([name]) => !isBrowserHeader(name));
  const headers = named.flatMap(([name, one]) => (one.kind === "text" ? [{ name, value: one.text }] : []));
  return { headers, isComplete: headers.length === named.length };
}

/** Returns the members of `headers` and, if there is a password, the header for it. */
export function headersIn(options: readonly Member[]): readonly Member[] {
  const written = memberNamed(options, "headers");
  const members: readonly Member[] =
    written === undefined ? [] : written.kind === "object" ? written.members : [["...", written]];
  const auth = memberNamed(options, "auth");
  const [user, password] =
    auth?.kind === "list" ? auth.items : [memberOf(auth, "username"), memberOf(auth, "password")];
  if (user?.kind !== "text" || password?.kind !== "text") return members;
  return [...members, ["Authorization", { ...user, text: `Basic ${user.text}:${password.text}` }]];
}

/** Returns the request of a call such as `send("eth_chainId", [])`. */
export function methodCall(call: CallValue, method: CodeValue, params: CodeValue | undefined): CodeRequest {
  const members: readonly Member[] = [["method", method], ...(params ? [["params", params] as const] : [])];
  return { call, url: addressIn(call.root), headers: [], body: { kind: "object", members, at: method.at } };
}

export function isMethod(value: CodeValue | undefined): value is CodeValue & { readonly kind: "text" } {
  return value?.kind === "text" && /^[a-zA-Z]\w*_\w+$/.test(value.text);
}

/** Finds the address that an object was made with: `new Provider("…")`, `createClient({ transport: http("…") })`. */
function addressIn(value: CodeValue | undefined, depth = 0): CodeValue | undefined {
  if (value === undefined || depth > 5) return undefined;
  switch (value.kind) {
    case "text":
      return /^(?:https?:|wss?:|\{\{\$env)/i.test(value.text) ? value : undefined;
    case "call":
      return firstOf([...value.values, memberNamed(value.named, "endpoint_uri"), value.root], depth);
    case "unknown":
      return addressIn(value.root, depth + 1);
    case "object":
      return firstOf(
        ["transport", "url"].map((name) => memberOf(value, name)),
        depth,
      );
    case "list":
      return firstOf(value.items, depth);
    case "plain":
    case "nothing":
      return undefined;
  }
}

function firstOf(values: readonly (CodeValue | undefined)[], depth: number): CodeValue | undefined {
  for (const value of values.slice(0, 10)) {
    const found = addressIn(value, depth + 1);
    if (found) return found;
  }
  return undefined;
}
