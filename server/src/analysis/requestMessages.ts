import { maxDepth } from "../base/json.ts";
import { listed, oneLine, plural } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { blocksIn } from "../catalog/limits.ts";
import { code, didYouMean, type Messages, sentence } from "./messageParts.ts";
import type { Problem } from "./problem.ts";
import type { NotAhead, SigningMethod } from "./requestProblem.ts";

/** Messages about requests as a whole: their text, methods, parameters and fields. */
export const requestMessages = {
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
} satisfies Partial<Messages<Problem["code"]>>;

const effects: Readonly<Record<SigningMethod["effect"], string>> = {
  unknown: "may change something",
  reads: "reads state",
  simulates: "simulates",
  signs: "signs with a key of the node",
  broadcasts: "sends a transaction",
  "changes-node": "changes the node",
};

/** A subscription that stays silent says so; a tag that only equals another one is not refused. */
function notAhead({ text, instead, endpoint, why }: NotAhead): string {
  const what =
    text === "pending"
      ? `${code(text)} is the same as ${code(instead)} on ${code(endpoint)}`
      : `${code(text)} sends nothing on ${code(endpoint)}, which has no pre-confirmed state`;
  const then = text === "newFlashblockTransactions" ? ", and read the transactions of each block" : "";
  return `${what}: ${oneLine(why)}. Use ${code(instead)}${then}.`;
}
