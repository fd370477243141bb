// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {SmartWallet} from "./SmartWallet.sol";

/// Deploys wallets at addresses that are known before (ERC-6492).
contract WalletFactory {
    function deploy(address owner) external returns (address) {
        return address(new SmartWallet{salt: bytes32(0)}(owner));
    }

    function addressOf(address owner) external view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(SmartWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(this), bytes32(0), code)))));
    }
}
