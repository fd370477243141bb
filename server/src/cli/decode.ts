import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type AbiScope, scopeOf } from "../abi/abiScope.ts";
import { decodedResult } from "../abi/decodedResult.ts";
import { itemsCalled } from "../abi/find.ts";
import { type AbiItem, parseItem } from "../abi/item.ts";
import { isObject, type JsonValue } from "../base/json.ts";
import { methodNamed } from "../catalog/catalog.ts";
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
import { reportText } from "../report/text.ts";
import type { CellResult } from "../run/cellResult.ts";
import type { Service } from "../service/service.ts";
import type { Host } from "../workspace/host.ts";
import { UsageError } from "./arguments.ts";
import { chooseEndpoint } from "./choose.ts";
import type { DecodeOptions } from "./command.ts";
import { type Given, given } from "./given.ts";
import { openService } from "./openService.ts";
import { exitCodes, printedJson, type Terminal } from "./terminal.ts";

/** The notebook that stands in the working folder while something is decoded: nobody has written it. */
const notebook = "decode.rpc.json";

/** The paths by which the project around them is found, whose files may be read. */
export function filesOf({ abis }: DecodeOptions): readonly string[] {
  return [notebook, ...abis.filter(isPath)];
}

/** A declaration has brackets, and is no file. */
function isPath(abi: string): boolean {
  return !abi.includes("(") || existsSync(abi);
}

interface Around {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  input(): Promise<string | undefined>;
}

/**
 * `rpc-notebook decode`: says what it was given and decodes it. Only the hash of a transaction makes it send a request.
 *
 * @returns The exit code.
 */
export async function decode(options: DecodeOptions, host: Host, around: Around): Promise<number> {
  const declared = options.abis.filter((abi) => !isPath(abi)).map(declaration);
  const found = read(await textOf(options, around), options);
  const hash = options.endpoint === undefined ? undefined : hashIn(found);
  const uri = pathToFileURL(resolve(notebook)).href;
  const { service, terminal } = openService(host, around.terminal);
  service.openText(uri, notebookText(options, hash));
  service.abi(uri); // contracts of the project are looked for once somebody asks
  await service.settled(uri);
  const wrong = service.diagnostics(uri).filter(({ code }) => code === "bad-abi");
  for (const { message } of wrong) terminal.complain(message, "Mend what --abi names.");
  if (wrong.length > 0) return exitCodes.usage;
  if (hash !== undefined) return byHash(service, uri, options, terminal, around.signal);
  await service.prepare(uri, { data: decodable(found) });
  const known = service.abi(uri);
  const items = [...declared, ...(known?.items ?? [])];
  const scope = scopeOf(items, known?.scope.creatables, known?.scope.bundled);
  if (found.kind === "result") return result(shown(found, scope), options, terminal);
  const called = options.called === undefined ? undefined : functionsCalled(options.called, items);
  return descriptions(describe(found, scope, called), found, options, terminal);
}

/** Everything that data may be, as it is in answers. */
function decodable(found: Given): JsonValue {
  if (found.kind === "result") return found.value;
  if (found.kind === "log") return found.log;
  const { hex } = found;
  return [{ input: hex, status: "0x0", returnData: hex }, { topics: [hex] }];
}

function declaration(text: string): AbiItem {
  const item = parseItem(text, "--abi");
  if (item) return item;
  throw new UsageError(`--abi ${text} is no declaration, and no file.`, {
    hint: "Write it as Solidity has it: --abi 'function transfer(address to, uint256 value)'.",
  });
}

async function textOf({ text, log }: DecodeOptions, { input }: Around): Promise<string> {
  const found = log ? "" : (text ?? (await input()));
  if (found !== undefined) return found;
  throw new UsageError("There is nothing to decode.", {
    hint: "Give it behind `decode`, or over standard input; see `rpc-notebook decode --help`.",
  });
}

function read(text: string, options: DecodeOptions): Given {
  try {
    return given(text, options);
  } catch (error) {
    const isName = options.text !== undefined && options.text.length < 1000 && existsSync(options.text);
    if (!isName || !(error instanceof UsageError)) throw error;
    throw new UsageError(`${options.text} is a file: \`decode\` takes what is in it.`, {
      hint: `Pipe it in: rpc-notebook decode < ${options.text}`,
    });
  }
}

function hashIn(found: Given): string {
  if (found.kind === "data" && found.hex.length === 66) return found.hex;
  throw new UsageError("This is not the hash of a transaction, so there is nothing to ask an endpoint for.", {
    hint: "A hash has 32 bytes; all else is decoded without --endpoint.",
  });
}

/** What is asked of a transaction by its hash: what it does, and what became of it. */
const asked = ["eth_getTransactionByHash", "eth_getTransactionReceipt"] as const;

function notebookText({ abis }: DecodeOptions, hash: string | undefined): string {
  // declarations are known by where they were given, unless a run is to find them
  const listed = abis.filter((abi) => isPath(abi) || hash !== undefined);
  const abi = listed.map((one) => (isPath(one) ? `./${relative(".", resolve(one)).replaceAll("\\", "/")}` : one));
  const params = hash === undefined ? [] : [hash];
  return JSON.stringify({ abi, cells: asked.map((method) => ({ method, params })) });
}

function functionsCalled(called: string, items: readonly AbiItem[]): readonly AbiItem[] {
  const found = itemsCalled("function", called, items);
  if (found.length === 0)
    throw new UsageError(`No function is called \`${called}\`.`, {
      hint: "Write it out: --function 'balanceOf(address) returns (uint256)', or name its ABI with --abi.",
    });
  return found.map((item) => (item.source === "as written" ? { ...item, source: "--function" } : item));
}

function describe(
  found: Exclude<Given, { kind: "result" }>,
  scope: AbiScope,
  called?: readonly AbiItem[],
): readonly Description[] {
  switch (found.kind) {
    case "call":
      return [describeCall(found.hex, scope, found.to)];
    case "revert":
      return [describeRevert(found.hex, scope)];
    case "log":
      return [describeLog(found.log, scope)];
    case "data":
      return called ? [describeAsOf(called, found.hex, scope)] : describeData(found.hex, scope);
  }
}

/** A call of these functions, or what they returned. */
function describeAsOf(called: readonly AbiItem[], hex: string, scope: AbiScope): Description {
  if (isCallOf(called, hex)) return describeCall(hex, scopeOf(called, scope.creatables, scope.bundled));
  const returning = called.filter(({ outputs }) => outputs.length > 0);
  if (returning.length > 0) return describeReturn(hex, returning);
  throw new UsageError(`\`${called[0]?.signature}\` does not say what it returns.`, {
    hint: "Write that as well: --function 'balanceOf(address) returns (uint256)'.",
  });
}

function descriptions(all: readonly Description[], found: Given, { json }: DecodeOptions, terminal: Terminal): number {
  if (json)
    terminal.print(printedJson(all.length === 1 && all[0] ? descriptionJson(all[0]) : all.map(descriptionJson)));
  else terminal.print(all.map((one) => descriptionText(one, terminal.paint)).join("\n\n"));
  const unknown = all.find(({ known }) => !known);
  if (unknown) terminal.complain(...whatToDo(unknown, found));
  const faulty = all.some(({ readings }) => (readings[0]?.faults.length ?? 0) > 0);
  return unknown || faulty ? exitCodes.failed : exitCodes.ok;
}

function whatToDo({ kind }: Description, found: Given): readonly [string, string] {
  switch (kind) {
    case "log":
      return [
        "No known event has this topic 0 and so many topics.",
        "Give its declaration, or the contract's artifact, with --abi.",
      ];
    case "call":
    case "revert":
    case "selector":
      return ["Nothing known has this selector.", "Give the declaration, or the contract's artifact, with --abi."];
    default:
      return found.kind === "data" && found.hex.length === 66 && !/^0x0{8}/.test(found.hex) // hashes begin otherwise
        ? [
            "No known event has this topic 0.",
            "Is it the hash of a transaction? Then say where: --endpoint NAME|URL. Is it what a function returned? Then say which: --function 'f() returns (uint256)'.",
          ]
        : [
            "Nothing tells what these bytes are.",
            "Is it what a function returned? Then say which: --function 'f() returns (uint256)'.",
          ];
  }
}

interface Result {
  readonly report: Report;
  readonly json: JsonValue;
}

const titles: ReadonlyMap<string, string> = new Map([
  ["eth_getLogs", "Logs"],
  ["eth_getBlockReceipts", "Receipts"],
  ["eth_simulateV1", "Simulation"],
  ["eth_getBlockByNumber", "Block"],
]);

/** A result that was pasted, as a run would show it. */
function shown({ method, value }: Extract<Given, { kind: "result" }>, scope: AbiScope): Result {
  const context = { labels: new Map(), params: null, returns: undefined, scope, tokens: new Map() };
  const { summary, sections } = resultView(methodNamed(method), value, context);
  const title = titles.get(method) ?? "Receipt";
  const json = {
    kind: title.toLowerCase(),
    known: true,
    result: value,
    decoded: decodedResult(method, value, scope) ?? null,
  };
  return { report: { title, summary, status: "ok", sections, facts: [] }, json };
}

function result({ report, json }: Result, options: DecodeOptions, terminal: Terminal): number {
  terminal.print(options.json ? printedJson(json) : textOfReport(report, terminal));
  return exitCodes.ok;
}

function textOfReport(report: Report, { paint, width }: Terminal): string {
  return reportText(report, { mark: false, paint, short: true, ...(width !== undefined && { width }) });
}

/** Fetches a transaction and its receipt as a run of a notebook does, by the same rules. */
async function byHash(
  service: Service,
  uri: string,
  { endpoint = "", json }: DecodeOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const wrong = await chooseEndpoint(endpoint, [{ uri }], service);
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  if (wrong.length > 0) return exitCodes.usage;
  const ended: CellResult[] = [];
  const events = { started: () => {}, finished: (cell: CellResult) => void ended.push(cell) };
  await service.run({ uri, cells: asked.map((_, index) => ({ index })), endpoint }, events, signal);
  const byMethod = new Map(
    ended.flatMap((cell) => cell.answers().map((answer) => [methodOf(answer), { cell, answer }])),
  );
  const [transaction, receipt] = asked.map((method) => byMethod.get(method));
  if (!receipt) {
    // nothing was sent, and the first report says why
    for (const report of ended[0]?.output.reports ?? []) terminal.print(textOfReport(named(report), terminal));
    return exitCodes.failed;
  }
  const missing = isObject(receipt.answer) && receipt.answer.result === null;
  const known = receipt.cell.ok && !missing;
  if (json) {
    const answers = { answer: receipt.answer, ...(transaction && { transaction: transaction.answer }) };
    terminal.print(printedJson({ kind: "receipt", known, ...answers }));
  } else {
    const shown = missing || !transaction ? [receipt] : [transaction, receipt];
    const reports = shown.flatMap(({ cell }) => cell.output.reports);
    terminal.print(reports.map((report) => textOfReport(named(report), terminal)).join("\n\n"));
  }
  if (missing)
    terminal.complain(
      "The endpoint knows no receipt under this hash.",
      "Is it the right network, and is the transaction mined?",
    );
  return known && !signal.aborted ? exitCodes.ok : exitCodes.failed;
}

/** Without the number of a cell that nobody has written. */
function named(report: Report): Report {
  return { ...report, title: report.title.replace(/^cell \d+: /, "") };
}

function methodOf(answer: JsonValue): JsonValue | undefined {
  return isObject(answer) ? answer.method : undefined;
}
