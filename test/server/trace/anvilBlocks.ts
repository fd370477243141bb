import fc from "fast-check";
import { type Anvil, ask } from "../../../devchain/anvil.ts";
import type { JsonObject, JsonValue } from "../../../server/src/base/json.ts";
import type { BackgroundClient } from "../../../server/src/gate/backgroundClient.ts";
import { classify } from "../../../server/src/rpc/classify.ts";
import type { BlockQuestion } from "../../../server/src/rpc/head.ts";
import type { Answered, Outcome } from "../../../server/src/rpc/outcome.ts";
import { blockProbe } from "../../../server/src/trace/blockProbe.ts";
import { readMined } from "../../../server/src/trace/readMined.ts";
import type { TraceHost, TraceReading } from "../../../server/src/trace/readTrace.ts";
import { callable, type RandomCall, randomCall } from "../../support/randomCalls.ts";
import { traceInThread } from "../../support/traceInThread.ts";
import { deploy } from "./anvilCalls.ts";

/** Changes what an endpoint answers; a {@link refusal} takes the place of an answer. */
export type Lie = (question: BlockQuestion, result: JsonValue) => JsonValue | Refusal | undefined;

class Refusal {
  readonly message: string;
  readonly code: number;

  constructor(message: string, code: number) {
    this.message = message;
    this.code = code;
  }
}

export function refusal(message: string, code = -32000): Refusal {
  return new Refusal(message, code);
}

/** How an endpoint is asked. */
export interface Asking {
  readonly refuses?: readonly string[];
  readonly lie?: Lie | undefined;
  readonly batch?: number | false;
  readonly known?: JsonValue;
  readonly asked?: BlockQuestion[][];
  readonly signal?: AbortSignal;
  readonly openTracer?: TraceHost["openTracer"];
}

/** Reads a transaction of a block without a trace of the endpoint. */
export function readingOf(client: BackgroundClient, hash: string, given: Asking = {}): Promise<TraceReading> {
  const { refuses = ["debug_traceTransaction"], lie, batch, known, asked, openTracer = traceInThread } = given;
  const { signal = new AbortController().signal } = given;
  return readMined(
    { hash, known: known === undefined ? [] : [known] },
    { refuses, memory: {}, batch, openTracer, ask: asking, signal },
  );
  async function asking(questions: readonly BlockQuestion[]): Promise<readonly Outcome[]> {
    asked?.push([...questions]);
    const outcomes = await client.ask(questions, signal);
    return outcomes.map((outcome, at) => {
      const question = questions[at];
      if (outcome.kind !== "answered" || !question || !lie) return outcome;
      return toldBy(lie, question, outcome);
    });
  }
}

/** The outcome of a question to an endpoint that lies. */
export function toldBy(lie: Lie, question: BlockQuestion, outcome: Answered): Outcome {
  const value = lie(question, outcome.result.value);
  if (value instanceof Refusal) {
    const said = { ...value, data: undefined, method: question.method, status: undefined };
    return { kind: "refused", ...said, ...classify(said), exchange: outcome.exchange };
  }
  return value === undefined ? outcome : { ...outcome, result: { value, text: "" } };
}

/** The endpoint does not run the instruction of Osaka that it is asked about. */
export const saysPrague: Lie = ({ method, params: [call] }, result) =>
  method === "eth_call" && (call as JsonObject).data === blockProbe ? withoutOsaka(String(result)) : undefined; // of a call

function withoutOsaka(words: string): string {
  return words.replace(/[0-9a-f]{64}/g, (word, at) => (at === 2 + 10 * 64 ? "0".repeat(64) : word));
}

/** Whether nothing is shown because it is not known by which rules a call ran that used up its gas. */
export function isUndecided(found: TraceReading): boolean {
  return found.kind === "failed" && /two forks/.test(found.why);
}

/** Transactions to contracts that call each other and share storage. */
export interface RandomBlock {
  readonly contracts: RandomCall;
  readonly calls: readonly RandomTransaction[];
}

interface RandomTransaction {
  readonly sender: number;
  readonly to: string | undefined;
  readonly data: string;
  readonly value: bigint;
  readonly gas: bigint;
  readonly tip: bigint;
  readonly kind: "legacy" | "listed" | "priority";
}

/** Blocks of so many transactions. */
export function randomBlock(sizes: fc.Arbitrary<number>): fc.Arbitrary<RandomBlock> {
  const transaction: fc.Arbitrary<RandomTransaction> = fc.record({
    sender: fc.nat(9),
    to: fc.constantFrom<(string | undefined)[]>(...callable, ...callable, undefined),
    data: randomCall.map(({ data }) => data),
    value: fc.constantFrom(0n, 0n, 3n),
    gas: fc.constantFrom(60_000n, 120_000n, 300_000n),
    tip: fc.constantFrom(0n, 1n, 1_000_000_007n),
    kind: fc.constantFrom("legacy", "listed", "priority"),
  });
  return sizes.chain((count) =>
    fc.record({ contracts: randomCall, calls: fc.array(transaction, { minLength: count, maxLength: count }) }),
  );
}

/** Puts the contracts into the chain, and a block with the transactions. @returns Their hashes. */
export async function mine(anvil: Anvil, { contracts, calls }: RandomBlock): Promise<readonly string[]> {
  await deploy(anvil, contracts);
  await ask(anvil, "anvil_mine", ["0x1"]);
  const senders = await ask<readonly string[]>(anvil, "eth_accounts");
  const counts = new Map<string, bigint>();
  const hashes: string[] = [];
  const { baseFeePerGas } = await ask<{ readonly baseFeePerGas: string }>(anvil, "eth_getBlockByNumber", [
    "latest",
    false,
  ]);
  for (const { sender, to, data, value, gas, tip, kind } of calls) {
    const from = senders[sender] ?? "";
    const nonce = counts.get(from) ?? BigInt(await ask<string>(anvil, "eth_getTransactionCount", [from, "latest"]));
    counts.set(from, nonce + 1n);
    const listed = { accessList: [{ address: callable[0], storageKeys: [`0x${"1".padStart(64, "0")}`] }] };
    const most = BigInt(baseFeePerGas) * 2n + 2_000_000_000n;
    const fees =
      kind === "priority"
        ? { maxFeePerGas: quantityOf(most), maxPriorityFeePerGas: quantityOf(tip) }
        : { gasPrice: quantityOf(most) };
    hashes.push(
      await ask<string>(anvil, "eth_sendTransaction", [
        {
          ...{ from, data, value: quantityOf(value), gas: quantityOf(gas + BigInt(data.length) * 20n) },
          ...{ nonce: quantityOf(nonce), ...fees },
          ...(to !== undefined && { to }),
          ...(kind === "listed" && listed),
        },
      ]),
    );
  }
  await ask(anvil, "anvil_mine", ["0x1"]);
  return hashes;
}

function quantityOf(value: bigint): string {
  return `0x${value.toString(16)}`;
}

/** The trace of the node. Anvil counts the gas of the transactions before it into that of the first call. */
export async function nodeTrace(anvil: Anvil, hash: string): Promise<JsonObject> {
  const config = { tracer: "callTracer", tracerConfig: { withLog: true } };
  const trace = await ask<JsonObject>(anvil, "debug_traceTransaction", [hash, config]);
  const { gasUsed = "0x0" } = await ask<JsonObject>(anvil, "eth_getTransactionReceipt", [hash]);
  return { ...trace, gasUsed };
}
