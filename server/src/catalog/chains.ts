import type { CadenceFact, ChainSpec } from "./spec.ts";

function baseUntil(from: string): readonly CadenceFact[] {
  return [
    { kind: "pre-confirmed", blockMs: 2000, source: "https://docs.base.org/base-chain/flashblocks/overview" },
    { kind: "fast", blockMs: 200, from, source: "https://github.com/base/docs (200ms-blocks.mdx)" },
  ];
}

function preconfirmed(source: string, blockMs: number): readonly CadenceFact[] {
  return [{ kind: "pre-confirmed", blockMs, source }];
}

function ordinary(source: string, blockMs: number): readonly CadenceFact[] {
  return [{ kind: "ordinary", blockMs, source }];
}

const slots = ordinary("https://ethereum.org/en/developers/docs/blocks/", 12_000);
const optimism = preconfirmed("https://docs.chainstack.com/docs/flashblocks-on-optimism", 2000);
const unichain = preconfirmed("https://www.quicknode.com/docs/unichain/flashblocks/overview", 1000);

/**
 * Chains that people meet most.
 * @see https://github.com/ethereum-lists/chains/tree/master/_data/chains (ids, names, short names, currencies, explorers)
 */
export const chains = [
  { id: 1, name: "Ethereum", shortName: "eth", symbol: "ETH", explorer: "https://etherscan.io", cadence: slots },
  {
    id: 10,
    name: "OP Mainnet",
    shortName: "oeth",
    symbol: "ETH",
    explorer: "https://optimistic.etherscan.io",
    cadence: optimism,
  },
  { id: 56, name: "BNB Smart Chain", shortName: "bnb", symbol: "BNB", explorer: "https://bscscan.com" },
  { id: 100, name: "Gnosis", shortName: "gno", symbol: "XDAI", explorer: "https://gnosisscan.io" },
  {
    id: 130,
    name: "Unichain",
    shortName: "unichain",
    symbol: "ETH",
    explorer: "https://uniscan.xyz",
    cadence: unichain,
  },
  { id: 137, name: "Polygon", shortName: "pol", symbol: "POL", explorer: "https://polygonscan.com" },
  { id: 324, name: "ZKsync Era", shortName: "zksync", symbol: "ETH", explorer: "https://explorer.zksync.io" },
  { id: 480, name: "World Chain", shortName: "wc", symbol: "ETH", explorer: "https://worldscan.org" },
  {
    id: 1301,
    name: "Unichain Sepolia",
    shortName: "unichain-sep",
    symbol: "ETH",
    explorer: "https://sepolia.uniscan.xyz",
    testnet: true,
    cadence: unichain,
  },
  { id: 5000, name: "Mantle", shortName: "mantle", symbol: "MNT", explorer: "https://mantlescan.xyz" },
  {
    id: 8453,
    name: "Base",
    shortName: "base",
    symbol: "ETH",
    explorer: "https://basescan.org",
    cadence: baseUntil("2026-11-05T18:00:00Z"),
  },
  {
    id: 17000,
    name: "Holesky",
    shortName: "holesky",
    symbol: "ETH",
    explorer: "https://holesky.etherscan.io",
    testnet: true,
    cadence: slots,
  },
  { id: 31337, name: "local chain (anvil, Hardhat)", symbol: "ETH", testnet: true },
  { id: 42161, name: "Arbitrum One", shortName: "arb1", symbol: "ETH", explorer: "https://arbiscan.io" },
  { id: 42220, name: "Celo", shortName: "celo", symbol: "CELO", explorer: "https://celoscan.io" },
  { id: 43114, name: "Avalanche", shortName: "avax", symbol: "AVAX", explorer: "https://snowtrace.io" },
  { id: 57073, name: "Ink", shortName: "ink", symbol: "ETH", explorer: "https://explorer.inkonchain.com" },
  { id: 59144, name: "Linea", shortName: "linea", symbol: "ETH", explorer: "https://lineascan.build" },
  { id: 81457, name: "Blast", shortName: "blastmainnet", symbol: "ETH", explorer: "https://blastscan.io" },
  {
    id: 84532,
    name: "Base Sepolia",
    shortName: "basesep",
    symbol: "ETH",
    explorer: "https://sepolia.basescan.org",
    testnet: true,
    cadence: baseUntil("2026-10-21T18:00:00Z"),
  },
  {
    id: 421614,
    name: "Arbitrum Sepolia",
    shortName: "arb-sep",
    symbol: "ETH",
    explorer: "https://sepolia.arbiscan.io",
    testnet: true,
  },
  { id: 534352, name: "Scroll", shortName: "scr", symbol: "ETH", explorer: "https://scrollscan.com" },
  {
    id: 560048,
    name: "Hoodi",
    shortName: "hoe",
    symbol: "ETH",
    explorer: "https://hoodi.etherscan.io",
    testnet: true,
    cadence: slots,
  },
  { id: 7777777, name: "Zora", shortName: "zora", symbol: "ETH", explorer: "https://explorer.zora.energy" },
  {
    id: 11155111,
    name: "Sepolia",
    shortName: "sep",
    symbol: "ETH",
    explorer: "https://sepolia.etherscan.io",
    testnet: true,
    cadence: slots,
  },
  {
    id: 11155420,
    name: "OP Sepolia",
    shortName: "opsep",
    symbol: "ETH",
    explorer: "https://optimism-sepolia.blockscout.com",
    testnet: true,
    cadence: optimism,
  },
] as const satisfies readonly ChainSpec[];

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
