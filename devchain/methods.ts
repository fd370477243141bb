import type { Chain, Role } from "./chain.ts";
import { elements, parse } from "./json.ts";
import { logs } from "./logs.ts";
import { hasTimes, withMilliseconds } from "./milliseconds.ts";
import { faultOf, isAhead, type PlayChange } from "./play.ts";
import { simulate } from "./simulate.ts";
import { placed, seenBy } from "./tags.ts";
import type { Preconfirmed } from "./types.ts";
import { type Call, failure, forward, type Malformed, ok, type Reply, resultOf } from "./wire.ts";

export type Answer = (call: Call, chain: Chain) => Promise<Reply>;
export type Handlers = Readonly<Record<string, Answer>>;

/**
 * Answers calls in order. Calls that anvil answers alone are sent to it together.
 *
 * @param more - Methods that only this client has: subscriptions.
 * @returns A reply a call, at the same index.
 */
export async function answer(
  calls: readonly (Call | Malformed)[],
  chain: Chain,
  role: Role,
  more: Handlers = {},
): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  let plain: Call[] = [];
  const flush = async (): Promise<void> => {
    for (const reply of plain.length > 0 ? await passOn(plain, chain) : []) replies.push(reply);
    plain = [];
  };
  for (const asked of calls) {
    const call = "malformed" in asked ? asked : await placed(asked, chain);
    if ("body" in call) {
      await flush();
      replies.push(call);
      continue;
    }
    const handler = "malformed" in call ? undefined : handlerOf(call.method, role, more);
    if (!("malformed" in call) && !handler) {
      plain.push(call);
      continue;
    }
    await flush();
    if ("malformed" in call) replies.push(call.malformed);
    else if (handler) replies.push(await handler(call, chain));
  }
  await flush();
  return Promise.all(replies.map((reply, i) => asPlayed(calls[i], reply, chain)));
}

/** Asks the chosen node, and adds milliseconds if blocks have them. */
async function asPlayed(call: Call | Malformed | undefined, reply: Reply, chain: Chain): Promise<Reply> {
  if (call === undefined || "malformed" in call) return reply;
  const seen = await seenBy(call, reply, chain);
  const result = hasTimes(call.method) ? resultOf(seen) : undefined;
  return result === undefined ? seen : ok(withMilliseconds(result, chain.preconfirmation.milliseconds));
}

/** `undefined`: the call goes to anvil as it is. */
function handlerOf(method: string, role: Role, more: Handlers): Answer | undefined {
  // the texts and codes of the gateway that the public hosts run (ethereum-optimism/infra, proxyd)
  if (refused(method, role)) return async () => failure(-32601, "rpc method is not whitelisted", 403);
  if (Object.hasOwn(more, method)) return more[method];
  if (Object.hasOwn(own, method)) return own[method];
  return changes.test(method) ? (call, chain) => chain.preconfirmation.change(() => alone(call, chain)) : undefined;
}

/** A pre-confirmed transaction has a receipt before its block is sealed. */
async function passOn(calls: readonly Call[], chain: Chain): Promise<readonly Reply[]> {
  const early = isAhead(chain.player.play) && calls.some(mayBeEarly);
  // asked for first: a block that is sealed meanwhile then has the receipt in one place or the other
  const state = early ? await chain.preconfirmation.current() : undefined;
  const replies = await forward(chain.anvil, calls);
  return replies.map((reply, i) => {
    const call = calls[i];
    const shown = call && state && mayBeEarly(call) ? shownEarly(call, reply, state) : undefined;
    return shown === undefined ? repaired(call?.method ?? "", reply) : ok(shown);
  });
}

function mayBeEarly({ method, params }: Call): boolean {
  return (
    method === "eth_getTransactionReceipt" ||
    method === "eth_getTransactionByHash" ||
    (method === "eth_getBlockByNumber" && params[0] === "pending")
  );
}

/** @returns `undefined`: the node's own answer is as good. */
function shownEarly(call: Call, reply: Reply, { block, transactions }: Preconfirmed): string | undefined {
  if (call.method === "eth_getBlockByNumber") {
    if (call.params[1] === true) return block.text;
    return JSON.stringify({ ...JSON.parse(block.text), transactions: block.transactions.map(({ hash }) => hash) });
  }
  if (resultOf(reply) !== "null") return undefined;
  const hash = String(call.params[0]).toLowerCase();
  const found = transactions.find(({ transaction }) => transaction.hash === hash);
  return found && JSON.stringify(call.method === "eth_getTransactionReceipt" ? found.receipt : found.transaction);
}

/** Whether an endpoint refuses the method: public endpoints have no node methods, accounts or block receipts. */
function refused(method: string, role: Role): boolean {
  return role === "public" && (!/^(eth|net|web3)_/.test(method) || keptBack.test(method));
}

const keptBack = /^eth_(getBlockReceipts$|send(Unsigned)?Transaction|sign)/;

/** Methods after which the pending block may be another one. */
const changes = /^(eth_send|evm_|anvil_|hardhat_|miner_|personal_)/;

const own: Handlers = {
  eth_getLogs: logs,
  eth_simulateV1: simulate,
  eth_getBlockReceipts: blockReceipts,
  eth_sendRawTransactionSync: (call, chain) => sendAndWait("eth_sendRawTransaction", call, chain),
  eth_sendTransactionSync: (call, chain) => sendAndWait("eth_sendTransaction", call, chain),
  evm_mine: mine,
  evm_mine_detailed: mine,
  anvil_mine: mine,
  anvil_mine_detailed: mine,
  hardhat_mine: mine,
  evm_revert: revert,
  anvil_revert: revert,
  evm_increaseTime: increaseTime,
  devchain_play: play,
  devchain_divergences: divergences,
};

async function alone(call: Call, chain: Chain): Promise<Reply> {
  const [reply = failure(-32603, "internal error")] = await passOn([call], chain);
  return reply;
}

async function blockReceipts(call: Call, chain: Chain): Promise<Reply> {
  if (call.params[0] !== "pending" || !isAhead(chain.player.play)) return alone(call, chain);
  const { transactions } = await chain.preconfirmation.current();
  return ok(JSON.stringify(transactions.map(({ receipt }) => receipt)));
}

/** Milliseconds to wait for a receipt, if the request does not say. */
const syncWait = 2000;

/** @see https://eips.ethereum.org/EIPS/eip-7966 */
async function sendAndWait(method: string, call: Call, chain: Chain): Promise<Reply> {
  const [rawTransaction = "null"] = elements(call.rawParams ?? "[]");
  const sending = { ...call, method, params: call.params.slice(0, 1), rawParams: `[${rawTransaction}]` };
  const sent = await chain.preconfirmation.change(() => alone(sending, chain));
  const rawHash = resultOf(sent);
  if (rawHash === undefined) return sent;
  const asking = { ...call, method: "eth_getTransactionReceipt", params: [parse(rawHash)], rawParams: `[${rawHash}]` };
  const wait = Number(call.params[1] ?? syncWait);
  return waited(() => alone(asking, chain), Number.isFinite(wait) ? wait : syncWait, chain, String(parse(rawHash)));
}

/** Asks at once, and after each block until there is something. */
function waited(receipt: () => Promise<Reply>, ms: number, chain: Chain, hash: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const end = (reply: Reply): void => {
      stop();
      clearTimeout(timer);
      resolve(reply);
    };
    const look = (): void => {
      receipt().then((reply) => resultOf(reply) !== "null" && end(reply), reject);
    };
    const stop = chain.preconfirmation.onSeal(look);
    const late = failure(4, `The transaction was added to the mempool but wasn't processed in ${ms} ms.`, 200, hash);
    const timer = setTimeout(() => end(late), ms);
    timer.unref();
    look();
  });
}

async function play(call: Call, chain: Chain): Promise<Reply> {
  const [change = {}] = call.params;
  const fault = faultOf(change);
  if (fault !== undefined) return failure(-32602, fault);
  return ok(JSON.stringify(await chain.preconfirmation.switchTo(change as PlayChange))); // faultOf has read it
}

async function divergences(_call: Call, chain: Chain): Promise<Reply> {
  return ok(JSON.stringify(chain.preconfirmation.divergences));
}

function mine(call: Call, chain: Chain): Promise<Reply> {
  return chain.preconfirmation.seal(() => alone(call, chain));
}

function revert(call: Call, chain: Chain): Promise<Reply> {
  return chain.preconfirmation.revert(() => alone(call, chain));
}

/** The answer is the sum of all shifts, in seconds. */
function increaseTime(call: Call, chain: Chain): Promise<Reply> {
  return chain.preconfirmation.change(async () => {
    const reply = await alone(call, chain);
    const seconds = Number(parse(resultOf(reply) ?? ""));
    if (Number.isFinite(seconds)) chain.preconfirmation.shiftTime(seconds);
    return reply;
  });
}

/** Corrects the answers in which anvil differs from the service. */
function repaired(method: string, reply: Reply): Reply {
  if (reply.body.startsWith('"error":')) return asTheServiceFails(reply);
  if (!method.endsWith("Receipt") && !method.endsWith("Receipts")) return reply;
  // the one number in it that is not a hex string; a quoted text cannot contain unescaped quotes
  const body = reply.body.replace(
    /"blockTimestamp":(\d+)/g,
    (_, time) => `"blockTimestamp":"0x${BigInt(time).toString(16)}"`,
  );
  return { ...reply, body };
}

/** Reverts have code -32000, a fixed message, and their reason only in `data`. */
function asTheServiceFails(reply: Reply): Reply {
  const { code, message, data } = parse(reply.body.slice('"error":'.length)) as Readonly<Record<string, unknown>>; // anvil's
  if (code === 3) {
    return failure(-32000, "execution reverted", 200, typeof data === "string" && data !== "0x" ? data : undefined);
  }
  if (code === -32603 && typeof message === "string" && message.startsWith("EVM error ")) {
    return failure(-32003, message.replace("EVM error ", "EVM error: "));
  }
  return reply;
}
