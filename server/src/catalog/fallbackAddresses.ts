/** Addresses for new requests in a notebook without named ones. Each has an account or a contract on its chain. */
export interface FallbackAddresses {
  readonly account: string;
  readonly recipient: string;
  /** A token. */
  readonly contract: string;
}

/**
 * The first two development accounts of anvil and Hardhat.
 * @see https://hardhat.org/hardhat-network/docs/reference#initial-state
 */
const accounts = {
  account: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
} as const;

/**
 * The wrapped native currency on chains of the OP Stack.
 * @see https://specs.optimism.io/protocol/predeploys.html
 */
const predeployedWeth = "0x4200000000000000000000000000000000000006";

/**
 * The wrapped native currency of a chain, by its id.
 * @see https://docs.uniswap.org/contracts/v3/reference/deployments/
 */
const wrapped: ReadonlyMap<number, string> = new Map([
  [1, "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"],
  [56, "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c"],
  [137, "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270"],
  [42161, "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1"],
  [11155111, "0xfFf9976782d46CC05630D1f6eBAb18b2324d6B14"],
  // The first contract that the first development account of anvil and Hardhat deploys always has this address.
  [31337, "0x5FbDB2315678afecb367f032d93F642f64180aa3"],
]);

/** Returns the addresses that fit a chain; `undefined` is a chain that is not known yet. */
export function fallbackAddresses(chainId: bigint | undefined): FallbackAddresses {
  return { ...accounts, contract: wrapped.get(Number(chainId ?? 0n)) ?? predeployedWeth };
}
