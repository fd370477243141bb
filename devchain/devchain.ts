import { accounts } from "./accounts.ts";
import { startAnvil } from "./anvil.ts";
import type { Chain } from "./chain.ts";
import { type Contract, type ContractName, contracts } from "./contracts.ts";
import type { Divergence } from "./divergence.ts";
import { historyBlocks, seedHistory, startTraffic } from "./history.ts";
import { initialPlay, type Kind, type Play, type PlayChange } from "./play.ts";
import { createPreconfirmation } from "./preconfirm.ts";
import { type ProxyServer, respond, startProxy } from "./proxy.ts";
import { chainId } from "./traffic.ts";

export interface DevchainOptions {
  /** Where the proxy listens; 0, the default, takes a free port. */
  readonly port?: number;
  /** How new state reaches a client; pre-confirmed by default. {@link Devchain.play} changes it. */
  readonly kind?: Kind;
  /** Milliseconds between two blocks, the kind's own by default (2,000, native 200); 0: only {@link Devchain.seal} makes them. */
  readonly sealEveryMs?: number;
  /** Milliseconds between two refreshes of pre-confirmed state, 200 by default. */
  readonly refreshEveryMs?: number;
  /** Milliseconds between two transactions of the traffic, 400 by default; `false`: none. */
  readonly traffic?: number | false;
  /** The largest `toBlock - fromBlock` of `eth_getLogs`, 2,000 by default. */
  readonly logRange?: number;
}

/** A chain on this machine that answers as the service does, with contracts, history and traffic. */
export interface Devchain {
  /** Everything that a node of one's own offers. */
  readonly url: string;
  readonly wsUrl: string;
  /** Serves only what the service's public endpoints offer: no `eth_getBlockReceipts`, no node methods. */
  readonly publicUrl: string;
  readonly chainId: number;
  readonly accounts: typeof accounts;
  readonly contracts: Readonly<Record<ContractName, Contract>>;
  /** The process id of the node, for tests that check that it has ended. */
  readonly pid: number;
  /** Resolves when the chain has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Seals the pre-confirmed transactions in a block. */
  seal(): Promise<void>;
  /**
   * Plays another kind, or a fault, from now on. `{}` changes nothing. Over the wire: `devchain_play`.
   *
   * @returns All that is played now.
   * @throws {@link DevchainRpcError} for a change that does not exist.
   */
  play(change: PlayChange): Promise<Play>;
  /** Every difference until now between pre-confirmed state and its sealed block. Over the wire: `devchain_divergences`. */
  divergences(): readonly Divergence[];
  /**
   * Sends a request as a client of {@link url} does, without the network.
   *
   * @throws {@link DevchainRpcError} if the answer is an error.
   */
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Ends the node and the endpoint at once: open connections are reset, later ones are refused. */
  killNode(): Promise<void>;
  /** Ends everything; again and again does no harm. */
  stop(): Promise<void>;
}

/** An error answer to {@link Devchain.rpc}. */
export class DevchainRpcError extends Error {
  override readonly name = "DevchainRpcError";
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: { readonly code: number; readonly message: string; readonly data?: unknown }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * Starts the chain: about half a second. The caller stops it; if the caller's process dies, however it dies, the
 * node goes with it.
 *
 * @throws PortTakenError, AnvilError
 */
export async function startDevchain(options: DevchainOptions = {}): Promise<Devchain> {
  const { port = 0, kind = "preconfirmed", refreshEveryMs = 200, traffic = 400, logRange = 2000 } = options;
  const genesisTime = Math.floor(Date.now() / 1000) - 2 * historyBlocks;
  const anvil = await startAnvil({ genesisTime });
  try {
    const steps = await seedHistory(anvil, genesisTime);
    const player = { play: initialPlay(kind, options.sealEveryMs) };
    const preconfirmation = createPreconfirmation(anvil, player, refreshEveryMs);
    const chain: Chain = { anvil, preconfirmation, player, logRange };
    const proxy = await startProxy(chain, port);
    await preconfirmation.start();
    const stopTraffic = traffic === false ? () => undefined : startTraffic(chain, steps, traffic);
    return devchain(chain, proxy, () => {
      stopTraffic();
      preconfirmation.stop();
    });
  } catch (fault) {
    await anvil.kill();
    throw fault;
  }
}

function devchain(chain: Chain, proxy: ProxyServer, stopTimers: () => void): Devchain {
  const { anvil } = chain;
  // a node that ends by itself is as dead as one that was killed
  const gone = anvil.ended.then(async () => {
    stopTimers();
    await proxy.close();
  });
  const end = async (): Promise<void> => {
    stopTimers();
    await anvil.kill();
    await gone;
  };
  return {
    url: `http://${proxy.host}`,
    wsUrl: `ws://${proxy.host}`,
    publicUrl: `http://${proxy.host}/public`,
    chainId,
    accounts,
    contracts,
    pid: anvil.pid,
    ended: gone,
    seal: async () => {
      await ask(chain, "evm_mine", []);
    },
    play: async (change) => (await ask(chain, "devchain_play", [change])) as Play, // its own answer
    divergences: () => chain.preconfirmation.divergences,
    rpc: (method, params = []) => ask(chain, method, params),
    killNode: end,
    stop: end,
  };
}

async function ask(chain: Chain, method: string, params: readonly unknown[]): Promise<unknown> {
  const { text = "null" } = await respond(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), chain, "full");
  const { result, error } = JSON.parse(text);
  if (error) throw new DevchainRpcError(error);
  return result;
}
