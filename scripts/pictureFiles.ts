/** The files that the pictures of README.md show. */
export const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const carol = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";

const header = `"endpoint": "local",
  "variables": {
    "alice": "${alice}",
    "bob": "${bob}",
    "token": "${token}"
  },
  "labels": {
    "${alice}": "alice",
    "${bob}": "bob",
    "${carol}": "carol",
    "${token}": "Demo Dollar"
  },
  "abi": [
    "function transfer(address to, uint256 value) returns (bool)",
    "event Transfer(address indexed from, address indexed to, uint256 value)",
    "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)"
  ]`;

function notebook(...cells: readonly string[]): string {
  return `{\n  ${header},\n  "cells": [\n    ${cells.join(",\n    ")}\n  ]\n}\n`;
}

/** The name of the constant to hover in `Vault.sol`. */
export const hovered = "TREASURY";

/** Text by name. */
export const files: Readonly<Record<string, string>> = {
  "payments.rpc.json": notebook(
    `{ "markdown": "### What does alice have before the next block?" }`,
    `{ "method": "eth_getBalance", "params": ["{{alice}}", "pending"] }`,
    `{ "markdown": "### Whom did she pay?" }`,
    `{
      "method": "eth_getLogs",
      "params": [{ "address": "{{token}}", "event": "Transfer", "args": { "from": "{{alice}}" }, "fromBlock": "earliest" }]
    }`,
  ),
  "why.rpc.json": notebook(
    `{ "markdown": "### Why does the transfer fail?" }`,
    `{
      "method": "eth_call",
      "params": [
        {
          "from": "{{bob}}",
          "to": "{{token}}",
          "data": {
            "function": "transfer",
            "args": ["{{alice}}", "5000000000000"]
          }
        },
        "pending"
      ]
    }`,
  ),
  "write.rpc.json": notebook(`{ "text": [""] }`),
  "simulation.rpc.json": notebook(
    `{ "markdown": "### Two calls in one block, before they are sent" }`,
    `{
      "method": "eth_simulateV1",
      "params": [
        {
          "blockStateCalls": [
            {
              "calls": [
                { "from": "{{alice}}", "to": "{{bob}}", "value": "1.5 ether" },
                {
                  "from": "{{alice}}",
                  "to": "{{token}}",
                  "data": {
                    "function": "transfer",
                    "args": ["{{bob}}", "25000000"]
                  }
                }
              ]
            }
          ],
          "traceTransfers": true
        },
        "pending"
      ]
    }`,
  ),
  "health.rpc.json": notebook(
    `{ "markdown": "### Checks before a release" }`,
    `{
      "name": "the token is Demo Dollar",
      "method": "eth_call",
      "params": [
        { "to": "{{token}}", "data": { "function": "symbol() returns (string)" } },
        "latest"
      ],
      "expect": { "decoded[0]": "DUSD" }
    }`,
    `{
      "name": "the treasury can pay",
      "method": "eth_getBalance",
      "params": ["{{alice}}", "pending"],
      "expect": { "result": { ">=": "20000 ether" } }
    }`,
  ),
  "rpc-labels.json": `${JSON.stringify({ [token]: "Demo Dollar" }, null, 2)}\n`,
  "Vault.sol": `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "./IERC20.sol";

/// Pays out what the treasury has approved.
contract Vault {
    mapping(address payee => uint256 amount) private approved;

    address constant TREASURY = ${alice};
    address constant TOKEN = ${token};

    function pay(address to, uint256 amount) external {
        approved[to] -= amount;
        IERC20(TOKEN).transferFrom(TREASURY, to, amount);
    }
}
`,
};
