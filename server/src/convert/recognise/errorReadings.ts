import { decodeRevert, revertReason } from "../../abi/decodeRevert.ts";
import { parseItem } from "../../abi/item.ts";
import { isAddress, isHex, toQuantity } from "../../base/hex.ts";
import { isObject, type JsonObject, type JsonValue, parseJson } from "../../base/json.ts";
import { brief, capitalized } from "../../base/text.ts";
import { methodNamed } from "../../catalog/catalog.ts";
import { errors } from "../../catalog/errors.ts";
import { callOf, callReading } from "./callReading.ts";
import { addressReading, revertReading, transactionReading } from "./hexReadings.ts";
import { type Reading, type RecogniseScope, unescaped } from "./reading.ts";

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

interface Known {
  readonly message: string;
  readonly meaning: string;
}

/** Messages with which nodes refuse a transaction. Those that say nothing alone are left out. */
const known: readonly Known[] = [
  ...(methodNamed("eth_sendRawTransaction")?.errors ?? []).map(({ message, when }) => ({ message, meaning: when })),
  ...errors.filter(({ code }) => code > 0).map(({ name, meaning }) => ({ message: name, meaning })),
].filter(({ message }) => !/^(?:execution reverted|transaction rejected|invalid opcode|nonce gap)$/.test(message));

/** Says what a message means with which a node refused a transaction; `undefined` for any other text. */
export function refusalMeaning(text: string): string | undefined {
  const lower = text.toLowerCase();
  const found = known.find(({ message }) => lower.includes(message));
  return found && `${capitalized(found.message)}: ${found.meaning}`;
}

/** A call that a message shows, and the part of the message that shows it. */
interface ShownCall {
  readonly call: JsonObject;
  readonly text: string;
}

/** Objects of a message that are looked at. */
const maxObjects = 200;

/**
 * Finds the first call that an error message shows: an object in braces as ethers, web3.js and MetaMask print it, or lines
 * under a title as viem prints them.
 *
 * @param text - Without escapes.
 */
function shownCall(text: string): ShownCall | undefined {
  return underTitle(text) ?? inBraces(text) ?? contractCall(text);
}

/** @see https://github.com/wevm/viem/blob/main/src/errors/transaction.ts (prettyPrint) */
const titled =
  /\b(?:Raw Call|Request|Estimate Gas|Call|Send Transaction) Arguments:[ \t]*\r?\n((?:[ \t]*[A-Za-z]+:[^\n]*(?:\n|$))+)/;

function underTitle(text: string): ShownCall | undefined {
  const found = titled.exec(text);
  const call = found?.[1] === undefined ? undefined : callOf(fieldsOf(found[1]));
  return call && found ? { call, text: found[0] } : undefined;
}

function fieldsOf(lines: string): JsonObject {
  const pairs = [...lines.matchAll(/^[ \t]*([A-Za-z]+):[ \t]*(\S[^\n]*)/gm)];
  return Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, amount(value.trimEnd())]));
}

/** `0.5 ETH` in wei; other values as they are. */
function amount(text: string): string {
  const [, whole, fraction = ""] = /^(\d{1,20})(?:\.(\d{1,18}))? [A-Z]{2,6}$/.exec(text) ?? [];
  return whole === undefined ? text : toQuantity(BigInt(whole + fraction.padEnd(18, "0")));
}

function inBraces(text: string): ShownCall | undefined {
  let count = 0;
  for (const [object] of text.matchAll(/\{[^{}]*\}/g)) {
    if (++count > maxObjects) return undefined;
    const call = callOf(membersOf(object));
    if (call) return { call, text: object };
  }
  return undefined;
}

/** Reads JSON, and objects as JavaScript and Python print them. */
function membersOf(object: string): JsonObject {
  const json = parseJson(object);
  if (isObject(json)) return json;
  const pairs = [
    ...object.matchAll(
      /["']?\b(from|to|data|input|value|gas)["']?\s*[:=]\s*(?:HexBytes\()?["']?(0x[\da-fA-F]*|\d{1,70}n?)\b/g,
    ),
  ];
  return Object.fromEntries(pairs.map(([, key = "", value = ""]) => [key, value]));
}

/** The function and the arguments that viem prints, if all of them are simple values. */
function contractCall(text: string): ShownCall | undefined {
  const found = /\bContract Call:[ \t]*\r?\n((?:[ \t]*[A-Za-z]+:[^\n]*(?:\n|$))+)/.exec(text);
  const { address, function: declared, args = "()", sender } = found?.[1] === undefined ? {} : fieldsOf(found[1]);
  if (!found || !isAddress(address) || typeof declared !== "string" || typeof args !== "string") return undefined;
  const item = parseItem(`function ${declared}`, "");
  const values = args
    .replace(/^\(|\)$/g, "")
    .split(/,\s*/)
    .filter((one) => one !== "");
  const isSimple = values.every((one) => /^(?:0x[\da-fA-F]*|-?\d+|true|false)$/.test(one));
  if (!item || !isSimple || values.length !== item.inputs.length) return undefined;
  const data: JsonValue = {
    function: item.signature,
    args: values.map((one) => (one === "true" ? true : one === "false" ? false : one)),
  };
  return { call: { ...(isAddress(sender) && { from: sender }), to: address, data }, text: found[0] };
}
