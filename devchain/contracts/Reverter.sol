// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// Fails in every way that a call can fail.
contract Reverter {
    enum Side { Left, Right }

    error Paused();
    error TooSmall(uint256 given, uint256 least);
    error Denied(address account, string reason);
    error CallFailed(address target, bytes reason);

    uint256[] private none;

    /// `Error(string)`
    function requireMoreThanTen(uint256 x) external pure returns (uint256) {
        require(x > 10, "Reverter: x too small");
        return x;
    }

    /// `Error(string)` with a text that tries to leave its place: line ends, colours, marks that reorder the line
    function hostileText() external pure {
        revert(unicode"first\n\u001b[31mred\u001b[0m \u202Eesrever\u202C <img src=x onerror=alert(1)> [link](command:x)");
    }

    /// `Error(string)` without the padding at its end, 78 bytes in all
    function unpaddedText() external pure {
        revertWith(abi.encodePacked(bytes4(0x08c379a0), uint256(32), uint256(10), "user error"));
    }

    /// Revert data that is text, without a selector
    function rawText() external pure {
        revertWith("wrong-calldatasize");
    }

    /// No data at all
    function empty() external pure {
        revert();
    }

    /// Less than a selector
    function threeBytes() external pure {
        revertWith(hex"010203");
    }

    /// `Error(string)`'s selector with a payload that is none
    function malformed() external pure {
        revertWith(hex"08c379a0ffffffff");
    }

    function paused() external pure {
        revert Paused();
    }

    function tooSmall(uint256 given, uint256 least) external pure {
        revert TooSmall(given, least);
    }

    function denied() external view {
        revert Denied(msg.sender, "not on the list");
    }

    /// A custom error whose bytes are the revert data of an inner call
    function nested() external view {
        try this.requireMoreThanTen(1) returns (uint256) {}
        catch (bytes memory reason) {
            revert CallFailed(address(this), reason);
        }
    }

    /// `Panic(uint256)` by its real cause if Solidity has a short one, otherwise by its code
    function panic(uint256 code) external returns (uint256 zero) {
        if (code == 0x01) assert(code == 0);
        if (code == 0x11) return type(uint256).max + code;
        if (code == 0x12) return code / zero;
        if (code == 0x21) return uint256(Side(code));
        if (code == 0x31) none.pop();
        if (code == 0x32) return none[code];
        if (code == 0x41) return new uint256[](type(uint256).max >> code).length;
        if (code == 0x51) {
            function() internal unset;
            unset();
        }
        revertWith(abi.encodeWithSelector(0x4e487b71, code));
    }

    /// Halts, takes all gas, returns nothing
    function invalidOpcode() external pure {
        assembly ("memory-safe") {
            invalid()
        }
    }

    function endlessLoop() external pure {
        while (true) {}
    }

    function revertWith(bytes memory data) private pure {
        assembly ("memory-safe") {
            revert(add(data, 32), mload(data))
        }
    }
}
