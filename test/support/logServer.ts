import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { closeAfterTest } from "../../scripts/lib/processEnd.mjs";
import type { JsonObject } from "../../server/src/base/json.ts";

/** A chain whose every block has some transfers, behind a server that limits the range of a request. */
export interface LogServer {
  readonly url: string;
  /** Ranges of the requests for logs that were answered, in order. */
  readonly asked: readonly (readonly [from: number, to: number])[];
  head: number;
  /** The largest toBlock − fromBlock that is answered. */
  maxBlocks: number;
  /** Blocks from this one on are others than before. */
  reorganize(from: number): void;
  /** Called with the ordinal of a request for logs, before its answer. */
  onLogs: (ordinal: number) => Promise<void> | void;
  /** Changes the logs of an answer. */
  spoil: (logs: JsonObject[]) => unknown;
  /** Whether an answer ends in the middle, by the ordinal of the last request for logs. */
  cutOff: (ordinal: number) => boolean;
  chainId: number;
  close(): Promise<void>;
}

const word = (value: number | bigint): string => value.toString(16).padStart(64, "0");
const hex = (value: number): string => `0x${value.toString(16)}`;
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

export async function logServer({ head = 1_000, maxBlocks = 24 } = {}): Promise<LogServer> {
  const forks: number[] = [];
  const asked: [number, number][] = [];
  const version = (block: number): number => forks.filter((from) => from <= block).length;
  const hashOf = (block: number): string => `0x${word(block * 1000 + version(block))}`;
  const logsOf = (block: number): JsonObject[] =>
    Array.from({ length: (block * 7 + version(block)) % 4 }, (_, index) => ({
      address: `0x${"12".repeat(20)}`,
      topics: [transferTopic, `0x${word(block)}`, `0x${word(index + 1)}`],
      data: `0x${word(2n ** 200n + BigInt(block * 10 + version(block)))}`,
      blockHash: hashOf(block),
      blockNumber: hex(block),
      transactionHash: `0x${word(block * 100 + index)}`,
      transactionIndex: hex(index),
      logIndex: hex(index),
      removed: false,
    }));
  const numberOf = (tag = "latest"): number => (tag.startsWith("0x") ? Number(tag) : server.head);
  const answer = async (method: string, [first]: readonly unknown[]): Promise<JsonObject> => {
    if (method === "eth_chainId") return { result: hex(server.chainId) };
    if (method === "eth_blockNumber") return { result: hex(server.head) };
    if (method === "eth_getBlockByNumber") {
      const number = numberOf(first as string);
      return { result: number > server.head ? null : { number: hex(number), hash: hashOf(number), timestamp: "0x1" } };
    }
    if (method !== "eth_getLogs") return { error: { code: -32601, message: "the method does not exist" } };
    const { fromBlock, toBlock } = first as { fromBlock?: string; toBlock?: string };
    const [from, to] = [numberOf(fromBlock), Math.min(numberOf(toBlock), server.head)];
    if (to - from > server.maxBlocks)
      return { error: { code: -32602, message: `block range exceeds ${server.maxBlocks}` } };
    asked.push([from, to]);
    await server.onLogs(asked.length);
    const logs = Array.from({ length: to - from + 1 }, (_, at) => logsOf(from + at)).flat();
    return { result: server.spoil(logs) as JsonObject };
  };
  const http = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", async () => {
      const body = JSON.parse(Buffer.concat(parts).toString());
      const one = async ({ id, method, params = [] }: { id: number; method: string; params: readonly unknown[] }) => ({
        jsonrpc: "2.0",
        id,
        ...(await answer(method, params)),
      });
      const answers = Array.isArray(body) ? await Promise.all(body.map(one)) : await one(body);
      const text = JSON.stringify(answers);
      const isCut = text.includes("logIndex") && server.cutOff(asked.length);
      response.setHeader("content-type", "application/json").end(isCut ? text.slice(0, text.length / 2) : text);
    });
  });
  await new Promise<void>((listening) => http.listen(0, "127.0.0.1", listening));
  const server: LogServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    asked,
    head,
    maxBlocks,
    reorganize: (from) => void forks.push(from),
    onLogs: () => {},
    spoil: (logs) => logs,
    cutOff: () => false,
    chainId: 8453,
    close: () =>
      new Promise((done) => {
        http.close(() => done());
        http.closeAllConnections();
      }),
  };
  closeAfterTest(() => server.close());
  return server;
}
