import type { AbiScope } from "../abi/abiScope.ts";
import { checksummed } from "../abi/address.ts";
import { escaped, joined, type Markdown, markdown } from "../base/markdown.ts";
import { shortHex } from "../base/text.ts";
import { formatUnits, formatWei, grouped } from "../base/units.ts";
import { dataFeeShown } from "../report/dataFee.ts";
import { sectionsMarkdown, summaryMarkdown } from "../report/markdown.ts";
import type { Section } from "../report/report.ts";
import { reportOf } from "../report/reportOf.ts";
import { symbolText, type Tokens } from "../report/tokens.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { Question } from "./backgroundClient.ts";
import { type Movement, movements } from "./movements.ts";
import { onlyCallIn } from "./simulationHint.ts";

export interface SimulationView {
  /** By the address in lower case. */
  readonly names: ReadonlyMap<string, string>;
  readonly scope: AbiScope | undefined;
  readonly tokens: Tokens;
  readonly endpoint: string;
  /** What its data would cost on layer 1, in wei. */
  readonly dataFee?: bigint | undefined;
  /** What was tried instead, and why; absent where it was the whole simulation. */
  readonly instead?: Markdown | undefined;
}

/** What a simulation gave. */
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
  // what the block is like was made up by the node
  const told = report.sections
    .filter((section) => !("title" in section && /^Blocks?$/.test(section.title ?? "")))
    .map(onlyCall);
  const moved = outcome.kind === "answered" ? movements(outcome.result.value) : [];
  const summary = onlyCallIn(report.sections) ?? report.summary;
  return joined(
    [
      markdown`**Simulated** at ${escaped(view.endpoint)}, nothing was sent`,
      summaryMarkdown(summary),
      joined(
        moved.slice(0, mostMoved).map((one) => movement(one, view)),
        "\n",
      ),
      sectionsMarkdown(told),
      view.dataFee === undefined ? undefined : markdown`L1 data fee: ${escaped(dataFeeShown(view.dataFee).text)}`,
      view.instead,
    ],
    "\n\n",
  );
}

/** One call needs no table: what it does, and what it gives back where the summary has no room for that. */
function onlyCall(section: Section): Section {
  const [row, ...more] = section.kind === "table" && section.title === "Calls" ? section.rows : [];
  if (section.kind !== "table" || !row || more.length > 0) return section;
  const fields = section.columns.flatMap(({ name }, at) => {
    const value = row[at];
    return value && (name === "Does" || (name === "Result" && value.text.length > 200)) ? [{ name, value }] : [];
  });
  return { kind: "fields", fields };
}

const mostMoved = 12;

function movement({ address, token, change }: Movement, { names, tokens }: SimulationView): Markdown {
  const size = change < 0n ? -change : change;
  const sign = change < 0n ? markdown`−` : markdown`+`;
  return markdown`- ${named(address, names)}: ${sign}${escaped(amount(size, token, names, tokens))}`;
}

function amount(size: bigint, token: string | undefined, names: ReadonlyMap<string, string>, tokens: Tokens): string {
  if (token === undefined) return formatWei(size);
  const known = tokens.get(token);
  return known
    ? `${formatUnits(size, known.decimals)} ${symbolText(known.symbol)}`
    : `${grouped(size)} of ${names.get(token) ?? shortHex(token)}`;
}

function named(address: string, names: ReadonlyMap<string, string>): Markdown {
  return escaped(names.get(address) ?? shortHex(checksummed(address)));
}
