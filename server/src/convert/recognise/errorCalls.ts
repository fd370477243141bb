import { parseItem } from "../../abi/item.ts";
import { isAddress, toQuantity } from "../../base/hex.ts";
import { isObject, type JsonObject, type JsonValue, parseJson } from "../../base/json.ts";
import { callOf } from "./callReading.ts";

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
export function shownCall(text: string): ShownCall | undefined {
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
