import { assumeScope } from "../analysis/assume.ts";
import { message } from "../analysis/message.ts";
import { names } from "../analysis/order.ts";
import { resultOf } from "../analysis/placeholders.ts";
import type { Scope } from "../analysis/scope.ts";
import { converterContext } from "../analysis/storage.ts";
import { typesAt } from "../analysis/types.ts";
import { type JsonValue, printJson } from "../base/json.ts";
import { brief } from "../base/text.ts";
import { shapesOf } from "../catalog/types.ts";
import type { AssumeContext } from "../evaluate/assume/assumption.ts";
import { type EvaluatedRequest, type EvaluationProblem, evaluateRequest } from "../evaluate/evaluateRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import { items, member, spanOf } from "../notebook/json.ts";
import { partsOf, type Segment } from "../notebook/placeholder.ts";
import { readCell } from "../notebook/readCell.ts";

/** A part of a request that is filled in when the exported text runs. */
export interface Hole {
  /** The name first, which may be `$env`, `$secret` or `$dotenv`. */
  readonly path: readonly Segment[];
}

/** The requests of a cell. {@link pieces} finds the holes in the strings of their parameters. */
export interface OpenRequests {
  /** Empty if there are faults. */
  readonly requests: readonly EvaluatedRequest[];
  readonly holes: readonly Hole[];
  /** Reasons why the cell cannot be written, a sentence each. */
  readonly faults: readonly string[];
}

/**
 * Evaluates the requests of a cell, but leaves some placeholders open.
 *
 * @param staysOpen - Whether the placeholder with this path becomes a hole.
 */
export function openRequests(cell: Cell, scope: Scope, staysOpen: (path: readonly Segment[]) => boolean): OpenRequests {
  const unfit = whyUnfit(cell);
  if (unfit !== undefined) return { requests: [], holes: [], faults: [unfit] };
  const { text, holes } = withHoles(cell, staysOpen);
  const assume = cell.directives.has("assume") ? writtenAssumptions(assumeScope(cell, scope)) : undefined;
  const context = { catalog: scope.catalog, ...converterContext(cell, scope), assume };
  const values = {
    of: (name: string) => scope.variables.get(name) ?? lastResult(name, scope),
    ofHost: () => undefined,
  };
  const evaluated = (written: string) =>
    readCell(written).requests.map((request, at) => evaluateRequest(written, request, values, at + 1, context));
  const made = evaluated(text);
  const requests = made.flatMap(({ request }) => request ?? []);
  const written = printed(requests);
  const isConverted = (): boolean =>
    samples.some(({ sample, fits }) => {
      const withSample = (all: string): string =>
        holes.reduce((rest, hole, at) => (fits(hole, scope) ? rest.replaceAll(markOf(at), sample) : rest), all);
      const changed = withSample(text);
      const sent = changed === text ? [] : evaluated(changed).flatMap(({ request }) => request ?? []);
      return sent.length === made.length && printed(sent) !== withSample(written);
    });
  const isUsed = holes.every((_, at) => written.includes(markOf(at)));
  const faults = [
    ...made.flatMap(({ request, problems }) => (request ? [] : [explained(problems, holes)])),
    ...(isUsed || requests.length < made.length ? [] : [neededInRun]), // a hash of the mark, say
    ...(isUsed && requests.length === made.length && isConverted() ? [neededInRun] : []),
  ];
  return { requests: faults.length > 0 ? [] : requests, holes, faults };
}

function printed(requests: readonly EvaluatedRequest[]): string {
  return printJson(requests.map(({ method, params = null }) => [method, params]));
}

/** Values that a run converts in some places, with the holes that may have such a value. */
const samples: readonly { readonly sample: string; fits(hole: Hole, scope: Scope): boolean }[] = [
  {
    sample: `0x${"ab".repeat(20)}`, // becomes a topic
    fits: ({ path }, scope) =>
      isUnknown(path, scope) && /^(?:any|address)$/m.test(kindsAt(path, scope).join("\n") || "any"),
  },
  {
    sample: "12345", // becomes a quantity; nodes write numbers in hex
    fits: ({ path }, scope) => isUnknown(path, scope) && path[1] !== "result",
  },
];

/** Returns the kinds of value that a path into the result of another cell may lead to; empty if nothing is known. */
export function kindsAt([name, member, ...rest]: readonly Segment[], scope: Scope): readonly string[] {
  const cell = names(scope.cells).get(String(name))?.cell;
  const request = cell?.requests.find((one) => one.name === name) ?? (cell?.kind === "request" && cell.requests[0]);
  const type = request && member === "result" ? resultOf(request, scope.catalog) : undefined;
  const shapes = type === undefined ? [] : typesAt(type, rest).flatMap(shapesOf);
  return shapes.map((shape) => {
    if (shape.kind === "list") return "list";
    return shape.type.kind === "bytes" ? (shape.type.role ?? "bytes") : shape.type.kind;
  });
}

/** Whether only a run has the value. */
function isUnknown([name]: readonly Segment[], scope: Scope): boolean {
  return !scope.variables.has(String(name)) && lastResult(String(name), scope) === undefined;
}

/** Whether the endpoint takes overrides does not change what is written. */
function writtenAssumptions(context: AssumeContext): AssumeContext {
  const known: AssumeContext["known"] = (question) =>
    question.kind === "overrides" ? { kind: "yes" } : context.known(question);
  return { ...context, known };
}

function whyUnfit({ kind, faults, requests, root, directives }: Cell): string | undefined {
  if (faults[0]) return `The cell is not JSON yet: ${brief(faults[0].what)}.`;
  if (kind === "opaque") return "The cell nests deeper than 512 levels.";
  if ((kind !== "request" && kind !== "batch") || requests.length === 0) return "The cell has no request.";
  if (requests.some(({ method }) => method === "eth_subscribe"))
    return "A subscription needs a WebSocket, and the exported text uses HTTP.";
  if (directives.has("each")) return "A request with `each` is several requests, which only a run makes.";
  const batch = kind === "batch" ? items(root?.type === "array" ? root : member(root, "batch")) : [];
  const stray = batch.findIndex(({ type }) => type !== "object");
  return stray >= 0 ? `Item ${stray + 1} of the batch is not a request.` : undefined;
}

/** Returns the last result of the cell with this name. */
export function lastResult(name: string, scope: Scope): ReturnType<Scope["variables"]["get"]> {
  const cell = names(scope.cells).get(name)?.cell;
  return cell && scope.lastResult(cell)?.values().get(name);
}

const neededInRun = "It is encoded with a value that only a run has.";

/** Private-use characters that mark a hole: no text of a person has them. */
const [opening, closing] = ["\u{f1001}", "\u{f1002}"];

function markOf(at: number): string {
  return `${opening}${at}${closing}`;
}

/** The parameters of requests as text, with the values of holes that have one. */
export function filled({ requests, holes }: OpenRequests, valueAt: (hole: Hole) => JsonValue | undefined): string {
  return holes.reduce((rest, hole, at) => {
    const value = valueAt(hole);
    if (value === undefined) return rest.replaceAll(markOf(at), `{{${hole.path.join(".")}}}`);
    const inside = typeof value === "string" ? printJson(value).slice(1, -1) : printJson(value);
    return rest.replaceAll(`"${markOf(at)}"`, printJson(value)).replaceAll(markOf(at), inside);
  }, printed(requests));
}

function withHoles(
  cell: Cell,
  staysOpen: (path: readonly Segment[]) => boolean,
): { readonly text: string; readonly holes: readonly Hole[] } {
  const holes: Hole[] = [];
  let text = "";
  let from = 0;
  for (const { members } of cell.requests) {
    const params = members.get("params")?.value;
    const { start, end } = params ? spanOf(params) : { start: 0, end: 0 };
    for (const { 0: string, index } of cell.text.slice(start, end).matchAll(/"(?:[^"\\]|\\[\s\S])*"/g)) {
      for (const part of partsOf(string)) {
        if (part.kind !== "reference" || !staysOpen(part.path)) continue;
        text += `${cell.text.slice(from, start + index + part.span.start)}${markOf(holes.length)}`;
        from = start + index + part.span.end;
        holes.push({ path: part.path });
      }
    }
  }
  return { text: text + cell.text.slice(from), holes };
}

export function pieces(text: string, holes: readonly Hole[]): readonly (string | Hole)[] {
  return text.split(new RegExp(`(${opening}\\d+${closing})`, "u")).flatMap((piece): readonly (string | Hole)[] => {
    const at = piece.startsWith(opening) ? Number(piece.slice(opening.length, -closing.length)) : -1;
    const hole = holes[at];
    return hole ? [hole] : piece === "" ? [] : [piece];
  });
}

function explained([first]: readonly EvaluationProblem[], holes: readonly Hole[]): string {
  if (!first) return "";
  switch (first.code) {
    case "unresolved-placeholder":
      return `{{${brief(first.path)}}} has no value here.`;
    case "not-a-request":
      return `The request has ${first.what}.`;
    case "duplicate-key":
      return message(first);
    case "unknown-layout":
      return "It assumes something for which a run asks the chain.";
    case "unknown-head":
      return `It counts from the block number of ${first.tag}, which only a run asks for.`;
    default:
      return holes.length > 0 ? neededInRun : message(first);
  }
}
