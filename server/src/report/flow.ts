import { quantity, zeroAddress } from "../base/hex.ts";
import { isArray, type JsonValue } from "../base/json.ts";
import { listed } from "../base/text.ts";
import { grouped } from "../base/units.ts";
import { type Transfer, transfersIn } from "./movements.ts";
import type { FlowSection } from "./report.ts";
import { saidText, weiShown } from "./shown.ts";
import { accountName, partyName, type SimulatedCall } from "./simulatedCall.ts";
import { tokenShown } from "./tokens.ts";
import type { ViewContext } from "./view.ts";

/** Movements that a picture has room for. */
const maxMoves = 12;

/** Returns the transfers of value in calls that succeeded; empty if there are none. */
export function flowSections(calls: readonly SimulatedCall[], context: ViewContext): readonly FlowSection[] {
  return flowOf(
    calls.flatMap((call) => transfersOf(call, context)),
    context,
  );
}

/** Draws transfers of amounts; empty if there are none, or too many for a picture. */
export function flowOf(all: readonly Transfer[], context: ViewContext): readonly FlowSection[] {
  const transfers = added(all);
  if (transfers.length === 0 || transfers.length > maxMoves) return [];
  const moves = transfers.map(({ from, to, asset, amount }) => ({
    from: nameOf(from, context),
    to: nameOf(to, context),
    amount: amountText(amount, asset, context),
  }));
  return [{ kind: "flow", moves, balances: balancesOf(transfers, context), text: clausesText(moves, "gives") }];
}

function transfersOf({ call, asked }: SimulatedCall, { scope }: ViewContext): readonly Transfer[] {
  if (call.status === "0x0") return [];
  const logs = isArray(call.logs) ? call.logs : [];
  const logged = logs.flatMap((log) => transfersIn(log, scope)).filter(({ id }) => id === undefined);
  const sent = quantity(asked.value) ?? 0n;
  const isLogged = logged.some(({ asset }) => asset === "");
  const from = lower(asked.from) || zeroAddress; // the sender of a simulated call that names none
  const native = { from, to: lower(asked.to), asset: "", amount: sent };
  return (sent > 0n && !isLogged ? [native, ...logged] : logged).filter(({ amount }) => amount > 0n);
}

/** A contract that a simulation creates has no address. */
function nameOf(address: string, context: ViewContext): string {
  return address === "" ? "a new contract" : accountName(address, context);
}

function lower(address: JsonValue | undefined): string {
  return typeof address === "string" ? address.toLowerCase() : "";
}

/** Adds up what goes the same way. */
function added(transfers: readonly Transfer[]): readonly Transfer[] {
  const sums = new Map<string, Transfer>();
  for (const one of transfers) {
    const key = [one.from, one.to, one.asset].join();
    sums.set(key, { ...one, amount: one.amount + (sums.get(key)?.amount ?? 0n) });
  }
  return [...sums.values()];
}

function balancesOf(transfers: readonly Transfer[], context: ViewContext): readonly string[] {
  const changes = new Map<string, Map<string, bigint>>();
  const change = (who: string, asset: string, amount: bigint): void => {
    const own = changes.get(who) ?? new Map<string, bigint>();
    changes.set(who, own.set(asset, (own.get(asset) ?? 0n) + amount));
  };
  for (const { from, to, asset, amount } of transfers) {
    change(from, asset, -amount);
    change(to, asset, amount);
  }
  return [...changes].map(([who, own]) => {
    const texts = [...own].flatMap(([asset, amount]) =>
      amount === 0n ? [] : [`${amount < 0n ? "−" : "+"}${amountText(amount < 0n ? -amount : amount, asset, context)}`],
    );
    return `${nameOf(who, context)} ${texts.join(" ") || "±0"}`;
  });
}

/** An amount of a token under its symbol, or of a contract of which nothing is known. */
export function amountText(amount: bigint, asset: string, context: ViewContext): string {
  if (asset === "") return saidText(weiShown(amount));
  const token = context.tokens.get(asset);
  return token ? saidText(tokenShown(String(amount), token)) : `${grouped(amount)} of ${partyName(asset, context)}`;
}

/** @example "alice gives bob 1 ether and 2.5 DUSD; bob gives alice 1 WETH" */
export function clausesText(moves: FlowSection["moves"], verb: string): string {
  const amounts = new Map<string, readonly string[]>();
  for (const { from, to, amount } of moves) {
    const clause = `${from} ${verb} ${to}`;
    amounts.set(clause, [...(amounts.get(clause) ?? []), amount]);
  }
  return [...amounts].map(([clause, given]) => `${clause} ${listed(given)}`).join("; ");
}
