/** Declarations of one source, by what the chain knows of them: topic 0 of an event, the selector of an error. */
export interface Declarations {
  /** Shown to people beside what was decoded. */
  readonly source: string;
  readonly link: string;
  readonly items: Readonly<Record<string, string>>;
}

/**
 * The events that are decoded without an ABI. The same signature appears once for each way of indexing it that is in
 * use: topics and data tell those apart.
 */
export const bundledEvents: readonly Declarations[] = [
  {
    source: "ERC-20",
    link: "https://eips.ethereum.org/EIPS/eip-20",
    items: {
      "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef":
        "event Transfer(address indexed from, address indexed to, uint256 value)",
      "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925":
        "event Approval(address indexed owner, address indexed spender, uint256 value)",
    },
  },
  {
    source: "ERC-721",
    link: "https://eips.ethereum.org/EIPS/eip-721",
    items: {
      "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef":
        "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
      "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925":
        "event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)",
      "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31":
        "event ApprovalForAll(address indexed owner, address indexed operator, bool approved)",
    },
  },
  {
    source: "tokens before ERC-721",
    link: "https://etherscan.io/address/0x06012c8cf97bead5deae237070f9587f8e7a266d#code",
    items: {
      "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef":
        "event Transfer(address from, address to, uint256 value)",
      "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925":
        "event Approval(address owner, address approved, uint256 value)",
    },
  },
  {
    source: "ERC-1155",
    link: "https://eips.ethereum.org/EIPS/eip-1155",
    items: {
      "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62":
        "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
      "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb":
        "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
    },
  },
  {
    source: "EIP-3009",
    link: "https://github.com/circlefin/stablecoin-evm/blob/46e61d0050/contracts/v2/EIP3009.sol",
    items: {
      "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5":
        "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
      "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81":
        "event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
    },
  },
  {
    source: "Base B20",
    link: "https://docs.cdp.coinbase.com/data/sql-api/b20-events",
    items: {
      "0x6989f5818dcfd11f8cd53b27c94cec33dae1589735f03e639cba54553a1825e8":
        "event Memo(address indexed caller, bytes32 indexed memo)",
    },
  },
  {
    source: "Tempo TIP-20",
    link: "https://github.com/tempoxyz/tempo/tree/d656ef5581",
    items: {
      "0x57bc7354aa85aed339e000bccffabbc529466af35f0772c8f8ee1145927de7f0":
        "event TransferWithMemo(address indexed from, address indexed to, uint256 value, bytes32 indexed memo)",
    },
  },
  {
    source: "Base commerce-payments",
    link: "https://github.com/base/commerce-payments/blob/3f77761cf8/src/AuthCaptureEscrow.sol",
    items: {
      "0xe749f7bbd01b49bb05abf26ca492cb4dfdea6bedeada8a40fdccd478c73a74e2":
        "event PaymentCaptured(bytes32 indexed paymentInfoHash, uint256 amount, uint16 feeBps, address feeReceiver)",
      "0x1c81fb2e3bab27f6bb09bee9a0dddf61600b7cbaf2c12683e4864e0cbdb9d284":
        "event PaymentAuthorized(bytes32 indexed paymentInfoHash, (address operator, address payer, address receiver, address token, uint120 maxAmount, uint48 preApprovalExpiry, uint48 authorizationExpiry, uint48 refundExpiry, uint16 minFeeBps, uint16 maxFeeBps, address feeReceiver, uint256 salt) paymentInfo, uint256 amount, address tokenCollector)",
      "0x943ae4341dd799d7aeedc501f616cd26b134639e0bc2ec059581ba3ebbf1e7d0":
        "event PaymentCharged(bytes32 indexed paymentInfoHash, (address operator, address payer, address receiver, address token, uint120 maxAmount, uint48 preApprovalExpiry, uint48 authorizationExpiry, uint48 refundExpiry, uint16 minFeeBps, uint16 maxFeeBps, address feeReceiver, uint256 salt) paymentInfo, uint256 amount, address tokenCollector, uint16 feeBps, address feeReceiver)",
      "0xcadce8c3acb008e3e1c64ca7f60d22a3c87069183182b7dbb9e4d8cfb3a15842":
        "event PaymentVoided(bytes32 indexed paymentInfoHash, uint256 amount)",
      "0x78e1d723d17e13b7f40eeab9bf6dd9148a630bafde4203ab7bb5fca983516d17":
        "event PaymentReclaimed(bytes32 indexed paymentInfoHash, uint256 amount)",
      "0x1bf415371b303ca6b8bbb4ce479b177cba5ad15dbe0c9a7750a588aa6bcd25b2":
        "event PaymentRefunded(bytes32 indexed paymentInfoHash, uint256 amount, address tokenCollector)",
    },
  },
  {
    source: "Base commerce-payments v1.1",
    link: "https://github.com/base/commerce-payments/releases",
    items: {
      "0xac1e0db1957daedbc6944bcb4c8dc947ff8101d710671ac2ec26309f7f38d58e":
        "event PaymentCaptured(bytes32 indexed paymentInfoHash, uint256 amount, uint256 feeAmount, address feeReceiver)",
      "0x137b0e73e4453f43c2e1ad2552980a0e0c7e988764619974ca26d37a7159940c":
        "event PaymentCharged(bytes32 indexed paymentInfoHash, (address operator, address payer, address receiver, address token, uint120 maxAmount, uint48 preApprovalExpiry, uint48 authorizationExpiry, uint48 refundExpiry, uint16 minFeeBps, uint16 maxFeeBps, address feeReceiver, uint256 salt) paymentInfo, uint256 amount, address tokenCollector, uint256 feeAmount, address feeReceiver)",
    },
  },
  {
    source: "Base commerce-payments, early",
    link: "https://github.com/base/commerce-payments/commits/main/src",
    items: {
      "0xb4c8a10023427dbae6bc82da57c80cdd00b7353a0bbc946994c2f8e9a7cd01e6":
        "event PaymentCaptured(bytes32 indexed paymentInfoHash, uint256 amount, address operator)",
    },
  },
  {
    source: "Base flywheel",
    link: "https://github.com/base/flywheel/tree/1dcd3f8aa8",
    items: {
      "0xe8ea8a8ee3ea4527ccc3891146ee8a65129e0bb2d05690a9e83932394125b009":
        "event PayoutSent(address indexed campaign, address token, address recipient, uint256 amount, bytes extraData)",
    },
  },
  {
    source: "WETH",
    link: "https://etherscan.io/address/0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2#code",
    items: {
      "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c":
        "event Deposit(address indexed dst, uint256 wad)",
      "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65":
        "event Withdrawal(address indexed src, uint256 wad)",
    },
  },
  {
    source: "Uniswap v2",
    link: "https://docs.uniswap.org/contracts/v2/reference/smart-contracts/pair",
    items: {
      "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822":
        "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
      "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1":
        "event Sync(uint112 reserve0, uint112 reserve1)",
      "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9":
        "event PairCreated(address indexed token0, address indexed token1, address pair, uint256 allPairsLength)",
    },
  },
  {
    source: "Uniswap v3",
    link: "https://docs.uniswap.org/contracts/v3/reference/core/interfaces/pool/IUniswapV3PoolEvents",
    items: {
      "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67":
        "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
      "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118":
        "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)",
    },
  },
  {
    source: "ERC-1967",
    link: "https://eips.ethereum.org/EIPS/eip-1967",
    items: {
      "0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b":
        "event Upgraded(address indexed implementation)",
    },
  },
  {
    source: "ERC-4337",
    link: "https://eips.ethereum.org/EIPS/eip-4337",
    items: {
      "0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f":
        "event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)",
    },
  },
];
