import { checksummed } from "../abi/address.ts";
import { escaped, figure, joined, type Markdown, markdown } from "../base/markdown.ts";
import { plural, shortHex } from "../base/text.ts";
import { formatUnits, formatWei, grouped } from "../base/units.ts";
import type { Question } from "../gate/backgroundClient.ts";
import { dataFeeShown } from "../report/additions.ts";
import { sectionsMarkdown, summaryMarkdown } from "../report/markdown.ts";
import type { Section } from "../report/report.ts";
import { reportOf } from "../report/reportOf.ts";
import { symbolText, type Tokens } from "../report/tokens.ts";
import type { Outcome } from "../rpc/outcome.ts";
import { type Movement, movements } from "./movements.ts";
import { onlyCallIn, type SimulationNaming } from "./simulationHint.ts";

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
