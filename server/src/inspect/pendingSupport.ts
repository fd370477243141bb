/** Methods that a probe asks at `pending`. */
export const pendingMethods = [
  "eth_getBalance",
  "eth_getTransactionCount",
  "eth_call",
  "eth_estimateGas",
  "eth_simulateV1",
  "eth_getStorageAt",
  "eth_getCode",
  "eth_getLogs",
  "eth_getBlockReceipts",
] as const;
export type PendingMethod = (typeof pendingMethods)[number];

/** A method's support for `pending`. */
export interface PendingSupport {
  /**
   * - `ahead`: a state that `latest` did not show, neither before nor after.
   * - `same`: the state of `latest`, while a transaction was pending.
   * - `refused`: an error.
   * - `unknown`: nothing happened that shows which.
   */
  readonly status: "ahead" | "same" | "refused" | "unknown";
  /** The evidence, or why there is none; a clause. */
  readonly how: string;
}

/** Whether an endpoint supports something: `undefined` if that is not known. */
export interface Support {
  readonly is: boolean | undefined;
  /** In what way, or why not; a clause. */
  readonly why: string;
}
