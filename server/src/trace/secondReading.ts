import type { JsonValue } from "../base/json.ts";
import type { BlockQuestion } from "../rpc/head.ts";
import { blockProbe, readBlockProbe } from "./blockProbe.ts";
import { hashCode, readingCall, readSlots, returnedBy, slotBlocks, wordIn } from "./bulkState.ts";
import type { Difference } from "./difference.ts";
import { slotName } from "./stateAfter.ts";
import type { Fork, Touched, TouchedWord } from "./task.ts";

/** Addresses at which nothing is. */
const [observer, reader] = ["0x7ace7ace7ace7ace7ace7ace7ace7ace7ace7ace", "0x7ace7ace7ace7ace7ace7ace7ace7ace7ace7acf"];

/**
 * The question for what was read before a block and what its end does not show: words that the block has replaced, code, and the
 * rules of the chain. Code in a simulation reads them, so that they are read in another way than before.
 */
export function secondQuestion(
  touched: Touched,
  { parent, time }: { readonly parent: string; readonly time: string },
): BlockQuestion {
  const codes = hashed(touched).map(({ address }) => address);
  const first = {
    blockOverrides: { time },
    stateOverrides: { [observer]: { code: blockProbe }, [reader]: { code: hashCode } },
    calls: [{ from: observer, to: observer }, readingCall(reader, codes)],
  };
  const blocks = [first, ...slotBlocks(replacedWords(touched))];
  return { method: "eth_simulateV1", params: [{ blockStateCalls: blocks, validation: false }, parent] };
}

/** @returns The rules that the chain follows; a value that differs from the first reading; nothing if it was not read. */
export function readSecond(touched: Touched, result: JsonValue | undefined): Fork | Difference | undefined {
  const [probed, hashes, ...words] = returnedBy(result);
  const fork = readBlockProbe(`0x${probed}`)?.fork;
  const again = readSlots(replacedWords(touched), words);
  if (!again || hashes?.length !== hashed(touched).length * 64) return undefined;
  for (const [at, { address, codeHash = "" }] of hashed(touched).entries())
    if (wordIn(hashes, at) !== codeHash)
      return { what: `hash of the code of ${address}`, here: codeHash, there: wordIn(hashes, at) };
  for (const [at, { address, slot, before }] of replacedWords(touched).entries()) {
    const there = again[at] ?? "";
    if (BigInt(there) !== BigInt(before))
      return { what: `${slotName(address, slot)} before the block`, here: before, there };
  }
  return fork;
}

function hashed({ accounts }: Touched): Touched["accounts"] {
  return accounts.filter(({ codeHash }) => codeHash !== undefined);
}

function replacedWords({ slots }: Touched): readonly (TouchedWord & { readonly before: string })[] {
  return slots.flatMap((one) => (one.before === undefined ? [] : [{ ...one, before: one.before }]));
}
