import { quantity } from "../base/hex.ts";
import { isArray, type JsonObject } from "../base/json.ts";
import { listed, oneLine } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { chainText } from "../catalog/catalog.ts";
import { callSections } from "./call.ts";
import { namedByCode } from "./calledLayouts.ts";
import { sourceSections } from "./callTrace.ts";
import { actionText } from "./caseAction.ts";
import { type CaseFacts, caseMethods, hasSucceeded, isInBlock, receiptMethod } from "./caseFacts.ts";
import { lastStage, lifeSections, stageNames } from "./caseLife.ts";
import { gasSections, movementSections, nonceSections } from "./caseParts.ts";
import { failureSections, reasonOf } from "./caseRevert.ts";
import { creationSections } from "./code.ts";
import { guessNote } from "./guessNote.ts";
import { valueMovements } from "./movements.ts";
import { objectSections } from "./object.ts";
import { feeWei } from "./receipts.ts";
import type { HeadlinePart, Section } from "./report.ts";
import { briefText, weiShown } from "./shown.ts";
import { traceSections } from "./trace.ts";
import { answerSection, type View, type ViewContext } from "./view.ts";

/** Shows one transaction: its effects, the reason of a failure, its cost, and its way to finality. */
export function caseView(facts: CaseFacts, context: ViewContext): View {
  const { transaction, receipt } = facts;
  if (!transaction && !receipt) return unknownView(facts);
  const movements = valueMovements(facts, context.scope);
  const done = actionText(facts, movements, context);
  const reason = reasonOf(facts, context);
  const sectionsOf = hasSucceeded(facts) === false ? failedSections : doneSections;
  const sections = sectionsOf(facts, movements, context);
  return {
    summary: oneLine(summaryOf(facts, done, reason), 400),
    headline: headlineOf(facts, done, reason),
    sections: [...sections, ...guessNote(sections)],
  };
}

/** The sections of a transaction that did not fail: what it moved comes first. */
function doneSections(
  facts: CaseFacts,
  movements: ReturnType<typeof valueMovements>,
  context: ViewContext,
): readonly Section[] {
  return [
    ...uncertainNotes(facts),
    ...movementSections(facts, movements, context),
    ...lifeSections(facts),
    ...inputSections(facts, context),
    ...eventSections(facts, context),
    ...gasSections(facts),
    ...nonceSections(facts, context),
    ...callsSections(facts, context),
    ...tracedSections(facts, context),
    ...gapNotes(facts),
    ...rawSections(facts),
  ];
}

/** The sections of a failed transaction: the reason, the calls down to it, and the cost. The rest is folded. */
function failedSections(
  facts: CaseFacts,
  movements: ReturnType<typeof valueMovements>,
  context: ViewContext,
): readonly Section[] {
  const calls = callsSections(facts, context);
  const [tree, rest] = [calls.filter(isTree), calls.filter((section) => !isTree(section))];
  return [
    ...failureSections(facts, context),
    ...tree,
    ...tracedSections(facts, context),
    ...gapNotes(facts),
    ...movementSections(facts, movements, context),
    ...gasSections(facts),
    ...[
      ...lifeSections(facts),
      ...inputSections(facts, context),
      ...nonceSections(facts, context),
      ...rest,
      ...rawSections(facts),
    ].map((section) => ({ ...section, folded: true as const })),
  ];
}

function isTree(section: Section): section is Extract<Section, { readonly kind: "tree" }> {
  return section.kind === "tree";
}

function callsSections({ trace, traced }: CaseFacts, context: ViewContext): readonly Section[] {
  return trace ? traceSections([trace], namedByCode(traced, context)).filter((section) => !isLogTable(section)) : [];
}

function tracedSections({ traced }: CaseFacts, context: ViewContext): readonly Section[] {
  return traced ? sourceSections(traced, context) : [];
}

/** The receipt has the same logs. */
function isLogTable(section: Section): boolean {
  return section.kind === "table" && section.title === "Logs";
}

/** A hash that the endpoint does not know. */
function unknownView(facts: CaseFacts): View {
  const { endpoint, chainId, others } = facts.place;
  const where = chainId === undefined ? endpoint : `${endpoint} (${chainText(chainId)})`;
  const maybe = "It may be pending on another node, dropped, or on another chain.";
  const ask =
    others.length === 0
      ? "The workspace has no other endpoint."
      : `Other endpoints to ask: ${listed(
          others.map((name) => oneLine(name, 60)),
          "or",
        )}.`;
  return {
    summary: oneLine(`not found at ${where}`),
    headline: [{ text: oneLine(`Not found at ${where}`) }],
    sections: [
      { kind: "note", text: `${oneLine(endpoint, 60)} was asked for the transaction and for its receipt. ${maybe}` },
      { kind: "note", text: ask },
      ...gapNotes(facts),
    ],
  };
}

function summaryOf(facts: CaseFacts, done: string, reason: string | undefined): string {
  if (reason !== undefined) return `reverted: ${reason} · ${done}`;
  if (hasSucceeded(facts)) return `succeeded: ${done}`;
  if (isInBlock(facts)) return done;
  return facts.replacement ? `replaced: ${done}` : `pending: ${done}`;
}

function headlineOf(facts: CaseFacts, done: string, reason: string | undefined): readonly HeadlinePart[] {
  const { receipt, replacement } = facts;
  const stage = lastStage(facts);
  const state: readonly HeadlinePart[] =
    stage && receipt
      ? [{ text: stageNames[stage.name], role: stage.name === "pre-confirmed" ? "pending" : "plain" }]
      : [];
  const quiet: HeadlinePart = { text: costText(facts), role: "quiet" };
  if (reason !== undefined)
    return [{ text: `Reverted: ${reason}`, role: "bad" }, { text: done, role: "plain" }, ...state, quiet];
  if (!isInBlock(facts)) {
    const what = replacement ? "Replaced" : "Pending";
    return [{ text: what, role: replacement ? "bad" : "pending" }, { text: done, role: "plain" }, quiet];
  }
  return [{ text: done }, ...state, quiet];
}

function costText({ receipt, transaction }: CaseFacts): string {
  const fee = receipt && feeWei(receipt);
  const number = quantity((receipt ?? transaction)?.blockNumber);
  return [
    ...(number === undefined ? [] : [`block ${grouped(number)}`]),
    ...(receipt && quantity(receipt.gasUsed) !== undefined ? [`${grouped(quantity(receipt.gasUsed) ?? 0n)} gas`] : []),
    ...(fee === undefined ? [] : [`fee ${briefText(weiShown(fee))}`]),
    ...(receipt || quantity(transaction?.nonce) === undefined ? [] : [`nonce ${quantity(transaction?.nonce)}`]),
  ].join(" · ");
}

/** The call data, taken apart. */
function inputSections({ transaction }: CaseFacts, context: ViewContext): readonly Section[] {
  const { input, to } = transaction ?? {};
  if (!transaction || input === undefined || input === null || input === "0x") return [];
  return to === null || to === undefined ? creationSections(input, context) : callSections(input, context, to);
}

function eventSections({ receipt }: CaseFacts, context: ViewContext): readonly Section[] {
  if (!receipt || !isArray(receipt.logs) || receipt.logs.length === 0) return [];
  const { logs } = receipt;
  return objectSections("receipt", { logs }, context).map((section) =>
    section.kind === "table" ? { ...section, title: "Events" } : section,
  );
}

/** Says why it is unknown whether a transaction in a block succeeded. */
function uncertainNotes(facts: CaseFacts): readonly Section[] {
  if (!isInBlock(facts) || hasSucceeded(facts) !== undefined) return [];
  const why = facts.receipt ? "its receipt has no status" : "its receipt is missing";
  return [{ kind: "note", text: `It is unknown whether it succeeded: ${why}.` }];
}

function gapNotes({ gaps }: CaseFacts): readonly Section[] {
  return gaps.map((gap) => ({
    kind: "note",
    text: `${gapText(gap)}${gap.canReplay ? replayHint : ""}`,
    ...(gap.canReplay && { actions: [{ kind: "trace", label: "Run with Calls Inside" }] }),
  }));
}

/** Why the calls inside are not computed at once. */
const replayHint = " Run with Calls Inside (--trace) computes them from its block, with many requests.";

function gapText({ what, method, why }: CaseFacts["gaps"][number]): string {
  return oneLine(`Not known: ${what}, from ${method}. ${why}`, 600);
}

function rawSections(facts: CaseFacts): readonly Section[] {
  const sectionsOf = (object: JsonObject | undefined, method: string): readonly Section[] =>
    object ? [answerSection(object, `Raw JSON of ${method}`)] : [];
  const { transaction, receipt } = facts;
  return [...sectionsOf(transaction, caseMethods.transaction), ...sectionsOf(receipt, receiptMethod(facts))];
}
