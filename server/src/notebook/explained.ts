import type { RequestNode } from "./cell.ts";

/** Methods whose answer is one transaction, or its receipt. */
const methods: ReadonlySet<string> = new Set(["eth_getTransactionByHash", "eth_getTransactionReceipt"]);

/** Whether `explain` has a meaning beside this method. */
export function isExplainable(method: string): boolean {
  return methods.has(method);
}

/** Whether a request asks for the case of its transaction. */
export function isExplained({ method, members }: RequestNode): boolean {
  return method !== undefined && isExplainable(method) && members.get("explain")?.value?.value === true;
}
