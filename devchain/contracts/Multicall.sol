// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// Several calls in one, with the functions of Multicall3.
contract Multicall {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory returnData) = calls[i].target.call(calls[i].callData);
            require(success || calls[i].allowFailure, "Multicall3: call failed");
            results[i] = Result(success, returnData);
        }
    }

    /// Also sends ether with each call.
    function aggregate3Value(Call3Value[] calldata calls) external payable returns (Result[] memory results) {
        uint256 sum;
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            sum += calls[i].value;
            (bool success, bytes memory returnData) = calls[i].target.call{value: calls[i].value}(calls[i].callData);
            require(success || calls[i].allowFailure, "Multicall3: call failed");
            results[i] = Result(success, returnData);
        }
        require(msg.value == sum, "Multicall3: value mismatch");
    }
}
