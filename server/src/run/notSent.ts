import { message } from "../analysis/message.ts";
import type { Span } from "../base/span.ts";
import { listed, nearest, plural, visible } from "../base/text.ts";
import { secretVariables } from "../endpoints/hostValue.ts";
import { type EndpointFault, explainEndpoint } from "../endpoints/resolve.ts";
import type { ReadableProblem } from "../evaluate/readableProblem.ts";
import type { EvaluationProblem, UnknownHead } from "../evaluate/wire.ts";
import type { Cell } from "../notebook/cell.ts";
import { items, member } from "../notebook/json.ts";
import type { Report } from "../report/report.ts";

/** Why no request of a cell went out. */
export type NotSent =
  | { readonly kind: "broken"; readonly cell: Cell }
  | { readonly kind: "unresolved"; readonly cell: Cell; readonly problems: readonly EvaluationProblem[] }
  | { readonly kind: "cycle"; readonly names: readonly string[] }
  /** A cell that this one needs gave nothing; `sent` tells whether it went out at all. */
  | { readonly kind: "needs"; readonly name: string; readonly sent: boolean; readonly span: Span }
  /** The number of a block that others count from. */
  | { readonly kind: "unknown-head"; readonly tag: string; readonly because: Explanation }
  | { readonly kind: "cancelled" }
  | { readonly kind: "endpoint"; readonly fault: EndpointFault }
  | { readonly kind: "untrusted" }
  | {
      readonly kind: "host-not-approved";
      readonly host: string;
      readonly origin: string;
      /** Secrets and variables that would go along: `$secret.KEY`. */
      readonly values: readonly string[];
    }
  | {
      readonly kind: "other-chain";
      readonly endpoint: string;
      readonly expected: string;
      /** Where the expectation is written. */
      readonly by: string;
      readonly actual: string;
    }
  /** A cell that writes, where the endpoint does not tell its chain. */
  | { readonly kind: "unknown-chain"; readonly endpoint: string; readonly expected: string; readonly by: string }
  | { readonly kind: "writes"; readonly method: string; readonly effect: string };

export interface Explanation {
  readonly what: string;
  readonly todo: string;
}

/**
 * One sentence of what happened, one of what to do.
 *
 * @param names - Every name that a placeholder may take: one of them may have been meant.
 */
export function explainNotSent(reason: NotSent, names: () => Iterable<string>): Explanation {
  switch (reason.kind) {
    case "broken":
      return broken(reason.cell);
    case "unresolved":
      return unresolved(reason.problems, names);
    case "cycle":
      return {
        what: `These cells refer to each other in a circle: ${visible(reason.names.join(" → "))}.`,
        todo: "Take one of the references out.",
      };
    case "needs":
      return reason.sent
        ? { what: `\`${visible(reason.name)}\` did not give what this cell refers to.`, todo: "Mend that cell first." }
        : {
            what: `\`${visible(reason.name)}\`, which this cell refers to, was not sent.`,
            todo: "Mend that cell first.",
          };
    case "unknown-head":
      return {
        what: `The number of \`${reason.tag}\`, from which a block is counted, is not known: ${visible(reason.because.what)}`,
        todo: visible(reason.because.todo),
      };
    case "cancelled":
      return { what: "The run was cancelled.", todo: "Run it again." };
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
        what: `${visible(reason.endpoint)} is chain ${visible(reason.actual)}, and ${reason.by} says chain ${visible(reason.expected)}.`,
        todo: "Choose another endpoint, or mend `chainId` there.",
      };
    case "unknown-chain":
      return {
        what: `${visible(reason.endpoint)} does not say which chain it is, and this cell writes to chain ${visible(reason.expected)} only, as ${reason.by} says.`,
        todo: "Ask it for eth_chainId, or choose another endpoint.",
      };
    case "writes":
      return {
        what: `\`${visible(reason.method)}\` ${effectInWords[reason.effect] ?? "changes something"}, so it needs your leave.`,
        todo: "Confirm it when asked; on the command line: --allow-writes.",
      };
  }
}

function notApproved({ host, origin, values }: Extract<NotSent, { readonly kind: "host-not-approved" }>): Explanation {
  const allow = `on the command line: --allow-host ${visible(host)}`;
  if (values.length === 0)
    return {
      what: `Requests to ${visible(host)} (${visible(origin)}) were not allowed.`,
      todo: `Allow the host when asked; ${allow}, or choose it with --endpoint.`,
    };
  return {
    what: `${listed(values.map((value) => `\`${visible(value)}\``))} may not go to ${visible(host)} (${visible(origin)}).`,
    todo: `Allow it when asked; ${allow}.`,
  };
}

const effectInWords: Readonly<Record<string, string>> = {
  signs: "signs with a key of the node",
  broadcasts: "broadcasts a transaction",
  "changes-node": "changes the node",
};

/** The place of an item in a batch, from 1, that is no request and so cannot be sent with the others. */
export function strayItem({ kind, root }: Cell): number | undefined {
  if (kind !== "batch") return undefined;
  const at = items(root?.type === "array" ? root : member(root, "batch")).findIndex(({ type }) => type !== "object");
  return at < 0 ? undefined : at + 1;
}

function broken(cell: Cell): Explanation {
  const [fault] = cell.faults;
  const stray = strayItem(cell);
  if (fault) return { what: `The cell is not JSON yet: ${visible(fault.what)}.`, todo: "Mend the text of the cell." };
  if (cell.kind === "opaque") return { what: "The cell nests deeper than 512 levels.", todo: "Flatten it." };
  if (stray !== undefined)
    return { what: `Item ${stray} of the batch is no request.`, todo: "Take it out, or make it an object." };
  return {
    what: "The cell holds no request.",
    todo: 'Give it a method: { "method": "eth_blockNumber", "params": [] }.',
  };
}

function unresolved(problems: readonly EvaluationProblem[], known: () => Iterable<string>): Explanation {
  const [first] = problems;
  if (first?.code === "not-a-request") {
    const todo = first.what === "no method" ? 'Add "method".' : "Mend the text of the cell.";
    return { what: `The request cannot be sent: it has ${first.what}.`, todo };
  }
  if (first && first.code !== "unresolved-placeholder") return notEncoded(first);
  const names = problems.flatMap((one) => (one.code === "unresolved-placeholder" ? [`{{${visible(one.path)}}}`] : []));
  return {
    what: `${names.length === 1 ? "A placeholder has" : `${plural(names.length, "placeholder")} have`} no value: ${listed(names)}${because(first)}.`,
    todo: todoFor(first, known),
  };
}

/** A value that people may write, and that could not be turned into what goes over the wire. */
function notEncoded(problem: ReadableProblem | UnknownHead): Explanation {
  if (problem.code === "unknown-head") {
    return {
      what: `The number of \`${problem.tag}\`, from which a block is counted, is not known.`,
      todo: "Write the number of the block.",
    };
  }
  const [what = "", ...rest] = message(problem).split(/(?<=\.) (?=[A-Z])/);
  return { what: visible(what), todo: visible(rest.join(" ") || "Mend the value that is underlined.") };
}

function todoFor(problem: EvaluationProblem | undefined, known: () => Iterable<string>): string {
  const unset = problem?.code === "unresolved-placeholder" && problem.why.kind === "unset" ? problem.why : undefined;
  if (!unset) {
    const unknown = problem?.code === "unresolved-placeholder" && problem.why.kind === "unknown-name" && problem.why;
    const [near] = unknown ? nearest(unknown.name, known()) : [];
    if (near !== undefined) return `Did you mean \`${visible(near)}\`?`;
    return "Define it in `variables`, name a cell so, or mend the path.";
  }
  const name = visible(unset.reference.name);
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
      return `; no variable and no cell is called \`${visible(why.name)}\``;
    case "unset":
      return "";
    case "no-such-path":
      return `; \`${visible(why.missing.until)}\` is ${visible(why.missing.found)}`;
    case "not-text":
      return `; ${why.found} cannot stand inside a string`;
  }
}

/** A cell that was not sent, as people see it. */
export function notSentReport(title: string, reason: NotSent, names: () => Iterable<string>): Report {
  const { what, todo } = explainNotSent(reason, names);
  return {
    title: visible(title),
    summary: `not sent: ${what}`,
    status: "failed",
    sections: [{ kind: "failure", what, todo, fields: [] }],
    facts: [],
  };
}
