import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { listening } from "./support.ts";

export const token = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const logsInBlock = 100;

/** A chain of nothing but Transfer logs of one token, a hundred in a block. */
export interface LogChain {
  readonly url: string;
  readonly count: number;
  close(): void;
}

interface Asked {
  readonly id: number | string;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Serves the logs of any range of blocks, from memory: what it takes is taken from who reads them. */
export async function logChain(count: number): Promise<LogChain> {
  const last = Math.ceil(count / logsInBlock);
  const blocks = Array.from({ length: last }, (_, at) => Buffer.from(blockText(at + 1)));
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Asked | readonly Asked[]; // only this benchmark asks
    const parts: Buffer[] = [];
    const add = (text: string): void => {
      parts.push(Buffer.from(text));
    };
    const answer = ({ id, method, params }: Asked): void => {
      add(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},`);
      if (method === "eth_getLogs") {
        const { fromBlock = "0x1", toBlock = "latest" } = params[0] as Record<string, string>; // a filter
        const place = (block: string): number => (block === "latest" ? last : Number(block));
        add(`"result":[`);
        for (const [at, block] of blocks.slice(Math.max(place(fromBlock) - 1, 0), place(toBlock)).entries())
          parts.push(at === 0 ? block.subarray(1) : block); // each begins with a comma
        add("]");
      } else add(otherAnswer(method, params, last));
      add("}");
    };
    if ("method" in asked) answer(asked);
    else {
      for (const [at, one] of asked.entries()) {
        add(at === 0 ? "[" : ",");
        answer(one);
      }
      add("]");
    }
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    response.writeHead(200, { "content-type": "application/json", "content-length": length });
    await pipeline(Readable.from(parts), response).catch(() => {}); // who asked may end early
  });
  return { ...(await listening(server)), count };
}

function otherAnswer(method: string, params: readonly unknown[], last: number): string {
  switch (method) {
    case "eth_blockNumber":
      return `"result":"${hex(last)}"`;
    case "eth_chainId":
      return `"result":"0x2105"`;
    case "eth_getBlockByNumber": {
      const number = typeof params[0] === "string" && params[0].startsWith("0x") ? Number(params[0]) : last;
      return `"result":{"number":"${hex(number)}","hash":"0x${word(number)}","timestamp":"${time(number)}"}`;
    }
    case "eth_call":
      return `"result":"0x${word(6)}"`;
    default:
      return `"error":{"code":-32601,"message":"the method ${method} does not exist/is not available"}`;
  }
}

function blockText(block: number): string {
  let text = "";
  for (let at = 0; at < logsInBlock; at++) {
    const log = (block - 1) * logsInBlock + at;
    text += `,{"address":"${token}","topics":["${transferTopic}","0x${word(log % 5003)}","0x${word((log * 7) % 4999)}"],"data":"0x${word(log * 1_000_003)}","blockHash":"0x${word(block)}","blockNumber":"${hex(block)}","blockTimestamp":"${time(block)}","transactionHash":"0x${word(log + 1)}","transactionIndex":"${hex(at)}","logIndex":"${hex(at)}","removed":false}`;
  }
  return text;
}

function time(block: number): string {
  return hex(1_700_000_000 + block * 2);
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

function word(value: number): string {
  return value.toString(16).padStart(64, "0");
}
