import type { Declarations } from "./events.ts";

/** Functions of access control, proxies, multicalls and smart accounts. */
export const accountFunctions: readonly Declarations[] = [
  {
    source: "OpenZeppelin access",
    link: "https://github.com/OpenZeppelin/openzeppelin-contracts/tree/v5.4.0/contracts/access",
    items: {
      "0x8da5cb5b": "function owner() returns (address)",
      "0xe30c3978": "function pendingOwner() returns (address)",
      "0xf2fde38b": "function transferOwnership(address newOwner)",
      "0x79ba5097": "function acceptOwnership()",
      "0x715018a6": "function renounceOwnership()",
      "0xa217fddf": "function DEFAULT_ADMIN_ROLE() returns (bytes32)",
      "0x91d14854": "function hasRole(bytes32 role, address account) returns (bool)",
      "0x248a9ca3": "function getRoleAdmin(bytes32 role) returns (bytes32)",
      "0x9010d07c": "function getRoleMember(bytes32 role, uint256 index) returns (address)",
      "0xca15c873": "function getRoleMemberCount(bytes32 role) returns (uint256)",
      "0x2f2ff15d": "function grantRole(bytes32 role, address account)",
      "0xd547741f": "function revokeRole(bytes32 role, address account)",
      "0x36568abe": "function renounceRole(bytes32 role, address callerConfirmation)",
    },
  },
  {
    source: "OpenZeppelin Pausable",
    link: "https://github.com/OpenZeppelin/openzeppelin-contracts/tree/v5.4.0/contracts/utils/Pausable.sol",
    items: {
      "0x5c975abb": "function paused() returns (bool)",
      "0x8456cb59": "function pause()",
      "0x3f4ba83a": "function unpause()",
    },
  },
  {
    source: "ERC-1967 proxies",
    link: "https://github.com/OpenZeppelin/openzeppelin-contracts/tree/v4.9.6/contracts/proxy",
    items: {
      "0x5c60da1b": "function implementation() returns (address)",
      "0xf851a440": "function admin() returns (address)",
      "0x3659cfe6": "function upgradeTo(address newImplementation)",
      "0x4f1ef286": "function upgradeToAndCall(address newImplementation, bytes data)",
      "0x52d1902d": "function proxiableUUID() returns (bytes32)",
      "0x8f283970": "function changeAdmin(address newAdmin)",
      "0x9623609d": "function upgradeAndCall(address proxy, address implementation, bytes data)",
    },
  },
  {
    source: "OpenZeppelin Governor",
    link: "https://github.com/OpenZeppelin/openzeppelin-contracts/tree/v5.4.0/contracts/governance",
    items: {
      "0x5c19a95c": "function delegate(address delegatee)",
      "0x587cde1e": "function delegates(address account) returns (address)",
      "0x9ab24eb0": "function getVotes(address account) returns (uint256)",
      "0x3a46b1a8": "function getPastVotes(address account, uint256 timepoint) returns (uint256)",
      "0x7d5e81e2":
        "function propose(address[] targets, uint256[] values, bytes[] calldatas, string description) returns (uint256 proposalId)",
      "0x56781388": "function castVote(uint256 proposalId, uint8 support) returns (uint256 balance)",
      "0x3e4f49e6": "function state(uint256 proposalId) returns (uint8)",
    },
  },
  {
    source: "ERC-1271",
    link: "https://eips.ethereum.org/EIPS/eip-1271",
    items: {
      "0x1626ba7e": "function isValidSignature(bytes32 hash, bytes signature) returns (bytes4 magicValue)",
    },
  },
  {
    source: "Multicall3",
    link: "https://github.com/mds1/multicall/blob/v3.1.0/src/Multicall3.sol",
    items: {
      "0x82ad56cb":
        "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returnData)[] returnData)",
      "0x174dea71":
        "function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) returns ((bool success, bytes returnData)[] returnData)",
      "0x252dba42":
        "function aggregate((address target, bytes callData)[] calls) returns (uint256 blockNumber, bytes[] returnData)",
      "0xbce38bd7":
        "function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) returns ((bool success, bytes returnData)[] returnData)",
      "0x399542e9":
        "function tryBlockAndAggregate(bool requireSuccess, (address target, bytes callData)[] calls) returns (uint256 blockNumber, bytes32 blockHash, (bool success, bytes returnData)[] returnData)",
      "0xc3077fa9":
        "function blockAndAggregate((address target, bytes callData)[] calls) returns (uint256 blockNumber, bytes32 blockHash, (bool success, bytes returnData)[] returnData)",
      "0x42cbb15c": "function getBlockNumber() returns (uint256 blockNumber)",
      "0xee82ac5e": "function getBlockHash(uint256 blockNumber) returns (bytes32 blockHash)",
      "0x0f28c97d": "function getCurrentBlockTimestamp() returns (uint256 timestamp)",
      "0x86d516e8": "function getCurrentBlockGasLimit() returns (uint256 gaslimit)",
      "0xa8b0574e": "function getCurrentBlockCoinbase() returns (address coinbase)",
      "0x3e64a696": "function getBasefee() returns (uint256 basefee)",
      "0x3408e470": "function getChainId() returns (uint256 chainid)",
      "0x4d2301cc": "function getEthBalance(address addr) returns (uint256 balance)",
      "0x27e86d6e": "function getLastBlockHash() returns (bytes32 blockHash)",
    },
  },
  {
    source: "OpenZeppelin Multicall",
    link: "https://github.com/OpenZeppelin/openzeppelin-contracts/tree/v5.4.0/contracts/utils/Multicall.sol",
    items: {
      "0xac9650d8": "function multicall(bytes[] data) returns (bytes[] results)",
    },
  },
  {
    source: "Permit2",
    link: "https://github.com/Uniswap/permit2/tree/cc56ad0f3439c502c246fc5cfcc3db92bb8b7219/src",
    items: {
      "0x87517c45": "function approve(address token, address spender, uint160 amount, uint48 expiration)",
      "0x927da105":
        "function allowance(address owner, address token, address spender) returns (uint160 amount, uint48 expiration, uint48 nonce)",
      "0x2b67b570":
        "function permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)",
      "0x36c78516": "function transferFrom(address from, address to, uint160 amount, address token)",
      "0x30f28b7a":
        "function permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes signature)",
      "0x4fe02b44": "function nonceBitmap(address owner, uint256 wordPos) returns (uint256)",
    },
  },
  {
    source: "Safe",
    link: "https://github.com/safe-global/safe-smart-account/tree/v1.4.1/contracts",
    items: {
      "0x6a761202":
        "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) returns (bool success)",
      "0xd8d11f78":
        "function getTransactionHash(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce) returns (bytes32)",
      "0xe75235b8": "function getThreshold() returns (uint256)",
      "0xa0e67e2b": "function getOwners() returns (address[])",
      "0x2f54bf6e": "function isOwner(address owner) returns (bool)",
      "0xaffed0e0": "function nonce() returns (uint256)",
      "0xf698da25": "function domainSeparator() returns (bytes32)",
      "0xffa1ad74": "function VERSION() returns (string)",
      "0x2d9ad53d": "function isModuleEnabled(address module) returns (bool)",
      "0xcc2f8452":
        "function getModulesPaginated(address start, uint256 pageSize) returns (address[] array, address next)",
      "0xd4d9bdcd": "function approveHash(bytes32 hashToApprove)",
      "0x0d582f13": "function addOwnerWithThreshold(address owner, uint256 threshold)",
      "0xf8dc5dd9": "function removeOwner(address prevOwner, address owner, uint256 threshold)",
      "0x694e80c3": "function changeThreshold(uint256 threshold)",
      "0x610b5925": "function enableModule(address module)",
      "0xb63e800d":
        "function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)",
      "0x8d80ff0a": "function multiSend(bytes transactions)",
      "0x468721a7":
        "function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation) returns (bool success)",
    },
  },
  {
    source: "ERC-4337",
    link: "https://eips.ethereum.org/EIPS/eip-4337",
    items: {
      "0x35567e1a": "function getNonce(address sender, uint192 key) returns (uint256 nonce)",
      "0xb760faf9": "function depositTo(address account)",
      "0x1fad948c":
        "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
      "0x765e827f":
        "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
    },
  },
  {
    source: "ERC-4337 SimpleAccount",
    link: "https://github.com/eth-infinitism/account-abstraction/blob/v0.7.0/contracts/samples/SimpleAccount.sol",
    items: {
      "0xb61d27f6": "function execute(address dest, uint256 value, bytes func)",
      "0x47e1da2a": "function executeBatch(address[] dest, uint256[] value, bytes[] func)",
      "0x18dfb3c7": "function executeBatch(address[] dest, bytes[] func)",
    },
  },
  {
    source: "Coinbase Smart Wallet",
    link: "https://github.com/coinbase/smart-wallet/blob/v1.1.0/src/CoinbaseSmartWallet.sol",
    items: {
      "0x34fcd5be": "function executeBatch((address target, uint256 value, bytes data)[] calls)",
      "0x2c2abd1e": "function executeWithoutChainIdValidation(bytes[] calls)",
    },
  },
  {
    source: "ERC-7579",
    link: "https://eips.ethereum.org/EIPS/eip-7579",
    items: {
      "0xe9ae5c53": "function execute(bytes32 mode, bytes executionCalldata)",
      "0xd691c964": "function executeFromExecutor(bytes32 mode, bytes executionCalldata) returns (bytes[] returnData)",
    },
  },
];
