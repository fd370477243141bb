import { randomBytes } from "node:crypto";
import { WebSocket } from "ws";
import type { Chain } from "./chain.ts";
import { member, parse } from "./json.ts";
import { type Criteria, matches } from "./logs.ts";
import { withMilliseconds } from "./milliseconds.ts";
import type { Flashblock } from "./preconfirm.ts";
import type { PreconfirmedTransaction } from "./types.ts";
import { type Call, failure, ok, type Reply, resultOf } from "./wire.ts";

/** The subscriptions of one WebSocket client. */
export interface Subscriptions {
  /** Answers `eth_subscribe` and `eth_unsubscribe`. */
  answer(call: Call): Promise<Reply>;
  close(): void;
}

/** Every notification of a flashblock, as JSON texts. */
type Results = (flashblock: Flashblock) => readonly string[];

/**
 * The three subscriptions of pre-confirmed state, and those of anvil (`newHeads`, `logs`,
 * `newPendingTransactions`), which come from a connection of the client's own.
 *
 * @param send - Takes a whole frame.
 * @param lost - Called when the node's end is gone.
 */
export function createSubscriptions(chain: Chain, send: (text: string) => void, lost: () => void): Subscriptions {
  const ours = new Map<string, { readonly name: unknown; readonly results: Results }>();
  const nodes = new Map<string, unknown>();
  let node: NodeConnection | undefined;
  const stop = chain.preconfirmation.onFlashblock((flashblock) => {
    for (const [id, { name, results }] of ours) {
      if (!isSilent(name)) for (const result of results(flashblock)) send(notification(id, result));
    }
  });

  function isSilent(name: unknown): boolean {
    return chain.player.play.silent.some((one) => one === name);
  }

  /** Passes a notification of the node on when the milliseconds of its block are known. */
  async function passOn(text: string): Promise<void> {
    const params = member(text, "params") ?? "{}";
    const id = member(params, "subscription") ?? "null";
    const raw = member(params, "result") ?? "null";
    await chain.preconfirmation.settled();
    if (isSilent(nodes.get(id))) return;
    send(notification(String(parse(id)), withMilliseconds(raw, chain.preconfirmation.milliseconds)));
  }

  async function subscribe(call: Call): Promise<Reply> {
    const [name] = call.params;
    if (chain.player.play.refused.some((one) => one === name)) return failure(-32602, "invalid params");
    const results = resultsOf(call.params);
    if (results === "invalid") return failure(-32602, "invalid params");
    if (results === undefined) {
      node ??= connect(chain.anvil.host, (text) => void passOn(text).catch(lost), lost);
      const reply = await node.request(call);
      const rawId = resultOf(reply);
      if (rawId !== undefined) nodes.set(rawId, name);
      return reply;
    }
    const id = `0x${randomBytes(16).toString("hex")}`;
    ours.set(id, { name, results });
    return ok(JSON.stringify(id));
  }

  return {
    answer: async (call) => {
      if (call.method === "eth_subscribe") return subscribe(call);
      const known = ours.delete(String(call.params[0]));
      return known || !node ? ok(String(known)) : node.request(call);
    },
    close: () => {
      stop();
      node?.close();
    },
  };
}

function notification(subscription: string, result: string): string {
  return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${subscription}","result":${result}}}`;
}

/** @see https://docs.base.org/base-chain/api-reference/flashblocks-api/flashblocks-api-overview */
function resultsOf([name, option]: readonly unknown[]): Results | "invalid" | undefined {
  switch (name) {
    case "pendingLogs": {
      if (option !== undefined && (typeof option !== "object" || Array.isArray(option))) return "invalid";
      const criteria: Criteria = option ?? {};
      return ({ added }) =>
        added
          .flatMap(({ receipt }) => receipt.logs)
          .filter((log) => matches(log, criteria))
          .map((log) => JSON.stringify(log));
    }
    case "newFlashblocks":
      return ({ state }) => [state.block.text];
    case "newFlashblockTransactions":
      if (option !== undefined && typeof option !== "boolean") return "invalid";
      return ({ added }) => added.map((one) => JSON.stringify(option ? whole(one) : one.transaction.hash));
    default:
      return undefined;
  }
}

/** A transaction with the fields of its receipt. */
function whole({ transaction, receipt }: PreconfirmedTransaction): object {
  const { status, gasUsed, logs, cumulativeGasUsed, effectiveGasPrice, contractAddress } = receipt;
  const outcome = { status, gasUsed, logs, cumulativeGasUsed, effectiveGasPrice, contractAddress };
  return { ...transaction, blockHash: null, ...outcome };
}

interface NodeConnection {
  request(call: Call): Promise<Reply>;
  close(): void;
}

/** Passes notifications on as they are; only answers are taken out, by ids of our own. */
function connect(host: string, send: (text: string) => void, lost: () => void): NodeConnection {
  const socket = new WebSocket(`ws://${host}`);
  const waiting = new Map<number, (reply: Reply) => void>();
  let last = 0;
  const opened = new Promise<void>((resolve) => {
    socket.once("open", resolve);
    socket.once("close", resolve);
  });
  socket.on("message", (data) => {
    const text = String(data);
    const id = parse(member(text, "id") ?? "");
    if (typeof id !== "number") return send(text);
    const error = member(text, "error");
    waiting.get(id)?.(error ? { status: 200, body: `"error":${error}` } : ok(member(text, "result") ?? "null"));
    waiting.delete(id);
  });
  socket.on("close", () => {
    for (const settle of waiting.values()) settle(failure(-32603, "internal error"));
    lost();
  });
  socket.on("error", () => socket.terminate());
  return {
    request: async ({ method, rawParams }) => {
      await opened;
      const id = ++last;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        socket.send(
          `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${rawParams ?? "[]"}}`,
          (fault) => fault && resolve(failure(-32603, "internal error")),
        );
      });
    },
    close: () => socket.terminate(),
  };
}
