import { decodeRevert, revertReason } from "../../abi/decodeRevert.ts";
import { isHex } from "../../base/hex.ts";
import { brief } from "../../base/text.ts";
import { callReading } from "./callReading.ts";
import { shownCall } from "./errorCalls.ts";
import { addressReading, revertReading, transactionReading } from "./hexReadings.ts";
import type { Reading, RecogniseScope } from "./reading.ts";
import { refusalMeaning } from "./refusalMeaning.ts";
import { unescaped } from "./unescaped.ts";

/** Words of messages that say that something failed. */
const failure =
  /\berror\b|error:|exception|revert|\bfail|panic|insufficient|nonce too|underpriced|not found|timed? ?out|timeout|\bCALL_EXCEPTION\b|\brejected\b|custom error|Traceback|TimeExhausted|not mined/i;

export function isErrorText(text: string): boolean {
  return failure.test(text);
}

/**
 * Reads an error message as libraries and tools print it: takes out the transaction, the call that failed, the revert data
 * and the account that it is about.
 *
 * @returns None if it has none of them.
 */
export function errorReadings(written: string, scope: RecogniseScope): readonly Reading[] {
  const text = unescaped(written);
  const shown = shownCall(text);
  const rest = shown ? text.replace(shown.text, " ") : text;
  const hash = transactionIn(rest);
  const revert = revertIn(rest, scope);
  const reason =
    revert === undefined ? "" : ` It reverted with ${brief(revertReason(decodeRevert(revert, scope.abi)), 120)}.`;
  const note = ` From a message of ${clientOf(text)}.${reason}`;
  const account = /\b(?:address|account|sender|from)\b["':=\s(]{1,6}(0x[\da-fA-F]{40})(?![\da-fA-F])/i.exec(rest)?.[1];
  const meaning = refusalMeaning(text);
  const isAboutAccount = /insufficient funds|nonce too|replacement|underpriced|exceeds allowance of sender/i.test(text);
  return [
    ...(hash === undefined ? [] : [transactionReading(hash, note)]),
    ...(shown ? [callReading(shown.call, scope, isErrorText(text) ? "Failed call" : "Call", note)] : []),
    ...(revert === undefined ? [] : [revertReading(revert, scope, ` From a message of ${clientOf(text)}.`)]),
    ...(account !== undefined && isAboutAccount
      ? [addressReading(account, scope, `${note}${meaning === undefined ? "" : ` ${meaning}`}`)]
      : []),
  ];
}

const hashAfter: readonly RegExp[] = [
  /\b(?:transaction|tx)[\s_]*(?:hash|id)?\b[^0-9a-z]{0,6}(?:with hash[^0-9a-z]{0,6})?(?:HexBytes\(["'])?(0x[\da-f]{64})(?![\da-f])/i,
  /(?<!block\s?|block (?:at|with) |parent\s?|code\s?|block_|parent_)\bhash\b["'`]?[\s:=(]{1,6}(?:HexBytes\()?["'`]?(0x[\da-f]{64})(?![\da-f])/i,
];

function transactionIn(text: string): string | undefined {
  for (const pattern of hashAfter) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Words that come before revert data. */
const announced =
  /(?:data|revert(?:ed)?|output|custom error|signature|return|result|errorArgs|error|reason|CustomError:? ?\()["'`\s:=(]{0,6}$/i;

function revertIn(text: string, scope: RecogniseScope): string | undefined {
  const parted = /custom error (?:0x)?([\da-f]{8}):\s*((?:[\da-f]{64})+)(?![\da-f])/i.exec(text);
  if (parted) return `0x${parted[1]}${parted[2]}`.toLowerCase();
  const found = [...text.matchAll(/(?<![\da-zA-Z])0x[\da-f]{8,}(?![\da-zA-Z])/gi)].slice(0, 100);
  const fitting = found.filter(([hex]) => isHex(hex) && (hex.length - 10) % 64 === 0);
  const ranked = fitting.map(({ 0: hex, index }) => {
    const isKnown = decodeRevert(hex, scope.abi).kind !== "unknown";
    const isAnnounced = announced.test(text.slice(Math.max(0, index - 30), index));
    return { hex: hex.toLowerCase(), rank: (isKnown ? 2 : 0) + (isAnnounced ? 1 : 0) };
  });
  const [best] = ranked.toSorted((a, b) => b.rank - a.rank);
  if (best === undefined || best.rank === 0) return undefined;
  const whole = ranked.filter(({ hex }) => hex.startsWith(best.hex)).sort((a, b) => b.hex.length - a.hex.length);
  return whole[0]?.hex; // a message may have the selector first, and then all of the data
}

/** Marks of the programs that print messages, the surest first. */
const clients: readonly (readonly [mark: RegExp, name: string])[] = [
  [/links\.ethers\.org\/v5|version=[a-z-]+\/5|UNPREDICTABLE_GAS_LIMIT/, "ethers v5"],
  [/version=6\.|code=[A-Z_]+, version=|ethers\.js|ethers\/src/, "ethers"],
  [/viem@|viem\.sh|ContractFunction(?:Execution|Reverted)Error/, "viem"],
  [/web3\.exceptions|ContractLogicError|ContractCustomError|HexBytes|TimeExhausted|Traceback \(most/, "web3.py"],
  [/web3-|ContractExecutionError|TransactionRevertInstructionError|TransactionBlockTimeout|Returned error:/, "web3.js"],
  [/MetaMask|Internal JSON-RPC error/, "MetaMask"],
  [/HardhatError|ProviderError|hardhat|VM Exception while processing/i, "Hardhat"],
  [/server returned an error response|\[FAIL|\bforge\b|\bcast\b|← \[Revert\]|EvmError/, "Foundry"],
];

function clientOf(text: string): string {
  return clients.find(([mark]) => mark.test(text))?.[1] ?? "an endpoint or a library";
}
