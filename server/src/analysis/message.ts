import { strangeType } from "../abi/item.ts";
import { maxDepth } from "../base/json.ts";
import { brief, listed, oneLine, plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { blocksIn } from "../catalog/tags.ts";
import { originClause } from "../endpoints/named.ts";
import { shownName } from "../endpoints/site.ts";
import type { Problem, ProblemCode, ProblemWith } from "./problem.ts";

/** Returns what a problem says, in a sentence or two of plain text: what is wrong, then what to do. */
export function message(problem: Problem): string {
  const write = messages[problem.code] as (problem: Problem) => string; // the one for this code
  return write(problem);
}

/** What is wrong, then what to do. Plain text. */
const messages: { readonly [Code in ProblemCode]: (problem: ProblemWith<Code>) => string } = {
  // requests as a whole: their text, methods, parameters and fields
  "json-syntax": (problem) => `Not ${"isJson" in problem ? "a request" : "JSON"}: ${problem.what}.`,
  "not-a-notebook": ({ what }) => `Not a notebook: ${what}.`,
  "too-deep": ({ isJson }) =>
    `Nested more than ${maxDepth} levels deep${isJson ? "" : ", and not JSON"}. It cannot be read or sent.`,
  "conflict-marker": ({ what }) => `Merge conflict: ${what}.`,
  "missing-method": () => 'Expected a method: `"method": "eth_…"`.',
  "unknown-member": ({ name, nearest }) => `Unknown member ${code(name)}, which is not sent.${didYouMean(nearest)}`,
  "duplicate-key": ({ name, sent }) =>
    `${code(name)} appears twice. ${sent ? "Remove one: nodes differ in which one they use." : "The last one counts."}`,
  "unknown-method": ({ name, slip, nearest }) =>
    `Unknown method ${code(name)}.${
      slip ? didYouMean(nearest) : " Its parameters are not checked, and a run asks before sending it."
    }`,
  "named-params": ({ method }) => `${code(method)} takes its parameters by position. Write an array.`,
  "missing-param": ({ method, name, position, advised }) =>
    `${code(method)} needs ${code(name)} at position ${position}.${sentence(advised)}`,
  "missing-block": ({ method, assumed, why }) =>
    `${code(method)} without a block${assumed === undefined ? "" : ` reads ${code(assumed)}`}.${sentence(why)}`,
  "extra-param": ({ method, takes, empty, kind }) =>
    kind !== undefined
      ? `${code(kind)} does not take this. Some nodes refuse it.`
      : `${code(method)} takes ${plural(takes, "parameter")}. ${empty ? "Some nodes" : "Nodes"} refuse more.`,
  "swapped-params": ({ method, names: [first, second] }) =>
    `Wrong order: ${code(method)} takes ${code(first)} before ${code(second)}.`,
  "unknown-field": ({ name, nearest }) =>
    `Unknown field ${code(name)}: some nodes refuse it, others ignore it.${didYouMean(nearest)}`,
  "missing-field": ({ names, why }) => `Missing ${listed(names.map(code), "or")}.${sentence(why)}`,
  "exclusive-fields": ({ names, why }) => `${listed(names.map(code))} cannot be used together.${sentence(why)}`,
  "too-many-items": ({ name, most, found }) =>
    `${code(name)} takes at most ${plural(most, "item")}, but has ${grouped(found)}.`,
  "filter-without-criterion": ({ why }) => `This filter matches every log of its blocks.${sentence(why)}`,
  "inverted-range": ({ assumed, sure }) =>
    `\`fromBlock\`${assumed ? " (`latest` by default)" : ""} is ${sure ? "" : "usually "}after \`toBlock\`. Nodes refuse such a range.`,
  "log-range-over-limit": ({ range, atLeast, limit, endpoint, splits }) => {
    const who = endpoint === undefined ? "many endpoints accept" : `${code(endpoint)} accepts`;
    const then = splits ? " A run splits it automatically." : "";
    return `The range has ${atLeast ? "at least " : ""}${plural(blocksIn(range), "block")}, but ${who} at most ${grouped(blocksIn(limit))}.${then}`;
  },
  "not-ahead": notAhead,
  "refused-method": ({ endpoint, method }) =>
    method === "eth_getBlockReceipts"
      ? `${code(endpoint)} refuses ${code(method)} (HTTP 403 on public endpoints). A run fetches the receipts one by one.`
      : `${code(endpoint)} refuses ${code(method)}. Use an endpoint that answers it.`,
  "signing-method": ({ method, effect }) => `${code(method)} ${effects[effect]}. A run asks before sending it.`,
  // single values: quantities, bytes, blocks, amounts, and functions and events by name
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
  // what a notebook adds to requests: names, placeholders, endpoints, secrets, `expect`, ABIs
  "duplicate-name": ({ name, taken }) =>
    `The name ${code(name)} is already used by ${taken === "cell" ? "another cell" : "a variable"}.`,
  "unresolved-placeholder": ({ name, nearest }) => `Unknown variable or cell ${code(name)}.${didYouMean(nearest)}`,
  "reference-cycle": ({ names }) => `These refer to each other, so none can run first: ${names.map(code).join(" → ")}.`,
  "unknown-endpoint": ({ name, nearest }) => `Unknown endpoint ${code(shownName(name))}.${didYouMean(nearest)}`,
  "unusable-endpoint": ({ name, origin, what }) =>
    `The endpoint ${code(name)} (${oneLine(originClause(origin))}) cannot be used here: ${oneLine(what)}.`,
  "bidi-character": ({ character }) =>
    `Hidden character (${character}). It can make text look different from what it is.`,
  "secret-in-file": ({ what }) =>
    `${secrets[what]} Anyone who can read this file can use it: move it to the secret storage (\`{{$secret.NAME}}\`) or to \`rpc-endpoints.private.json\`.`,
  "unset-value": ({ source, name, nearest }) =>
    `${unset[source](code(name))}, so the request is not sent.${didYouMean(nearest)}`,
  "unfilled-placeholder": ({ text, member }) =>
    `${code(text)} is not filled in ${code(member)}. Placeholders work in \`params\`, in \`assume\`, in \`each\` and in the values of \`expect\`.`,
  "bad-path": badPath,
  "unknown-path": ({ until, found, step, nearest }) =>
    `${code(until)} is ${found}, which has no ${code(step)}.${didYouMean(nearest)}`,
  "unknown-operator": ({ name, nearest }) => `${code(name)} is not an \`expect\` operator.${didYouMean(nearest)}`,
  "bad-operand": ({ what }) => `This cannot be checked: ${what}.`,
  "bad-within": ({ text }) => `${code(text)} is not a duration. Write \`10 s\` or \`3 blocks\`.`,
  "saved-by-cell": ({ path, cell }) =>
    `${code(path)} is written by ${cell}. A run of both does not send this cell: run that cell first, then this one.`,
  "misplaced-explain": ({ method }) =>
    `\`explain\` does nothing beside ${code(method)}. Use it with \`eth_getTransactionByHash\` or \`eth_getTransactionReceipt\`.`,
  "bad-assumption": ({ what }) => oneLine(what),
  "bad-each": ({ what }) => oneLine(what),
  "bad-variable": ({ what }) => oneLine(what),
  "bad-save": ({ what }) => oneLine(what),
  "bad-openrpc": ({ path, what }) => `${code(path)}: ${what}.`,
  "bad-descriptor": ({ path, what }) => `${code(path)}: ${what}.`,
  "bad-abi": ({ path, what }) => (path === undefined ? `Not an ABI: ${what}.` : `${code(path)}: ${what}.`),
  "unread-abi": ({ path }) => `${code(path)} was not read. Files beside the notebook are read in a trusted workspace.`,
};

/** Quotes a name. Names come from notebooks of anyone: without backticks they cannot leave their quotes. */
function code(text: string): string {
  const shown = text === text.trim() && text !== "" ? text : JSON.stringify(text); // else the space is invisible
  return `\`${brief(shown, 60).replaceAll("`", "'")}\``;
}

/** Quotes a declaration, which may be long: keeps its end, which distinguishes it from others. */
function declaration(text: string): string {
  return `\`${brief(text, 200).replaceAll("`", "'")}\``;
}

function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? "" : ` Did you mean ${listed(names.map(code), "or")}?`;
}

/** A sentence of the catalogue behind one of ours. */
function sentence(why: string | undefined): string {
  return why === undefined ? "" : ` ${why}`;
}

const effects: Readonly<Record<ProblemWith<"signing-method">["effect"], string>> = {
  unknown: "may change something",
  reads: "reads state",
  simulates: "simulates",
  signs: "signs with a key of the node",
  broadcasts: "sends a transaction",
  "changes-node": "changes the node",
};

/** A subscription that stays silent says so; a tag that only equals another one is not refused. */
function notAhead({ text, instead, endpoint, why }: ProblemWith<"not-ahead">): string {
  const what =
    text === "pending"
      ? `${code(text)} is the same as ${code(instead)} on ${code(endpoint)}`
      : `${code(text)} sends nothing on ${code(endpoint)}, which has no pre-confirmed state`;
  const then = text === "newFlashblockTransactions" ? ", and read the transactions of each block" : "";
  return `${what}: ${oneLine(why)}. Use ${code(instead)}${then}.`;
}

function badQuantity({ why, text, bits, meant }: ProblemWith<"bad-quantity">): string {
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

function badHex({ why, expected, digits, expectedDigits: wanted }: ProblemWith<"bad-hex">): string {
  switch (why) {
    case "no-prefix":
      return `Expected ${expected}, starting with \`0x\`. Most nodes refuse it without \`0x\`.`;
    case "not-hex":
      return `Expected ${expected}: \`0x\` and ${wanted === undefined ? "" : `${wanted} `}hexadecimal digits.`;
    case "function":
      return `Expected ${expected}. Write a call as \`{ "function": "balanceOf", "args": ["0x…"] }\`.`;
    case "odd":
      return `Each byte needs two hexadecimal digits, but there are ${grouped(digits)}.`;
    case "length":
      return `Expected ${expected}${wanted === undefined ? "" : ` (${wanted} hexadecimal digits)`}, not ${plural(digits, "digit")}.`;
    case "too-long":
      return `Expected ${expected}, at most ${wanted} hexadecimal digits, not ${grouped(digits)}.`;
  }
}

function badBlock({ text, decimal, meant, takesHash, nearest }: ProblemWith<"bad-block">): string {
  if (decimal && meant !== undefined)
    return `${code(text)} is a decimal string, which most nodes refuse as a block. Write ${code(`"${meant}"`)}.`;
  const write = takesHash ? "a tag, a `0x` number or a 32-byte hash" : "a tag or a `0x` number";
  const near = meant === undefined ? didYouMean(nearest) : ` As a number it is ${code(meant)}.`;
  return `${code(text)} is not a block: write ${write}.${near}`;
}

function badAmount({ text, why }: ProblemWith<"bad-amount">): string {
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

function unknownItem({ code: problem, name, nearest }: ProblemWith<"unknown-function">): string {
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

function ambiguousItem({ name, declarations }: ProblemWith<"ambiguous-function">): string {
  const first = declarations.slice(0, 4).map(declaration);
  const rest = declarations.length - first.length;
  const all = rest > 0 ? `${first.join(", ")} or ${plural(rest, "other")}` : listed(first, "or");
  return `${code(name)} has several meanings. Write out the one that you mean: ${all}.`;
}

const unset: Readonly<Record<ProblemWith<"unset-value">["source"], (name: string) => string>> = {
  env: (name) => `The environment variable ${name} is not set`,
  dotenv: (name) => `No \`.env\` file beside the notebook, or above it in the project, has ${name}`,
  secret: (name) => `The secret ${name} is not set`,
};

const secrets: Readonly<Record<ProblemWith<"secret-in-file">["what"], string>> = {
  "private-key": "This looks like a private key.",
  mnemonic: "This looks like the recovery phrase of a wallet.",
  url: "This URL seems to contain a key.",
  authorization: "This looks like credentials.",
  secret: "This looks like a secret.",
};

function badPath({ why, path, meant }: ProblemWith<"bad-path">): string {
  const near = didYouMean(meant === undefined ? [] : [meant]);
  switch (why) {
    case "no-path":
      return `${code(path)} is not a path such as \`result[0].value\`.${near}`;
    case "no-step":
      return `${code(path)} is the whole outcome of a cell: name a part of it.${near}`;
    case "first-step":
      return `Paths start with \`result\`, \`decoded\` or \`error\`, but ${code(path)} does not.${near}`;
    case "operator":
      return `${code(path)} is an operator. Write it under a path: \`"result": { ${brief(JSON.stringify(path), 20)}: … }\`.`;
  }
}
