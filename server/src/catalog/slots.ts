/** A place in storage that contracts agree on. */
export interface SlotSpec {
  /** 32 bytes in lower case. */
  readonly slot: string;
  /** The name that the slot is derived from. */
  readonly name: string;
  /** One sentence: what is there. */
  readonly summary: string;
  /** The type of the word, if it is always the same. */
  readonly holds?: "address";
  readonly source: string;
}

const erc1967 = "https://eips.ethereum.org/EIPS/eip-1967";
const openZeppelin = "https://github.com/OpenZeppelin/openzeppelin-contracts-upgradeable/blob/v5.4.0/contracts";

function namespace(name: string, slot: string, holds: string, file: string): SlotSpec {
  return {
    slot,
    name: `openzeppelin.storage.${name}`,
    summary: `Where OpenZeppelin's ${name} begins (ERC-7201): ${holds}.`,
    source: file.startsWith("proxy/") ? `${openZeppelin}/${file}.sol` : `${openZeppelin}/${file}Upgradeable.sol`,
  };
}

/** Slots whose contents the contracts of many projects keep in one place. */
export const slots: readonly SlotSpec[] = [
  {
    slot: "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
    name: "eip1967.proxy.implementation",
    summary: "The contract whose code a proxy runs.",
    holds: "address",
    source: erc1967,
  },
  {
    slot: "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50",
    name: "eip1967.proxy.beacon",
    summary: "The beacon that names the code that a proxy runs.",
    holds: "address",
    source: erc1967,
  },
  {
    slot: "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103",
    name: "eip1967.proxy.admin",
    summary: "The account that may upgrade a proxy.",
    holds: "address",
    source: erc1967,
  },
  {
    slot: "0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7",
    name: "PROXIABLE",
    summary: "The contract whose code a proxy runs, in proxies before ERC-1967 (EIP-1822).",
    holds: "address",
    source: "https://eips.ethereum.org/EIPS/eip-1822",
  },
  {
    slot: "0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3",
    name: "org.zeppelinos.proxy.implementation",
    summary: "The contract whose code a proxy runs, in the proxies of ZeppelinOS such as that of USDC.",
    holds: "address",
    source:
      "https://github.com/circlefin/stablecoin-evm/blob/46e61d0050/contracts/upgradeability/UpgradeabilityProxy.sol",
  },
  {
    slot: "0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b",
    name: "org.zeppelinos.proxy.admin",
    summary: "The account that may upgrade a proxy, in the proxies of ZeppelinOS such as that of USDC.",
    holds: "address",
    source:
      "https://github.com/circlefin/stablecoin-evm/blob/46e61d0050/contracts/upgradeability/AdminUpgradeabilityProxy.sol",
  },
  namespace(
    "Initializable",
    "0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00",
    "the version it was initialized to",
    "proxy/utils/Initializable",
  ),
  namespace(
    "Ownable",
    "0x9016d09d72d40fdae2fd8ceac6b6234c7706214fd39c1cd1e609a0528c199300",
    "the owner",
    "access/Ownable",
  ),
  namespace(
    "Ownable2Step",
    "0x237e158222e3e6968b72b9db0d8043aacf074ad9f650f0d1606b4d82ee432c00",
    "the owner who is to accept",
    "access/Ownable2Step",
  ),
  namespace(
    "AccessControl",
    "0x02dd7bc7dec4dceedda775e58dd541e08a116c6c53815c0bd028192f7b626800",
    "a map of roles",
    "access/AccessControl",
  ),
  namespace(
    "Pausable",
    "0xcd5ed15c6e187e77e9aee88184c21f4f2182ab5827cb3b7e07fbedcd63f03300",
    "whether it is paused",
    "utils/Pausable",
  ),
  namespace(
    "ReentrancyGuard",
    "0x9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00",
    "1 outside of a guarded call, 2 inside",
    "utils/ReentrancyGuard",
  ),
  namespace(
    "ERC20",
    "0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00",
    "a map of balances; then allowances, total supply, name and symbol",
    "token/ERC20/ERC20",
  ),
  namespace(
    "ERC721",
    "0x80bb2b638cc20bc4d0a60d66940f3ab4a00c1d7b313497ca82fb0b4ab0079300",
    "the name; then symbol, owners, balances and approvals",
    "token/ERC721/ERC721",
  ),
  namespace(
    "ERC1155",
    "0x88be536d5240c274a3b1d3a1be54482fd9caa294f08c62a7cde569f49a3c4500",
    "a map of balances by id; then approvals and the URI",
    "token/ERC1155/ERC1155",
  ),
  namespace(
    "ERC4626",
    "0x0773e532dfede91f04b12a73d3d2acd361424f41f76b4fb79f090161e36b4e00",
    "the asset and its decimals",
    "token/ERC20/extensions/ERC4626",
  ),
  namespace(
    "Nonces",
    "0x5ab42ced628888259c08ac98db1eb0cf702fc1501344311d8b100cd1bfe4bb00",
    "a map of nonces for signed permissions",
    "utils/Nonces",
  ),
  namespace(
    "EIP712",
    "0xa16a46d94261c7517cc8ff89f61c0ce93598e3c849801011dee649a6a557d100",
    "the hashes of name and version; then both as text",
    "utils/cryptography/EIP712",
  ),
];

const bySlot: ReadonlyMap<string, SlotSpec> = new Map(slots.map((spec) => [spec.slot, spec]));

/** @param slot - Hex of any case; the zeros in front may be missing. */
export function wellKnownSlot(slot: string): SlotSpec | undefined {
  return bySlot.get(`0x${slot.slice(2).toLowerCase().padStart(64, "0")}`);
}
