import { names } from "../analysis/order.ts";
import { declarations } from "../analysis/references.ts";
import { isAddress, quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { brief, visible } from "../base/text.ts";
import { printPath } from "../evaluate/path.ts";
import type { Cell } from "../notebook/cell.ts";
import { bodyOf, defaultBatch, messages } from "../rpc/wire.ts";
import {
  comment,
  type ExportEndpoint,
  type Exported,
  type ExportNote,
  type ExportScope,
  type Hole,
  lastOf,
  type OpenRequest,
  openRequests,
  pieces,
} from "./exported.ts";

/**
 * Writes cells as commands for a POSIX shell, in their order. Values of the host become variables of the shell, results
 * of other cells too where none is there yet; an address that is not to be shown is `$RPC_URL`.
 */
export function toShell(cells: readonly Cell[], form: "curl" | "cast", around: ExportScope): Exported {
  const notes: ExportNote[] = [];
  const texts = cells.flatMap((cell): readonly string[] => {
    if (cell.kind === "markdown") return [comment(markdownOf(cell), "#")];
    const made = commandsOf(cell, form, around, cells.length > 1);
    notes.push(...made.notes.map((what) => ({ cell, what })));
    const name = cells.length > 1 ? nameOf(cell) : undefined;
    const head = [...(name === undefined ? [] : [name]), ...made.notes].map((text) => comment(text, "#"));
    return [[...head, ...made.commands].join("\n")];
  });
  return { text: `${texts.join("\n\n")}\n`, notes };
}

interface Commands {
  readonly commands: readonly string[];
  readonly notes: readonly string[];
}

/** @param isOneOfMany - Of several commands, whose answers are to stand on lines of their own: few nodes end one. */
function commandsOf(
  cell: Cell,
  form: "curl" | "cast",
  { scope, endpointOf }: ExportScope,
  isOneOfMany: boolean,
): Commands {
  const cellNames = names(scope.cells);
  const opened = openRequests(cell, scope, ([first]) => {
    const name = String(first);
    return (
      name.startsWith("$") || (!scope.variables.has(name) && cellNames.has(name) && lastOf(name, scope) === undefined)
    );
  });
  const requests = opened.flatMap((one) => ("request" in one ? [one] : []));
  const notes = opened.flatMap((one) => ("what" in one ? [one.what] : []));
  if (requests.length < opened.length) return { commands: [], notes };
  const waits = new Set(requests.flatMap(({ holes }) => holes.filter(({ path }) => !String(path[0]).startsWith("$"))));
  const needed = new Set(
    [...waits].map((hole) => `Set ${shellName(hole)} to {{${brief(printPath(hole.path))}}} first.`),
  );
  const endpoint = endpointOf(cell);
  const commands =
    form === "curl"
      ? messages(
          requests.map(({ request }) => request),
          defaultBatch,
        ).map((body) =>
          curl(
            bodyOf(body.flatMap((at) => requests[at]?.request ?? [])),
            requests[0]?.holes ?? [],
            endpoint,
            isOneOfMany,
          ),
        )
      : requests.map((request) => cast(request, endpoint, isOneOfMany));
  return { commands, notes: [...needed] };
}

function curl(body: string, holes: readonly Hole[], { url, headers }: ExportEndpoint, isOneOfMany: boolean): string {
  const lines = [
    `curl -gsS ${isOneOfMany ? "-w '\\n' " : ""}${address(url)}`,
    `-H 'Content-Type: application/json'`,
    ...headers.map((name) => `-H ${quotedWord(`${name}: `)}"$${variableOf(name)}"`),
    `--data ${quotedPieces(pieces(visible(body), holes))}`, // marks that are not seen, as escapes of JSON
  ];
  return lines.join(" \\\n  ");
}

/** @see https://getfoundry.sh/cast/reference/cast */
function cast({ request, holes }: OpenRequest, endpoint: ExportEndpoint, isOneOfMany: boolean): string {
  const { method, params = [] } = request;
  if (visible(method) !== method) return curl(bodyOf([request]), holes, endpoint, isOneOfMany); // words have no escapes, JSON has
  const list = isArray(params) ? params : undefined;
  const words = list?.map(castWord).filter((word) => visible(word) === word);
  const isPlain = words?.length === list?.length;
  const said = words && isPlain ? words : [visible(printJson(params))];
  const command =
    list && isPlain && !printJson(list).includes('"-') ? castCommand(method, list)?.map(String) : undefined;
  const quoted = (some: readonly string[]): string => some.map((word) => quotedPieces(pieces(word, holes))).join(" ");
  const more = endpoint.headers.map((name) => ` --rpc-headers ${quotedWord(`${name}: `)}"$${variableOf(name)}"`);
  const options = `--rpc-url ${address(endpoint.url)}${more.join("")}`;
  if (command) return `cast ${quoted(command)} ${options}`;
  const raw = words && isPlain ? "" : "--raw ";
  // what begins like an option is none behind two dashes
  if ([method, ...said].some((word) => word.startsWith("-")))
    return `cast rpc ${raw}${options} -- ${quoted([method, ...said])}`;
  return `cast rpc ${[quoted([method]), `${raw}${quoted(said)}`, options].filter(Boolean).join(" ")}`;
}

/** Text as it is, but for text that reads as JSON: written so, it would become something else. */
function castWord(value: JsonValue): string {
  return typeof value === "string" && value !== "" && parseJson(value) === undefined ? value : printJson(value);
}

/** The subcommand with its arguments, where `cast` has one that asks the very same; its words are plain text. */
function castCommand(method: string, params: readonly JsonValue[]): readonly JsonValue[] | undefined {
  const [first, second, third] = params;
  const at = (block: JsonValue | undefined): readonly JsonValue[] | undefined => {
    if (block === undefined) return [];
    const number = quantity(block);
    if (typeof block !== "string") return undefined;
    return number === undefined || block.length === 66 ? ["--block", block] : ["--block", number];
  };
  const ofAccount = (
    name: string,
    more: readonly JsonValue[],
    block: JsonValue | undefined,
  ): readonly JsonValue[] | undefined => {
    const tail = at(block);
    return isAddress(first) && tail ? [name, first, ...more, ...tail] : undefined;
  };
  switch (method) {
    case "eth_chainId":
      return ["chain-id"];
    case "eth_blockNumber":
      return ["block-number"];
    case "eth_gasPrice":
      return ["gas-price"];
    case "eth_getBalance":
      return ofAccount("balance", [], second);
    case "eth_getTransactionCount":
      return ofAccount("nonce", [], second);
    case "eth_getCode":
      return ofAccount("code", [], second);
    case "eth_getStorageAt":
      return typeof second === "string" ? ofAccount("storage", [second], third) : undefined;
    case "eth_call":
    case "eth_estimateGas":
      return params.length > 2 ? undefined : callOf(method, first, at(second));
    default:
      return undefined;
  }
}

function callOf(
  method: string,
  call: JsonValue | undefined,
  tail: readonly JsonValue[] | undefined,
): readonly JsonValue[] | undefined {
  if (!isObject(call) || !tail) return undefined;
  const { to, data, from, ...others } = call;
  if (!isAddress(to) || typeof data !== "string" || Object.keys(others).length > 0) return undefined;
  if (from !== undefined && typeof from !== "string") return undefined;
  return [
    method === "eth_call" ? "call" : "estimate",
    to,
    data,
    ...(from === undefined ? [] : ["--from", from]),
    ...tail,
  ];
}

function address(url: string | undefined): string {
  return url === undefined ? `"$RPC_URL"` : /^[\w:/.-]+$/.test(url) ? url : quotedWord(url);
}

function quotedPieces(parts: readonly (string | Hole)[]): string {
  const words = parts.map((part) => {
    if (typeof part !== "string")
      return String(part.path[0]).startsWith("$") ? `"$${shellName(part)}"` : `"\${${shellName(part)}:?}"`;
    return /^[\w@%+=:,./-]+$/.test(part) ? part : quotedWord(part);
  });
  return words.join("") || "''";
}

function quotedWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** `TOKEN` for `{{$secret.TOKEN}}`, `balance_result` for `{{balance.result}}`. */
function shellName({ path: [first, ...rest] }: Hole): string {
  const name = String(first).startsWith("$") ? rest.join("_") : [first, ...rest].join("_");
  return name.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^(?=\d)/, "_");
}

function variableOf(header: string): string {
  return header
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_");
}

/** What a Markdown cell says, in a notebook as well as in a file. */
export function markdownOf({ root, text }: Cell): string {
  const written = root?.children?.find(({ children }) => children?.[0]?.value === "markdown")?.children?.[1];
  if (!root) return text;
  return written?.type === "array"
    ? (written.children ?? []).map(({ value }) => String(value)).join("\n")
    : String(written?.value ?? "");
}

export function nameOf(cell: Cell): string | undefined {
  return declarations(cell)[0]?.name;
}
