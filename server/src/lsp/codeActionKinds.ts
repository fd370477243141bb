import type { Service } from "../service/service.ts";

/** What the protocol calls the kinds of actions. */
export const codeActionKinds: Readonly<Record<ReturnType<Service["codeActions"]>[number]["kind"], string>> = {
  quickfix: "quickfix",
  refactor: "refactor",
  "source.fixAll": "source.fixAll.rpcNotebook",
};
