import { checksummed } from "../../abi/address.ts";
import { transactionHash } from "../../abi/transaction.ts";
import { quantity, shortQuantity } from "../../base/hex.ts";
import { isObject, type JsonObject } from "../../base/json.ts";
import { plural } from "../../base/text.ts";
import { grouped } from "../../base/units.ts";
import { slots } from "../../catalog/slots.ts";
import { type Description, describeData, describeRevert } from "../../report/describe.ts";
import { unknownErrorTodo } from "../../report/revertText.ts";
import { blockReading } from "./blockNumber.ts";
import { sourceText, valuesText } from "./callReading.ts";
import {
  accountCell,
  blockHashCell,
  callCell,
  contractCell,
  logsCell,
  maxRevertBytes,
  returningCell,
  revertingCell,
  sampleCall,
  transactionCell,
} from "./cells.ts";
import { type Reading, type RecogniseScope, reading } from "./reading.ts";

/** Digits of bytes that are decoded. More are listed with their size only. */
const maxDigits = 200_000;

/**
 * Returns what a hex value may be, the likeliest first. Never empty.
 *
 * @param written - `0x` and digits, in any case.
 */
export function hexReadings(written: string, scope: RecogniseScope): readonly Reading[] {
  const hex = written.toLowerCase();
  const digits = hex.length - 2;
  if (digits === 64) return wordReadings(hex, scope);
  if (digits === 40) return [addressReading(written, scope)];
  if (digits === 0) return [reading("No bytes", "No data: a plain transfer, or a revert without a reason.")];
  if (digits === 8) return selectorReadings(hex, scope);
  if (digits <= 16) return [numberReading(hex)];
  const [usual] = [["hash", 64] as const, ["address", 40] as const].filter(([, one]) => Math.abs(one - digits) < 4);
  if (usual)
    return [
      reading(
        "Hex",
        `This has ${digits} digits, but ${usual[0] === "hash" ? "a hash" : "an address"} has ${usual[1]}. Copy it again.`,
      ),
    ];
  if (digits % 2 === 1)
    return [reading("Hex", `${plural(digits, "digit")}, an odd number: check whether one is missing.`)];
  if (digits > maxDigits)
    return [reading("Bytes", `${plural(digits / 2, "byte")}. At most ${grouped(maxDigits / 2)} are decoded here.`)];
  return signedReadings(hex, scope) ?? bytesReadings(hex, scope);
}

export function addressReading(address: string, scope: RecogniseScope, note = ""): Reading {
  const label = scope.labels.get(address.toLowerCase());
  return reading(
    label === undefined ? "Address" : `Address of ${label}`,
    `Its balance, nonce and code.${isMistyped(address) ? " Its checksum is wrong: a character may be mistyped." : ""}${note}`,
    accountCell(address, scope),
  );
}

/** Whether the letters of an address carry a checksum (EIP-55), and it is wrong. */
function isMistyped(address: string): boolean {
  const digits = address.slice(2);
  return /[a-f]/.test(digits) && /[A-F]/.test(digits) && checksummed(address) !== address;
}

export function transactionReading(hash: string, note = ""): Reading {
  return reading(
    "Transaction hash",
    `What the transaction did, and why it failed if it did.${note}`,
    transactionCell(hash),
  );
}

export function blockHashReading(hash: string, note = ""): Reading {
  return reading("Block hash", `The block with this hash.${note}`, blockHashCell(hash));
}

/** 32 bytes may be a hash, a topic, a slot or a value; only the chosen endpoint can tell hashes apart. */
function wordReadings(word: string, scope: RecogniseScope): readonly Reading[] {
  const hashes = [transactionReading(word), blockHashReading(word)];
  const value = valueReading(word, scope);
  if (/^0x(?:0{16}|f{16})|0{20}$/.test(word)) return [value, ...hashes]; // padded on one side
  return [
    ...eventReadings(word, scope),
    ...slotReadings(word, scope),
    ...hashes,
    value,
    reading("Private key", "If this is a private key, run none of the other readings: they send it to the endpoint."),
  ];
}

function eventReadings(topic: string, scope: RecogniseScope): readonly Reading[] {
  const [description] = describeData(topic, scope.abi);
  if (description?.kind !== "topic" || !description.known) return [];
  const { fromBlock, tag } = scope;
  const filter = { fromBlock, toBlock: tag, topics: [topic] };
  const signature = description.readings[0]?.signature ?? "";
  return [reading(`Event ${signature}`, `Topic 0 of its logs.${sourceText(description)}`, logsCell(filter))];
}

/** A value that is known to be topic 0 of an event. */
export function topicReading(topic: string, scope: RecogniseScope): Reading {
  const { fromBlock, tag } = scope;
  const filter = { fromBlock, toBlock: tag, topics: [topic] };
  const unknown = reading("Event", "Topic 0 of its logs. No known event has it.", logsCell(filter));
  return eventReadings(topic, scope)[0] ?? unknown;
}

function slotReadings(word: string, scope: RecogniseScope): readonly Reading[] {
  const found = slots.find(({ slot }) => slot === word);
  if (!found) return [];
  const cell = { method: "eth_getStorageAt", params: [scope.contract, word, scope.tag] };
  return [reading(`Slot ${found.name}`, `${found.summary} Replace the contract with yours.`, cell)];
}

/** 32 bytes as an address, if they may be one, else as a number. */
export function valueReading(word: string, scope: RecogniseScope): Reading {
  const number = BigInt(word);
  if (/^0x0{24}(?!0{15})/.test(word)) {
    const address = `0x${word.slice(26)}`;
    return { ...addressReading(address, scope, " It was padded with zeros to 32 bytes."), name: "Address in a word" };
  }
  const text = grouped(number);
  return reading(
    "Word of 32 bytes",
    `A value or a storage word. As a number it is ${text}.`,
    returningCell(word, scope),
  );
}

function selectorReadings(hex: string, scope: RecogniseScope): readonly Reading[] {
  const [description] = describeData(hex, scope.abi);
  const number = numberReading(hex);
  if (!description?.known) {
    const what = "No known function or error begins with these 4 bytes.";
    const unknown = reading(`Selector ${hex}`, what, contractCell(hex, scope));
    return /^0x[1-9a-f]/.test(hex) && Number(hex) < 1_000_000_000 ? [number, unknown] : [unknown, number];
  }
  const found = description.readings.map(({ kind, signature }) => {
    const own = { ...description, readings: description.readings.filter((one) => one.signature === signature) };
    if (kind === "error")
      return reading(
        `Error ${signature}`,
        `The first 4 bytes of its revert data.${sourceText(own)}`,
        revertingCell(hex, scope),
      );
    const what = `The first 4 bytes of its call data.${sourceText(own)} Replace the contract and the arguments.`;
    return reading(`Function ${signature}`, what, contractCell(sampleCall(signature, hex), scope));
  });
  return [...found, ...(/^0x[1-9a-f]/.test(hex) ? [number] : [])];
}

function numberReading(hex: string): Reading {
  const number = shortQuantity(hex) ?? quantity(hex) ?? 0n;
  return blockReading(number);
}

/** A signed transaction is looked up and simulated, and never sent. */
function signedReadings(hex: string, scope: RecogniseScope): readonly Reading[] | undefined {
  if (!/^0x(?:0[1-4]|f[89])/.test(hex) || hex.length < 140) return undefined;
  const hash = transactionHash(hex);
  return hash === undefined ? undefined : [signedReading(hash, scope.signed.get(hex), scope)];
}

function signedReading(hash: string, call: unknown, scope: RecogniseScope): Reading {
  const known = isObject(call as JsonObject) ? (call as JsonObject) : undefined; // what `signedTransaction` returned
  const from = typeof known?.from === "string" ? ` from ${known.from}` : "";
  const what = `A raw transaction${from}. It is looked up and simulated, never sent.`;
  const lookup = transactionCell(hash);
  return reading("Signed transaction", what, lookup, ...(known ? [callCell(known, scope)] : []));
}

function bytesReadings(hex: string, scope: RecogniseScope): readonly Reading[] {
  const known = describeData(hex, scope.abi).flatMap((one) => describedReading(hex, one, scope) ?? []);
  if (known.length > 0) return known;
  const bytes = (hex.length - 2) / 2;
  const size = plural(bytes, "byte");
  if (bytes === 65)
    return [reading("Signature", "65 bytes: r, s and v of an ECDSA signature.", returningCell(hex, scope))];
  if (bytes === 256 && !/^0x0{60}/.test(hex))
    return [reading("Logs bloom", "256 bytes: the filter of addresses and topics of a block or a receipt.")];
  const what = `${size} of unknown types. A call that returns its input shows them.`;
  const asBytes = reading("Bytes", what, returningCell(hex, scope));
  if (bytes % 32 !== 4) return [asBytes];
  const call = `${size} that no known function or error takes. Replace the contract with the one that was called.`;
  return [reading(`Call data of ${hex.slice(0, 10)}`, call, contractCell(hex, scope)), revertReading(hex, scope)];
}

function describedReading(hex: string, description: Description, scope: RecogniseScope): Reading | undefined {
  if (!description.known) return undefined;
  const [best] = description.readings;
  switch (description.kind) {
    case "call": {
      const what = `A call.${sourceText(description)} Replace the contract with the one that was called.`;
      const name = best ? `Call data: ${valuesText(best, scope)}` : "Call data";
      return reading(name, what, contractCell(hex, scope));
    }
    case "revert":
      return revertReading(hex, scope);
    case "creation": {
      const what = "Code that creates a contract. The call returns the code that the contract would have.";
      return reading(
        best ? `Creation of ${best.signature.replace(/^new /, "")}` : "Contract creation code",
        what,
        callCell({ data: hex }, scope),
      );
    }
    default:
      return undefined;
  }
}

/** Revert data, decoded. @param note - Begins with a space. */
export function revertReading(hex: string, scope: RecogniseScope, note = ""): Reading {
  const description = describeRevert(hex, scope.abi);
  const reason = description.facts.find(({ name }) => name === "reason")?.value;
  const about =
    reason === undefined
      ? `No known ABI declares this error. ${unknownErrorTodo}`
      : "A call that reverts with the same bytes shows them decoded.";
  const what = `${about}${sourceText(description)}${note}`;
  const name = reason === undefined ? `Revert data of unknown error ${hex.slice(0, 10)}` : `Revert data: ${reason}`;
  const fits = hex.length / 2 < maxRevertBytes;
  return reading(name, what, ...(fits ? [revertingCell(hex, scope)] : []));
}
