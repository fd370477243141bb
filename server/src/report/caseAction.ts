import { decodeLog } from "../abi/decodeLog.ts";
import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import { callShown } from "./call.ts";
import { type CaseFacts, hasSucceeded, isInBlock } from "./caseFacts.ts";
import { creationShown } from "./code.ts";
import { amountText, clausesText } from "./flow.ts";
import type { Transfer, ValueMovement } from "./movements.ts";
import { abiShown, briefText, saidText, weiShown } from "./shown.ts";
import { accountName, delegationsText, partyName } from "./simulatedCall.ts";
import { tokenAddress, tokenShown } from "./tokens.ts";
import { depositName } from "./value.ts";
import type { ViewContext } from "./view.ts";

/** Movements that the sentence names. */
const maxNamed = 3;
/** Logs among which approvals are looked for. */
const maxLogs = 50;

/**
 * Says in one sentence what a transaction did, or would do: `alice sent bob 2.5 DUSD`.
 *
 * @param movements - Of one that failed, they are not what it did.
 */
export function actionText(facts: CaseFacts, movements: readonly ValueMovement[], context: ViewContext): string {
  const { transaction, receipt } = facts;
  const from = partyName((transaction ?? receipt)?.from, context) || "someone";
  const deposit = transaction === undefined ? undefined : depositName(transaction);
  const kind = deposit === undefined ? "" : `${deposit}: `;
  const moved = movements.length > 0 && hasSucceeded(facts) ? movementsText(movements, context) : undefined;
  const done = moved ?? approvalsText(facts, context) ?? callText(facts, from, context);
  const delegations = delegationsText(transaction, context);
  return oneLine(`${kind}${done}${delegations === "" ? "" : `, ${delegations}`}`, 300);
}

function movementsText(movements: readonly ValueMovement[], context: ViewContext): string {
  const moves = movements.slice(0, maxNamed).map((moved) => ({
    from: accountName(moved.from, context),
    to: accountName(moved.to, context),
    amount: movedText(moved, context),
  }));
  const left = movements.length - maxNamed;
  return `${clausesText(moves, "sent")}${left > 0 ? `; ${plural(left, "more movement")}` : ""}`;
}

/** An amount, or an item of a collection: `2.5 DUSD`, `#7 of 0x5FbD…0aa3`. */
function movedText({ asset, amount, id }: Transfer, context: ViewContext): string {
  if (id === undefined) return amountText(amount, asset, context);
  return `${itemText(amount, id)} of ${partyName(asset, context)}`;
}

/** @example "#7", "2 × #7" */
export function itemText(amount: bigint, id: bigint): string {
  return `${amount === 1n ? "" : `${amount} × `}#${id}`;
}

/** `alice allowed bob to spend 100 DUSD`. */
function approvalsText(facts: CaseFacts, context: ViewContext): string | undefined {
  const { receipt } = facts;
  const logs = hasSucceeded(facts) && isArray(receipt?.logs) ? receipt.logs.slice(0, maxLogs) : [];
  const [log, ...others] = logs.flatMap((one) => {
    const event = decodeLog(one, context.scope);
    const isOne = event?.signature === "Approval(address,address,uint256)" && event.faults.length === 0;
    return isOne && event.args[2]?.indexed === false && isObject(one) ? [{ one, event }] : [];
  });
  if (!log || others.length > 0) return undefined;
  const values = log.event.args.map(({ value }) => value);
  const [owner, spender, amount] = values;
  const address = tokenAddress({ kind: "event", signature: log.event.signature, values, self: log.one.address }, 2);
  const token = context.tokens.get(address ?? "");
  const shown =
    token && typeof amount === "string"
      ? saidText(tokenShown(amount, token, log.event.signature))
      : `${abiShown(amount, "uint256", context.labels).text} of ${partyName(log.one.address, context)}`;
  return `${partyName(owner, context)} allowed ${partyName(spender, context)} to spend ${shown}`;
}

function callText(facts: CaseFacts, from: string, context: ViewContext): string {
  const { transaction, receipt } = facts;
  const done = hasSucceeded(facts);
  const aim = done === false ? "tried" : isInBlock(facts) ? "wanted" : "wants";
  const verb = (past: string, future: string): string => (done ? past : `${aim} to ${future}`);
  if (!transaction) {
    if (receipt?.to === undefined) return done ? "what it did is unknown" : "what it tried is unknown";
    return `${from} ${verb("called", "call")} ${partyName(receipt.to, context) || "a new contract"}`;
  }
  const { to, input, value } = transaction;
  const sent = quantity(value) ? ` with ${saidText(weiShown(quantity(value) ?? 0n))}` : "";
  if (to === null || to === undefined)
    return `${from} ${verb("created", "create")} ${createdText(receipt, input ?? null, context)}${sent}`;
  const target = partyName(to, context);
  if (input === undefined || input === null || input === "0x")
    return `${from} ${verb("sent", "send")} ${target} ${quantity(value) ? saidText(weiShown(quantity(value) ?? 0n)) : "nothing"}`;
  return `${from} ${verb("called", "call")} ${briefText(callShown(input, context, to))} of ${target}${sent}`;
}

function createdText(
  receipt: JsonObject | undefined,
  input: Parameters<typeof creationShown>[0],
  context: ViewContext,
): string {
  const made = partyName(receipt?.contractAddress, context);
  return made === "" ? briefText(creationShown(input, context)) : `contract ${made}`;
}
