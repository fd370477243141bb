import { type Anvil, ask, startAnvil } from "../../../devchain/anvil.ts";
import { type JsonValue, printJson } from "../../../server/src/base/json.ts";
import type { BackgroundClient } from "../../../server/src/gate/backgroundClient.ts";
import type { BlockQuestion } from "../../../server/src/rpc/head.ts";
import type { Outcome } from "../../../server/src/rpc/outcome.ts";
import type { EndpointMemory } from "../../../server/src/rpc/send.ts";
import { readTrace, type TraceReading } from "../../../server/src/trace/readTrace.ts";
import { type Code, program } from "../../support/evm.ts";
import { clientTo } from "../../support/host.ts";
import { traceInThread } from "../../support/traceInThread.ts";
import { type Lie, toldBy } from "./anvilBlocks.ts";

/** Methods that most endpoints do not serve. */
export const unserved = ["debug_traceCall", "eth_createAccessList"];

interface Given {
  readonly refuses?: readonly string[];
  readonly lie?: Lie;
  readonly method?: string;
  readonly batch?: number | false;
  readonly asked?: BlockQuestion[][];
  readonly memory?: EndpointMemory;
  readonly signal?: AbortSignal;
}

/** Reads traces from a node of its own, in the group of tests around it. */
export function traceReadings() {
  let anvil: Anvil;
  let client: BackgroundClient;
  before(async () => {
    anvil = await startAnvil({ genesisTime: 1_750_000_000 });
    await ask(anvil, "anvil_mine", ["0x5"]);
    client = clientTo(`http://${anvil.host}`);
  });
  after(() => anvil?.kill());
  const read = (params: JsonValue, given: Given = {}): Promise<TraceReading> => {
    const { refuses = unserved, lie, method = "eth_call", asked, batch, memory = {} } = given;
    const { signal = new AbortController().signal } = given;
    return readTrace({ method, params }, { refuses, memory, batch, openTracer: traceInThread, ask: asking, signal });
    async function asking(questions: readonly BlockQuestion[]): Promise<readonly Outcome[]> {
      asked?.push([...questions]);
      const outcomes = await client.ask(questions, signal);
      return outcomes.map((outcome, at) => {
        const question = questions[at];
        if (outcome.kind !== "answered" || !question || !lie) return outcome;
        return toldBy(lie, question, outcome);
      });
    }
  };
  const node: Pick<Anvil, "post"> = { post: (body) => anvil.post(body) };
  const put = (address: string, ...code: readonly Code[]): Promise<unknown> =>
    ask(node, "anvil_setCode", [address, program(...code)]);
  return { read, put, anvil: node };
}

export function shown(found: TraceReading): string {
  return printJson(found as unknown as JsonValue); // it consists of JSON
}

export function words(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
