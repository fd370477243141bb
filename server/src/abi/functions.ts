import { accountFunctions } from "./accountFunctions.ts";
import type { Declarations } from "./events.ts";

/** Functions of exchanges, price feeds, names and the OP Stack. */
const protocolFunctions: readonly Declarations[] = [
  {
    source: "Uniswap v3 periphery",
    link: "https://docs.uniswap.org/contracts/v3/reference/periphery/SwapRouter",
    items: {
      "0x5ae401dc": "function multicall(uint256 deadline, bytes[] data) returns (bytes[] results)",
      "0x1f0464d1": "function multicall(bytes32 previousBlockhash, bytes[] data) returns (bytes[] results)",
    },
  },
  {
    source: "Uniswap v2",
    link: "https://github.com/Uniswap/v2-core/tree/v1.0.1/contracts/interfaces",
    items: {
      "0x0902f1ac": "function getReserves() returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)",
      "0x0dfe1681": "function token0() returns (address)",
      "0xd21220a7": "function token1() returns (address)",
      "0xe6a43905": "function getPair(address tokenA, address tokenB) returns (address pair)",
    },
  },
  {
    source: "Uniswap v2 router",
    link: "https://github.com/Uniswap/v2-periphery/blob/0335e8f7e1/contracts/interfaces/IUniswapV2Router02.sol",
    items: {
      "0xd06ca61f": "function getAmountsOut(uint256 amountIn, address[] path) returns (uint256[] amounts)",
      "0x38ed1739":
        "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
      "0x7ff36ab5":
        "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
      "0x18cbafe5":
        "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
    },
  },
  {
    source: "Uniswap v3",
    link: "https://github.com/Uniswap/v3-core/blob/v1.0.0/contracts/interfaces",
    items: {
      "0x3850c7bd":
        "function slot0() returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)",
      "0x1a686502": "function liquidity() returns (uint128)",
      "0xddca3f43": "function fee() returns (uint24)",
      "0x1698ee82": "function getPool(address tokenA, address tokenB, uint24 fee) returns (address pool)",
    },
  },
  {
    source: "Uniswap v3 router",
    link: "https://github.com/Uniswap/v3-periphery/blob/v1.0.0/contracts/interfaces/ISwapRouter.sol",
    items: {
      "0x414bf389":
        "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) returns (uint256 amountOut)",
    },
  },
  {
    source: "Uniswap Universal Router",
    link: "https://github.com/Uniswap/universal-router/blob/main/contracts/interfaces/IUniversalRouter.sol",
    items: {
      "0x3593564c": "function execute(bytes commands, bytes[] inputs, uint256 deadline)",
      "0x24856bc3": "function execute(bytes commands, bytes[] inputs)",
    },
  },
  {
    source: "Chainlink data feeds",
    link: "https://docs.chain.link/data-feeds/api-reference",
    items: {
      "0xfeaf968c":
        "function latestRoundData() returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)",
      "0x50d25bcd": "function latestAnswer() returns (int256)",
      "0x7284e416": "function description() returns (string)",
    },
  },
  {
    source: "ENS",
    link: "https://docs.ens.domains/resolvers/interfaces",
    items: {
      "0x0178b8bf": "function resolver(bytes32 node) returns (address)",
      "0x3b3b57de": "function addr(bytes32 node) returns (address)",
      "0x59d1d43c": "function text(bytes32 node, string key) returns (string)",
    },
  },
  {
    source: "OP Stack L1Block and GasPriceOracle",
    link: "https://github.com/ethereum-optimism/specs/blob/main/specs/protocol/predeploys.md",
    items: {
      "0x519b4bd3": "function l1BaseFee() returns (uint256)",
      "0x49948e0e": "function getL1Fee(bytes data) returns (uint256)",
      "0xde26c4a1": "function getL1GasUsed(bytes data) returns (uint256)",
      "0x8381f58a": "function number() returns (uint64)",
      "0xb80777ea": "function timestamp() returns (uint64)",
      "0x5cf24969": "function basefee() returns (uint256)",
    },
  },
];

/** Functions of tokens and vaults. */
const tokenFunctions: readonly Declarations[] = [
  {
    source: "ERC-20",
    link: "https://eips.ethereum.org/EIPS/eip-20",
    items: {
      "0x06fdde03": "function name() returns (string)",
      "0x95d89b41": "function symbol() returns (string)",
      "0x313ce567": "function decimals() returns (uint8)",
      "0x18160ddd": "function totalSupply() returns (uint256)",
      "0x70a08231": "function balanceOf(address owner) returns (uint256 balance)",
      "0xdd62ed3e": "function allowance(address owner, address spender) returns (uint256 remaining)",
      "0xa9059cbb": "function transfer(address to, uint256 value) returns (bool success)",
      "0x095ea7b3": "function approve(address spender, uint256 value) returns (bool success)",
      "0x23b872dd": "function transferFrom(address from, address to, uint256 value) returns (bool success)",
    },
  },
  {
    source: "ERC-2612",
    link: "https://eips.ethereum.org/EIPS/eip-2612",
    items: {
      "0xd505accf":
        "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
      "0x7ecebe00": "function nonces(address owner) returns (uint256)",
      "0x3644e515": "function DOMAIN_SEPARATOR() returns (bytes32)",
    },
  },
  {
    source: "OpenZeppelin ERC-20",
    link: "https://github.com/OpenZeppelin/openzeppelin-contracts/tree/v4.9.6/contracts/token/ERC20",
    items: {
      "0x39509351": "function increaseAllowance(address spender, uint256 addedValue) returns (bool)",
      "0xa457c2d7": "function decreaseAllowance(address spender, uint256 subtractedValue) returns (bool)",
      "0x40c10f19": "function mint(address to, uint256 amount)",
      "0x42966c68": "function burn(uint256 value)",
      "0x79cc6790": "function burnFrom(address account, uint256 value)",
    },
  },
  {
    source: "ERC-5267",
    link: "https://eips.ethereum.org/EIPS/eip-5267",
    items: {
      "0x84b0196e":
        "function eip712Domain() returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)",
    },
  },
  {
    source: "EIP-3009",
    link: "https://eips.ethereum.org/EIPS/eip-3009",
    items: {
      "0xe94a0102": "function authorizationState(address authorizer, bytes32 nonce) returns (bool)",
      "0xe3ee160e":
        "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
      "0xef55bec6":
        "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
      "0x5a049a70": "function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
    },
  },
  {
    source: "Circle FiatToken",
    link: "https://github.com/circlefin/stablecoin-evm/blob/46e61d0050/contracts/v2/FiatTokenV2_2.sol",
    items: {
      "0xcf092995":
        "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
      "0x88b7ab63":
        "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
      "0x9fd5a6cf": "function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)",
      "0xfe575a87": "function isBlacklisted(address account) returns (bool)",
      "0x8a6db9c3": "function minterAllowance(address minter) returns (uint256)",
    },
  },
  {
    source: "ERC-165",
    link: "https://eips.ethereum.org/EIPS/eip-165",
    items: {
      "0x01ffc9a7": "function supportsInterface(bytes4 interfaceId) returns (bool)",
    },
  },
  {
    source: "ERC-721",
    link: "https://eips.ethereum.org/EIPS/eip-721",
    items: {
      "0x70a08231": "function balanceOf(address owner) returns (uint256 count)",
      "0x6352211e": "function ownerOf(uint256 tokenId) returns (address owner)",
      "0xc87b56dd": "function tokenURI(uint256 tokenId) returns (string)",
      "0x081812fc": "function getApproved(uint256 tokenId) returns (address)",
      "0xe985e9c5": "function isApprovedForAll(address owner, address operator) returns (bool)",
      "0x095ea7b3": "function approve(address approved, uint256 tokenId)",
      "0xa22cb465": "function setApprovalForAll(address operator, bool approved)",
      "0x23b872dd": "function transferFrom(address from, address to, uint256 tokenId)",
      "0x42842e0e": "function safeTransferFrom(address from, address to, uint256 tokenId)",
      "0xb88d4fde": "function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)",
      "0x4f6ccce7": "function tokenByIndex(uint256 index) returns (uint256 tokenId)",
      "0x2f745c59": "function tokenOfOwnerByIndex(address owner, uint256 index) returns (uint256 tokenId)",
      "0x150b7a02":
        "function onERC721Received(address operator, address from, uint256 tokenId, bytes data) returns (bytes4)",
    },
  },
  {
    source: "ERC-2981",
    link: "https://eips.ethereum.org/EIPS/eip-2981",
    items: {
      "0x2a55205a":
        "function royaltyInfo(uint256 tokenId, uint256 salePrice) returns (address receiver, uint256 royaltyAmount)",
    },
  },
  {
    source: "ERC-1155",
    link: "https://eips.ethereum.org/EIPS/eip-1155",
    items: {
      "0x00fdd58e": "function balanceOf(address owner, uint256 id) returns (uint256)",
      "0x4e1273f4": "function balanceOfBatch(address[] owners, uint256[] ids) returns (uint256[])",
      "0x0e89341c": "function uri(uint256 id) returns (string)",
      "0xf242432a": "function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)",
      "0x2eb2c2d6":
        "function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)",
    },
  },
  {
    source: "ERC-4626",
    link: "https://eips.ethereum.org/EIPS/eip-4626",
    items: {
      "0x38d52e0f": "function asset() returns (address assetTokenAddress)",
      "0x01e1d114": "function totalAssets() returns (uint256 totalManagedAssets)",
      "0xc6e6f592": "function convertToShares(uint256 assets) returns (uint256 shares)",
      "0x07a2d13a": "function convertToAssets(uint256 shares) returns (uint256 assets)",
      "0x402d267d": "function maxDeposit(address receiver) returns (uint256 maxAssets)",
      "0xef8b30f7": "function previewDeposit(uint256 assets) returns (uint256 shares)",
      "0x6e553f65": "function deposit(uint256 assets, address receiver) returns (uint256 shares)",
      "0xc63d75b6": "function maxMint(address receiver) returns (uint256 maxShares)",
      "0xb3d7f6b9": "function previewMint(uint256 shares) returns (uint256 assets)",
      "0x94bf804d": "function mint(uint256 shares, address receiver) returns (uint256 assets)",
      "0xce96cb77": "function maxWithdraw(address owner) returns (uint256 maxAssets)",
      "0x0a28a477": "function previewWithdraw(uint256 assets) returns (uint256 shares)",
      "0xb460af94": "function withdraw(uint256 assets, address receiver, address owner) returns (uint256 shares)",
      "0xd905777e": "function maxRedeem(address owner) returns (uint256 maxShares)",
      "0x4cdad506": "function previewRedeem(uint256 shares) returns (uint256 assets)",
      "0xba087652": "function redeem(uint256 shares, address receiver, address owner) returns (uint256 assets)",
    },
  },
  {
    source: "WETH",
    link: "https://etherscan.io/address/0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2#code",
    items: {
      "0xd0e30db0": "function deposit()",
      "0x2e1a7d4d": "function withdraw(uint256 wad)",
    },
  },
];

/**
 * The functions that can be called by name, and whose call data is decoded, without an ABI. Of equal selectors the
 * first one is the likelier.
 */
export const bundledFunctions: readonly Declarations[] = [...tokenFunctions, ...accountFunctions, ...protocolFunctions];
