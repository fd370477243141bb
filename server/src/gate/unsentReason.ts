import type { UnreadableDirective } from "../analysis/directives.ts";
import { message } from "../analysis/message.ts";
import type { Explanation } from "../base/error.ts";
import type { Consent } from "../base/ports.ts";
import type { Span } from "../base/span.ts";
import { brief, capitalized, listed, nearest, oneLine, plural, uncapitalized, visible } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { bundledCatalog, methodNamed } from "../catalog/catalog.ts";
import { secretVariables } from "../endpoints/hostValue.ts";
import { originClause } from "../endpoints/named.ts";
import { type EndpointFault, explainEndpoint, missingSecret } from "../endpoints/resolveEndpoint.ts";
import { allowHostText, isInClear, shownSite } from "../endpoints/site.ts";
import type { EvaluationProblem, NotARequest } from "../evaluate/evaluateRequest.ts";
import type { Unresolved } from "../evaluate/fill.ts";
import { type Cell, strayItem } from "../notebook/cell.ts";
import { heldText, isBlank } from "../notebook/lines.ts";
import type { Action, Report } from "../report/report.ts";

interface UnresolvedReason {
  readonly kind: "unresolved";
  readonly cell: Cell;
  readonly problems: readonly EvaluationProblem[];
  /** Of `each`, from 1. */
  readonly row?: number | undefined;
}

/** The reason why the requests of a cell were not sent. */
export type UnsentReason =
  | { readonly kind: "broken"; readonly cell: Cell }
  | UnresolvedReason
  | ({ readonly kind: "directive" } & UnreadableDirective)
  | { readonly kind: "cycle"; readonly names: readonly string[] }
  /** A cell that this one needs has no value; `sent` says whether it was sent. */
  | { readonly kind: "needs"; readonly name: string; readonly sent: boolean; readonly span: Span }
  /** The number of a block that others count from is unknown. */
  | { readonly kind: "unknown-head"; readonly tag: string; readonly because: Explanation }
  /** The endpoint did not say what an assumption needs to know. */
  | { readonly kind: "unknown-state"; readonly because: Explanation }
  | { readonly kind: "cancelled" }
  | { readonly kind: "endpoint"; readonly fault: EndpointFault }
  | { readonly kind: "untrusted" }
  | {
      readonly kind: "host-not-approved";
      /** Address of the endpoint; only its site is shown. */
      readonly url: string;
      readonly origin: string;
      /** Secrets and variables that would be sent: `$secret.KEY`. */
      readonly values: readonly string[];
      readonly byOptions: Consent["byOptions"];
    }
  | {
      readonly kind: "other-chain";
      readonly endpoint: string;
      readonly expected: string;
      /** Where the expectation is written. */
      readonly by: string;
      readonly actual: string;
    }
  /** A cell that writes, at an endpoint that does not send its chain. */
  | { readonly kind: "unknown-chain"; readonly endpoint: string; readonly expected: string; readonly by: string }
  | {
      readonly kind: "writes";
      readonly method: string;
      readonly effect: string;
      readonly byOptions: Consent["byOptions"];
    }
  | { readonly kind: "cost"; readonly requests: number; readonly byOptions: Consent["byOptions"] }
  /** The effect of the method is unknown, and it was not allowed there. */
  | {
      readonly kind: "unknown-effect";
      readonly method: string;
      readonly url: string;
      readonly byOptions: Consent["byOptions"];
    };

/** An explanation with the option of the command line that would allow it, if there is one. */
export interface UnsentExplanation extends Explanation {
  readonly option?: string;
}

/**
 * Explains why a cell was not sent, and what to do.
 *
 * @param names - Every name that a placeholder can use, to suggest one.
 */
export function explainUnsent(reason: UnsentReason, names: () => Iterable<string>): UnsentExplanation {
  switch (reason.kind) {
    case "broken":
      return broken(reason.cell);
    case "unresolved":
      return unresolved(reason, names);
    case "directive": {
      const { what, todo } = notEncoded(reason.problem);
      return { what: `The value of \`${reason.name}\` cannot be used: ${uncapitalized(what)}`, todo };
    }
    case "cycle":
      return circle(reason.names);
    case "needs":
      return missingAnswer(reason);
    case "unknown-head":
      return failedFor(`The number of \`${reason.tag}\`, from which a block is counted, is not known`, reason);
    case "unknown-state":
      return failedFor("The lookup for `assume` failed", reason);
    case "cancelled":
      return { what: "The run was cancelled.", todo: "Run it again." };
    case "cost": {
      const what = `The cell would send ${grouped(reason.requests)} requests, which were not confirmed.`;
      return reason.byOptions
        ? { what, todo: "To send them, add --yes.", option: "--yes" }
        : { what, todo: "Run it again and confirm them, or use fewer values." };
    }
    case "endpoint":
      return explainEndpoint(reason.fault);
    case "untrusted":
      return {
        what: "Nothing is sent from a workspace that is not trusted.",
        todo: "Trust the workspace, then run again.",
      };
    case "host-not-approved":
      return notApproved(reason);
    case "other-chain":
      return {
        what: `${oneLine(reason.endpoint)} is chain ${oneLine(reason.actual)}, and ${reason.by} says chain ${oneLine(reason.expected)}.`,
        todo: "Choose another endpoint, or fix `chainId` there.",
      };
    case "unknown-chain":
      return {
        what: `${oneLine(reason.endpoint)} does not say which chain it is, and this cell writes to chain ${oneLine(reason.expected)} only, as ${reason.by} says.`,
        todo: "Ask it for eth_chainId, or choose another endpoint.",
      };
    case "writes":
      return {
        what: `${method(reason.method)} ${effectInWords[reason.effect] ?? "changes something"}, so it needs your confirmation.`,
        ...(reason.byOptions
          ? { todo: "Add --allow-writes.", option: "--allow-writes" }
          : { todo: "Confirm it when asked." }),
      };
    case "unknown-effect":
      return unknownEffect(reason);
  }
}

function failedFor(what: string, { because: { what: why, todo } }: { readonly because: Explanation }): Explanation {
  return { what: `${what}: ${oneLine(why)}`, todo: oneLine(todo) };
}

function missingAnswer({ name, sent }: Extract<UnsentReason, { readonly kind: "needs" }>): UnsentExplanation {
  const shown = `\`${oneLine(name)}\``;
  return sent
    ? { what: `${shown} did not return what this cell refers to.`, todo: "Check the result of that cell." }
    : { what: `${shown}, which this cell refers to, was not sent.`, todo: "Fix that cell first." };
}

function unknownEffect({
  method: name,
  url,
  byOptions,
}: Extract<UnsentReason, { readonly kind: "unknown-effect" }>): UnsentExplanation {
  const near = nearMethod(name);
  // a name that a shell would split is not suggested as an option
  const option = byOptions && /^\w[\w.:/-]{0,99}$/.test(name) ? `--allow-method ${name}` : undefined;
  const allow = option ? `add ${option}` : byOptions ? "name it after --allow-method" : "confirm it when asked";
  if (near !== undefined)
    return { what: `Unknown method ${method(name)}.`, todo: `Did you mean \`${near}\`? If not, ${allow}.` };
  return {
    what: `${method(name)} may change something at ${shownSite(url)}, so it needs your confirmation.`,
    todo: `${capitalized(allow)}.`,
    ...(option !== undefined && { option }),
  };
}

/** Suggests a method of the same namespace for a misspelled one. */
function nearMethod(name: string): string | undefined {
  if (methodNamed(`eth_${name}`)) return `eth_${name}`;
  const namespace = name.slice(0, name.indexOf("_") + 1);
  const names = bundledCatalog.methods.flatMap((spec) => (spec.name.startsWith(namespace) ? [spec.name] : []));
  return namespace === "" ? undefined : nearest(name, names, 1)[0];
}

function method(name: string): string {
  return `\`${brief(name, 60)}\``;
}

function notApproved({
  url,
  origin,
  values,
  byOptions,
}: Extract<UnsentReason, { readonly kind: "host-not-approved" }>): UnsentExplanation {
  const site = shownSite(url);
  const where = `${site} (${brief(originClause(origin), 80)})`;
  const option = `--allow-host ${allowHostText(url)}`;
  const allowed = byOptions && { option };
  if (values.length === 0)
    return {
      what: `Requests to ${where} are not allowed.`,
      todo: byOptions ? `Add ${option}, or choose its address with --endpoint.` : "Allow the host when asked.",
      ...allowed,
    };
  const shown = values.slice(0, 10).map((value) => `\`${brief(value, 60)}\``);
  const along = listed(values.length > shown.length ? [...shown, `${values.length - shown.length} more`] : shown);
  if (isInClear(url))
    return {
      what: `${along} would go to ${where} without encryption.`,
      todo: `Use an https address, or ${byOptions ? `add ${option}` : "allow it when asked"} if the network is your own.`,
    };
  return {
    what: `${along} may not go to ${where}.`,
    todo: byOptions ? `Add ${option}.` : "Allow it when asked.",
    ...allowed,
  };
}

const effectInWords: Readonly<Record<string, string>> = {
  signs: "signs with a key of the node",
  broadcasts: "broadcasts a transaction",
  "changes-node": "changes the node",
};

function broken(cell: Cell): Explanation {
  const [fault] = cell.faults;
  const stray = strayItem(cell);
  if (isProse(cell))
    return {
      what: "The cell has text instead of a request.",
      todo: 'Write { "method": "eth_blockNumber", "params": [] }, or explain the text.',
    };
  if (fault) return { what: `The cell is not JSON yet: ${oneLine(fault.what)}.`, todo: "Fix the text of the cell." };
  if (cell.kind === "opaque") return { what: "The cell nests deeper than 512 levels.", todo: "Flatten it." };
  if (stray !== undefined)
    return { what: `Item ${stray} of the batch is not a request.`, todo: "Remove it, or make it an object." };
  return {
    what: "The cell has no request.",
    todo: 'Add one: { "method": "eth_blockNumber", "params": [] }.',
  };
}

/** Whether a cell has an error message or other text that is not unfinished JSON. */
function isProse(cell: Cell): boolean {
  const text = heldText(cell.text)?.text ?? cell.text;
  return cell.kind === "unfinished" && !isBlank(cell) && !/^\s*[[{"]/.test(text);
}

function unresolved({ problems, row }: UnresolvedReason, known: () => Iterable<string>): Explanation {
  const [first] = problems;
  if (first?.code === "not-a-request") {
    const todo = first.what === "no method" ? 'Add "method".' : "Fix the text of the cell.";
    return { what: `The request cannot be sent: it has ${first.what}.`, todo };
  }
  if (first && first.code !== "unresolved-placeholder") {
    const { what, todo } = notEncoded(first);
    return { what: row === undefined ? what : `Row ${grouped(row)} of \`each\`: ${what}`, todo };
  }
  const names = problems.flatMap((one) => (one.code === "unresolved-placeholder" ? [`{{${oneLine(one.path)}}}`] : []));
  return {
    what: `${names.length === 1 ? "A placeholder has" : `${plural(names.length, "placeholder")} have`} no value: ${listed(names)}${because(first)}.`,
    todo: todoFor(first, known),
  };
}

/** Explains a readable value that could not be encoded. */
function notEncoded(
  problem: Exclude<EvaluationProblem, Unresolved | NotARequest> | UnreadableDirective["problem"],
): Explanation {
  if (problem.code === "unknown-layout")
    return { what: "The endpoint did not answer the lookup for `assume`.", todo: "Run it again." };
  if (problem.code === "unknown-head") {
    return {
      what: `The number of \`${problem.tag}\`, from which a block is counted, is not known.`,
      todo: "Write the number of the block.",
    };
  }
  const [what = "", ...rest] = message(problem).split(/(?<=\.) (?=[A-Z])/);
  return {
    what: oneLine(what),
    todo: oneLine(rest.join(" ") || (problem.code === "bad-assumption" ? "Change `assume`." : "Correct the value.")),
  };
}

function todoFor(problem: EvaluationProblem | undefined, known: () => Iterable<string>): string {
  const unset = problem?.code === "unresolved-placeholder" && problem.why.kind === "unset" ? problem.why : undefined;
  if (!unset) {
    const unknown = problem?.code === "unresolved-placeholder" && problem.why.kind === "unknown-name" && problem.why;
    const [near] = unknown ? nearest(unknown.name, known()) : [];
    if (near !== undefined) return `Did you mean \`${oneLine(near)}\`?`;
    return "Define it in `variables`, name a cell like it, or fix the path.";
  }
  const name = oneLine(unset.reference.name);
  switch (unset.reference.source) {
    case "env":
      return `Set the environment variable \`${name}\` where this was started.`;
    case "dotenv":
      return `Write \`${name}=…\` into a file \`.env\` beside the notebook, or above it in the project.`;
    case "secret":
      return `Set it with the command "RPC Notebook: Set Secret…"; without an editor, as environment variable \`${secretVariables(name)[0]}\`.`;
  }
}

function because(problem: EvaluationProblem | undefined): string {
  if (problem?.code !== "unresolved-placeholder") return "";
  const { why } = problem;
  switch (why.kind) {
    case "unknown-name":
      return `; no variable or cell has the name \`${oneLine(why.name)}\``;
    case "unset":
      return "";
    case "no-such-path":
      return `; \`${oneLine(why.missing.until)}\` is ${oneLine(why.missing.found)}`;
    case "not-text":
      return `; ${why.found} cannot be part of a string`;
  }
}

/** Returns the report of a cell that was not sent. */
export function unsentReport(title: string, reason: UnsentReason, names: () => Iterable<string>): Report {
  const { what, todo } = explainUnsent(reason, names);
  const text = `Not sent: ${uncapitalized(what).replace(/\.$/, "")}`;
  return {
    title: oneLine(title, 120),
    summary: `not sent: ${what}`,
    headline: [{ text: reason.kind === "cancelled" ? what : text }],
    status: "failed",
    sections: [{ kind: "failure", what, todo, fields: [], actions: actionsOf(reason) }],
    facts: [],
  };
}

/** Returns what a person can do about it, for an editor to offer. */
function actionsOf(reason: UnsentReason): readonly Action[] {
  const retry: Action = { kind: "run", label: "Run Again" };
  const choose: Action = { kind: "choose-endpoint", label: "Choose Endpoint" };
  const show = ({ start, end }: Span): Action => ({ kind: "show", label: "Show in Cell", start, end });
  switch (reason.kind) {
    case "broken": {
      const { kind, text, faults } = reason.cell;
      const isText = kind === "unfinished" && !isBlank(reason.cell);
      const explain: readonly Action[] = isText ? [{ kind: "explain", label: "Explain", text: visible(text) }] : [];
      return [...faults.slice(0, 1).map(({ span }) => show(span)), ...explain];
    }
    case "unresolved":
      return reason.problems.slice(0, 1).flatMap(unresolvedActions);
    case "directive":
      return [show(reason.problem.span)];
    case "needs":
      return [show(reason.span), retry];
    case "endpoint": {
      const { fault } = reason;
      const secret = fault.code === "bad-endpoint" ? missingSecret(fault.what) : undefined;
      return [...(secret === undefined ? [] : [setSecret(secret)]), choose, retry];
    }
    case "other-chain":
    case "unknown-chain":
      return [choose, retry];
    case "untrusted":
      return [{ kind: "trust", label: "Manage Workspace Trust" }];
    case "unknown-head":
    case "unknown-state":
    case "cancelled":
    case "host-not-approved":
    case "writes":
    case "cost":
    case "unknown-effect":
      return [retry];
    case "cycle":
      return [];
  }
}

function unresolvedActions(problem: EvaluationProblem): readonly Action[] {
  const { start, end } = problem.span;
  const why = problem.code === "unresolved-placeholder" ? problem.why : undefined;
  const secret = why?.kind === "unset" && why.reference.source === "secret" ? oneLine(why.reference.name) : undefined;
  return [{ kind: "show", label: "Show in Cell", start, end }, ...(secret === undefined ? [] : [setSecret(secret)])];
}

function setSecret(name: string): Action {
  return { kind: "set-secret", label: `Set ${name}`, name };
}
function circle(names: readonly string[]): Explanation {
  return names.length === 1
    ? {
        what: `This cell refers to itself: ${oneLine(names.join())}.`,
        todo: "Refer to another cell, or to a variable.",
      }
    : {
        what: `These cells refer to each other in a circle: ${oneLine(names.join(" → "))}.`,
        todo: "Remove one of the references.",
      };
}
