import type { Declarations } from "./events.ts";

/** Functions of tokens and vaults. */
export const tokenFunctions: readonly Declarations[] = [
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
