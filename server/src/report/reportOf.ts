import type { AbiScope } from "../abi/abiScope.ts";
import type { AbiParam } from "../abi/type.ts";
import type { JsonValue } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { methodNamed } from "../catalog/catalog.ts";
import type { MethodSpec } from "../catalog/spec.ts";
import { answerTime, type Outcome } from "../rpc/outcome.ts";
import { caseView } from "./case.ts";
import type { CaseFacts } from "./caseFacts.ts";
import { factsOf } from "./facts.ts";
import { failureView } from "./failure.ts";
import type { Report, Section } from "./report.ts";
import { answerFault, resultView } from "./result.ts";
import type { Tokens } from "./tokens.ts";
import type { ViewContext } from "./view.ts";
import { type SaidCall, wordsSections } from "./words.ts";

/** What the views of an outcome may know. */
interface GivenContext {
  /** The parameters that were sent; `null` if there were none. */
  readonly params: JsonValue;
  /** Names of addresses, by the address in any case. */
  readonly labels?: ReadonlyMap<string, string> | undefined;
  /** The declared return types of the function that was called. */
  readonly returns?: readonly AbiParam[] | undefined;
  readonly scope?: AbiScope | undefined;
  readonly tokens?: Tokens | undefined;
  readonly sealed?: ViewContext["sealed"];
  readonly isGuess?: ViewContext["isGuess"];
}

/** A request and what became of it. */
export interface Reported extends GivenContext {
  /** A title for the request: `balance: eth_getBalance`. */
  readonly title: string;
  readonly method: string;
  /** The method as the document's catalogue describes it; by default as the bundled catalogue does. */
  readonly spec?: MethodSpec | undefined;
  readonly outcome: Outcome;
  /** Everything about the transaction that was asked for: shown in place of the answer alone. */
  readonly case?: CaseFacts | undefined;
  /** What descriptors say of its calls. */
  readonly words?: readonly SaidCall[] | undefined;
}

/** Shows an outcome as people read it. Never throws, whatever the endpoint sent. */
export function reportOf({
  title,
  method,
  spec = methodNamed(method),
  params,
  outcome,
  labels,
  case: facts,
  words = [],
  ...given
}: Reported): Report {
  const context = contextOf({ labels, params, ...given });
  const view = facts
    ? caseView(facts, context)
    : outcome.exchange.parts?.done !== undefined
      ? { summary: oneLine(outcome.exchange.parts.done), sections: [] }
      : outcome.kind === "answered"
        ? resultView(spec, outcome.result.value, context)
        : failureView(outcome, method, context);
  return {
    title: oneLine(title, 120),
    summary: view.summary,
    ...(view.headline && { headline: view.headline }),
    ...(view.amount && { amount: view.amount }),
    status:
      outcome.kind === "answered" && (facts || answerFault(spec, outcome.result.value) === undefined) ? "ok" : "failed",
    sections: [...withWords(view.sections, words, context), ...partSections(spec, outcome, context)],
    facts: factsOf(spec, params, outcome.exchange),
    ranAt: answerTime(outcome.exchange),
  };
}

/** Puts what descriptors say before the values, but behind the reason of a failure. */
function withWords(sections: readonly Section[], words: readonly SaidCall[], { labels }: ViewContext) {
  const first = sections.findIndex(({ kind }) => kind !== "failure" && kind !== "exact");
  const at = first === -1 ? sections.length : first;
  return [...sections.slice(0, at), ...wordsSections(words, labels), ...sections.slice(at)];
}

export function contextOf(given: GivenContext): ViewContext {
  const { labels = [], params, returns, scope, tokens = noTokens, sealed, isGuess } = given;
  const byAddress = new Map([...labels].map(([address, label]) => [address.toLowerCase(), label]));
  return { labels: byAddress, params, returns, scope, tokens, sealed, isGuess };
}

/** How an answer was put together from several; of one that failed, what had come by then. */
function partSections(
  spec: MethodSpec | undefined,
  { exchange: { parts } }: Outcome,
  context: ViewContext,
): readonly Section[] {
  if (!parts) return [];
  const notes = parts.notes.map((text): Section => ({ kind: "note", text: oneLine(text) }));
  return [...notes, ...(parts.soFar ? resultView(spec, parts.soFar.result.value, context).sections : [])];
}

const noTokens: Tokens = new Map();
