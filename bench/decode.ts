import { decodeEventLog, parseAbi } from "viem";
import { decodeLog } from "../server/src/abi/decodeLog.ts";
import { isArray, parseJson } from "../server/src/base/json.ts";
import { medians, type Row, round } from "./row.ts";

const count = 100_000;

/** Transfer logs: reading and decoding all of them, beside reading alone and beside viem. */
export async function decode(): Promise<readonly Row[]> {
  const text = JSON.stringify(Array.from({ length: count }, (_, at) => log(at)));
  const abi = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);
  const logs = JSON.parse(text) as readonly ReturnType<typeof log>[];
  const sample = logs.slice(0, count / 10);
  const [parse = 0, all = 0, ours = 0, viem = 0] = await medians(
    3,
    () => JSON.parse(text),
    () => {
      const read = parseJson(text);
      if (isArray(read)) for (const one of read) decodeLog(one);
    },
    () => {
      for (const one of logs) decodeLog(one);
    },
    () => {
      for (const { topics, data } of sample) decodeEventLog({ abi, topics, data });
    },
  );
  return [
    {
      area: "decode",
      name: "100,000 Transfer logs: parse and decode",
      value: round(all / parse),
      unit: "×",
      budget: 1.5,
      baseline: `${round(all)} ms beside JSON.parse of ${round(text.length / 1e6)} MB in ${round(parse)} ms`,
    },
    {
      area: "decode",
      name: "the same, decode alone: faster than viem decodeEventLog",
      value: round((viem * 10) / ours),
      unit: "×",
      budget: 20,
      atLeast: true,
      baseline: `${round(ours)} ms beside viem ${round(viem * 10)} ms (10,000 measured)`,
    },
  ];
}

function log(at: number) {
  const word = (value: number) => value.toString(16).padStart(64, "0");
  return {
    address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
    topics: [
      "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
      `0x${word(at + 1)}`,
      `0x${word(at + 2)}`,
    ] as [`0x${string}`, ...`0x${string}`[]], // what viem wants to be told
    data: `0x${word(at * 1_000_000)}` as const,
    blockNumber: `0x${(at >> 4).toString(16)}`,
    blockTimestamp: "0x6b016fcd",
    transactionHash: `0x${word(at)}`,
    transactionIndex: `0x${(at & 15).toString(16)}`,
    blockHash: `0x${word(at >> 4)}`,
    logIndex: `0x${(at & 15).toString(16)}`,
    removed: false,
  };
}
