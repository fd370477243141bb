/** A call or typed data that a standard or a contract of many chains defines, and how it is said in words. */
export interface StandardCall {
  /** `ERC-20`: what defines it, as a report names it. */
  readonly standard: string;
  /** A function with the names of its arguments, or an EIP-712 type with the types in it. */
  readonly signature: string;
  readonly intent: string;
  /** With values of arguments in braces; absent if the values in a row say it as well. */
  readonly sentence?: string;
  /** `label: path format`, in the order of a reader's interest. A path may end with `@PATH` of what the value belongs to. */
  readonly fields: readonly string[];
  /** Which contracts have it: all, known tokens, or those at certain addresses. */
  readonly of: "any" | "tokens" | StandardPlaces;
}

/** Addresses in lower case: the same on each chain, or by chain. */
export type StandardPlaces = readonly string[] | Readonly<Record<string, string>>;

type Rows = readonly (readonly [signature: string, intent: string, sentence: string, ...fields: string[]])[];

function calls(standard: string, of: StandardCall["of"], rows: Rows): readonly StandardCall[] {
  return rows.map(([signature, intent, sentence, ...fields]) => ({
    standard,
    of,
    signature,
    intent,
    fields,
    ...(sentence !== "" && { sentence }),
  }));
}

/** https://eips.ethereum.org/EIPS/eip-20; the last two are OpenZeppelin's, and older than its version 5. */
const erc20 = calls("ERC-20", "tokens", [
  ["transfer(address to,uint256 value)", "Send", "Send {value} to {to}", "Amount: value token", "To: to address"],
  [
    "transferFrom(address from,address to,uint256 value)",
    "Send from",
    "Send {value} of {from} to {to}",
    "Amount: value token",
    "From: from address",
    "To: to address",
  ],
  [
    "approve(address spender,uint256 value)",
    "Approve",
    "Let {spender} spend {value}",
    "Spender: spender address",
    "Amount: value limit",
  ],
  [
    "increaseAllowance(address spender,uint256 addedValue)",
    "Approve more",
    "Let {spender} spend {addedValue} more",
    "Spender: spender address",
    "More: addedValue token",
  ],
  [
    "decreaseAllowance(address spender,uint256 subtractedValue)",
    "Approve less",
    "Let {spender} spend {subtractedValue} less",
    "Spender: spender address",
    "Less: subtractedValue token",
  ],
]);

/** https://eips.ethereum.org/EIPS/eip-721 and eip-1155. What they share with ERC-20 is left to ERC-20. */
const collectibles = [
  ...calls("ERC-721", "any", [
    [
      "safeTransferFrom(address from,address to,uint256 tokenId)",
      "Send a collectible",
      "",
      "Token: tokenId",
      "From: from address",
      "To: to address",
    ],
    [
      "safeTransferFrom(address from,address to,uint256 tokenId,bytes data)",
      "Send a collectible",
      "",
      "Token: tokenId",
      "From: from address",
      "To: to address",
      "Data: data",
    ],
    [
      "setApprovalForAll(address operator,bool approved)",
      "Set who may send all your collectibles of this contract",
      "",
      "Operator: operator address",
      "Allowed: approved",
    ],
  ]),
  ...calls("ERC-1155", "any", [
    [
      "safeTransferFrom(address from,address to,uint256 id,uint256 value,bytes data)",
      "Send collectibles",
      "",
      "Number: value",
      "Token: id",
      "From: from address",
      "To: to address",
      "Data: data",
    ],
    [
      "safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] values,bytes data)",
      "Send collectibles",
      "",
      "Numbers: values.[]",
      "Tokens: ids.[]",
      "From: from address",
      "To: to address",
      "Data: data",
    ],
  ]),
];

/** https://eips.ethereum.org/EIPS/eip-2612 and eip-3009: payments by a signature. */
const signed = [
  ...calls("ERC-2612", "any", [
    [
      "permit(address owner,address spender,uint256 value,uint256 deadline,uint8 v,bytes32 r,bytes32 s)",
      "Approve by signature",
      "",
      "Owner: owner address",
      "Spender: spender address",
      "Amount: value limit",
      "Until: deadline date",
    ],
    [
      "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)",
      "Approve by signature",
      "",
      "Spender: spender address",
      "Amount: value limit",
      "Owner: owner address",
      "Until: deadline date",
    ],
  ]),
  ...calls("ERC-3009", "any", [
    ...[
      ["transferWithAuthorization", "Send by authorization"],
      ["receiveWithAuthorization", "Collect by authorization"],
    ].flatMap(([name, intent = ""]) =>
      ["uint8 v,bytes32 r,bytes32 s", "bytes signature"].map(
        (signature) =>
          [
            `${name}(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce,${signature})`,
            intent,
            "",
            ...authorized(),
          ] as const,
      ),
    ),
    ...["TransferWithAuthorization", "ReceiveWithAuthorization"].map(
      (name) =>
        [
          `${name}(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)`,
          name.startsWith("T") ? "Authorize a payment" : "Authorize a payment that the payee collects",
          "",
          ...authorized(),
        ] as const,
    ),
    [
      "cancelAuthorization(address authorizer,bytes32 nonce,uint8 v,bytes32 r,bytes32 s)",
      "Cancel an authorization",
      "",
      "Of: authorizer address",
      "Nonce: nonce",
    ],
  ]),
];

function authorized(): readonly string[] {
  return [
    "Amount: value token",
    "From: from address",
    "To: to address",
    "After: validAfter date",
    "Before: validBefore date",
  ];
}

/** https://eips.ethereum.org/EIPS/eip-4626. Only its shares are a token that the call names. */
const vaults = calls("ERC-4626", "any", [
  [
    "deposit(uint256 assets,address receiver)",
    "Deposit",
    "",
    "Assets, in the smallest unit: assets",
    "Shares for: receiver address",
  ],
  ["mint(uint256 shares,address receiver)", "Buy shares", "", "Shares: shares token", "For: receiver address"],
  [
    "withdraw(uint256 assets,address receiver,address owner)",
    "Withdraw",
    "",
    "Assets, in the smallest unit: assets",
    "To: receiver address",
    "Shares of: owner address",
  ],
  [
    "redeem(uint256 shares,address receiver,address owner)",
    "Redeem shares",
    "",
    "Shares: shares token",
    "To: receiver address",
    "Shares of: owner address",
  ],
]);

const predeployedWeth = "0x4200000000000000000000000000000000000006";

/** Wrapped native currencies, from the chains' own lists of contracts. https://github.com/gnosis/canonical-weth (WETH9) */
const weth = calls(
  "WETH9",
  {
    1: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
    56: "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
    100: "0xe91d153e0b41518a2ce8dd3d7944fa863463a97d",
    137: "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
    42161: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
    43114: "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
    59144: "0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f",
    81457: "0x4300000000000000000000000000000000000004",
    534352: "0x5300000000000000000000000000000000000004",
    11155111: "0xfff9976782d46cc05630d1f6ebab18b2324d6b14",
    ...Object.fromEntries(
      [10, 130, 480, 1301, 8453, 57073, 84532, 7777777, 11155420].map((chain) => [chain, predeployedWeth]),
    ),
  },
  [
    ["deposit()", "Wrap", "Wrap {@.value}", "Amount: @.value amount"],
    ["withdraw(uint256 wad)", "Unwrap", "Unwrap {wad}", "Amount: wad amount"],
  ],
);

const details = "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)";
const permissions = "TokenPermissions(address token,uint256 amount)";

/** https://github.com/Uniswap/permit2: one contract on all chains. */
const permit2 = calls(
  "Permit2",
  ["0x000000000022d473030f116ddee9f6b43ac78ba3"],
  [
    [
      "approve(address token,address spender,uint160 amount,uint48 expiration)",
      "Approve through Permit2",
      "",
      "Spender: spender address",
      "Amount: amount limit160@token",
      "Until: expiration date",
    ],
    [
      "transferFrom(address from,address to,uint160 amount,address token)",
      "Send through Permit2",
      "",
      "Amount: amount token@token",
      "From: from address",
      "To: to address",
    ],
    [
      `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${details}`,
      "Approve through Permit2 by signature",
      "",
      "Spender: spender address",
      "Amount: details.amount limit160@details.token",
      "Until: details.expiration date",
      "Signature valid until: sigDeadline date",
    ],
    [
      `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${details}`,
      "Approve through Permit2 by signature",
      "",
      "Spender: spender address",
      "Amount: details.[].amount limit160@details.[].token",
      "Until: details.[].expiration date",
      "Signature valid until: sigDeadline date",
    ],
    [
      `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${permissions}`,
      "Authorize a payment through Permit2",
      "",
      "Spender: spender address",
      "Amount: permitted.amount token@permitted.token",
      "Until: deadline date",
    ],
  ],
);

/** https://github.com/mds1/multicall3: one contract on nearly all chains. */
const multicall = calls(
  "Multicall3",
  ["0xca11bde05977b3631167028862be2a173976ca11"],
  [
    [
      "aggregate((address target,bytes callData)[] calls)",
      "Make calls",
      "",
      "Call: calls.[].callData call@calls.[].target",
    ],
    [
      "aggregate3((address target,bool allowFailure,bytes callData)[] calls)",
      "Make calls",
      "",
      "Call: calls.[].callData call@calls.[].target",
    ],
    [
      "aggregate3Value((address target,bool allowFailure,uint256 value,bytes callData)[] calls)",
      "Make calls",
      "",
      "Call: calls.[].callData call@calls.[].target+calls.[].value",
    ],
    [
      "tryAggregate(bool requireSuccess,(address target,bytes callData)[] calls)",
      "Make calls",
      "",
      "Call: calls.[].callData call@calls.[].target",
    ],
  ],
);

/** https://specs.optimism.io/protocol/predeploys.html and https://docs.arbitrum.io/build-decentralized-apps/precompiles/reference */
const bridges = [
  ...calls(
    "L2StandardBridge",
    ["0x4200000000000000000000000000000000000010"],
    [
      [
        "withdraw(address l2Token,uint256 amount,uint32 minGasLimit,bytes extraData)",
        "Withdraw to layer 1",
        "",
        "Amount: amount token@l2Token",
      ],
      [
        "withdrawTo(address l2Token,address to,uint256 amount,uint32 minGasLimit,bytes extraData)",
        "Withdraw to layer 1",
        "",
        "Amount: amount token@l2Token",
        "To: to address",
      ],
      ["bridgeETH(uint32 minGasLimit,bytes extraData)", "Withdraw to layer 1", "", "Amount: @.value amount"],
      [
        "bridgeETHTo(address to,uint32 minGasLimit,bytes extraData)",
        "Withdraw to layer 1",
        "",
        "Amount: @.value amount",
        "To: to address",
      ],
      [
        "bridgeERC20(address localToken,address remoteToken,uint256 amount,uint32 minGasLimit,bytes extraData)",
        "Withdraw to layer 1",
        "",
        "Amount: amount token@localToken",
        "Token on layer 1: remoteToken address",
      ],
      [
        "bridgeERC20To(address localToken,address remoteToken,address to,uint256 amount,uint32 minGasLimit,bytes extraData)",
        "Withdraw to layer 1",
        "",
        "Amount: amount token@localToken",
        "Token on layer 1: remoteToken address",
        "To: to address",
      ],
    ],
  ),
  ...calls(
    "L2ToL1MessagePasser",
    ["0x4200000000000000000000000000000000000016"],
    [
      [
        "initiateWithdrawal(address target,uint256 gasLimit,bytes data)",
        "Withdraw to layer 1",
        "",
        "Amount: @.value amount",
        "To: target address",
        "Data: data",
      ],
    ],
  ),
  ...calls(
    "ArbSys",
    { 42161: "0x0000000000000000000000000000000000000064", 421614: "0x0000000000000000000000000000000000000064" },
    [
      [
        "withdrawEth(address destination)",
        "Withdraw to layer 1",
        "",
        "Amount: @.value amount",
        "To: destination address",
      ],
    ],
  ),
];

/** What is said without a descriptor of the user's. Written here, from the standards and the contracts' published ABIs. */
export const standardCalls: readonly StandardCall[] = [
  ...erc20,
  ...collectibles,
  ...signed,
  ...vaults,
  ...weth,
  ...permit2,
  ...multicall,
  ...bridges,
];
