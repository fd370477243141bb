import { quantity, toQuantity } from "../../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { CadenceKind } from "../../catalog/spec.ts";
import type { Endpoint } from "../../endpoints/endpoint.ts";
import {
  caseMethods,
  type HeadTag,
  type Replacement,
  type Reread,
  type Stage,
  type StageName,
} from "../../report/caseFacts.ts";
import type { BlockQuestion } from "../../rpc/head.ts";
import type { Outcome } from "../../rpc/outcome.ts";

/** @see https://geth.ethereum.org/docs/developers/evm-tracing/built-in-tracers#call-tracer */
export function traceQuestion(hash: string): BlockQuestion {
  return { method: caseMethods.trace, params: [hash, { tracer: "callTracer", tracerConfig: { withLog: true } }] };
}

/** Members of a transaction that its execution depends on. Fees are left out, so that the sender need not have them. */
const called = ["from", "to", "gas", "value", "input", "accessList", "authorizationList"] as const;

/** Asks for the same call at the block before; `undefined` if the endpoint serves neither of the methods. */
export function rereadQuestion(
  transaction: JsonObject,
  block: bigint,
  refused: Endpoint["refuses"],
): BlockQuestion | undefined {
  if (block === 0n) return undefined;
  const at = toQuantity(block - 1n);
  const call: Record<string, JsonValue> = {};
  for (const name of called) {
    const value = transaction[name];
    if (value !== undefined && value !== null) call[name] = value;
  }
  if (!refused.includes("eth_call")) return { method: "eth_call", params: [call, at] };
  return refused.includes("eth_simulateV1")
    ? undefined
    : { method: "eth_simulateV1", params: [{ blockStateCalls: [{ calls: [call] }] }, at] };
}

/** Reads how the call ended there; `undefined` if the endpoint did not run it. */
export function rereadFrom(method: string, block: bigint, outcome: Outcome | undefined): Reread | undefined {
  const none = { method, block, revertData: undefined, message: "" };
  if (outcome?.kind === "refused" && (outcome.reason === "revert" || outcome.reason === "vm-error"))
    return { ...none, succeeded: false, revertData: outcome.revertData, message: outcome.message };
  if (outcome?.kind !== "answered") return undefined;
  const failed = method === "eth_simulateV1" ? failedCall(outcome.result.value) : undefined;
  if (!failed) return { ...none, succeeded: true };
  const { error, returnData } = failed;
  const message = isObject(error) && typeof error.message === "string" ? error.message : "";
  const data = isObject(error) && typeof error.data === "string" ? error.data : returnData;
  return { ...none, succeeded: false, revertData: typeof data === "string" ? data : undefined, message };
}

function failedCall(result: JsonValue): JsonObject | undefined {
  const [block] = isArray(result) ? result : [];
  const [call] = isObject(block) && isArray(block.calls) ? block.calls : [];
  return isObject(call) && call.status === "0x0" ? call : undefined;
}

/** Blocks among which the transaction is looked for that took a nonce. */
const maxSearched = 16;

export function recentBlocks(latest: bigint | undefined): readonly BlockQuestion[] {
  if (latest === undefined) return [];
  const count = latest < maxSearched ? Number(latest) + 1 : maxSearched;
  return Array.from({ length: count }, (_, back) => ({
    method: "eth_getBlockByNumber",
    params: [toQuantity(latest - BigInt(back)), true],
  }));
}

/** Returns the transaction with the same sender and nonce. */
export function replacementIn(
  blocks: readonly (JsonValue | undefined)[],
  { from, nonce, hash }: JsonObject,
): Replacement["found"] {
  const sender = String(from).toLowerCase();
  for (const block of blocks) {
    if (!isObject(block) || !isArray(block.transactions)) continue;
    const number = quantity(block.number);
    const found = block.transactions.find(
      (one): one is JsonObject =>
        isObject(one) &&
        String(one.from).toLowerCase() === sender &&
        quantity(one.nonce) === quantity(nonce) &&
        one.hash !== hash,
    );
    if (found && number !== undefined && typeof found.hash === "string") return { hash: found.hash, block: number };
  }
  return undefined;
}

/** The state of a transaction at one time. */
export interface CaseObservation {
  readonly state: "unknown" | "pending" | "pre-confirmed" | "block";
  /** Identifies the block, so that another one after a reorganisation is noticed. */
  readonly blockHash: string | undefined;
  readonly number: bigint | undefined;
  readonly blockTimeMs: number | undefined;
  readonly heads: Readonly<Record<HeadTag, bigint | undefined>>;
  readonly kind: CadenceKind;
  /** Time of the answers, in milliseconds since 1970. */
  readonly at: number;
}

const later = ["safe", "finalized"] as const;

/** Keeps when each stage of a transaction was reached, over all observations. */
export class CaseLife {
  readonly #reached = new Map<StageName, Stage>();
  #last: CaseObservation | undefined;

  note(observed: CaseObservation): void {
    const isFirst = this.#last === undefined;
    const isMoved = this.#last?.blockHash !== observed.blockHash;
    if (isMoved || observed.state !== "block")
      for (const name of ["block", ...later] as const) this.#reached.delete(name);
    if (observed.state === "pending" || observed.state === "pre-confirmed")
      this.#add(observed.state, "seen", observed.at);
    if (observed.state === "block") {
      this.#add("block", observed.blockTimeMs === undefined ? "before" : "block", observed.blockTimeMs ?? observed.at);
      for (const name of later)
        if (isReached(observed, name)) this.#add(name, isFirst ? "before" : "seen", observed.at);
    }
    this.#last = observed;
  }
  /** Returns the stages in their order, also those to come. */
  stages(): readonly Stage[] {
    const observed = this.#last;
    if (!observed || observed.state === "unknown") return [...this.#seen("pending"), ...this.#seen("pre-confirmed")];
    const isEarly = observed.state === "pending" && observed.kind === "pre-confirmed";
    const to = (name: StageName): Stage => this.#reached.get(name) ?? waiting(name, "waiting");
    return [
      ...this.#seen("pending"),
      ...(isEarly ? [to("pre-confirmed")] : this.#seen("pre-confirmed")),
      to("block"),
      ...later.map((name) => this.#reached.get(name) ?? waiting(name, knows(observed, name) ? "waiting" : "unknown")),
    ];
  }
  /** Nothing that the endpoint shows is still to come. */
  get isOver(): boolean {
    return this.#last?.state === "block" && this.stages().every(({ how }) => how !== "waiting");
  }

  #seen(name: StageName): readonly Stage[] {
    return [...this.#reached.values()].filter((stage) => stage.name === name);
  }
  #add(name: StageName, how: Stage["how"], at: number): void {
    const before = this.#reached.get(name);
    if (!before || (name === "block" && before.how !== how)) this.#reached.set(name, { name, how, at });
  }
}

function waiting(name: StageName, how: Stage["how"]): Stage {
  return { name, how, at: undefined };
}

function knows({ heads }: CaseObservation, name: HeadTag): boolean {
  return heads[name] !== undefined;
}

function isReached({ heads, number }: CaseObservation, name: HeadTag): boolean {
  const head = heads[name];
  return head !== undefined && number !== undefined && head >= number;
}
