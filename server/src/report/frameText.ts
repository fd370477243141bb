import { decodeRevert, revertReason } from "../abi/decodeRevert.ts";
import { isHex, isPrecompile } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import { oneLine } from "../base/text.ts";
import { callShown } from "./call.ts";
import { type CallFrame, hasFailed, isCreation, ranNoCode } from "./callFrames.ts";
import { codeShown, creationShown } from "./code.ts";
import type { Shown } from "./report.ts";
import { returnedShown } from "./returnData.ts";
import { revertText } from "./revertText.ts";
import { partyName } from "./simulatedCall.ts";
import { nothing } from "./table.ts";
import type { ViewContext } from "./view.ts";

/** Names what a call does: the function and its arguments, or the contract that it creates; empty for plain transfers. */
export function frameDoes(frame: CallFrame, context: ViewContext): Shown {
  return doesIn(context)(frame);
}

// The tree and the table show the same calls.
const doesIn = memoByObject((context: ViewContext) =>
  memoByObject((frame: CallFrame): Shown => {
    const { input, to } = frame;
    if (input === undefined || input === null || input === "0x") return nothing;
    return isCreation(frame) ? creationShown(input, context) : callShown(input, context, to);
  }),
);

/** Shows what a call returned; empty if it failed or returned nothing, except that no code ran. */
export function frameReturned(frame: CallFrame, context: ViewContext): Shown {
  return returnedIn(context)(frame);
}

const returnedIn = memoByObject((context: ViewContext) =>
  memoByObject((frame: CallFrame): Shown => {
    const { input, output, to } = frame;
    if (ranNoCode(frame)) return { text: "no code ran" };
    if (hasFailed(frame) || output === undefined || output === null || output === "0x") return nothing;
    if (isCreation(frame)) return codeShown(output, context.labels);
    return returnedShown({ input: input ?? null, to: to ?? null }, output, context);
  }),
);

/** Says why a call failed, by the error of the node and by the revert data. */
export function frameFailure(frame: CallFrame, context: ViewContext): string {
  const { error } = frame;
  const reason = revertedWith(frame, context) || unansweredText(frame, context);
  return oneLine(`${typeof error === "string" ? error : "failed"}${reason === "" ? "" : `: ${reason}`}`);
}

/** Says why a call failed, without the words of the node if there is revert data. */
export function briefFailure(frame: CallFrame, context: ViewContext): string {
  const { error } = frame;
  const reason = revertedWith(frame, context, revertReason);
  if (reason !== "") return oneLine(reason);
  if (typeof error === "string" && !/revert/i.test(error)) return oneLine(error);
  const unanswered = unansweredText(frame, context);
  if (unanswered !== "") return oneLine(unanswered);
  const last = frame.children.at(-1);
  const after = last && ranNoCode(last) ? `, after a call of ${partyName(last.to, context)}, where no code ran` : "";
  return `no reason given${after}`;
}

/** Says that the contract which was called has no such function; empty if that is not known, or not why it failed. */
function unansweredText({ to, input, output, error, children }: CallFrame, { closed }: ViewContext): string {
  const isSilent = (output === undefined || output === null || output === "0x") && /revert/i.test(String(error));
  const layout = isSilent && children.length === 0 && typeof to === "string" && closed?.get(to.toLowerCase());
  const selector = isHex(input) && input.length >= 10 ? input.slice(0, 10).toLowerCase() : "";
  if (!layout || selector === "" || layout.selectors?.has(selector) !== false) return "";
  return `no function of ${layout.contract} has the selector ${selector}, and it has no fallback`;
}

function revertedWith({ output, to, revertReason: said }: CallFrame, context: ViewContext, reasonOf = revertReason) {
  const revert = decodeRevert(output, context.scope, to);
  if (revert.kind !== "none") return revertText(revert, context, to, reasonOf);
  return typeof said === "string" ? said : "";
}

/** Names calls of a trace: `Demo Dollar.transfer`, `new Token`. Equal calls have equal names. */
export function frameNames(context: ViewContext): (frame: CallFrame) => string {
  const parties = new Map<JsonValue | undefined, string>();
  const functions = new Map<string, string>();
  return (frame) => {
    const { input, to, type } = frame;
    const party = parties.get(to) ?? partyName(to, context);
    parties.set(to, party);
    if (isCreation(frame)) return `new ${party === "" ? "contract" : party}`;
    if (type === "SELFDESTRUCT" || type === "REWARD") return `${type.toLowerCase()} ${party}`.trim();
    const hasSelector = typeof to !== "string" || !isPrecompile(to);
    const selector = hasSelector && isHex(input) && input.length >= 10 ? input.slice(0, 10) : "";
    if (selector === "") return party === "" ? "call" : party;
    const key = `${selector} ${String(to)}`;
    const known = functions.get(key) ?? functionName(frame, selector, context);
    functions.set(key, known);
    return party === "" ? known : `${party}.${known}`;
  };
}

function functionName(frame: CallFrame, selector: string, context: ViewContext): string {
  const { role, text } = frameDoes(frame, context);
  return role === "name" ? (text.split("(", 1)[0] ?? text) : selector;
}
