import { isAddress, isHex, toQuantity } from "../../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { brief } from "../../base/text.ts";
import { type Description, type DescriptionReading, describeCall } from "../../report/describe.ts";
import { abiShown, inlineText } from "../../report/shown.ts";
import { callCell } from "./cells.ts";
import { type Reading, type RecogniseScope, reading } from "./reading.ts";

/** Fields of a call that are kept. Fees and the nonce do not matter to the reason of a failure. */
const quantities = ["value", "gas"] as const;

/**
 * Takes the fields of a call out of an object of a library: a transaction, its request, a receipt.
 *
 * @returns `undefined` if it has neither a contract with data or an amount, nor code that creates one.
 */
export function callOf(object: JsonObject): JsonObject | undefined {
  const data = object.data ?? object.input;
  const bytes = isHex(data) && data.length % 2 === 0 && data.length > 2 ? data : undefined;
  const { to, from } = object;
  const fields = Object.fromEntries(
    quantities.flatMap((name) => {
      const value = wei(object[name] ?? (name === "gas" ? object.gasLimit : undefined));
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const isCall = isAddress(to)
    ? bytes !== undefined || fields.value !== undefined
    : bytes !== undefined && isAddress(from);
  if (!isCall) return undefined;
  return {
    ...(isAddress(from) && { from }),
    ...(isAddress(to) && { to }),
    ...fields,
    ...(bytes !== undefined && { data: bytes }),
  };
}

/** Numbers as libraries print them: hex, decimals, objects of BigNumber. */
function wei(value: JsonValue | undefined): string | undefined {
  if (typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value)))
    return BigInt(value) < 0n ? undefined : toQuantity(BigInt(value));
  if (isObject(value)) return wei(value.hex ?? value._hex);
  if (typeof value !== "string" || value.length > 70) return undefined;
  if (/^0x[\da-f]{1,64}$/i.test(value)) return toQuantity(BigInt(value));
  return /^\d{1,70}n?$/.test(value) ? toQuantity(BigInt(value.replace("n", ""))) : undefined;
}

/** A call that is asked again, so that its reason is seen. @param note - Begins with a space. */
export function callReading(call: JsonObject, scope: RecogniseScope, title: string, note = ""): Reading {
  const { data, to } = call;
  const description = isHex(data) ? describeCall(data.toLowerCase(), scope.abi, to) : undefined;
  const [best] = description?.readings ?? [];
  const unread = isObject(data) ? writtenCall(data) : isHex(data) ? data.slice(0, 10) : "a plain transfer";
  const made = best ? valuesText(best, scope) : unread;
  const name = isAddress(to) ? `${title}: ${made}` : `${title}: creation of a contract`;
  const what = `Makes the same call, and shows its answer or why it reverts.${description ? sourceText(description) : ""}${note}`;
  return reading(name, what, callCell(call, scope));
}

/** A function call in readable form: `transfer(0x3C44…93BC, 250)`. */
function writtenCall({ function: signature, args }: JsonObject): string {
  const [name = ""] = String(signature).split("(");
  return brief(`${name}(${isArray(args) ? args.join(", ") : ""})`, 200);
}

/** A declaration with its values on one line: `transfer(to: 0x…, value: 5)`. */
export function valuesText({ signature, values }: DescriptionReading, { labels }: RecogniseScope): string {
  const [name = ""] = signature.split("(");
  const shown = values.map(({ name: argument, type, value, hashed }) => {
    const text = hashed ? `hash ${String(value)}` : inlineText(abiShown(value, type, labels));
    return `${argument}${argument === "" ? "" : ": "}${text}`;
  });
  return `${name}(${shown.join(", ")})`;
}

/** The first declaration that fits, and where it is from. */
export function sourceText({ readings: [best] }: Description): string {
  if (!best) return "";
  const { sources, guess } = best;
  return ` Declared by ${sources.slice(0, 3).join(", ")}${guess ? "; guessed, since others may use the same bytes" : ""}.`;
}
