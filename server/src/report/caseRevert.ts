import { decodeRevert } from "../abi/decodeRevert.ts";
import { quantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { namedByCode } from "./calledLayouts.ts";
import { type CallFrame, callFrames, revertPath } from "./callFrames.ts";
import { type CaseFacts, hasSucceeded, receiptMethod, traceSource } from "./caseFacts.ts";
import { tracedReason } from "./failurePaths.ts";
import type { Field, Section } from "./report.ts";
import { revertText, unknownErrorTodo } from "./revertText.ts";
import type { ViewContext } from "./view.ts";

/** The calls down to that in which the revert of a case began; empty without a trace. */
export function revertPathOf({ trace }: CaseFacts): readonly CallFrame[] {
  return trace ? revertPath(callFrames([trace]).roots[0]) : [];
}

/** Returns why a transaction failed, in one line; `undefined` for one that did not. */
export function reasonOf(facts: CaseFacts, context: ViewContext): string | undefined {
  if (hasSucceeded(facts) !== false) return undefined;
  const traced = tracedReason(revertPathOf(facts), namedByCode(facts.traced, context));
  if (traced !== undefined) return traced;
  const { reread, transaction } = facts;
  if (!reread || reread.succeeded) return "the reason is not known";
  return rereadReason(reread, transaction?.to, context);
}

function rereadReason(
  { revertData, message }: NonNullable<CaseFacts["reread"]>,
  to: JsonValue | undefined,
  context: ViewContext,
): string {
  if (revertData === undefined || revertData === "0x") return oneLine(message, 200) || "no reason given";
  return oneLine(revertText(decodeRevert(revertData, context.scope, to), context, to));
}

/** Shows why a transaction failed. The tree of its calls shows where. What the headline says already is folded. */
export function failureSections(facts: CaseFacts, context: ViewContext): readonly Section[] {
  const { trace, reread } = facts;
  if (hasSucceeded(facts) !== false) return [];
  const reason: Field = {
    name: "reason",
    value: { text: reasonOf(facts, context) ?? "", role: "bad", also: [sourceOf(facts)] },
  };
  const data = revertPathOf(facts).at(-1)?.output ?? reread?.revertData;
  const more = gasField(facts);
  return [
    {
      kind: "fields",
      title: "Reverted",
      fields: [reason, ...more],
      ...(trace && more.length === 0 && { folded: true }),
    },
    ...unknownErrorNote(data, facts.transaction?.to, context),
    ...(!trace && reread ? [{ kind: "note" as const, text: rereadNote(reread) }] : []),
  ];
}

/** What to do if the error is in no known ABI. */
function unknownErrorNote(
  data: JsonValue | undefined,
  to: JsonValue | undefined,
  { scope }: ViewContext,
): readonly Section[] {
  const revert = decodeRevert(data, scope, to);
  if (revert.kind !== "unknown") return [];
  return [{ kind: "note", text: `No known ABI declares the error ${revert.selector}. ${unknownErrorTodo}` }];
}

function sourceOf(facts: CaseFacts): string {
  const { trace, reread } = facts;
  if (trace) return `from ${traceSource(facts)}`;
  return reread ? `from ${reread.method} at block ${grouped(reread.block)}` : `from ${receiptMethod(facts)}`;
}

function rereadNote({ method, block, succeeded }: NonNullable<CaseFacts["reread"]>): string {
  const how = `Read again with ${method} at the block before, ${grouped(block)}, without the other transactions of its block.`;
  return succeeded ? `${how} The call does not fail there, so the reason is in its own block.` : how;
}

/** A call that used all gas often failed because of that. */
function gasField(facts: CaseFacts): readonly Field[] {
  const { receipt, transaction } = facts;
  const [used, limit] = [quantity(receipt?.gasUsed), quantity(transaction?.gas)];
  if (used === undefined || limit === undefined || used < limit) return [];
  return [{ name: "gas", value: { text: "all of the limit was used", also: [`from ${receiptMethod(facts)}`] } }];
}
