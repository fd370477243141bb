/** A transaction in anvil's answers. Quantities are `0x` strings. */
export interface BlockTransaction {
  readonly hash: string;
  readonly type: string;
  readonly from: string;
  /** `null`: a deployment. */
  readonly to: string | null;
  readonly gas: string;
  readonly value: string;
  readonly input: string;
  readonly gasPrice: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
  readonly accessList?: readonly unknown[];
  readonly authorizationList?: readonly unknown[];
}

export interface Block {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly gasLimit: string;
  readonly baseFeePerGas: string;
  readonly miner: string;
  /** Whole transactions if the block was requested with them. */
  readonly transactions: readonly BlockTransaction[];
  /** The block as the node wrote it. */
  readonly text: string;
}

/** The part of a sealed block that the chain needs to go on. */
export interface SealedBlock {
  readonly number: string;
  readonly hash: string;
  readonly timestamp: string;
  /** Hashes. */
  readonly transactions: readonly string[];
}

export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  /** `null` until the block is sealed. */
  readonly blockHash: string | null;
  readonly blockNumber: string;
  readonly blockTimestamp: string;
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
  readonly removed: boolean;
}

export interface Receipt {
  readonly transactionHash: string;
  readonly status: string;
  readonly gasUsed: string;
  readonly logs: readonly Log[];
  readonly [field: string]: unknown;
}

export interface PreconfirmedTransaction {
  readonly transaction: BlockTransaction;
  readonly receipt: Receipt;
}

/** A block before it is sealed. */
export interface Preconfirmed {
  readonly block: Block;
  /** In the block's order. */
  readonly transactions: readonly PreconfirmedTransaction[];
}
