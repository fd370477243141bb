import type { Service } from "../service/service.ts";

/** The kinds of actions, by the names of the protocol. */
export const codeActionKinds: Readonly<Record<ReturnType<Service["codeActions"]>[number]["kind"], string>> = {
  quickfix: "quickfix",
  refactor: "refactor",
  "source.fixAll": "source.fixAll.rpcNotebook",
};
