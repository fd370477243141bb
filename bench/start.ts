import { spawn } from "node:child_process";
import path from "node:path";
import { medians, type Row, round } from "./row.ts";

const dist = path.resolve("dist") + path.sep; // scripts/bench.mjs starts this in the project's folder

/** Start-up times above that of Node alone, measured in turn. */
export async function start(): Promise<readonly Row[]> {
  const rounds = 15;
  const [node = 0, version = 0, server = 0, symbols = 0] = await medians(
    rounds,
    () => exit(["-e", "0"]),
    () => exit([`${dist}cli.mjs`, "--version"]),
    () => answered(1),
    () => answered(2),
  );
  const baseline = `node -e 0: ${round(node)} ms`;
  return [
    {
      area: "start",
      name: "rpc-notebook --version, above node",
      value: round(version - node),
      unit: "ms",
      budget: 60,
      baseline,
    },
    {
      area: "start",
      name: "server: spawn to initialized, above node",
      value: round(server - node),
      unit: "ms",
      budget: 100,
      baseline,
    },
    {
      area: "start",
      name: "  to the symbols of a first file, above node",
      value: round(symbols - node),
      unit: "ms",
      baseline,
    },
  ];
}

function exit(args: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    spawn(process.execPath, args, { stdio: "ignore" }).once("exit", () => resolve());
  });
}

const textDocument = { uri: "file:///nowhere/a.rpc.json", languageId: "rpc-notebook", version: 1 };
const messages = [
  { id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } },
  { method: "initialized", params: {} },
  {
    method: "textDocument/didOpen",
    params: { textDocument: { ...textDocument, text: `{ "cells": [{ "method": "eth_chainId" }] }` } },
  },
  { id: 2, method: "textDocument/documentSymbol", params: { textDocument } },
];

/** From spawning the server to its answer under an id; its end is not waited for within the time. */
async function answered(id: number): Promise<void> {
  const server = spawn(process.execPath, [`${dist}server/main.mjs`, "--stdio"], { stdio: ["pipe", "pipe", "ignore"] });
  const upTo = messages.findIndex((message) => message.id === id) + 1;
  for (const message of messages.slice(0, upTo)) {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }
  await new Promise<void>((resolve) => {
    let heard = "";
    server.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      heard += chunk;
      if (heard.includes(`"id":${id},"result"`)) resolve();
    });
  });
  server.kill("SIGKILL");
}
