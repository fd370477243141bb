import type { AbiScope } from "../abi/abiScope.ts";
import { layoutsAt, type ScopedLayout } from "../abi/storageScope.ts";
import { isAddress } from "../base/hex.ts";
import type { CallFrame } from "./callFrames.ts";

/**
 * Returns the storage layouts of contracts that only the functions which are called there reveal: if they are all declared in
 * the file of exactly one contract with storage. A label, or a file with the address, wins.
 */
export function calledLayouts(
  scope: AbiScope,
  frames: readonly CallFrame[],
  labels: ReadonlyMap<string, string>,
): readonly ScopedLayout[] {
  if (scope.layouts.length === 0) return [];
  const sources = new Map<string, ReadonlySet<string>>();
  for (const { type, from, to, input } of frames) {
    // borrowed code has the storage of its borrower
    const owner = type === "DELEGATECALL" || type === "CALLCODE" ? from : to;
    if (!isAddress(owner) || typeof input !== "string" || input.length < 10 || type.startsWith("CREATE")) continue;
    const declaring = new Set(scope.functions(input.slice(0, 10)).map(({ source }) => source));
    const key = owner.toLowerCase();
    const before = sources.get(key);
    if (declaring.size > 0) sources.set(key, new Set([...declaring].filter((one) => before?.has(one) ?? true)));
  }
  const known = scope.layouts.filter(({ layout, address }) => address === undefined && layout.variables.length > 0);
  return [...sources].flatMap(([address, files]) => {
    if (layoutsAt(scope.layouts, address, labels).layouts.length > 0) return [];
    const [only, ...others] = new Set(known.flatMap(({ layout }) => (files.has(layout.source) ? layout : [])));
    return only && others.length === 0 ? [{ layout: only, address }] : [];
  });
}
