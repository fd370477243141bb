import { isPrecompile } from "../base/hex.ts";

/** An address that means the same on every chain where something is there. */
interface ContractSpec {
  /** With its checksum; of precompiles in lower case. */
  readonly address: string;
  /** A word or two, as people call it. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  readonly source: string;
}

const eip = (number: number): string => `https://eips.ethereum.org/EIPS/eip-${number}`;
const yellowPaper = "https://ethereum.github.io/yellowpaper/paper.pdf";
const predeploys = "https://specs.optimism.io/protocol/predeploys.html";
const entryPoint = "https://github.com/eth-infinitism/account-abstraction/releases";

function precompile(number: number, name: string, does: string, source: string): ContractSpec {
  const address = `0x${number.toString(16).padStart(40, "0")}`;
  return { address, name, summary: `A contract that is part of the EVM: ${does}`, source };
}

function predeploy(address: string, name: string, does: string): ContractSpec {
  return { address, name, summary: `On OP Stack chains: ${does}`, source: predeploys };
}

/** Returns the name of a contract that is part of the EVM. */
export function precompileName(address: string): string | undefined {
  return isPrecompile(address) ? wellKnownContract(address)?.name : undefined;
}

/** Contracts and addresses with a meaning that people meet in requests and answers. */
export const contracts: readonly ContractSpec[] = [
  {
    address: "0x0000000000000000000000000000000000000000",
    name: "zero address",
    summary: "The zero address: no account, where tokens are minted from, and where they are burned.",
    source: eip(20),
  },
  precompile(0x01, "ecRecover", "it recovers a signer's address.", yellowPaper),
  precompile(0x02, "sha256", "it hashes with SHA2-256.", yellowPaper),
  precompile(0x03, "ripemd160", "it hashes with RIPEMD-160.", yellowPaper),
  precompile(0x04, "identity", "it returns what it is given.", yellowPaper),
  precompile(0x05, "modexp", "it raises big numbers to a power, modulo another.", eip(198)),
  precompile(0x06, "ecAdd", "it adds points of the curve alt_bn128.", eip(196)),
  precompile(0x07, "ecMul", "it multiplies a point of the curve alt_bn128.", eip(196)),
  precompile(0x08, "ecPairing", "it checks a pairing on the curve alt_bn128.", eip(197)),
  precompile(0x09, "blake2f", "it runs the compression function of BLAKE2b.", eip(152)),
  precompile(0x0a, "pointEvaluation", "it verifies a KZG proof of a blob.", eip(4844)),
  precompile(0x0b, "bls12G1Add", "it adds points in G1 of BLS12-381.", eip(2537)),
  precompile(0x0c, "bls12G1Msm", "it adds up multiples of points in G1 of BLS12-381.", eip(2537)),
  precompile(0x0d, "bls12G2Add", "it adds points in G2 of BLS12-381.", eip(2537)),
  precompile(0x0e, "bls12G2Msm", "it adds up multiples of points in G2 of BLS12-381.", eip(2537)),
  precompile(0x0f, "bls12PairingCheck", "it checks pairings of BLS12-381.", eip(2537)),
  precompile(0x10, "bls12MapFpToG1", "it maps a field element to G1 of BLS12-381.", eip(2537)),
  precompile(0x11, "bls12MapFp2ToG2", "it maps a field element to G2 of BLS12-381.", eip(2537)),
  precompile(0x100, "p256Verify", "it verifies a signature of the curve secp256r1.", eip(7951)),

  {
    address: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE",
    name: "native currency",
    summary: "The native currency, as a token's address; `eth_simulateV1` logs its transfers under it.",
    source: eip(7528),
  },
  {
    address: "0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE",
    name: "system address",
    summary:
      "The sender of calls that the protocol makes at the start and the end of a block; chains with EIP-7708 log transfers of the native currency under it.",
    source: eip(4788),
  },
  {
    address: "0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02",
    name: "beacon roots",
    summary: "Gives the roots of recent beacon blocks by their time.",
    source: eip(4788),
  },
  {
    address: "0x0000F90827F1C53a10cb7A02335B175320002935",
    name: "block hashes",
    summary: "Gives the hashes of the last 8,191 blocks by their number.",
    source: eip(2935),
  },
  {
    address: "0x00000961Ef480Eb55e80D19ad83579A64c007002",
    name: "withdrawal requests",
    summary: "Takes requests of validators to withdraw.",
    source: eip(7002),
  },
  {
    address: "0x0000BBdDc7CE488642fb579F8B00f3a590007251",
    name: "consolidation requests",
    summary: "Takes requests to merge validators.",
    source: eip(7251),
  },
  {
    address: "0x000000000000000000000000000000000000dEaD",
    name: "burn address",
    summary: "Without a key; tokens are sent there to burn them.",
    source: "https://etherscan.io/address/0x000000000000000000000000000000000000dead",
  },

  {
    address: "0xcA11bde05977b3631167028862bE2a173976CA11",
    name: "Multicall3",
    summary: "Makes many calls in one and returns the results of all.",
    source: "https://github.com/mds1/multicall3",
  },
  {
    address: "0x000000000022D473030F116dDEE9F6B43aC78BA3",
    name: "Permit2",
    summary: "Lets signatures move tokens that were once approved to it.",
    source: "https://github.com/Uniswap/permit2",
  },
  {
    address: "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789",
    name: "EntryPoint v0.6",
    summary: "Runs the user operations of smart accounts (ERC-4337).",
    source: entryPoint,
  },
  {
    address: "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
    name: "EntryPoint v0.7",
    summary: "Runs the user operations of smart accounts (ERC-4337).",
    source: entryPoint,
  },
  {
    address: "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108",
    name: "EntryPoint v0.8",
    summary: "Runs the user operations of smart accounts (ERC-4337).",
    source: entryPoint,
  },
  {
    address: "0x433709009B8330FDa32311DF1C2AFA402eD8D009",
    name: "EntryPoint v0.9",
    summary: "Runs the user operations of smart accounts (ERC-4337).",
    source: entryPoint,
  },
  {
    address: "0x4e59b44847b379578588920cA78FbF26c0B4956C",
    name: "CREATE2 factory",
    summary: "Deploys code at addresses that are the same on every chain.",
    source: "https://github.com/Arachnid/deterministic-deployment-proxy",
  },
  {
    address: "0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed",
    name: "CreateX",
    summary: "Deploys code at addresses that are the same on every chain.",
    source: "https://github.com/pcaversaccio/createx",
  },

  predeploy("0x4200000000000000000000000000000000000006", "WETH", "wrapped ether."),
  predeploy("0x4200000000000000000000000000000000000007", "L2CrossDomainMessenger", "messages to and from layer 1."),
  predeploy("0x420000000000000000000000000000000000000F", "GasPriceOracle", "what data costs on layer 1."),
  predeploy(
    "0x4200000000000000000000000000000000000010",
    "L2StandardBridge",
    "the bridge for ether and ERC-20 tokens.",
  ),
  predeploy("0x4200000000000000000000000000000000000011", "SequencerFeeVault", "where priority fees go."),
  predeploy("0x4200000000000000000000000000000000000014", "L2ERC721Bridge", "the bridge for ERC-721 tokens."),
  predeploy("0x4200000000000000000000000000000000000015", "L1Block", "what is known of the newest block of layer 1."),
  predeploy("0x4200000000000000000000000000000000000030", "BaseTime", "on Base, the milliseconds of a block's time."),
  {
    address: "0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001",
    name: "L1 attributes depositor",
    summary: "On OP Stack chains: the sender of the deposits that the protocol puts in front of each block.",
    source: "https://specs.optimism.io/protocol/deposits.html#l1-attributes-deposited-transaction",
  },
  predeploy("0x4200000000000000000000000000000000000016", "L2ToL1MessagePasser", "withdrawals to layer 1."),
  predeploy("0x4200000000000000000000000000000000000019", "BaseFeeVault", "where base fees go."),
  predeploy("0x420000000000000000000000000000000000001A", "L1FeeVault", "where the fees for data on layer 1 go."),
];

const byAddress: ReadonlyMap<string, ContractSpec> = new Map(
  contracts.map((contract) => [contract.address.toLowerCase(), contract]),
);

/** @param address - In any case. */
export function wellKnownContract(address: string): ContractSpec | undefined {
  return byAddress.get(address.toLowerCase());
}

/** Addresses for new requests in a notebook without named ones. Each has an account or a contract on its chain. */
interface FallbackAddresses {
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
