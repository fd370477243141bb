import type { AbiScope } from "../abi/abiScope.ts";
import { checksummed } from "../abi/address.ts";
import { isNativeLogger, transferTopic, withoutRepeatedNative } from "../abi/token.ts";
import { isWord } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { escaped, figure, joined, type Markdown, markdown } from "../base/markdown.ts";
import { plural, shortHex } from "../base/text.ts";
import { formatUnits, formatWei, grouped } from "../base/units.ts";
import type { Question } from "../gate/backgroundClient.ts";
import { dataFeeShown } from "../report/additions.ts";
import { sectionsMarkdown, summaryMarkdown } from "../report/markdown.ts";
import type { Section, TableSection } from "../report/report.ts";
import { reportOf } from "../report/reportOf.ts";
import { symbolText, type Tokens } from "../report/tokens.ts";
import type { Outcome } from "../rpc/outcome.ts";

/** The parts of a simulation to show in addition to its outcome. */
interface SimulationView extends SimulationNaming {
  readonly endpoint: string;
  /** The fee for its data on layer 1, in wei. */
  readonly dataFee?: bigint | undefined;
  /** Explains which simulation ran instead, and why; absent if the full simulation ran. */
  readonly instead?: Markdown | undefined;
}

/** Shows a simulation: its result, movements, and what its call does. */
export function simulationMarkdown(question: Question, outcome: Outcome, view: SimulationView): Markdown {
  const report = reportOf({
    title: "",
    method: question.method,
    params: question.params,
    outcome,
    labels: view.names,
    scope: view.scope,
    tokens: view.tokens,
  });
  // the node made up the values of the block
  const sections = report.sections
    .filter((section) => section.kind !== "flow" && !("title" in section && /^Blocks?$/.test(section.title ?? "")))
    .map(onlyCall);
  const all = outcome.kind === "answered" ? movements(outcome.result.value) : [];
  const summary = onlyCallIn(report.sections) ?? report.summary;
  return joined(
    [
      markdown`**Simulated** at ${escaped(view.endpoint)}; nothing was sent`,
      summaryMarkdown(summary),
      joined([...all.slice(0, maxMovements).map((one) => movement(one, view)), moreMovements(all.length)], "\n"),
      sectionsMarkdown(sections),
      view.dataFee === undefined ? undefined : markdown`L1 data fee: ${escaped(dataFeeShown(view.dataFee).text)}`,
      view.instead,
    ],
    "\n\n",
  );
}

/** Shows a single call as fields: what it does, and its result if that is too long for the summary. */
function onlyCall(section: Section): Section {
  const [row, ...more] = section.kind === "table" && section.title === "Calls" ? section.rows : [];
  if (section.kind !== "table" || !row || more.length > 0) return section;
  const fields = section.columns.flatMap(({ name }, at) => {
    const value = row[at];
    return value && (name === "Does" || (name === "Result" && value.text.length > 200)) ? [{ name, value }] : [];
  });
  return { kind: "fields", fields };
}

const maxMovements = 12;

function moreMovements(count: number): Markdown | undefined {
  return count > maxMovements ? markdown`- and ${figure(plural(count - maxMovements, "more change"))}` : undefined;
}

function movement({ address, token, change }: Movement, { names, tokens }: SimulationView): Markdown {
  const size = change < 0n ? -change : change;
  const sign = change < 0n ? markdown`−` : markdown`+`;
  return markdown`- ${named(address, names)}: ${sign}${escaped(amount(size, token, names, tokens))}`;
}

function amount(size: bigint, token: string | undefined, names: ReadonlyMap<string, string>, tokens: Tokens): string {
  if (token === undefined) return formatWei(size);
  const described = tokens.get(token);
  return described
    ? `${formatUnits(size, described.decimals)} ${symbolText(described.symbol)}`
    : `${grouped(size)} of ${names.get(token) ?? shortHex(token)}`;
}

function named(address: string, names: ReadonlyMap<string, string>): Markdown {
  return escaped(names.get(address) ?? shortHex(checksummed(address)));
}

/** The change of a balance by a simulation. */
export interface Movement {
  /** In lower case. */
  readonly address: string;
  /** The token's contract in lower case; `undefined` for the native currency. */
  readonly token: string | undefined;
  /** In the smallest unit; negative for a loss. */
  readonly change: bigint;
}

const native = "";

/** Sums the transfers in all successful calls of a simulation, by address and token. Leaves out sums of zero. */
export function movements(result: JsonValue): readonly Movement[] {
  const sums = new Map<string, Map<string, bigint>>();
  const add = (address: string, token: string, change: bigint): void => {
    const tokens = sums.get(address) ?? new Map<string, bigint>();
    sums.set(address, tokens);
    tokens.set(token, (tokens.get(token) ?? 0n) + change);
  };
  for (const log of logsOf(result)) {
    if (!isObject(log) || typeof log.address !== "string" || !isArray(log.topics)) continue;
    const [topic, from, to, ...rest] = log.topics;
    // three topics and a word of data; a fourth topic is the id of an item of a collection
    if (topic !== transferTopic || rest.length > 0 || !isWord(from) || !isWord(to) || !isWord(log.data)) continue;
    const amount = BigInt(log.data);
    const token = isNativeLogger(log.address) ? native : log.address.toLowerCase();
    add(addressOf(from), token, -amount);
    add(addressOf(to), token, amount);
  }
  return [...sums].flatMap(([address, tokens]) =>
    [...tokens].flatMap(([token, change]) =>
      change === 0n ? [] : [{ address, token: token === native ? undefined : token, change }],
    ),
  );
}

function logsOf(result: JsonValue): readonly JsonValue[] {
  const calls = (isArray(result) ? result : []).flatMap((block) =>
    isObject(block) && isArray(block.calls) ? block.calls : [],
  );
  return calls.flatMap((call) =>
    isObject(call) && call.status === "0x1" && isArray(call.logs) ? withoutRepeatedNative(call.logs) : [],
  );
}

function addressOf(word: string): string {
  return `0x${word.slice(26).toLowerCase()}`;
}

/** Names for the values of a simulation. */
export interface SimulationNaming {
  /** Names of addresses, by the address in lower case. */
  readonly names: ReadonlyMap<string, string>;
  readonly scope: AbiScope | undefined;
  readonly tokens: Tokens;
}

/** Returns the result of a simulation in a few words of plain text: result and gas of its call, or why it fails. */
export function simulationHint(
  { method, params }: Question,
  outcome: Outcome,
  { names: labels, scope, tokens }: SimulationNaming,
): string {
  const { sections, summary } = reportOf({ title: "", method, params, outcome, labels, scope, tokens });
  return onlyCallIn(sections) ?? summary;
}

/** Returns the result of the only call of a simulation, and its gas; `undefined` if there are several calls. */
function onlyCallIn(sections: readonly Section[]): string | undefined {
  const calls = sections.find((section) => section.kind === "table" && section.title === "Calls");
  if (calls?.kind !== "table" || calls.rows.length !== 1) return undefined;
  const gas = textIn(calls, "Gas");
  return [textIn(calls, "Result") || textIn(calls, "Status"), gas && `${gas} gas`].filter((part) => part).join(", ");
}

function textIn({ columns, rows }: TableSection, name: string): string {
  return rows[0]?.[columns.findIndex((column) => column.name === name)]?.text ?? "";
}
