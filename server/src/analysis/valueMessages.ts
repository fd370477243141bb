import { strangeType } from "../abi/item.ts";
import { listed, plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import type { BadAmount, UnknownItem } from "../evaluate/readableProblem.ts";
import { code, declaration, didYouMean, type Messages } from "./messageParts.ts";
import type { Problem } from "./problem.ts";
import type { BadBlock, BadHex, BadQuantity } from "./valueProblem.ts";

/** Messages about single values: quantities, bytes, blocks, amounts, and functions and events by name. */
export const valueMessages = {
  "wrong-type": ({ expected, found }) => `Expected ${expected}, not ${found}.`,
  "bad-quantity": badQuantity,
  "bad-hex": badHex,
  "bad-block": badBlock,
  "unknown-value": ({ text, allowed }) => `${code(text)} is not one of ${listed(allowed.map(code), "or")}.`,
  "bad-checksum": ({ right }) =>
    `Wrong checksum: a digit of this address may be wrong. If the address is right, write ${code(right)}.`,
  "decimal-number": ({ wire }) => `Sent as ${code(wire)}.`,
  "sample-placeholder": ({ text }) =>
    `${code(text)} is a sample. Write your own value, or a variable such as \`{{name}}\`.`,
  "bad-amount": badAmount,
  "before-first-block": ({ text, head }) =>
    `${code(text)} is before the first block: the tag is at block ${grouped(head)}.`,
  "bad-argument": ({ path, declared, what }) =>
    `${code(path)}${declared === undefined ? "" : ` (${code(declared)})`}: ${what}.`,
  "unknown-function": unknownItem,
  "unknown-event": unknownItem,
  "ambiguous-function": ambiguousItem,
  "ambiguous-event": ambiguousItem,
} satisfies Partial<Messages<Problem["code"]>>;

function badQuantity({ why, text, bits, meant }: BadQuantity): string {
  const write = meant === undefined ? "" : ` Write ${code(`"${meant}"`)}.`;
  switch (why) {
    case "empty":
      return "Expected at least one digit. Zero is `0x0`.";
    case "leading-zeros":
      return `Quantities have no leading zeros.${write}`;
    case "decimal":
      return `Quantities are hexadecimal strings.${write}`;
    case "negative":
      return "Quantities cannot be negative.";
    case "no-prefix":
      return `Quantities start with \`0x\`.${write}`;
    case "not-hex":
      return `${code(text)} is not a quantity. Write \`0x\` and hexadecimal digits.`;
    case "too-large":
      return `This quantity does not fit into ${bits} bits.`;
    case "milliseconds":
      return `A time is in seconds since 1970, and this looks like milliseconds.${write}`;
  }
}

function badHex({ why, expected, digits, expectedDigits: wanted }: BadHex): string {
  switch (why) {
    case "no-prefix":
      return `Expected ${expected}, starting with \`0x\`. Most nodes refuse it without \`0x\`.`;
    case "not-hex":
      return `Expected ${expected}: \`0x\` and ${wanted === undefined ? "" : `${wanted} `}hexadecimal digits.`;
    case "odd":
      return `Each byte needs two hexadecimal digits, but there are ${grouped(digits)}.`;
    case "length":
      return `Expected ${expected}${wanted === undefined ? "" : ` (${wanted} hexadecimal digits)`}, not ${plural(digits, "digit")}.`;
    case "too-long":
      return `Expected ${expected}, at most ${wanted} hexadecimal digits, not ${grouped(digits)}.`;
  }
}

function badBlock({ text, decimal, meant, takesHash, nearest }: BadBlock): string {
  if (decimal && meant !== undefined)
    return `${code(text)} is a decimal string, which most nodes refuse as a block. Write ${code(`"${meant}"`)}.`;
  const write = takesHash ? "a tag, a `0x` number or a 32-byte hash" : "a tag or a `0x` number";
  const near = meant === undefined ? didYouMean(nearest) : ` As a number it is ${code(meant)}.`;
  return `${code(text)} is not a block: write ${write}.${near}`;
}

function badAmount({ text, why }: BadAmount): string {
  switch (why) {
    case "unit":
      return `${code(text)} needs a unit: \`wei\`, \`gwei\` or \`ether\`.`;
    case "precision":
      return `${code(text)} is not a whole number of wei.`;
    case "negative":
      return "Amounts cannot be negative.";
    case "too-large":
      return `${code(text)} does not fit into 256 bits.`;
  }
}

function unknownItem({ code: problem, name, nearest }: UnknownItem): string {
  const [noun, article, example] =
    problem === "unknown-function"
      ? ["function", "a", "balanceOf(address) returns (uint256)"]
      : ["event", "an", "Transfer(address indexed from, address indexed to, uint256 value)"];
  const near = didYouMean(nearest);
  const strange = strangeType(name);
  if (strange !== undefined) return `${code(strange)} in ${code(name)} is not an ABI type.`;
  return name.includes("(")
    ? `${code(name)} is not ${article} ${noun} signature.${near || ` Write it as \`${example}\`.`}`
    : `Unknown ${noun} ${code(name)}.${near || ` Write its signature, such as \`${example}\`, or add it to \`abi\`.`}`;
}

function ambiguousItem({
  name,
  declarations,
}: {
  readonly name: string;
  readonly declarations: readonly string[];
}): string {
  const first = declarations.slice(0, 4).map(declaration);
  const rest = declarations.length - first.length;
  const all = rest > 0 ? `${first.join(", ")} or ${plural(rest, "other")}` : listed(first, "or");
  return `${code(name)} has several meanings. Write out the one that you mean: ${all}.`;
}
