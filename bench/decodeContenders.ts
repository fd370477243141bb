import { Interface } from "ethers";
import { type Abi, type Address, decodeEventLog, encodeAbiParameters, type Hex, parseAbi, parseEventLogs } from "viem";
import { scopeOf } from "../server/src/abi/abiScope.ts";
import { logReader } from "../server/src/abi/decodeLog.ts";
import { type AbiEvent, isEvent, parseItem } from "../server/src/abi/item.ts";
import { isArray, type JsonValue, parseJson } from "../server/src/base/json.ts";
import { reportOf } from "../server/src/report/reportOf.ts";

/** The same logs as text, as values, and the declarations that they are of. */
export interface Logs {
  readonly text: string;
  readonly values: readonly RawLog[];
  readonly declarations: readonly string[];
}

interface RawLog {
  readonly address: Address;
  readonly topics: [Hex, ...Hex[]];
  readonly data: Hex;
}

const count = 100_000;

/** Events of the usual shapes: amounts, flags, hashes, now and then a text or a list. */
const fifty = Array.from({ length: 50 }, (_, at) => {
  const inputs = [
    "address indexed a, address indexed b, uint256 c",
    "address indexed a, uint256 b, uint256 c, uint256 d",
    "bytes32 indexed a, address b, bool c, uint16 d",
    "address indexed a, int256 b, int24 c, uint160 d, uint128 e",
    "uint256 indexed a, string b, uint256[] c",
  ];
  return `event E${at}(${inputs[at % inputs.length]})`;
});

export const logSets: Readonly<Record<string, { readonly declarations: readonly string[] }>> = {
  "one event": { declarations: ["event Transfer(address indexed from, address indexed to, uint256 value)"] },
  "50 events": { declarations: fifty },
};

export function logsOf(declarations: readonly string[]): Logs {
  const events = declarations.map(eventOf);
  const text = JSON.stringify(Array.from({ length: count }, (_, at) => rawLog(events[at % events.length], at)));
  return { text, values: JSON.parse(text), declarations };
}

function eventOf(text: string): AbiEvent {
  const item = parseItem(text, "bench");
  if (!item || !isEvent(item)) throw new Error(`${text} is not an event`);
  return item;
}

function word(value: number): string {
  return value.toString(16).padStart(64, "0");
}

function rawLog(event: AbiEvent | undefined, at: number): RawLog {
  if (!event) throw new RangeError("There are no events.");
  const indexed = event.inputs.filter((input) => input.indexed);
  const others = event.inputs.filter((input) => !input.indexed);
  const own = {
    address: "0x5fbdb2315678afecb367f032d93f642f64180aa3",
    topics: [event.hash, ...indexed.map((_, i): Hex => `0x${word(at + i + 1)}`)] as [Hex, ...Hex[]],
    data: encodeAbiParameters(
      others.map(({ type }) => ({ type: type.text })),
      others.map(({ type }) => sample(type.text, at)),
    ),
  } as const;
  return {
    ...own,
    ...{
      blockNumber: `0x${(at >> 4).toString(16)}`,
      blockTimestamp: "0x6b016fcd",
      transactionHash: `0x${word(at)}`,
      transactionIndex: `0x${(at & 15).toString(16)}`,
      blockHash: `0x${word(at >> 4)}`,
      logIndex: `0x${(at & 15).toString(16)}`,
      removed: false,
    },
  };
}

/** Every second amount has 18 decimals, which a double cannot represent. */
function sample(type: string, at: number): unknown {
  switch (type) {
    case "address":
      return `0x${word(at).slice(24)}`;
    case "bool":
      return at % 2 === 0;
    case "string":
      return `memo ${at}`;
    case "uint256[]":
      return [BigInt(at), 2n];
    case "uint256":
      return at % 2 === 0 ? BigInt(at) * 10n ** 18n : BigInt(at) * 1_000_000n;
    case "int256":
      return BigInt(-at);
    case "uint16":
    case "int24":
      return at % 1000;
    default:
      return BigInt(at);
  }
}

/** Each reads all logs, and returns the result so that it stays in memory. */
export const contenders = {
  parse: ({ text }: Logs) => JSON.parse(text) as unknown,
  everything: ({ text, declarations }: Logs) => decodeEach(parseJson(text), declarations),
  kept: ({ text, declarations }: Logs) => decodeAll(parseJson(text), declarations),
  table: ({ text, declarations }: Logs) => tableOf(parseJson(text), declarations),
  ours: ({ values, declarations }: Logs) => decodeEach(values as unknown as JsonValue, declarations), // the logs are JSON
  viem({ values, declarations }: Logs) {
    const abi = parseAbi(declarations) as Abi;
    return values.map(({ topics, data }) => decodeEventLog({ abi, topics, data }));
  },
  viemMany({ values, declarations }: Logs) {
    return parseEventLogs({ abi: parseAbi(declarations) as Abi, logs: values as never }); // it wants logs with bigints
  },
  ethers({ values, declarations }: Logs) {
    const abi = new Interface(declarations);
    return values.map((log) => abi.parseLog(log));
  },
} as const;

function scopeFor(declarations: readonly string[]) {
  return scopeOf(declarations.map(eventOf));
}

function decodeAll(logs: JsonValue | undefined, declarations: readonly string[]): unknown {
  const reader = logReader(scopeFor(declarations));
  return isArray(logs) ? logs.map((log) => reader.read(log)) : undefined;
}

/** Reads logs as a stream does: each decoded log is dropped when the next one arrives. */
function decodeEach(logs: JsonValue | undefined, declarations: readonly string[]): number {
  const reader = logReader(scopeFor(declarations));
  let args = 0;
  for (const log of isArray(logs) ? logs : []) args += reader.read(log)?.args.length ?? 0;
  return args;
}

function tableOf(logs: JsonValue | undefined, declarations: readonly string[]): unknown {
  const exchange = {
    ...{ endpoint: "bench", host: "bench", status: 200, headers: {} },
    ...{ startedAt: 0, durationMs: 0, bytes: 0, batch: 1, attempts: 1 },
  };
  return reportOf({
    title: "logs",
    method: "eth_getLogs",
    params: [],
    outcome: { kind: "answered", result: { value: logs ?? null, text: "" }, exchange },
    scope: scopeFor(declarations),
  });
}

/**
 * Runs in a child process that measures memory: one task, from the text to its result.
 *
 * @returns The most memory that the process ever had, in kB.
 */
export function peakOf(set: string, contender: string, text: string): number {
  const declarations = logSets[set]?.declarations;
  if (!declarations) throw new RangeError(`There are no logs of ${set}.`);
  const task = (contenders as Readonly<Record<string, (logs: Logs) => unknown>>)[contender]; // none for "nothing"
  const fromText = ["parse", "kept", "table"].includes(contender);
  const values: Logs["values"] = fromText || !task ? [] : JSON.parse(text);
  // With 50 events a library takes minutes for all of them: it gets a tenth, and all the values in memory.
  const part = declarations.length > 1 ? values.slice(0, values.length / 10) : values;
  const result = [values, task?.({ text, declarations, values: part })];
  return result.length > 0 ? process.resourceUsage().maxRSS : 0; // the result stays until here
}
