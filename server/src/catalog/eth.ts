import { ethBlocks } from "./ethBlocks.ts";
import { ethFees } from "./ethFees.ts";
import { ethFilters } from "./ethFilters.ts";
import { ethNode } from "./ethNode.ts";
import { ethState } from "./ethState.ts";
import { ethSubmit } from "./ethSubmit.ts";
import type { MethodSpec } from "./spec.ts";

/**
 * The `eth_` namespace, what people use most first: the methods of the service, blocks and transactions, fees, sending,
 * filters and subscriptions, and what the node says of itself.
 */
export const eth: readonly MethodSpec[] = [
  ...ethState,
  ...ethBlocks,
  ...ethFees,
  ...ethSubmit,
  ...ethFilters,
  ...ethNode,
];
