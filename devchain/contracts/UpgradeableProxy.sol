// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// Passes every call to the contract that its EIP-1967 slot names. It is never upgraded here.
contract UpgradeableProxy {
    event Upgraded(address indexed implementation);
    event AdminChanged(address previousAdmin, address newAdmin);

    bytes32 private constant IMPLEMENTATION = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
    bytes32 private constant ADMIN = bytes32(uint256(keccak256("eip1967.proxy.admin")) - 1);

    constructor(address implementation, bytes memory initialization) {
        bytes32 implementationSlot = IMPLEMENTATION;
        bytes32 adminSlot = ADMIN;
        assembly ("memory-safe") {
            sstore(implementationSlot, implementation)
            sstore(adminSlot, caller())
        }
        emit Upgraded(implementation);
        emit AdminChanged(address(0), msg.sender);
        (bool done,) = implementation.delegatecall(initialization);
        require(done, "UpgradeableProxy: initialization failed");
    }

    fallback() external payable {
        bytes32 slot = IMPLEMENTATION;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), sload(slot), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }

    receive() external payable {}
}
