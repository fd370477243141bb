import type { TypeSpec } from "./spec.ts";

/**
 * Parameters and results of the methods of development nodes.
 * @see https://github.com/foundry-rs/foundry/blob/master/crates/anvil/core/src/types.rs
 * @see https://hardhat.org/hardhat-network/docs/reference
 */
export const devTypes = {
  done: {
    kind: "union",
    of: ["boolean", "null", "text"],
    summary: "Nothing that matters: `null` from anvil, mostly `true` from Hardhat.",
  },
  timeMoved: {
    kind: "union",
    of: ["integer", "text"],
    summary: "How far the time has been moved in all, in seconds; Hardhat writes it as a string.",
  },
  dropped: {
    kind: "union",
    of: ["hash", "boolean"],
    summary: "The transaction that is gone, or whether there was one.",
  },
  resetOptions: {
    kind: "object",
    open: true,
    summary: "What to start anew from.",
    fields: [{ name: "forking", type: "forking", nullable: true, summary: "The chain to fork." }],
  },
  forking: {
    kind: "object",
    open: true,
    summary: "A chain to fork.",
    fields: [
      { name: "jsonRpcUrl", type: "text", summary: "The address of an endpoint of that chain." },
      { name: "blockNumber", type: "numberOrQuantity", summary: "The block to fork at, else the newest." },
    ],
  },
  reorgTransaction: {
    kind: "union",
    of: ["any[]"],
    summary: "A list of two: the transaction, as a call or signed, and its block, counted from zero.",
  },
} as const satisfies Readonly<Record<string, TypeSpec>>;
