import { abiItems } from "../analysis/abi.ts";
import { message } from "../analysis/message.ts";
import { names } from "../analysis/order.ts";
import type { Scope } from "../analysis/scope.ts";
import { brief, visible } from "../base/text.ts";
import { type EvaluatedRequest, type EvaluationProblem, evaluateRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { items, member, spanOf } from "../notebook/json.ts";
import { partsOf, type Segment } from "../notebook/placeholder.ts";
import { readCell } from "../notebook/readCell.ts";

/** What a cell or a notebook can be written as. */
export type ExportForm = "curl" | "cast" | "viem";

export interface Exported {
  readonly text: string;
  readonly notes: readonly ExportNote[];
}

/** What could not be written as it stands. */
export interface ExportNote {
  readonly cell: Cell;
  /** One sentence. */
  readonly what: string;
}

/** Where the requests of a cell go. */
export interface ExportEndpoint {
  /** `undefined` where its address is not to be shown: then whoever runs it says where. */
  readonly url: string | undefined;
  /** Names of headers that it needs; their values may be secret. */
  readonly headers: readonly string[];
}

export interface ExportScope {
  readonly scope: Scope;
  endpointOf(cell: Cell): ExportEndpoint;
}

/** Something in a request whose value is filled in where the exported text runs. */
export interface Hole {
  /** The name first, which may be `$env`, `$secret` or `$dotenv`. */
  readonly path: readonly Segment[];
}

/** A request with holes: {@link pieces} finds them in its text and in the strings of its parameters. */
export interface OpenRequest {
  readonly request: EvaluatedRequest;
  readonly holes: readonly Hole[];
}

export type Opened = OpenRequest | { readonly what: string };

/**
 * The requests of a cell as they go out, but for some placeholders, which stay open.
 *
 * @param stays - Which ones.
 */
export function openRequests(
  cell: Cell,
  scope: Scope,
  stays: (path: readonly Segment[]) => boolean,
): readonly Opened[] {
  const unfit = notReady(cell);
  if (unfit !== undefined) return [{ what: unfit }];
  const { text, holes } = withHoles(cell, stays);
  const open = readCell(text);
  const around = { catalog: scope.catalog, abi: abiItems(cell, scope), heads: new Map<string, bigint>() };
  const values = { of: (name: string) => known(name, scope), ofHost: () => undefined };
  return open.requests.map((request, at): Opened => {
    const { request: made, problems } = evaluateRequest(text, request, values, at + 1, around);
    return made ? { request: made, holes } : { what: why(problems, holes) };
  });
}

function notReady({ kind, faults, requests, root }: Cell): string | undefined {
  if (faults[0]) return `The cell is not JSON yet: ${brief(faults[0].what)}.`;
  if (kind === "opaque") return "The cell nests deeper than 512 levels.";
  if ((kind !== "request" && kind !== "batch") || requests.length === 0) return "The cell holds no request.";
  if (requests.some(({ method }) => method === "eth_subscribe"))
    return "A subscription needs a WebSocket, and what is written here goes by HTTP.";
  const batch = kind === "batch" ? items(root?.type === "array" ? root : member(root, "batch")) : [];
  const stray = batch.findIndex(({ type }) => type !== "object");
  return stray >= 0 ? `Item ${stray + 1} of the batch is no request.` : undefined;
}

/** A variable, or what a cell has answered last. */
function known(name: string, scope: Scope): ReturnType<Scope["variables"]["get"]> {
  return scope.variables.get(name) ?? lastOf(name, scope);
}

export function lastOf(name: string, scope: Scope): ReturnType<Scope["variables"]["get"]> {
  const cell = names(scope.cells).get(name)?.cell;
  return cell && scope.lastResult(cell)?.values().get(name);
}

/** Letters that no text of a person has. */
const [opening, closing] = ["\u{f1001}", "\u{f1002}"];

function withHoles(
  cell: Cell,
  stays: (path: readonly Segment[]) => boolean,
): { readonly text: string; readonly holes: readonly Hole[] } {
  const holes: Hole[] = [];
  let text = "";
  let from = 0;
  for (const { params } of cell.requests.map(paramsOf)) {
    const end = params?.end ?? 0;
    for (const token of params ? strings(cell.text, params.start, end) : []) {
      for (const part of partsOf(cell.text.slice(token.start, token.end))) {
        if (part.kind !== "reference" || !stays(part.path)) continue;
        text += `${cell.text.slice(from, token.start + part.span.start)}${opening}${holes.length}${closing}`;
        from = token.start + part.span.end;
        holes.push({ path: part.path });
      }
    }
  }
  return { text: text + cell.text.slice(from), holes };
}

function paramsOf({ members }: RequestNode): { readonly params: ReturnType<typeof spanOf> | undefined } {
  const node = members.get("params")?.value;
  return { params: node && spanOf(node) };
}

function* strings(
  text: string,
  start: number,
  end: number,
): Generator<{ readonly start: number; readonly end: number }> {
  for (const { 0: token, index } of text.slice(start, end).matchAll(/"(?:[^"\\]|\\[\s\S])*"/g)) {
    yield { start: start + index, end: start + index + token.length };
  }
}

/** A text taken apart at its holes. */
export function pieces(text: string, holes: readonly Hole[]): readonly (string | Hole)[] {
  return text.split(new RegExp(`(${opening}\\d+${closing})`, "u")).flatMap((piece): readonly (string | Hole)[] => {
    const at = piece.startsWith(opening) ? Number(piece.slice(opening.length, -closing.length)) : -1;
    const hole = holes[at];
    return hole ? [hole] : piece === "" ? [] : [piece];
  });
}

/** Every line a comment, so that no line of a text can be one of a script. */
export function comment(text: string, mark: "#" | "//"): string {
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => `${mark} ${visible(line)}`.trimEnd())
    .join("\n");
}

function why([first]: readonly EvaluationProblem[], holes: readonly Hole[]): string {
  if (!first) return "";
  switch (first.code) {
    case "unresolved-placeholder":
      return `{{${brief(first.path)}}} has no value here.`;
    case "not-a-request":
      return `The request has ${first.what}.`;
    case "duplicate-key":
      return message(first);
    case "unknown-head":
      return `It counts from the number of the block ${first.tag}, which only a run asks for.`;
    default:
      return holes.length > 0 ? "It is encoded with a value that only a run has." : message(first);
  }
}
