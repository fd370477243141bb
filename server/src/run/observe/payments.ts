import { readCode } from "../../abi/code.ts";
import type { PaymentFacts } from "../../abi/paymentCall.ts";
import { digestOf, expectedMessage, ownDomain, separatorOf } from "../../abi/paymentMessage.ts";
import { accountsOf, otherDomains, type SearchScope, searchSignature } from "../../abi/paymentSearch.ts";
import { readSignature } from "../../abi/paymentSignature.ts";
import { withinTime } from "../../base/deadline.ts";
import { type Hex, isAddress, toQuantity } from "../../base/hex.ts";
import type { JsonValue } from "../../base/json.ts";
import type { Mask } from "../../base/mask.ts";
import { chains } from "../../catalog/chains.ts";
import type { Endpoint } from "../../endpoints/endpoint.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import { type FailedPayment, failedCall, failedPayments } from "../../evaluate/failedPayments.ts";
import {
  type Answers,
  acceptanceCall,
  accepts,
  answersAt,
  askedAt,
  endingFrom,
  endingQuestion,
  paymentFacts,
  questionsAbout,
} from "../../evaluate/paymentQuestions.ts";
import type { Cell } from "../../notebook/cell.ts";
import { items, type JsonNode, member, spanOf } from "../../notebook/json.ts";
import type { CaseFacts } from "../../report/caseFacts.ts";
import type { Acceptance, ExplainedPayment } from "../../report/explainedPayment.ts";
import { type ActionsOf, paymentsJson, withPayments } from "../../report/paymentCauses.ts";
import type { Action } from "../../report/report.ts";
import type { BlockQuestion } from "../../rpc/head.ts";
import { type Outcome, resultOf } from "../../rpc/outcome.ts";
import { ownRequest } from "../../rpc/wire.ts";
import type { Cases } from "./cases.ts";
import { maskedPayment } from "./maskFound.ts";
import type { Addition, Observation, ObservationContext, ShownAnswer } from "./observation.ts";

const payingMethods: ReadonlySet<string> = new Set(["eth_call", "eth_estimateGas", "eth_simulateV1"]);

interface Explaining {
  readonly outcome: Outcome;
  readonly done: Promise<void>;
  payments: readonly ExplainedPayment[];
}

/** A request whose payments failed. */
interface Open {
  readonly request: EvaluatedRequest;
  readonly outcome: Outcome;
  readonly failed: readonly FailedPayment[];
}

type Ask = (questions: readonly BlockQuestion[]) => Promise<Answers | undefined>;

/** Milliseconds for the answers of one round. */
const maxRoundMs = 5000;
/** Blocks that are searched for the end of an authorization, if the endpoint states no limit. */
const searchedBlocks = 9999n;
/** Payments of one cell that are explained. */
const maxPayments = 10;
/** Domains for which a contract is asked whether it signed for them. */
const maxAlternatives = 10;

/** Finds out why payments by signature failed, in at most two rounds of questions. Nothing else is asked about. */
export class Payments implements Observation<readonly ExplainedPayment[]> {
  readonly #context: ObservationContext;
  readonly #cases: Cases;
  /** Accounts that the notebook names. */
  readonly #accounts: readonly Hex[];
  readonly #explained = new Map<EvaluatedRequest, Explaining>();

  constructor(context: ObservationContext, cases: Cases) {
    this.#context = context;
    this.#cases = cases;
    this.#accounts = [...context.run.names.keys()].filter(isAddress).map((one) => one.toLowerCase() as Hex); // still one
  }

  concerns(cell: Cell, requests: readonly EvaluatedRequest[]): boolean {
    return this.#cases.concerns(cell) || requests.some(({ method }) => payingMethods.has(method));
  }
  /** Returns the wait for the explanations of failed payments, after that for the cases of failed transactions. */
  answered(
    cell: Cell,
    requests: readonly EvaluatedRequest[],
    outcomes: readonly Outcome[],
  ): Promise<unknown> | undefined {
    const due = (): Promise<unknown> | undefined => this.#due(cell, requests, outcomes);
    const cases = this.#cases.answered(cell, requests, outcomes);
    return cases ? cases.then(due) : due();
  }
  of(_cell: Cell, request: EvaluatedRequest): readonly ExplainedPayment[] | undefined {
    return this.#explained.get(request)?.payments;
  }
  hidden(payments: readonly ExplainedPayment[], mask: Mask): readonly ExplainedPayment[] {
    return payments.map((one) => maskedPayment(one, mask));
  }
  adds(payments: readonly ExplainedPayment[], { cell, at, context }: ShownAnswer): Addition {
    return {
      report: (report) => withPayments(report, payments, context(), paymentActions(cell, at)),
      json: () => ({ ...paymentsJson(payments, context()) }),
    };
  }

  #due(cell: Cell, requests: readonly EvaluatedRequest[], outcomes: readonly Outcome[]): Promise<unknown> | undefined {
    const endpoint = this.#context.endpointForQuestions(cell, "eth_call");
    if (!endpoint) return undefined;
    const waits: Promise<void>[] = [];
    const failing: Open[] = [];
    for (const [at, request] of requests.entries()) {
      const outcome = outcomes[at];
      const known = this.#explained.get(request);
      if (!outcome) continue;
      const failed = known?.outcome === outcome ? [] : this.#failedIn(request, outcome);
      if (known?.outcome === outcome) waits.push(known.done);
      else if (failed.length > 0 && failing.length < maxPayments) failing.push({ request, outcome, failed });
    }
    if (failing.length > 0) waits.push(this.#begin(cell, endpoint, failing));
    return waits.length === 0 ? undefined : Promise.all(waits);
  }
  #begin(cell: Cell, endpoint: Endpoint, open: readonly Open[]): Promise<void> {
    const all = open.flatMap(({ failed }) => failed).slice(0, maxPayments);
    const begun: (readonly [Explaining, Open])[] = [];
    const done = this.#explain(cell, endpoint, all).then((explained) => {
      for (const [explaining, { failed }] of begun)
        explaining.payments = failed.flatMap((one) => explained.get(one) ?? []);
    });
    for (const one of open) {
      const explaining: Explaining = { outcome: one.outcome, done, payments: [] };
      begun.push([explaining, one]);
      this.#explained.set(one.request, explaining);
    }
    return done;
  }
  #failedIn(request: EvaluatedRequest, outcome: Outcome): readonly FailedPayment[] {
    const facts = this.#cases.readerOf(request)?.facts;
    return facts ? failedTransaction(facts) : failedPayments(request.method, request.params, outcome);
  }
  /** Asks about all in one message, and once more about what the answers leave open. */
  async #explain(
    cell: Cell,
    endpoint: Endpoint,
    all: readonly FailedPayment[],
  ): Promise<ReadonlyMap<FailedPayment, ExplainedPayment>> {
    const ask: Ask = (questions) => this.#ask(cell, endpoint, questions);
    const answers = await askEach(ask, all.map(questionsAbout));
    if (!answers) return new Map();
    const { clock, signal } = this.#context;
    const pause = (): Promise<boolean> => clock.sleep(0, signal).then(() => signal.aborted);
    const chainId = this.#context.chainAt(cell, endpoint);
    const begun = all.map((failed, at) => {
      const facts = this.#completed(paymentFacts(failed, answers[at] ?? []), failed, chainId);
      const scope = { chainIds: knownChains, accounts: accountsOf(facts, this.#accounts), pause };
      return { failed, facts, scope, more: secondQuestions(failed, facts, scope, endpoint) };
    });
    const second = await askEach(
      ask,
      begun.map(({ more }) => more.questions),
    );
    const explained = new Map<FailedPayment, ExplainedPayment>();
    for (const [at, { failed, facts, scope, more }] of begun.entries()) {
      const own = ownDomain(facts, knownChains);
      const signature = readSignature(facts.payment.signature);
      const isSearched = isAccount(facts) && signature.faults[0] !== "undeployed";
      const searched = isSearched ? await searchSignature(facts, own, signature, scope) : notSearched;
      const { place, revertData, message } = failed;
      const read = more.read(second?.[at] ?? []);
      explained.set(failed, { place, facts, own, signature, searched, ...read, revertData, message });
    }
    return explained;
  }
  /** Adds what is known without an answer: our own clock is close to the newest block's. */
  #completed(facts: PaymentFacts, { state }: FailedPayment, chainId: bigint | undefined): PaymentFacts {
    const tag = state.kind === "call" && state.rest.length === 1 ? state.rest[0] : undefined;
    const isNew = tag === "latest" || tag === "pending";
    const ours = isNew ? BigInt(Math.floor(this.#context.clock.date() / 1000)) : undefined;
    return { ...facts, time: facts.time ?? ours, chainId: facts.chainId ?? chainId };
  }
  /** Sends questions in one message; an answer that does not come in time stays away. */
  async #ask(cell: Cell, { refuses }: Endpoint, questions: readonly BlockQuestion[]): Promise<Answers | undefined> {
    const sent = questions.filter(({ method }) => !refuses.includes(method));
    const requests = sent.map(({ method, params }) => ownRequest(method, params));
    const { asker, clock, run, signal } = this.#context;
    const limit = Math.max(maxRoundMs, run.routes.givenMs ?? 0);
    const outcomes = await withinTime(asker.askTogether(cell, requests), limit, clock, signal);
    return outcomes && questions.map((question) => answerOf(outcomes[sent.indexOf(question)]));
  }
}

/** Returns `null` for a call that failed. */
function answerOf(outcome: Outcome | undefined): JsonValue | undefined {
  const isFailed = outcome?.kind === "refused" && (outcome.reason === "revert" || outcome.reason === "vm-error");
  return isFailed ? null : resultOf(outcome);
}

const knownChains: readonly bigint[] = chains.map(({ id }) => BigInt(id));

/** Whether an account has a key: one that delegates has one too. */
function isAccount({ code }: PaymentFacts): boolean {
  const kind = readCode(code)?.kind;
  return kind !== "contract" && kind !== "proxy";
}

const notSearched = { match: undefined, recovered: undefined };

/** The payment of a transaction that reverted. It is asked about at the block before. */
function failedTransaction({ transaction, receipt, block, reread, trace }: CaseFacts): readonly FailedPayment[] {
  if (receipt?.status !== "0x0" || !transaction || !block || block.number === 0n) return [];
  const output = trace?.output;
  return failedCall(transaction, {
    revertData: reread?.revertData ?? (typeof output === "string" ? output : undefined),
    message: reread?.message ?? "",
    time: block.timeMs === undefined ? undefined : BigInt(Math.floor(block.timeMs / 1000)),
    place: undefined,
    state: { kind: "call", rest: [toQuantity(block.number - 1n)] },
    block: toQuantity(block.number),
  });
}

interface SecondRound {
  readonly acceptance: Acceptance | undefined;
  readonly ending: ExplainedPayment["ending"];
}

/** Sends several lists of questions in one message; `undefined` if no answer came in time. */
async function askEach(
  ask: Ask,
  lists: readonly (readonly BlockQuestion[])[],
): Promise<readonly Answers[] | undefined> {
  const all = lists.flat();
  if (all.length === 0) return lists.map(() => []);
  const answers = await ask(all);
  if (!answers) return undefined;
  let end = 0;
  return lists.map(({ length }) => {
    end += length;
    return answers.slice(end - length, end);
  });
}

/** Makes the questions that depend on the first answers: to the contract that signs, and how an authorization ended. */
function secondQuestions(
  failed: FailedPayment,
  facts: PaymentFacts,
  scope: SearchScope,
  { logRange = searchedBlocks }: Endpoint,
): { readonly questions: readonly BlockQuestion[]; read(answers: Answers): SecondRound } {
  const { tokenFacts, block } = facts;
  const attempts = acceptanceAttempts(facts, scope);
  const calls = attempts.map(({ digest }) => acceptanceCall(failed, digest, facts.payment.signature));
  const asked = askedAt(failed.state, calls);
  const ended = tokenFacts.isUsed === true && block !== undefined ? [endingQuestion(failed, block, logRange)] : [];
  return {
    questions: [...asked, ...ended],
    read: (answers) => ({
      ending: ended.length > 0 ? endingFrom(answers[asked.length]) : undefined,
      acceptance:
        calls.length === 0
          ? undefined
          : acceptanceFrom(attempts, answersAt(failed.state, answers.slice(0, asked.length))),
    }),
  };
}

type AcceptanceAttempt = { readonly digest: Hex } & Pick<Acceptance, "changes">;

/** What a contract is asked about: the token's own domain first. None for an account without code. */
function acceptanceAttempts(facts: PaymentFacts, scope: SearchScope): readonly AcceptanceAttempt[] {
  const kind = readCode(facts.code)?.kind ?? "none";
  const own = kind === "none" ? undefined : ownDomain(facts, scope.chainIds);
  const message = expectedMessage(facts.payment, facts.tokenFacts.nonce);
  if (!own || !message) return [];
  const others = kind === "delegation" ? [] : otherDomains(facts, own, scope).slice(0, maxAlternatives);
  return [
    { digest: digestOf(own.separator, message), changes: undefined },
    ...others.map(({ domain, changes }) => ({ digest: digestOf(separatorOf(domain), message), changes })),
  ];
}

function acceptanceFrom(
  attempts: readonly AcceptanceAttempt[],
  answers: readonly (JsonValue | undefined)[],
): Acceptance {
  const at = answers.findIndex(accepts);
  const isAccepted = answers[0] === undefined || answers[0] === null ? undefined : at === 0;
  return { isAccepted, changes: attempts[at]?.changes };
}

/** Returns the actions on a cell's text for the causes of its failed payments. */
function paymentActions(cell: Cell, at: number): ActionsOf {
  return ({ args, fix }, payment) => {
    const call = callNode(cell, at, payment);
    const places = call ? args.map((name) => placeOf(call, payment, name)) : [];
    const nodes = places.flatMap((place) => place?.node ?? []);
    if (nodes.length === 0) return [];
    const start = Math.min(...nodes.map((node) => spanOf(node).start));
    const end = Math.max(...nodes.map((node) => spanOf(node).end));
    const show: Action = { kind: "show", label: "Show in Cell", start, end };
    const [only] = places;
    if (!fix || places.length !== 1 || !only?.isValue) return [show];
    const isText = only.node.type === "string" && !fix.json.startsWith('"');
    return [show, { kind: "fix", label: fix.label, start, end, text: isText ? JSON.stringify(fix.json) : fix.json }];
  };
}

function callNode({ requests }: Cell, at: number, { place }: ExplainedPayment): JsonNode | undefined {
  const [first] = items(requests[at]?.members.get("params")?.value);
  if (!place) return first?.type === "object" ? first : undefined;
  const entry = items(member(first, "blockStateCalls"))[place.entry];
  return items(member(entry, "calls"))[place.call];
}

interface ArgumentPlace {
  readonly node: JsonNode;
  /** The node is the value itself, not something that it is in. */
  readonly isValue: boolean;
}

function placeOf(call: JsonNode, { facts }: ExplainedPayment, name: string): ArgumentPlace | undefined {
  const [, ofCall] = /^call\.(\w+)$/.exec(name) ?? [];
  if (ofCall !== undefined) {
    const node = member(call, ofCall);
    return node ? { node, isValue: true } : { node: call, isValue: false };
  }
  const data = member(call, "input") ?? member(call, "data");
  const args = member(data, "args");
  const node = args?.type === "array" ? items(args)[facts.payment.args.indexOf(name)] : member(args, name);
  if (node) return { node, isValue: true };
  return data && { node: data, isValue: false };
}
