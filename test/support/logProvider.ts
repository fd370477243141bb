import type { JsonObject, JsonValue } from "../../server/src/base/json.ts";
import type { HttpRequest, HttpResponse, Transport } from "../../server/src/base/ports.ts";

/** The ways in which a provider refuses. */
export interface Refusing {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
  readonly status?: number;
}

export interface Asked {
  readonly from: number;
  readonly to: number;
  /** Number of logs in the answer. */
  readonly count: number;
  readonly filter: JsonObject;
}

/** A provider with logs of its own, for the refusals that no node at hand gives. */
export interface LogProvider extends Transport {
  /** Every request for logs. */
  readonly asked: readonly Asked[];
  /** The same without any limit. */
  all(from: number, to: number): readonly JsonValue[];
  /** Requests of at most so many blocks and so many logs that together cover a range. */
  least(from: number, to: number, blocks: number, results: number): number;
}

interface LogProviderOptions {
  head: number;
  /** Logs of a block. */
  readonly logsIn: (block: number) => number;
  /** Their sum, if counting them takes long. */
  readonly countIn?: (from: number, to: number) => number;
  /** The reason why it does not answer; `undefined` if it does. */
  refuse: (asked: Asked, ordinal: number) => Refusing | undefined;
  /** Logs of the block after the head. */
  readonly pending?: number;
  /** Before the answer. */
  readonly wait?: (ordinal: number) => Promise<void>;
  hashOf?: (block: number) => string;
}

const hex = (value: number): string => `0x${value.toString(16)}`;

export function logProvider(options: LogProviderOptions): LogProvider {
  const asked: Asked[] = [];
  const logOf = (block: number, index: number): JsonValue => ({
    blockNumber: hex(block),
    blockHash: block > options.head ? null : `0x${block.toString(16).padStart(64, "0")}`,
    logIndex: hex(index),
    topics: [],
    data: "0x",
  });
  const all = (from: number, to: number): readonly JsonValue[] => {
    const logs: JsonValue[] = [];
    for (let block = from; block <= to; block++) {
      const count = block > options.head ? (options.pending ?? 0) : options.logsIn(block);
      for (let index = 0; index < count; index++) logs.push(logOf(block, index));
    }
    return logs;
  };
  const numberOf = (block: JsonValue | undefined): number => {
    if (block === "pending") return options.head + 1;
    if (block === "earliest") return 0;
    return typeof block === "string" && block.startsWith("0x") ? Number(block) : options.head;
  };
  const answer = ({
    id,
    method,
    params,
  }: {
    id: JsonValue;
    method: string;
    params: JsonValue[];
  }): [JsonObject, number] => {
    const result = (value: JsonValue): [JsonObject, number] => [{ jsonrpc: "2.0", id, result: value }, 200];
    if (method === "eth_blockNumber") return result(hex(options.head));
    if (method === "eth_getBlockByNumber") {
      const number = numberOf(params[0]);
      const hash = options.hashOf?.(number) ?? `0x${number.toString(16).padStart(64, "0")}`;
      return result(number > options.head ? null : { number: hex(number), hash });
    }
    const filter = params[0] as JsonObject; // every request for logs has a filter
    const [from, to] = [numberOf(filter.fromBlock), numberOf(filter.toBlock)];
    const end = Math.min(to, filter.toBlock === "pending" ? options.head + 1 : options.head);
    const one = { from, to, count: options.countIn?.(from, end) ?? all(from, end).length, filter };
    const no = options.refuse(one, asked.length);
    asked.push(one);
    if (!no) return result(all(from, end));
    const { status = 200, ...error } = no;
    return [{ jsonrpc: "2.0", id, error }, status];
  };
  return {
    asked,
    all,
    least(from, to, blocks, results) {
      let [pieces, size, count] = [1, 0, 0];
      for (let block = from; block <= to; block++) {
        const more = options.logsIn(block);
        if (size + 1 > blocks || count + more > results) [pieces, size, count] = [pieces + 1, 0, 0];
        size++;
        count += more;
      }
      return pieces;
    },
    async post({ body }: HttpRequest, signal): Promise<HttpResponse> {
      const request = JSON.parse(body);
      const ordinal = asked.length;
      const [first, status] = Array.isArray(request) ? [request.map((each) => answer(each)[0]), 200] : answer(request);
      await options.wait?.(ordinal);
      if (signal.aborted) return { kind: "response", status: 503, headers: {}, body: "", bytes: 0 };
      const text = JSON.stringify(first);
      return { kind: "response", status, headers: {}, body: text, bytes: text.length };
    },
  };
}
