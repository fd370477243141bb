import type { ChainSpec } from "./spec.ts";

/**
 * Chains that people meet most.
 * @see https://github.com/ethereum-lists/chains/tree/master/_data/chains (ids, names, currencies, explorers)
 * @see https://docs.base.org/base-chain/api-reference/flashblocks-api/flashblocks-api-overview (pre-confirmed state)
 */
export const chains = [
  { id: 1, name: "Ethereum", symbol: "ETH", explorer: "https://etherscan.io" },
  { id: 10, name: "OP Mainnet", symbol: "ETH", explorer: "https://optimistic.etherscan.io" },
  { id: 56, name: "BNB Smart Chain", symbol: "BNB", explorer: "https://bscscan.com" },
  { id: 100, name: "Gnosis", symbol: "XDAI", explorer: "https://gnosisscan.io" },
  { id: 130, name: "Unichain", symbol: "ETH", explorer: "https://uniscan.xyz" },
  { id: 137, name: "Polygon", symbol: "POL", explorer: "https://polygonscan.com" },
  { id: 324, name: "ZKsync Era", symbol: "ETH", explorer: "https://explorer.zksync.io" },
  { id: 480, name: "World Chain", symbol: "ETH", explorer: "https://worldscan.org" },
  { id: 1301, name: "Unichain Sepolia", symbol: "ETH", explorer: "https://sepolia.uniscan.xyz", testnet: true },
  { id: 5000, name: "Mantle", symbol: "MNT", explorer: "https://mantlescan.xyz" },
  { id: 8453, name: "Base", symbol: "ETH", explorer: "https://basescan.org", preconfirmed: true },
  { id: 17000, name: "Holesky", symbol: "ETH", explorer: "https://holesky.etherscan.io", testnet: true },
  { id: 31337, name: "local chain (anvil, Hardhat)", symbol: "ETH", testnet: true },
  { id: 42161, name: "Arbitrum One", symbol: "ETH", explorer: "https://arbiscan.io" },
  { id: 42220, name: "Celo", symbol: "CELO", explorer: "https://celoscan.io" },
  { id: 43114, name: "Avalanche", symbol: "AVAX", explorer: "https://snowtrace.io" },
  { id: 57073, name: "Ink", symbol: "ETH", explorer: "https://explorer.inkonchain.com" },
  { id: 59144, name: "Linea", symbol: "ETH", explorer: "https://lineascan.build" },
  { id: 81457, name: "Blast", symbol: "ETH", explorer: "https://blastscan.io" },
  {
    id: 84532,
    name: "Base Sepolia",
    symbol: "ETH",
    explorer: "https://sepolia.basescan.org",
    testnet: true,
    preconfirmed: true,
  },
  { id: 421614, name: "Arbitrum Sepolia", symbol: "ETH", explorer: "https://sepolia.arbiscan.io", testnet: true },
  { id: 534352, name: "Scroll", symbol: "ETH", explorer: "https://scrollscan.com" },
  { id: 560048, name: "Hoodi", symbol: "ETH", explorer: "https://hoodi.etherscan.io", testnet: true },
  { id: 7777777, name: "Zora", symbol: "ETH", explorer: "https://explorer.zora.energy" },
  { id: 11155111, name: "Sepolia", symbol: "ETH", explorer: "https://sepolia.etherscan.io", testnet: true },
  {
    id: 11155420,
    name: "OP Sepolia",
    symbol: "ETH",
    explorer: "https://optimism-sepolia.blockscout.com",
    testnet: true,
  },
] as const satisfies readonly ChainSpec[];
