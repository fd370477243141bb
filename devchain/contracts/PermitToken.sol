// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// Two ways to permit that differ from USDC's: DAI's with a nonce and a switch, and OpenZeppelin's with custom errors and
/// EIP-5267, but without `version()`. Both read signatures by `ecrecover` alone.
contract PermitToken {
    string public constant name = "Permit Coin";
    string public constant symbol = "PMT";
    uint8 public constant decimals = 18;

    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant PERMIT_OF_DAI =
        keccak256("Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)");

    mapping(address owner => uint256) public nonces;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    event Approval(address indexed owner, address indexed spender, uint256 value);

    error ERC2612ExpiredSignature(uint256 deadline);
    error ERC2612InvalidSigner(address signer, address owner);

    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory domainName,
            string memory domainVersion,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        return (hex"0f", name, "3", block.chainid, address(this), bytes32(0), new uint256[](0));
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256("3"),
                block.chainid,
                address(this)
            )
        );
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        if (block.timestamp > deadline) revert ERC2612ExpiredSignature(deadline);
        bytes32 message = keccak256(abi.encode(PERMIT, owner, spender, value, nonces[owner]++, deadline));
        address signer = ecrecover(digest(message), v, r, s);
        if (signer == address(0) || signer != owner) revert ERC2612InvalidSigner(signer, owner);
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    function permit(
        address holder,
        address spender,
        uint256 nonce,
        uint256 expiry,
        bool allowed,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        bytes32 message = keccak256(abi.encode(PERMIT_OF_DAI, holder, spender, nonce, expiry, allowed));
        require(holder != address(0), "Dai/invalid-address-0");
        require(holder == ecrecover(digest(message), v, r, s), "Dai/invalid-permit");
        require(expiry == 0 || block.timestamp <= expiry, "Dai/permit-expired");
        require(nonce == nonces[holder]++, "Dai/invalid-nonce");
        allowance[holder][spender] = allowed ? type(uint256).max : 0;
        emit Approval(holder, spender, allowance[holder][spender]);
    }

    function digest(bytes32 message) private view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), message));
    }
}
