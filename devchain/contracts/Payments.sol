// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

interface IERC20 {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Payments in an ERC-20 that the caller has approved: with a memo, with a fee, from a campaign.
contract Payments {
    event Memo(address indexed caller, bytes32 indexed memo);
    event PaymentCaptured(bytes32 indexed paymentInfoHash, uint256 amount, uint16 feeBps, address feeReceiver);
    event PayoutSent(address indexed campaign, address token, address recipient, uint256 amount, bytes extraData);

    error FeeTooHigh(uint16 feeBps);
    error PaymentAlreadyCaptured(bytes32 paymentInfoHash);

    mapping(bytes32 paymentInfoHash => bool) public captured;

    /// The memo's log follows the transfer's directly.
    function pay(IERC20 token, address to, uint256 amount, bytes32 memo) external {
        token.transferFrom(msg.sender, to, amount);
        emit Memo(msg.sender, memo);
    }

    /// @param feeBps hundredths of a percent of the amount, for `feeReceiver`; the rest is the merchant's
    function capture(
        IERC20 token,
        bytes32 paymentInfoHash,
        address merchant,
        uint256 amount,
        uint16 feeBps,
        address feeReceiver
    ) external {
        if (feeBps > 10_000) revert FeeTooHigh(feeBps);
        if (captured[paymentInfoHash]) revert PaymentAlreadyCaptured(paymentInfoHash);
        captured[paymentInfoHash] = true;
        uint256 fee = amount * feeBps / 10_000;
        if (fee > 0) token.transferFrom(msg.sender, feeReceiver, fee);
        token.transferFrom(msg.sender, merchant, amount - fee);
        emit PaymentCaptured(paymentInfoHash, amount, feeBps, feeReceiver);
    }

    function payout(address campaign, IERC20 token, address recipient, uint256 amount, bytes calldata extraData)
        external
    {
        token.transferFrom(msg.sender, recipient, amount);
        emit PayoutSent(campaign, address(token), recipient, amount, extraData);
    }
}
