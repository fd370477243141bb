import { createCustomCommon, Mainnet } from "@ethereumjs/common";
import { type EVM, type ExecResult, NobleBN254 } from "@ethereumjs/evm";
import { Account, createAddressFromString, hexToBytes } from "@ethereumjs/util";
import { fromBytes, toBytes, toQuantity, toWord } from "../base/hex.ts";
import { isArray, isObject, type JsonObject } from "../base/json.ts";
import { CorrectedEvm } from "./correctedEvm.ts";
import { intrinsicGas } from "./intrinsicGas.ts";
import { CallRecorder } from "./recorder.ts";
import { authorize, settle } from "./settlement.ts";
import { OverlaidState, TraceEnd } from "./state.ts";
import type { Answer, BlockFacts, CallRules, CallTrace, Change, KnownState, Task, Trace, TracedCall } from "./task.ts";

/** Runs calls over state that was read, as a node does for `debug_traceCall`. Never rejects. */
export async function traceCall(task: Task, known: KnownState, running?: (steps: number) => void): Promise<Answer> {
  const state = new OverlaidState(known, task.limits);
  try {
    const trace = await run(task, state, running);
    if (state.needs) return { kind: "missing", needs: state.needs };
    return typeof trace === "string" ? { kind: "refused", why: trace } : { kind: "traced", trace };
  } catch (error) {
    if (state.needs) return { kind: "missing", needs: state.needs };
    return { kind: "refused", why: whyOf(error) };
  }
}

function whyOf(error: unknown): string {
  if (error instanceof TraceEnd && error.why !== undefined) return error.why;
  const message = error instanceof Error ? error.message : "";
  return /kzg/i.test(message) ? "it checks a KZG proof" : "the local EVM failed";
}

/** @returns Why it cannot be computed, as a clause. */
async function run(
  { calls, target, ...task }: Task,
  state: OverlaidState,
  running: ((steps: number) => void) | undefined,
): Promise<Trace | string> {
  const recorder = new CallRecorder(task.limits, { creating: (address) => state.useNonce(address), running });
  const traces: CallTrace[] = [];
  let changes: readonly Change[] | undefined;
  for (const [at, call] of calls.entries()) {
    state.beginCall();
    const evm = evmFor(task, state);
    recorder.attach(evm, target === undefined || target === at);
    const trace = await runCall(call, task, { evm, state, recorder });
    if (typeof trace === "string") return trace;
    traces.push(trace);
    if (target === at) changes = state.changesOfCall;
  }
  const { steps, readsBlock, hashed } = recorder;
  const codes = state.codesOf(
    (target === undefined ? traces : traces.slice(target, target + 1)).flatMap(({ call }) => called(call)),
  );
  const touched = target === undefined ? { accounts: [], slots: [] } : state.touched;
  return {
    calls: traces,
    changes: changes ?? state.changes,
    touched,
    used: state.used,
    hashed,
    codes,
    steps,
    readsBlock,
  };
}

/** The addresses that a call and those inside it call. */
function called({ to, calls }: JsonObject): readonly string[] {
  const inside = isArray(calls) ? calls.flatMap((one) => (isObject(one) ? called(one) : [])) : [];
  return typeof to === "string" ? [to.toLowerCase(), ...inside] : inside;
}

/** @see https://eips.ethereum.org/EIPS/eip-4844 (GAS_PER_BLOB) */
const gasOfBlob = 131_072n;

interface Machine {
  readonly evm: EVM;
  readonly state: OverlaidState;
  readonly recorder: CallRecorder;
}

async function runCall(
  call: TracedCall,
  { block, fork, chainId }: CallRules,
  { evm, state, recorder }: Machine,
): Promise<CallTrace | string> {
  const { intrinsic, floor } = intrinsicGas(call, fork);
  if (call.gas < intrinsic || call.gas < floor) return "its gas is less than what every such call costs";
  const { mined } = call;
  const from = createAddressFromString(call.from);
  const to = call.to === undefined ? undefined : createAddressFromString(call.to);
  const blobs = mined?.blobs ?? [];
  const paid = call.gas * call.gasPrice + gasOfBlob * BigInt(blobs.length) * block.blobBaseFee;
  const account = (await state.getAccount(from)) ?? new Account();
  if (account.balance < paid + call.value) return "its sender cannot pay for it";
  account.balance -= paid;
  if (mined) account.nonce = mined.nonce + 1n;
  await state.putAccount(from, account);
  warm(evm, call, block);
  const refunded = mined ? await authorize(mined, chainId, { evm, state }) : 0n;
  const { execResult } = await evm.runCall({
    block: { header: headerOf(block) },
    caller: from,
    origin: from,
    ...(to && { to }),
    data: toBytes(call.data),
    value: call.value,
    gasPrice: call.gasPrice,
    gasLimit: call.gas - intrinsic,
    skipNonceIncrement: mined !== undefined,
    blobVersionedHashes: [...blobs],
  });
  const used = intrinsic + execResult.executionGasUsed;
  const refund = min((execResult.gasRefund ?? 0n) + refunded, used / 5n); // EIP-3529
  const gasUsed = max(used - refund, floor);
  if (mined) await settle(call, { gasUsed, tip: mined.tip, coinbase: block.coinbase }, state);
  await removeDestroyed(execResult, state);
  const { root, reads } = recorder.takeRoot();
  const { output } = root ?? {};
  return {
    call: root ? { ...root, gas: toQuantity(call.gas), gasUsed: toQuantity(gasUsed) } : {},
    succeeded: execResult.exceptionError === undefined,
    output: typeof output === "string" ? output : "0x",
    gasUsed,
    reads,
    logs: (execResult.logs ?? []).map(([address, topics, data]) => ({
      address: fromBytes(address),
      topics: topics.map((topic) => fromBytes(topic)),
      data: fromBytes(data),
    })),
  };
}

function evmFor({ chainId, fork }: CallRules, state: OverlaidState): EVM {
  const common = createCustomCommon({ chainId: Number(chainId) }, Mainnet, { hardfork: fork });
  const blockchain = {
    getBlock: async (number: number) => ({ hash: () => state.blockHash(BigInt(number)) }),
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  };
  return new CorrectedEvm({ common, stateManager: state, blockchain, bn254: new NobleBN254() });
}

/** Makes cheap what a call reads for less: EIP-2929, EIP-2930, EIP-3651. */
function warm({ journal, precompiles }: EVM, { from, to, accessList }: TracedCall, { coinbase }: BlockFacts): void {
  for (const address of [from, ...(to === undefined ? [] : [to]), coinbase, ...precompiles.keys()])
    journal.addAlwaysWarmAddress(address);
  for (const { address, slots } of accessList) {
    journal.addAlwaysWarmAddress(address);
    for (const slot of slots) journal.addAlwaysWarmSlot(address, slot);
  }
}

/** Since EIP-6780, only contracts that were created in the same call disappear. */
async function removeDestroyed({ selfdestruct, createdAddresses }: ExecResult, state: OverlaidState): Promise<void> {
  for (const address of selfdestruct?.keys() ?? [])
    if (createdAddresses?.has(address)) await state.deleteAccount(createAddressFromString(address));
}

function headerOf({ number, time, coinbase, prevRandao, gasLimit, baseFee, blobBaseFee }: BlockFacts) {
  return {
    number,
    timestamp: time,
    coinbase: createAddressFromString(coinbase),
    difficulty: 0n,
    prevRandao: hexToBytes(toWord(BigInt(prevRandao))),
    gasLimit,
    baseFeePerGas: baseFee,
    slotNumber: 0n,
    getBlobGasPrice: () => blobBaseFee,
  };
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
