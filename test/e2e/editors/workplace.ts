import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { answering, hostileServer } from "../../support/hostileServer.ts";
import { linkCommand } from "../../support/installedCommand.ts";

/** A clean folder with a notebook, a node that answers it, and a home for an editor that has never been started. */
export interface Workplace {
  /** The folder of the project. */
  readonly folder: string;
  readonly home: string;
  readonly url: string;
  /** Has the linked command on its `PATH`. */
  readonly env: Readonly<Record<string, string>>;
  write(name: string, text: string): string;
  read(name: string): string;
  remove(): Promise<void>;
}

const notebook = `{
  "endpoint": "test", "variables": { "alice": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8" },
  "cells": [
    { "id": "é😀", "name": "balance", "method": "eth_getBalanc", "params": ["{{alice}}", "pending"] },
    { "id": "é😀", "name": "nonce", "method": "eth_getTransactionCount",   "params": ["{{alice}}", "la"] }
  ]
}
`;

/**
 * @param name - Of the notebook.
 * @param answer - What the node answers.
 */
export async function openWorkplace(
  name: string,
  answer: Parameters<typeof answering>[0] = () => "0xde0b6b3a7640000",
): Promise<Workplace> {
  const root = mkdtempSync(path.join(tmpdir(), "rpc-notebook-editor-"));
  const [folder, home, prefix] = ["project", "home", "prefix"].map((each) => path.join(root, each)) as [
    string,
    string,
    string,
  ]; // as many as names
  for (const each of [folder, home, prefix]) mkdirSync(each);
  const node = await hostileServer(answering(answer));
  const write = (file: string, text: string): string => {
    const place = path.resolve(folder, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
    return place;
  };
  write(name, notebook);
  const inherited = Object.entries(process.env).filter(([key]) => !/^(NODE_OPTIONS|XDG_\w+_HOME)$/.test(key));
  return {
    folder,
    home,
    url: node.url,
    env: {
      ...(Object.fromEntries(inherited) as Record<string, string>), // Node gives no undefined ones
      PATH: `${linkCommand(prefix)}${path.delimiter}${process.env.PATH}`,
      HOME: home,
    },
    write,
    read: (file) => readFileSync(path.resolve(folder, file), "utf8"),
    async remove() {
      await node.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
