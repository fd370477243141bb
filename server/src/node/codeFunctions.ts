import type { contractInfo } from "evmole/no_tla";
import type { CodeFunction } from "../abi/guessedAbi.ts";

/** Finds the functions in code, with the library's own call. */
export function functionsIn(analyse: typeof contractInfo, code: string): readonly CodeFunction[] {
  const { functions = [] } = analyse(code, { selectors: true, arguments: true, stateMutability: true });
  return functions.map(({ selector, arguments: types = "", stateMutability: mutability = "nonpayable" }) => ({
    selector: `0x${selector}`,
    types,
    mutability,
  }));
}
