import { strangeType } from "../abi/item.ts";
import { maxDepth } from "../base/json.ts";
import { brief, listed, oneLine, plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import type { BadAmount, ReadableProblem, UnknownItem } from "../evaluate/readableProblem.ts";
import type {
  BadHex,
  BadPath,
  BadQuantity,
  NotAhead,
  Problem,
  SecretInFile,
  SigningMethod,
  UnsetValue,
} from "./problem.ts";

/** Says a problem in a sentence or two, as plain text: what is wrong, then what to write instead. */
export function message(problem: Problem): string {
  switch (problem.code) {
    case "json-syntax":
      return `Not ${"isJson" in problem ? "a request" : "JSON"}: ${problem.what}.`;
    case "not-a-notebook":
      return `Not a notebook: ${problem.what}.`;
    case "too-deep":
      return `Nested deeper than ${maxDepth} levels${problem.isJson ? "" : ", and not JSON"}. Nothing of it can be read or sent.`;
    case "conflict-marker":
      return `A merge conflict: ${problem.what}.`;
    case "missing-method":
      return 'A request needs a method: `"method": "eth_…"`.';
    case "unknown-member":
      return `${code(problem.name)} means nothing here; it is kept and not sent.${didYouMean(problem.nearest)}`;
    case "duplicate-key":
      return problem.sent
        ? `${code(problem.name)} appears twice. Remove one: nodes differ in which one they use.`
        : `${code(problem.name)} appears twice. The last one counts.`;
    case "unknown-method":
      return problem.slip
        ? `No method is called ${code(problem.name)}.${didYouMean(problem.nearest)}`
        : `${code(problem.name)} is not in the catalogue: its parameters are not checked, and a run asks before it sends it.`;
    case "named-params":
      return `${code(problem.method)} takes its parameters by position: write an array.`;
    case "missing-param":
      return `${code(problem.method)} needs ${code(problem.name)} at position ${problem.position}.${sentence(problem.advised)}`;
    case "missing-block":
      return `${code(problem.method)} without a block${problem.assumed === undefined ? "" : ` reads ${code(problem.assumed)}`}.${sentence(problem.why)}`;
    case "extra-param":
      return `${code(problem.method)} takes ${plural(problem.takes, "parameter")}; ${problem.empty ? "some " : ""}nodes refuse more.`;
    case "wrong-type":
      return `This must be ${problem.expected}, not ${problem.found}.`;
    case "bad-quantity":
      return badQuantity(problem);
    case "bad-hex":
      return badHex(problem);
    case "bad-block":
      if (problem.decimal && problem.meant !== undefined)
        return `${code(problem.text)} is a decimal string, which most nodes refuse as a block. Write ${code(`"${problem.meant}"`)}.`;
      return `${code(problem.text)} names no block${
        problem.takesHash ? ": write a tag, a `0x` number or a 32-byte hash" : " here: write a tag or a `0x` number"
      }.${problem.meant === undefined ? didYouMean(problem.nearest) : ` As a number it is ${code(problem.meant)}.`}`;
    case "unknown-value":
      return `${code(problem.text)} is not one of ${listed(problem.allowed.map(code), "or")}.`;
    case "unknown-field":
      return `Nodes know no ${code(problem.name)} here: some refuse it, some ignore it.${didYouMean(problem.nearest)}`;
    case "missing-field":
      return `${listed(problem.names.map(code), "or")} is missing.${sentence(problem.why)}`;
    case "exclusive-fields":
      return `${listed(problem.names.map(code))} exclude each other.${sentence(problem.why)}`;
    case "too-many-items":
      return `${code(problem.name)} takes at most ${plural(problem.most, "item")}, not ${grouped(problem.found)}.`;
    case "filter-without-criterion":
      return `This filter matches every log of its blocks.${sentence(problem.why)}`;
    case "inverted-range":
      return `\`fromBlock\`${problem.assumed ? ", by default `latest`," : ""} is ${problem.sure ? "" : "usually "}after \`toBlock\`; nodes refuse such a range.`;
    case "log-range-over-limit":
      return `${problem.atLeast ? "At least " : ""}${grouped(problem.range)} blocks from \`fromBlock\` to \`toBlock\`; ${
        problem.endpoint === undefined ? "many endpoints take" : `${code(problem.endpoint)} takes`
      } at most ${grouped(problem.limit)}.${problem.splits ? " A run splits it by itself." : ""}`;
    case "duplicate-name":
      return `Another ${problem.taken} is called ${code(problem.name)} already.`;
    case "unresolved-placeholder":
      return `No variable and no cell is called ${code(problem.name)}.${didYouMean(problem.nearest)}`;
    case "reference-cycle":
      return `These refer to each other, so none can run first: ${problem.names.map(code).join(" → ")}.`;
    case "not-ahead":
      return notAhead(problem);
    case "refused-method":
      if (problem.method !== "eth_getBlockReceipts")
        return `${code(problem.endpoint)} refuses ${code(problem.method)}; use an endpoint that answers it.`;
      return `${code(problem.endpoint)} refuses ${code(problem.method)} (HTTP 403 on public endpoints); a run fetches the receipts one by one.`;
    case "unknown-endpoint":
      return `No endpoint is called ${code(problem.name)}.${didYouMean(problem.nearest)}`;
    case "unusable-endpoint":
      return `The endpoint ${code(problem.name)} (${oneLine(problem.origin)}) cannot be used here: ${oneLine(problem.what)}.`;
    case "bidi-character":
      return `A character that cannot be seen is hidden here (${problem.character}). It can make text read as what it is not.`;
    case "bad-checksum":
      return `The letters of this address do not carry its checksum: a digit may be wrong. If it is right, it is written ${code(problem.right)}.`;
    case "signing-method":
      return `${code(problem.method)} ${effects[problem.effect]}: a run asks before it sends it.`;
    case "secret-in-file":
      return `${secrets[problem.what]} Who can read this file can use it: keep it in the secret storage, as \`{{$secret.NAME}}\` in \`params\`, or in \`rpc-endpoints.private.json\`.`;
    case "unset-value":
      return `${unset[problem.source]} ${code(problem.name)}; the request is not sent.${didYouMean(problem.nearest)}`;
    case "sample-placeholder":
      return `${code(problem.text)} stands for a value of your own: write that value, or a variable such as \`{{name}}\`.`;
    case "swapped-params":
      return `These stand in the wrong order: ${code(problem.method)} takes ${code(problem.names[0])} before ${code(problem.names[1])}.`;
    case "unfilled-placeholder":
      return `Placeholders are filled in \`params\` and in the values of \`expect\` only: in ${code(problem.member)}, ${code(problem.text)} stays as it is written.`;
    case "bad-path":
      return badPath(problem);
    case "unknown-path":
      return `${code(problem.until)} is ${problem.found}, which has no ${code(problem.step)}.${didYouMean(problem.nearest)}`;
    case "unknown-operator":
      return `${code(problem.name)} is no operator of \`expect\`.${didYouMean(problem.nearest)}`;
    case "bad-operand":
      return `This cannot be checked: ${problem.what}.`;
    case "bad-openrpc":
      return `${code(problem.path)}: ${problem.what}.`;
    case "bad-abi":
      return problem.path === undefined
        ? `This is no ABI: ${problem.what}.`
        : `${code(problem.path)}: ${problem.what}.`;
    case "unread-abi":
      return `${code(problem.path)} is not read: files beside the notebook are read only where the workspace is trusted.`;
    case "bad-within":
      return `${code(problem.text)} is no time: write it as \`10 s\` or \`3 blocks\`.`;
    case "unknown-function":
    case "unknown-event":
    case "ambiguous-function":
    case "ambiguous-event":
    case "bad-argument":
    case "bad-amount":
    case "before-first-block":
      return readableMessage(problem);
    case "decimal-number":
      return `This is sent as ${code(problem.wire)}.`;
  }
}

function badQuantity({ why, text, bits, meant }: BadQuantity): string {
  const write = meant === undefined ? "" : ` Write ${code(`"${meant}"`)}.`;
  switch (why) {
    case "empty":
      return "A quantity has at least one digit: zero is `0x0`.";
    case "leading-zeros":
      return `A quantity has no leading zeros.${write}`;
    case "decimal":
      return `A quantity is written in hexadecimal, as a string.${write}`;
    case "negative":
      return "A quantity cannot be below zero.";
    case "no-prefix":
      return `A quantity begins with \`0x\`.${write}`;
    case "not-hex":
      return `${code(text)} is not a quantity: write \`0x\` and hexadecimal digits.`;
    case "too-large":
      return `This quantity does not fit into ${bits} bits.`;
  }
}

function badHex({ why, expected, digits, due }: BadHex): string {
  const size = due === undefined ? "" : ` (${due} hexadecimal digits)`;
  switch (why) {
    case "no-prefix":
      return `This must be ${expected}, which begins with \`0x\`; most nodes refuse it without.`;
    case "not-hex":
      return `This must be ${expected}: \`0x\` and hexadecimal digits${due === undefined ? "" : `, ${due} of them`}.`;
    case "odd":
      return `Bytes have two hexadecimal digits each; ${grouped(digits)} is an odd number.`;
    case "length":
      return `This must be ${expected}${size}; it has ${plural(digits, "digit")}.`;
    case "too-long":
      return `This must be ${expected}, at most ${due} hexadecimal digits; it has ${plural(digits, "digit")}.`;
  }
}

function readableMessage(problem: Exclude<ReadableProblem, { readonly code: "exclusive-fields" }>): string {
  switch (problem.code) {
    case "unknown-function":
    case "unknown-event":
      return unknownItem(problem);
    case "ambiguous-function":
    case "ambiguous-event": {
      const [most, rest] = [problem.declarations.slice(0, 4), problem.declarations.length - 4];
      const all =
        rest > 0
          ? `${most.map(declaration).join(", ")} or ${plural(rest, "other")}`
          : listed(most.map(declaration), "or");
      return `${code(problem.name)} may be any of these; write out the one that is meant: ${all}.`;
    }
    case "bad-argument": {
      const declared = problem.declared === undefined ? "" : ` (${code(problem.declared)})`;
      return `${code(problem.path)}${declared}: ${problem.what}.`;
    }
    case "bad-amount":
      return badAmount(problem);
    case "before-first-block":
      return `${code(problem.text)} lies before the first block: the number counted from is ${grouped(problem.head)}.`;
  }
}

function unknownItem({ code: what, name, nearest }: UnknownItem): string {
  const [noun, example] =
    what === "unknown-function"
      ? ["function", "balanceOf(address) returns (uint256)"]
      : ["event", "Transfer(address indexed from, address indexed to, uint256 value)"];
  const near = didYouMean(nearest);
  const strange = strangeType(name);
  if (strange !== undefined) return `${code(strange)} in ${code(name)} is not a type of the ABI.`;
  return /\(/.test(name)
    ? `${code(name)} is no signature of ${noun === "event" ? "an" : "a"} ${noun}.${near || ` Write it as \`${example}\`.`}`
    : `No ${noun} in scope is called ${code(name)}.${near || ` Write its signature, such as \`${example}\`, or add it to \`abi\`.`}`;
}

function badAmount({ text, why }: BadAmount): string {
  switch (why) {
    case "unit":
      return `${code(text)} needs a unit: \`wei\`, \`gwei\` or \`ether\`.`;
    case "precision":
      return `${code(text)} has a fraction of a wei, and there is none.`;
    case "negative":
      return "An amount cannot be below zero.";
    case "too-large":
      return `${code(text)} does not fit into 256 bits.`;
  }
}

/** A declaration may be long, and its end tells it from others. */
function declaration(text: string): string {
  return `\`${brief(text, 200).replaceAll("`", "'")}\``;
}

const effects: Readonly<Record<SigningMethod["effect"], string>> = {
  unknown: "may change something",
  reads: "reads state",
  simulates: "simulates",
  signs: "signs with a key of the node",
  broadcasts: "sends a transaction",
  "changes-node": "changes the node",
};

const unset: Readonly<Record<UnsetValue["source"], string>> = {
  env: "No environment variable is called",
  dotenv: "No file `.env` beside the notebook, or above it in the project, has",
  secret: "No secret is called",
};
const secrets: Readonly<Record<SecretInFile["what"], string>> = {
  "private-key": "This looks like a private key.",
  mnemonic: "This looks like the words of a wallet.",
  url: "This address seems to hold a key.",
  authorization: "This looks like credentials.",
  secret: "This looks like a secret.",
};

function badPath({ why, path, meant }: BadPath): string {
  const near = didYouMean(meant === undefined ? [] : [meant]);
  switch (why) {
    case "no-path":
      return `${code(path)} is no path such as \`result[0].value\`.${near}`;
    case "no-step":
      return `${code(path)} is the whole outcome of a cell; say what of it is meant.${near}`;
    case "first-step":
      return `A path begins with \`result\`, \`decoded\` or \`error\`; ${code(path)} does not.${near}`;
    case "operator":
      return `${code(path)} is an operator and belongs under a path: \`"result": { ${brief(JSON.stringify(path), 20)}: … }\`.`;
  }
}

/** Names come from notebooks of anyone: without backticks they cannot leave their quotes. */
function code(text: string): string {
  const shown = text === text.trim() && text !== "" ? text : JSON.stringify(text); // else nobody sees the space
  return `\`${brief(shown, 60).replaceAll("`", "'")}\``;
}

function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? "" : ` Did you mean ${listed(names.map(code), "or")}?`;
}

function sentence(why: string | undefined): string {
  return why === undefined ? "" : ` ${why}`;
}

/** What stays silent says so; what is no more than another tag is not refused. */
function notAhead({ text, instead, endpoint, why }: NotAhead): string {
  const what =
    text === "pending"
      ? `${code(text)} is no more than ${code(instead)} at ${code(endpoint)}`
      : `${code(text)} tells nothing at ${code(endpoint)}, which has no pre-confirmed state`;
  const then = text === "newFlashblockTransactions" ? ", and read the transactions of each block" : "";
  return `${what}: ${oneLine(why)}. Use ${code(instead)}${then}.`;
}
