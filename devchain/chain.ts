import type { Anvil } from "./anvil.ts";
import type { NodePlay, Player } from "./play.ts";
import type { Preconfirmation } from "./preconfirm.ts";

/** A chain that answers requests: the node, the block that is being built on it, and the limits of the service. */
export interface Chain {
  readonly anvil: Anvil;
  readonly preconfirmation: Preconfirmation;
  readonly player: Player;
  /** The node that a load balancer chose for this request; the first one by default. */
  readonly node?: NodePlay;
  /** The largest `toBlock - fromBlock` of `eth_getLogs`. */
  readonly logRange: number;
}

/** `full`: your own node. `public`: the service's public endpoints, which refuse the methods that a gateway blocks. */
export type Role = "full" | "public";
