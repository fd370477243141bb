import { isNativeLogger, transferTopic, withoutRepeatedNative } from "../abi/token.ts";
import { isWord } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";

/** The change of a balance by a simulation. */
export interface Movement {
  /** In lower case. */
  readonly address: string;
  /** The token's contract in lower case; `undefined` for the native currency. */
  readonly token: string | undefined;
  /** In the smallest unit; negative for a loss. */
  readonly change: bigint;
}

const native = "";

/** Sums the transfers in all successful calls of a simulation, by address and token. Leaves out sums of zero. */
export function movements(result: JsonValue): readonly Movement[] {
  const sums = new Map<string, Map<string, bigint>>();
  const add = (address: string, token: string, change: bigint): void => {
    const tokens = sums.get(address) ?? new Map<string, bigint>();
    sums.set(address, tokens);
    tokens.set(token, (tokens.get(token) ?? 0n) + change);
  };
  for (const log of logsOf(result)) {
    if (!isObject(log) || typeof log.address !== "string" || !isArray(log.topics)) continue;
    const [topic, from, to, ...rest] = log.topics;
    // three topics and a word of data; a fourth topic is the id of an item of a collection
    if (topic !== transferTopic || rest.length > 0 || !isWord(from) || !isWord(to) || !isWord(log.data)) continue;
    const amount = BigInt(log.data);
    const token = isNativeLogger(log.address) ? native : log.address.toLowerCase();
    add(addressOf(from), token, -amount);
    add(addressOf(to), token, amount);
  }
  return [...sums].flatMap(([address, tokens]) =>
    [...tokens].flatMap(([token, change]) =>
      change === 0n ? [] : [{ address, token: token === native ? undefined : token, change }],
    ),
  );
}

function logsOf(result: JsonValue): readonly JsonValue[] {
  const calls = (isArray(result) ? result : []).flatMap((block) =>
    isObject(block) && isArray(block.calls) ? block.calls : [],
  );
  return calls.flatMap((call) =>
    isObject(call) && call.status === "0x1" && isArray(call.logs) ? withoutRepeatedNative(call.logs) : [],
  );
}

function addressOf(word: string): string {
  return `0x${word.slice(26).toLowerCase()}`;
}
