/**
 * Hosts of block explorers beside those of `chains`, and the chain that each shows.
 * @see https://github.com/ethereum-lists/chains/tree/master/_data/chains (explorers)
 * @see https://www.blockscout.com/chains-and-projects
 */
export const explorerHosts: ReadonlyMap<string, number> = new Map([
  ["eth.blockscout.com", 1],
  ["ethplorer.io", 1],
  ["beaconcha.in", 1],
  ["optimism.blockscout.com", 10],
  ["explorer.optimism.io", 10],
  ["bsctrace.com", 56],
  ["gnosis.blockscout.com", 100],
  ["unichain.blockscout.com", 130],
  ["polygon.blockscout.com", 137],
  ["zksync.blockscout.com", 324],
  ["era.zksync.network", 324],
  ["worldchain-mainnet.explorer.alchemy.com", 480],
  ["unichain-sepolia.blockscout.com", 1301],
  ["explorer.mantle.xyz", 5000],
  ["base.blockscout.com", 8453],
  ["eth-holesky.blockscout.com", 17000],
  ["arbitrum.blockscout.com", 42161],
  ["celo.blockscout.com", 42220],
  ["snowscan.xyz", 43114],
  ["base-sepolia.blockscout.com", 84532],
  ["arbitrum-sepolia.blockscout.com", 421614],
  ["scroll.blockscout.com", 534352],
  ["eth-hoodi.blockscout.com", 560048],
  ["eth-sepolia.blockscout.com", 11155111],
  ["sepolia-optimism.etherscan.io", 11155420],
]);
