// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// Calls itself some times, then another contract. A failure comes back as it is.
contract Relay {
    /// @param depth calls of itself before the call of `target`
    function forward(uint256 depth, address target, bytes calldata data) external returns (bytes memory result) {
        bool success;
        (success, result) = depth == 0
            ? target.call(data)
            : address(this).call(abi.encodeCall(Relay.forward, (depth - 1, target, data)));
        if (success) return result;
        assembly ("memory-safe") {
            revert(add(result, 32), mload(result))
        }
    }
}
