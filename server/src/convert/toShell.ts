import { names } from "../analysis/order.ts";
import { isAddress, isHex, isWord } from "../base/hex.ts";
import { isArray, isObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { brief } from "../base/text.ts";
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
import { type Part, type Shell, type ShellName, shells } from "./shells.ts";

/**
 * Writes cells as commands for a shell, in their order. Values of the host become variables of the environment, and so do
 * results of other cells that have not run; a private address is `RPC_URL`. What the shell cannot carry is a note.
 */
export function toShell(
  cells: readonly Cell[],
  form: "curl" | "cast",
  shellName: ShellName,
  context: ExportScope,
): Exported {
  const shell = shells[shellName];
  const notes: ExportNote[] = [];
  const isScript = cells.length > 1;
  const texts = cells.map((cell): string => {
    if (cell.kind === "markdown") return comment(markdownOf(cell), shell.comment);
    const made = commandsOf(cell, form, shell, context, isScript);
    notes.push(...made.notes.map((what) => ({ cell, what })));
    const name = isScript ? nameOf(cell) : undefined;
    const head = [...(name === undefined ? [] : [name]), ...made.notes].map((text) => comment(text, shell.comment));
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
  shell: Shell,
  { scope, endpointOf }: ExportScope,
  isScript: boolean,
): Commands {
  const cellNames = names(scope.cells);
  const { requests, holes, faults } = openRequests(cell, scope, ([first]) => {
    const name = String(first);
    const isWithoutValue = !scope.variables.has(name) && lastResult(name, scope) === undefined;
    return isHostValue(first) || (isWithoutValue && cellNames.has(name));
  });
  const results = holes.filter(({ path: [first] }) => !isHostValue(first));
  const unfit = results.find(({ path }) => !shell.stopsWithoutValue || isNeverText(kindsAt(path, scope)));
  if (unfit) {
    const why = shell.stopsWithoutValue ? "is not text, so a shell" : "has no value yet, and cmd";
    return { commands: [], notes: [`{{${brief(printPath(unfit.path))}}} ${why} cannot fill it in.`] };
  }
  const needed = results.map((hole) => `Set ${shellName(hole)} to {{${brief(printPath(hole.path))}}} first.`);
  const context: CommandContext = { shell, holes, endpoint: endpointOf(cell), isScript };
  const commands =
    form === "cast"
      ? requests.map((request) => cast(request, context))
      : messages(requests, defaultBatch).map((places) =>
          curl(
            places.flatMap((at) => requests[at] ?? []),
            context,
          ),
        );
  const carried = commands.filter((command) => command !== undefined).filter(({ length }) => length <= shell.maxLength);
  if (carried.length < commands.length) return { commands: [], notes: [whyNotCarried(commands, shell)] };
  return { commands: carried, notes: faults.length > 0 ? faults : [...new Set(needed)] };
}

/** @param commands - `undefined` for one that has a word which the shell cannot carry. */
function whyNotCarried(commands: readonly (string | undefined)[], { label, maxLength }: Shell): string {
  return commands.includes(undefined)
    ? `${label} cannot safely pass on the address or a header of the endpoint. Choose another shell.`
    : `${label} takes no command of more than ${maxLength} characters. Choose another shell.`;
}

function isNeverText(kinds: readonly string[]): boolean {
  return kinds.length > 0 && kinds.every((kind) => /^(?:integer|boolean|null|object|map|list)$/.test(kind));
}

function isHostValue(name: string | number | undefined): boolean {
  return String(name).startsWith("$");
}

interface CommandContext {
  readonly shell: Shell;
  readonly holes: readonly Hole[];
  readonly endpoint: ExportEndpoint;
  readonly isScript: boolean;
}

function curl(requests: readonly EvaluatedRequest[], context: CommandContext): string | undefined {
  const { shell, isScript, endpoint } = context;
  const { before, argument } = shell.json(partsOf(bodyOf(requests), context));
  const headers = [["Content-Type: application/json"], ...endpoint.headers.map(headerParts)];
  const words = [addressParts(endpoint), ...headers].map(shell.word);
  if (words.includes(undefined)) return undefined;
  const [address, ...rest] = words;
  const lines = [
    `${shell.curl} -gsS ${isScript ? `-w ${shell.word(["\\n"])} ` : ""}${address}`,
    ...rest.map((header) => `-H ${header}`),
    `--data ${argument ?? shell.word(["@-"])}`,
  ];
  return before + lines.join(shell.separator);
}

/** @see https://getfoundry.sh/cast/reference/cast */
function cast(request: EvaluatedRequest, context: CommandContext): string | undefined {
  const { method, params = [] } = request;
  const { shell, endpoint } = context;
  const word = (text: string): string | undefined => shell.batchWord(partsOf(text, context));
  const list = isArray(params) ? params : [];
  const texts = [method, ...list.map((value) => castWord(value, context.holes))];
  const [methodWord, ...words] = texts.map(word);
  if (methodWord === undefined) return curl([request], context); // words have no escapes, JSON has
  const [address, ...headers] = [addressParts(endpoint), ...endpoint.headers.map(headerParts)].map(shell.batchWord);
  if (address === undefined || headers.includes(undefined)) return undefined;
  const options = ["--rpc-url", address, ...headers.flatMap((header) => ["--rpc-headers", header])].join(" ");
  const isRaw = !isArray(params) || words.includes(undefined);
  const command = isRaw || printJson(list).includes('"-') ? undefined : subcommands.get(method)?.(list);
  if (command) return `cast ${command.map(String).map(word).join(" ")} ${options}`;
  const { before, argument = "" } = isRaw
    ? shell.json(partsOf(printJson(params), context))
    : { before: "", argument: words.join(" ") };
  const raw = isRaw ? ["--raw"] : [];
  // behind two dashes nothing is an option
  const isOption = (isRaw ? [method] : texts).some((text) => text.startsWith("-"));
  const order = isOption ? [...raw, options, "--", methodWord, argument] : [methodWord, ...raw, argument, options];
  return `${before}cast rpc ${order.filter(Boolean).join(" ")}`;
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

function addressParts({ url }: ExportEndpoint): readonly Part[] {
  return [url ?? { variable: "RPC_URL", isRequired: false }];
}

function headerParts(name: string): readonly Part[] {
  return [`${name}: `, { variable: headerVariable(name), isRequired: false }];
}

/** Splits a text at its holes. Values of the host are filled in as they are; a result that is not set ends the script. */
function partsOf(text: string, { holes }: CommandContext): readonly Part[] {
  return pieces(text, holes).map((piece) =>
    typeof piece === "string" ? piece : { variable: shellName(piece), isRequired: !isHostValue(piece.path[0]) },
  );
}

/** Returns `TOKEN` for `{{$secret.TOKEN}}`, `balance_result` for `{{balance.result}}`. */
function shellName({ path }: Hole): string {
  const name = path.slice(isHostValue(path[0]) ? 1 : 0).join("_");
  return name.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^(?=\d)/, "_");
}
