import { capitalized, plural } from "../base/text.ts";
import { formatDuration, formatTime, formatTimeMs, grouped } from "../base/units.ts";
import { type CaseFacts, caseMethods, type HeadTag, receiptMethod, type Stage, type StageName } from "./caseFacts.ts";
import type { Section, Shown } from "./report.ts";
import { filled, table } from "./table.ts";

/** The last stage that was reached; `undefined` if none is known. */
export function lastStage({ life }: CaseFacts): Stage | undefined {
  return life.findLast(({ how }) => how !== "waiting" && how !== "unknown");
}

export const stageNames: Readonly<Record<StageName, string>> = {
  pending: "pending",
  "pre-confirmed": "pre-confirmed",
  block: "in a block",
  safe: "safe",
  finalized: "finalized",
};

/** Shows the stages of the transaction until it is final, and what is still to come. */
export function lifeSections(facts: CaseFacts): readonly Section[] {
  if (facts.life.length === 0) return [];
  const begun = facts.life.find(({ at }) => at !== undefined)?.at;
  return [
    table(
      facts.life,
      filled(facts.life, [
        { name: "State", of: ({ name }) => ({ text: stageNames[name] }) },
        { name: "When", of: whenShown },
        { name: "After", align: "right", of: (stage) => afterShown(stage, begun) },
        { name: "Source", of: (stage) => ({ text: sourceText(stage, facts) }) },
      ]),
      "Status",
    ),
  ];
}

function whenShown({ how, at }: Stage): Shown {
  if (how === "waiting") return { text: "not yet" };
  if (how === "unknown" || at === undefined) return { text: "not known" };
  const time = timeText(at);
  return { text: how === "before" ? `before ${time}` : time, role: "time", also: [`${Math.round(at)} ms since 1970`] };
}

/** Most nodes give the time of a block in seconds. */
function timeText(at: number): string {
  const ms = BigInt(Math.round(at));
  return ms % 1000n === 0n ? formatTime(ms / 1000n) : formatTimeMs(ms);
}

function afterShown({ how, at }: Stage, begun: number | undefined): Shown {
  if (at === undefined || begun === undefined || at <= begun || how === "before") return { text: "" };
  return { text: formatDuration(at - begun) };
}

function sourceText(stage: Stage, facts: CaseFacts): string {
  const { name, how } = stage;
  if (how === "waiting") return comingText(name, facts);
  if (how === "unknown")
    return name === "pre-confirmed"
      ? "already in a block at the first request"
      : facts.heads.latest === undefined
        ? "the newest block is not known"
        : `the endpoint does not show \`${name}\``;
  if (how === "block")
    return `the time of block ${blockText(facts)}${facts.receiptBy === undefined ? `, from ${headMethod(facts)}` : ""}`;
  if (how === "before") return `already true at the first request, from ${methodOf(name, facts)}`;
  return `seen here, from ${methodOf(name, facts)}`;
}

function headMethod({ headBy = "eth_getBlockByNumber" }: CaseFacts): string {
  return headBy;
}

function methodOf(name: StageName, facts: CaseFacts): string {
  if (name === "pending") return caseMethods.transaction;
  return name === "safe" || name === "finalized" ? `${headMethod(facts)}("${name}")` : shownBy(facts);
}

/** The method whose answer has the block of the transaction. */
function shownBy(facts: CaseFacts): string {
  return facts.receipt === undefined ? caseMethods.transaction : receiptMethod(facts);
}

/** Says what a stage still needs. */
function comingText(name: StageName, facts: CaseFacts): string {
  const { heads, block, place } = facts;
  if (name === "block")
    return place.blockMs === undefined ? "" : `a block comes every ${formatDuration(place.blockMs)}`;
  const head = name === "safe" || name === "finalized" ? heads[name satisfies HeadTag] : undefined;
  if (head === undefined || block === undefined || head >= block.number) return "";
  const missing = block.number - head;
  return `\`${name}\` is block ${grouped(head)}, ${plural(missing, "block")} before it`;
}

function blockText({ block }: CaseFacts): string {
  return block === undefined ? "?" : grouped(block.number);
}

/** Says that a stage was reached, for a person who follows it. */
export function stageMessage({ name, how, at }: Stage, facts: CaseFacts): string {
  const time = at === undefined ? "" : `${timeText(at)}: `;
  const where = name === "block" ? ` ${blockText(facts)}` : "";
  const words = name === "block" ? `in block${where}` : stageNames[name];
  return `${time}${how === "before" ? `${words} already` : capitalized(words)}`;
}
