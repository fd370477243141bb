import { names } from "../analysis/order.ts";
import { isAddress, isHex, isWord } from "../base/hex.ts";
import { isArray, isObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { brief, visible } from "../base/text.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import { printPath } from "../evaluate/path.ts";
import type { Cell } from "../notebook/cell.ts";
import { bodyOf, defaultBatch, messages } from "../rpc/wire.ts";
import {
  comment,
  type ExportEndpoint,
  type Exported,
  type ExportNote,
  type ExportScope,
  headerVariable,
  isTag,
  markdownOf,
  nameOf,
  numberOf,
} from "./exportModel.ts";
import { type Hole, kindsAt, lastResult, openRequests, pieces } from "./openRequests.ts";

/**
 * Writes cells as commands for a POSIX shell, in their order. Values of the host become variables of the shell, and so
 * do results of other cells that have not run; a private address is `$RPC_URL`.
 */
export function toShell(cells: readonly Cell[], form: "curl" | "cast", context: ExportScope): Exported {
  const notes: ExportNote[] = [];
  const isScript = cells.length > 1;
  const texts = cells.map((cell): string => {
    if (cell.kind === "markdown") return comment(markdownOf(cell), "#");
    const made = commandsOf(cell, form, context, isScript);
    notes.push(...made.notes.map((what) => ({ cell, what })));
    const name = isScript ? nameOf(cell) : undefined;
    const head = [...(name === undefined ? [] : [name]), ...made.notes].map((text) => comment(text, "#"));
    return [...head, ...made.commands].join("\n");
  });
  return { text: `${texts.join("\n\n")}\n`, notes };
}

interface Commands {
  readonly commands: readonly string[];
  readonly notes: readonly string[];
}

/** @param isScript - Whether the command is one of several: then each answer ends with a line break, which few nodes send. */
function commandsOf(
  cell: Cell,
  form: "curl" | "cast",
  { scope, endpointOf }: ExportScope,
  isScript: boolean,
): Commands {
  const cellNames = names(scope.cells);
  const { requests, holes, faults } = openRequests(cell, scope, ([first]) => {
    const name = String(first);
    const isWithoutValue = !scope.variables.has(name) && lastResult(name, scope) === undefined;
    return isHostValue(first) || (isWithoutValue && cellNames.has(name));
  });
  const context: CommandContext = { holes, endpoint: endpointOf(cell), isScript };
  const results = holes.filter(({ path: [first] }) => !isHostValue(first));
  const unfit = results.find(({ path }) => isNeverText(kindsAt(path, scope)));
  if (unfit)
    return { commands: [], notes: [`{{${brief(printPath(unfit.path))}}} is not text, so a shell cannot fill it in.`] };
  const needed = results.map((hole) => `Set ${shellName(hole)} to {{${brief(printPath(hole.path))}}} first.`);
  const commands =
    form === "cast"
      ? requests.map((request) => cast(request, context))
      : messages(requests, defaultBatch).map((places) =>
          curl(
            places.flatMap((at) => requests[at] ?? []),
            context,
          ),
        );
  return { commands, notes: faults.length > 0 ? faults : [...new Set(needed)] };
}

function isNeverText(kinds: readonly string[]): boolean {
  return kinds.length > 0 && kinds.every((kind) => /^(?:integer|boolean|null|object|map|list)$/.test(kind));
}

function isHostValue(name: string | number | undefined): boolean {
  return String(name).startsWith("$");
}

interface CommandContext {
  readonly holes: readonly Hole[];
  readonly endpoint: ExportEndpoint;
  readonly isScript: boolean;
}

function curl(requests: readonly EvaluatedRequest[], { holes, endpoint, isScript }: CommandContext): string {
  const lines = [
    `curl -gsS ${isScript ? "-w '\\n' " : ""}${addressWord(endpoint)}`,
    `-H 'Content-Type: application/json'`,
    ...endpoint.headers.map((name) => `-H ${headerWord(name)}`),
    `--data ${shellWord(visible(bodyOf(requests)), holes)}`, // invisible characters become escapes of JSON
  ];
  return lines.join(" \\\n  ");
}

/** @see https://getfoundry.sh/cast/reference/cast */
function cast(request: EvaluatedRequest, context: CommandContext): string {
  const { method, params = [] } = request;
  const { holes, endpoint } = context;
  if (visible(method) !== method) return curl([request], context); // words have no escapes, JSON has
  const headers = endpoint.headers.map((name) => ` --rpc-headers ${headerWord(name)}`);
  const options = `--rpc-url ${addressWord(endpoint)}${headers.join("")}`;
  const list = isArray(params) ? params : [];
  const words = list.map((value) => castWord(value, holes));
  const isRaw = !isArray(params) || words.some((word) => visible(word) !== word);
  const quoted = (some: readonly string[]): string => some.map((word) => shellWord(word, holes)).join(" ");
  const command = isRaw || printJson(list).includes('"-') ? undefined : subcommands.get(method)?.(list);
  if (command) return `cast ${quoted(command.map(String))} ${options}`;
  const all = [method, ...(isRaw ? [visible(printJson(params))] : words)];
  const raw = isRaw ? "--raw " : "";
  // behind two dashes nothing is an option
  if (all.some((word) => word.startsWith("-"))) return `cast rpc ${raw}${options} -- ${quoted(all)}`;
  return `cast rpc ${[quoted(all.slice(0, 1)), `${raw}${quoted(all.slice(1))}`, options].filter(Boolean).join(" ")}`;
}

/** Returns text as it is, unless it would be read as JSON and become something else, or may, when it is filled in. */
function castWord(value: JsonValue, holes: readonly Hole[]): string {
  const isPlain = typeof value === "string" && value !== "" && parseJson(value) === undefined;
  return isPlain && pieces(value, holes).every((piece) => typeof piece === "string") ? value : printJson(value);
}

/** The words of a subcommand, if it sends the very same request: it would write other numbers, or refuse other values. */
type Subcommand = (params: readonly JsonValue[]) => readonly JsonValue[] | undefined;

const ofAccount =
  (name: string): Subcommand =>
  ([account, ...block]) => {
    const tail = blockOption(block);
    return isAddress(account) && tail ? [name, account, ...tail] : undefined;
  };

const ofCall =
  (name: string): Subcommand =>
  ([call, ...block]) => {
    const tail = blockOption(block);
    if (!isObject(call) || !tail) return undefined;
    const { to, data, from, ...others } = call;
    if (!isAddress(to) || !isHex(data) || data.length % 2 > 0 || Object.keys(others).length > 0) return undefined;
    if (from !== undefined && !isAddress(from)) return undefined;
    return [name, to, data, ...(from === undefined ? [] : ["--from", from]), ...tail];
  };

const ofChain =
  (name: string): Subcommand =>
  (params) =>
    params.length === 0 ? [name] : undefined;

const subcommands: ReadonlyMap<string, Subcommand> = new Map<string, Subcommand>([
  ["eth_chainId", ofChain("chain-id")],
  ["eth_blockNumber", ofChain("block-number")],
  ["eth_gasPrice", ofChain("gas-price")],
  ["eth_getBalance", ofAccount("balance")],
  ["eth_getTransactionCount", ofAccount("nonce")],
  ["eth_getCode", ofAccount("code")],
  [
    "eth_getStorageAt",
    ([account, slot = null, ...block]) => {
      const tail = blockOption(block);
      const isSlot = isWord(slot) || numberOf(slot, 256) !== undefined;
      return isAddress(account) && isSlot && tail ? ["storage", account, slot, ...tail] : undefined;
    },
  ],
  ["eth_call", ofCall("call")],
  ["eth_estimateGas", ofCall("estimate")],
]);

/** A number in decimal, or a tag. */
function blockOption([block, ...more]: readonly JsonValue[]): readonly JsonValue[] | undefined {
  if (more.length > 0) return undefined;
  if (block === undefined) return [];
  const written = isTag(block) ? block : numberOf(block, 64)?.toString();
  return written === undefined ? undefined : ["--block", written];
}

function addressWord({ url }: ExportEndpoint): string {
  return url === undefined ? `"$RPC_URL"` : shellWord(url, []);
}

function headerWord(name: string): string {
  return `${quotedWord(`${name}: `)}"$${headerVariable(name)}"`;
}

/** Quotes text for the shell. Values of the host are filled in as they are; a result that is not set ends the script. */
function shellWord(text: string, holes: readonly Hole[]): string {
  const words = pieces(text, holes).map((piece) => {
    if (typeof piece !== "string")
      return isHostValue(piece.path[0]) ? `"$${shellName(piece)}"` : `"\${${shellName(piece)}:?}"`;
    return /^[\w@%+=:,./-]+$/.test(piece) ? piece : quotedWord(piece);
  });
  return words.join("") || "''";
}

function quotedWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns `TOKEN` for `{{$secret.TOKEN}}`, `balance_result` for `{{balance.result}}`. */
function shellName({ path }: Hole): string {
  const name = path.slice(isHostValue(path[0]) ? 1 : 0).join("_");
  return name.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^(?=\d)/, "_");
}
