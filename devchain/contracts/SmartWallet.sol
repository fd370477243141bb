// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// An account that is a contract: its owner signs for it (ERC-1271). An account that delegates to it (EIP-7702) has no
/// owner in its storage, so nothing is valid there.
contract SmartWallet {
    address public owner;

    constructor(address first) {
        owner = first;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65 || owner == address(0)) return 0xffffffff;
        address signer = ecrecover(hash, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64]));
        return signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
