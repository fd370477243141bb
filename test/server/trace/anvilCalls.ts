import { type Anvil, ask } from "../../../devchain/anvil.ts";
import type { JsonObject, JsonValue } from "../../../server/src/base/json.ts";
import { blockProbe, readBlockProbe } from "../../../server/src/trace/blockProbe.ts";
import {
  type Answer,
  type BlockFacts,
  type Fork,
  type KnownState,
  type Needs,
  slotKey,
  type Trace,
  type TracedCall,
  usualLimits,
} from "../../../server/src/trace/task.ts";
import { traceCall } from "../../../server/src/trace/traceCall.ts";
import { callable, payer, type RandomCall } from "../../support/randomCalls.ts";

/** Puts the contracts of a call into a chain. */
export async function deploy(anvil: Pick<Anvil, "post">, { codes }: RandomCall): Promise<void> {
  await Promise.all([
    ...callable.flatMap((address, at) => [
      ask(anvil, "anvil_setCode", [address, codes[at]]),
      ask(anvil, "anvil_setBalance", [address, at === 0 ? "0x64" : "0x0"]),
      ask(anvil, "anvil_setNonce", [address, "0x1"]),
      ask(anvil, "anvil_setStorageAt", [address, "0x1", `0x${"1".padStart(64, "0")}`]),
      ask(anvil, "anvil_setStorageAt", [address, "0x2", `0x${"0".padStart(64, "0")}`]),
    ]),
    ask(anvil, "anvil_setBalance", [payer, "0x56bc75e2d63100000"]),
  ]);
}

export function tracedCall({ from, to, data, value, gas }: RandomCall): TracedCall {
  return { from, to, data, value, gas, gasPrice: 0n, accessList: [] };
}

export function request({ from, to, data, value, gas }: RandomCall) {
  return {
    from,
    ...(to !== undefined && { to }),
    data,
    value: `0x${value.toString(16)}`,
    gas: `0x${gas.toString(16)}`,
  };
}

/** What a call at the newest block can read of it, and the rules of the chain. */
export async function probed(anvil: Anvil): Promise<{ readonly block: BlockFacts; readonly fork: Fork | undefined }> {
  const found = readBlockProbe(await ask<string>(anvil, "eth_call", [{ data: blockProbe }, "latest"]));
  if (!found) throw new Error("The chain does not answer as an EVM does.");
  return found;
}

/** Traces a call, and reads what it needs in rounds. */
export async function traceLocally(
  anvil: Anvil,
  call: TracedCall,
  block: BlockFacts,
  fork: Fork,
  limits = usualLimits,
): Promise<{ readonly answer: Answer; readonly rounds: number }> {
  const known = { accounts: new Map(), slots: new Map(), hashes: new Map() } as {
    -readonly [Key in keyof KnownState]: Map<unknown, unknown>;
  } & KnownState;
  for (let rounds = 0; ; rounds++) {
    const answer = await traceCall({ calls: [call], block, chainId: 31337n, fork, limits }, known);
    if (answer.kind !== "missing") return { answer, rounds };
    await read(anvil, answer.needs, known);
  }
}

async function read(
  anvil: Anvil,
  { accounts, slots, hashes }: Needs,
  known: Record<keyof KnownState, Map<unknown, unknown>>,
) {
  await Promise.all([
    ...accounts.map(async (address) => {
      const [balance = "", nonce = "", code = ""] = await Promise.all(
        ["eth_getBalance", "eth_getTransactionCount", "eth_getCode"].map((method) =>
          ask<string>(anvil, method, [address, "latest"]),
        ),
      );
      known.accounts.set(address, { balance: BigInt(balance), nonce: BigInt(nonce), code });
    }),
    ...slots.map(async (one) =>
      known.slots.set(slotKey(one), await ask(anvil, "eth_getStorageAt", [one.address, one.slot, "latest"])),
    ),
    ...hashes.map(async (number) => {
      const block = await ask<Record<string, string>>(anvil, "eth_getBlockByNumber", [
        `0x${number.toString(16)}`,
        false,
      ]);
      known.hashes.set(number, block.hash);
    }),
  ]);
}

/** What both traces must agree on, as lines. */
export function lines(call: JsonObject, isRoot = true, depth = 0): readonly string[] {
  const { type, from, to, value, gas, gasUsed, input, output, error, logs = [], calls = [] } = call;
  const failed = error !== undefined;
  const own = [
    type,
    `from ${from}`,
    `to ${failed && String(type).startsWith("CREATE") ? "" : to}`,
    `value ${BigInt(String(value ?? 0))}`,
    `gas ${isRoot ? "" : BigInt(String(gas))}`,
    `used ${BigInt(String(gasUsed))}`,
    `in ${input}`,
    `out ${failed && error !== "execution reverted" ? "" : (output ?? "0x")}`,
    failed ? `failed: ${reasonOf(String(error))}` : "ok",
  ];
  const logged = (failed && isRoot ? [] : (logs as readonly JsonObject[])).map(
    ({ address, topics, data, position }) => `log ${address} ${topics} ${data} at ${BigInt(String(position ?? 0))}`,
  );
  const inner = (calls as readonly JsonObject[]).flatMap((one) => lines(one, false, depth + 1));
  return [`${"  ".repeat(depth)}${own.join(" ")}`, ...logged, ...inner];
}

/** The reason of a failure in one word: nodes have other words for it than the local EVM. */
function reasonOf(error: string): string {
  return reasons.find(([, form]) => form.test(error))?.[0] ?? error;
}

const reasons = [
  ["revert", /^execution reverted$/],
  ["gas", /out of gas/],
  ["static", /^write protection$|^StateChangeDuringStaticCall$|^CallNotAllowedInsideStatic$/],
  ["instruction", /^invalid opcode|^NotActivated$/],
  ["stack", /^stack underflow$|^StackUnderflow$|^Out of stack$/],
  ["jump", /^invalid jump destination$/],
  ["returned", /^return data out of bounds$|^OutOfOffset$/],
  ["precompile", /^precompiled (?:contract )?failed$|^invalid input length$|^invalid final flag$/],
  ["collision", /^contract address collision$|^CreateCollision$/],
  ["code", /^invalid code: must not begin with 0xef$|^CreateContractStartingWithEF$/],
] as const;

/**
 * Lines of anvil, with ours in place of those that differ for a known reason. It names a wrong party, or none, if a contract gives
 * to itself. If there is not enough gas for something that is not allowed either, each of the two may be the reason.
 */
export function corrected(theirs: readonly string[], ours: readonly string[]): readonly string[] {
  return theirs.map((line, at) => {
    const own = ours[at] ?? "";
    const isToItself = line.trim().startsWith("SELFDESTRUCT") && /SELFDESTRUCT from (\S+) to \1 /.test(own);
    const [before, reason] = line.split(" failed: ");
    const [ownBefore, ownReason] = own.split(" failed: ");
    const isEither = before === ownBefore && reason !== "revert" && ownReason !== "revert";
    return isToItself || (isEither && (reason === "gas" || ownReason === "gas")) ? own : line;
  });
}

/** Storage that differs after a call, as lines. */
export function changedSlots(trace: Trace): readonly string[] {
  return trace.changes.map(({ address, slot, after }) => `${address} ${slot} ${after}`).sort();
}

/** The same from `prestateTracer` with `diffMode`. */
export function changedBy({ pre, post }: JsonObject): readonly string[] {
  const before = storages(pre);
  const after = storages(post);
  const keys = new Set([...before.keys(), ...after.keys()]);
  const zero = `0x${"0".repeat(64)}`;
  return [...keys]
    .filter((key) => (before.get(key) ?? zero) !== (after.get(key) ?? zero))
    .map((key) => `${key} ${after.get(key) ?? zero}`)
    .sort();
}

function storages(accounts: JsonValue | undefined): ReadonlyMap<string, string> {
  const found = Object.entries((accounts ?? {}) as Readonly<Record<string, JsonObject>>);
  return new Map(
    found.flatMap(([address, { storage = {} }]) =>
      Object.entries(storage as JsonObject).map(([slot, value]) => [`${address} ${slot}`, String(value)] as const),
    ),
  );
}
