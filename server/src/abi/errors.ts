import type { Declarations } from "./events.ts";

/** The errors that are decoded without an ABI. */
export const bundledErrors: readonly Declarations[] = [
  {
    source: "Solidity",
    link: "https://docs.soliditylang.org/en/v0.8.30/control-structures.html#panic-via-assert-and-error-via-require",
    items: {
      "0x08c379a0": "error Error(string message)",
      "0x4e487b71": "error Panic(uint256 code)",
    },
  },
  {
    source: "ERC-3668",
    link: "https://eips.ethereum.org/EIPS/eip-3668",
    items: {
      "0x556f1830":
        "error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData)",
    },
  },
  {
    source: "ERC-6093",
    link: "https://eips.ethereum.org/EIPS/eip-6093",
    items: {
      "0xe450d38c": "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
      "0x96c6fd1e": "error ERC20InvalidSender(address sender)",
      "0xec442f05": "error ERC20InvalidReceiver(address receiver)",
      "0xfb8f41b2": "error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
      "0xe602df05": "error ERC20InvalidApprover(address approver)",
      "0x94280d62": "error ERC20InvalidSpender(address spender)",
      "0x89c62b64": "error ERC721InvalidOwner(address owner)",
      "0x7e273289": "error ERC721NonexistentToken(uint256 tokenId)",
      "0x64283d7b": "error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)",
      "0x73c6ac6e": "error ERC721InvalidSender(address sender)",
      "0x64a0ae92": "error ERC721InvalidReceiver(address receiver)",
      "0x177e802f": "error ERC721InsufficientApproval(address operator, uint256 tokenId)",
      "0xa9fbf51f": "error ERC721InvalidApprover(address approver)",
      "0x5b08ba18": "error ERC721InvalidOperator(address operator)",
      "0x03dee4c5":
        "error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)",
      "0x01a83514": "error ERC1155InvalidSender(address sender)",
      "0x57f447ce": "error ERC1155InvalidReceiver(address receiver)",
      "0xe237d922": "error ERC1155MissingApprovalForAll(address operator, address owner)",
      "0x3e31884e": "error ERC1155InvalidApprover(address approver)",
      "0xced3e100": "error ERC1155InvalidOperator(address operator)",
      "0x5b059991": "error ERC1155InvalidArrayLength(uint256 idsLength, uint256 valuesLength)",
    },
  },
  {
    source: "OpenZeppelin",
    link: "https://github.com/OpenZeppelin/openzeppelin-contracts/tree/v5.4.0/contracts",
    items: {
      "0x118cdaa7": "error OwnableUnauthorizedAccount(address account)",
      "0x1e4fbdf7": "error OwnableInvalidOwner(address owner)",
      "0xe2517d3f": "error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)",
      "0x6697b232": "error AccessControlBadConfirmation()",
      "0xd93c0665": "error EnforcedPause()",
      "0x8dfc202b": "error ExpectedPause()",
      "0x3ee5aeb5": "error ReentrancyGuardReentrantCall()",
      "0x5274afe7": "error SafeERC20FailedOperation(address token)",
      "0xe570110f":
        "error SafeERC20FailedDecreaseAllowance(address spender, uint256 currentAllowance, uint256 requestedDecrease)",
      "0x62791302": "error ERC2612ExpiredSignature(uint256 deadline)",
      "0x4b800e46": "error ERC2612InvalidSigner(address signer, address owner)",
      "0x752d88c0": "error InvalidAccountNonce(address account, uint256 currentNonce)",
      "0xf645eedf": "error ECDSAInvalidSignature()",
      "0xfce698f7": "error ECDSAInvalidSignatureLength(uint256 length)",
      "0xd78bce0c": "error ECDSAInvalidSignatureS(bytes32 s)",
      "0x9996b315": "error AddressEmptyCode(address target)",
      "0xcd786059": "error AddressInsufficientBalance(address account)",
      "0xcf479181": "error InsufficientBalance(uint256 balance, uint256 needed)",
      "0xd6bda275": "error FailedCall()",
      "0x1425ea42": "error FailedInnerCall()",
      "0xb06ebf3d": "error FailedDeployment()",
      "0xf92ee8a9": "error InvalidInitialization()",
      "0xd7e6bcf8": "error NotInitializing()",
      "0x4c9c8ce3": "error ERC1967InvalidImplementation(address implementation)",
      "0xb398979f": "error ERC1967NonPayable()",
      "0xe07c8dba": "error UUPSUnauthorizedCallContext()",
    },
  },
  {
    source: "ERC-7751",
    link: "https://eips.ethereum.org/EIPS/eip-7751",
    items: {
      "0x90bfb865": "error WrappedError(address target, bytes4 selector, bytes reason, bytes details)",
    },
  },
  {
    source: "ERC-4337",
    link: "https://eips.ethereum.org/EIPS/eip-4337",
    items: {
      "0x220266b6": "error FailedOp(uint256 opIndex, string reason)",
      "0x65c8fd4d": "error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)",
    },
  },
];

/**
 * Panic codes of the compiler's own checks.
 * @see https://docs.soliditylang.org/en/v0.8.30/control-structures.html#panic-via-assert-and-error-via-require
 */
export const panics: ReadonlyMap<string, string> = new Map([
  ["0", "a generic panic"],
  ["1", "an assertion failed"],
  ["17", "an arithmetic operation overflowed or underflowed"],
  ["18", "a division or modulo by zero"],
  ["33", "a value that the enum does not have"],
  ["34", "a storage byte array that is wrongly encoded"],
  ["49", "pop on an empty array"],
  ["50", "an index beyond the end of the array"],
  ["65", "too much memory, or an array that is too large"],
  ["81", "a call of an internal function that was never set"],
]);
