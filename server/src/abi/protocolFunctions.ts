import type { Declarations } from "./events.ts";

/** Functions of exchanges, price feeds, names and the OP Stack. */
export const protocolFunctions: readonly Declarations[] = [
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
