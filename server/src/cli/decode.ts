import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type AbiScope, scopeOf } from "../abi/abiScope.ts";
import { loadKeysOfAddresses } from "../abi/address.ts";
import { decodedResult } from "../abi/decodedResult.ts";
import { type AbiItem, parseItem } from "../abi/item.ts";
import { itemsCalled } from "../abi/wellKnownAbis.ts";
import { type JsonValue, printJson } from "../base/json.ts";
import { methodNamed } from "../catalog/catalog.ts";
import { keyAdvice, withoutPrivateKeys } from "../convert/recognise/recognise.ts";
import {
  type Description,
  describeCall,
  describeData,
  describeLog,
  describeReturn,
  describeRevert,
  isCallOf,
} from "../report/describe.ts";
import { descriptionJson, descriptionText } from "../report/descriptionText.ts";
import type { Report } from "../report/report.ts";
import { resultView } from "../report/result.ts";
import type { Host } from "../workspace/host.ts";
import type { DecodeOptions } from "./command.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { type DecodeInput, readDecodeInput } from "./decodeInput.ts";
import { abiEntries, isAbiPath, openInMemory, openService } from "./openService.ts";
import { printReports } from "./results.ts";
import { exitCodes, type Terminal, UsageError } from "./terminal.ts";

/** The name of a notebook in the working folder that exists only in memory. */
const notebook = "decode.rpc.json";

/** The files that the command reads. Projects are searched for upwards from their folders. */
export function filesOf({ abis }: DecodeOptions): readonly string[] {
  return [notebook, ...abis.filter(isAbiPath)];
}

/**
 * `rpc-notebook decode`: identifies its input and decodes it. Sends nothing.
 *
 * @returns The exit code.
 */
export async function decode(options: DecodeOptions, host: Host, context: CommandLineHost): Promise<number> {
  const declared = options.abis.filter((abi) => !isAbiPath(abi)).map(declaration);
  const input = await readInput(await textOf(options, context.input), options);
  const uri = pathToFileURL(resolve(notebook)).href;
  const { service, terminal } = openService(host, context.terminal);
  // declarations are passed to the decoder, which shows --abi as their source
  const text = JSON.stringify({ abi: abiEntries(options.abis.filter(isAbiPath)), cells: [] });
  const wrong = await openInMemory(uri, text, service);
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  if (wrong.length > 0) return exitCodes.usage;
  await service.prepare(uri, { data: decodable(input) });
  const project = service.abi(uri);
  const items = [...declared, ...(project?.items ?? [])];
  const scope = scopeOf(items, project?.scope.creatables, project?.scope.bundled);
  if (input.kind === "result") {
    const { report, json } = viewOf(input, scope);
    if (options.json) terminal.print(printJson(json, 2));
    else printReports([report], terminal, { mark: false, short: true });
    return exitCodes.ok;
  }
  const called = options.called === undefined ? undefined : functionsCalled(options.called, items);
  return printDescriptions(describe(input, scope, called), input, options, terminal);
}

/** Returns everything that data may be, in the shape of answers. */
function decodable(input: DecodeInput): JsonValue {
  if (input.kind === "result") return input.value;
  if (input.kind === "log") return input.log;
  const { hex } = input;
  return [{ input: hex, status: "0x0", returnData: hex }, { topics: [hex] }];
}

function declaration(text: string): AbiItem {
  const item = parseItem(text, "--abi");
  if (item) return item;
  throw new UsageError(`--abi ${text} is not a declaration or a file.`, {
    hint: "Write it as in Solidity: --abi 'function transfer(address to, uint256 value)'.",
  });
}

async function textOf({ text, log }: DecodeOptions, input: CommandLineHost["input"]): Promise<string> {
  const found = log ? "" : (text ?? (await input()));
  if (found !== undefined) return found;
  throw new UsageError("Nothing to decode.", {
    hint: "Write it after `decode`, or pipe it in. See `rpc-notebook decode --help`.",
  });
}

/** Reads the input without the private keys in it: their digits, decoded, are the keys. */
async function readInput(given: string, options: DecodeOptions): Promise<DecodeInput> {
  await loadKeysOfAddresses(given);
  const text = withoutPrivateKeys(given);
  try {
    return readDecodeInput(text, options);
  } catch (error) {
    if (text !== given)
      throw new UsageError("This looks like a private key, so it is not decoded.", { hint: keyAdvice });
    const isName = options.text !== undefined && options.text.length < 1000 && existsSync(options.text);
    if (!isName || !(error instanceof UsageError)) throw error;
    throw new UsageError(`${options.text} is a file. \`decode\` reads content, not names of files.`, {
      hint: `Pipe it in: rpc-notebook decode < ${options.text}`,
    });
  }
}

function functionsCalled(called: string, items: readonly AbiItem[]): readonly AbiItem[] {
  const found = itemsCalled("function", called, items);
  if (found.length === 0)
    throw new UsageError(`Unknown function \`${called}\`.`, {
      hint: "Write its declaration: --function 'balanceOf(address) returns (uint256)', or name its ABI with --abi.",
    });
  return found.map((item) => (item.source === "as written" ? { ...item, source: "--function" } : item));
}

function describe(
  input: Exclude<DecodeInput, { kind: "result" }>,
  scope: AbiScope,
  called?: readonly AbiItem[],
): readonly Description[] {
  switch (input.kind) {
    case "call":
      return [describeCall(input.hex, scope, input.to)];
    case "revert":
      return [describeRevert(input.hex, scope)];
    case "log":
      return [describeLog(input.log, scope)];
    case "data":
      return called ? [describeAsOf(called, input.hex, scope)] : describeData(input.hex, scope);
  }
}

/** Describes bytes as a call of these functions, or as their return data. */
function describeAsOf(called: readonly AbiItem[], hex: string, scope: AbiScope): Description {
  if (isCallOf(called, hex)) return describeCall(hex, scopeOf(called, scope.creatables, scope.bundled));
  const returning = called.filter(({ outputs }) => outputs.length > 0);
  if (returning.length > 0) return describeReturn(hex, returning);
  throw new UsageError(`\`${called[0]?.signature}\` does not declare what it returns.`, {
    hint: "Add that: --function 'balanceOf(address) returns (uint256)'.",
  });
}

function printDescriptions(
  all: readonly Description[],
  input: DecodeInput,
  { json }: DecodeOptions,
  terminal: Terminal,
): number {
  if (json)
    terminal.print(printJson(all.length === 1 && all[0] ? descriptionJson(all[0]) : all.map(descriptionJson), 2));
  else terminal.print(all.map((one) => descriptionText(one, terminal.paint)).join("\n\n"));
  const unknown = all.find(({ known }) => !known);
  if (unknown) terminal.complain(...adviceOn(unknown, input));
  const isFaulty = all.some(({ readings }) => (readings[0]?.faults.length ?? 0) > 0);
  return unknown || isFaulty ? exitCodes.failed : exitCodes.ok;
}

const returnDataAdvice = "For return data, name the function: --function 'f() returns (uint256)'.";

/** @returns What is unknown, and what to do. */
function adviceOn({ kind }: Description, input: DecodeInput): readonly [string, string] {
  switch (kind) {
    case "log":
      return [
        "No known event has this topic 0 and this number of topics.",
        "Add its declaration, or the contract's artifact, with --abi.",
      ];
    case "call":
    case "revert":
    case "selector":
      return ["Unknown selector.", "Add the declaration, or the contract's artifact, with --abi."];
    default: {
      const mayBeHash = input.kind === "data" && input.hex.length === 66 && !/^0x0{8}/.test(input.hex);
      const hashAdvice = "For a transaction hash: rpc-notebook explain HASH --endpoint NAME|URL.";
      return mayBeHash
        ? ["No known event has this topic 0.", `${hashAdvice} ${returnDataAdvice}`]
        : ["Nothing identifies these bytes.", returnDataAdvice];
    }
  }
}

interface ResultView {
  readonly report: Report;
  readonly json: JsonValue;
}

const titles: ReadonlyMap<string, string> = new Map([
  ["eth_getLogs", "Logs"],
  ["eth_getBlockReceipts", "Receipts"],
  ["eth_simulateV1", "Simulation"],
  ["eth_getBlockByNumber", "Block"],
]);

/** Shows the result of a method as a run does. */
function viewOf({ method, value }: Extract<DecodeInput, { kind: "result" }>, scope: AbiScope): ResultView {
  const context = { labels: new Map(), params: null, returns: undefined, scope, tokens: new Map() };
  const { summary, sections } = resultView(methodNamed(method), value, context);
  const title = titles.get(method) ?? "Receipt";
  const decoded = decodedResult(method, value, scope) ?? null;
  return {
    report: { title, summary, status: "ok", sections, facts: [] },
    json: { kind: title.toLowerCase(), known: true, result: value, decoded },
  };
}
