/**
 * Chains of the OP Stack, where a transaction also pays for its data on layer 1.
 * @see https://github.com/ethereum-optimism/superchain-registry/blob/main/chainList.json
 */
const opStackChains: ReadonlySet<bigint> = new Set([
  10n, // OP Mainnet
  130n, // Unichain
  480n, // World Chain
  1301n, // Unichain Sepolia
  8453n, // Base
  57073n, // Ink
  84532n, // Base Sepolia
  7777777n, // Zora
  11155420n, // OP Sepolia
]);

export function isOpStack(chainId: bigint): boolean {
  return opStackChains.has(chainId);
}
