import type { AbiScope } from "../abi/abiScope.ts";
import { checksummed } from "../abi/address.ts";
import { codeDigits, isDeployed, isLibrary } from "../abi/deployedCode.ts";
import type { StorageLayout } from "../abi/storageLayout.ts";
import { layoutsAt, type ScopedLayout } from "../abi/storageScope.ts";
import { isAddress } from "../base/hex.ts";
import { shortHex } from "../base/text.ts";
import type { CallFrame } from "./callFrames.ts";
import { searchLabels } from "./shown.ts";
import type { TracedCallFacts } from "./tracedCall.ts";
import type { ViewContext } from "./view.ts";

/** What is known of an address that was called. */
interface Called {
  readonly selectors: Set<string>;
  /** Layouts of the contracts whose code ran there. */
  readonly running: Set<StorageLayout>;
  /** The code that ran there is known. */
  isRead: boolean;
}

/**
 * Returns the storage layouts of contracts that only a trace reveals: by the code that runs there, else if exactly one contract
 * with storage, whose code is not known, declares all functions that are called. A label, or a file with the address, wins.
 *
 * @param codes - Hex, by address.
 */
export function calledLayouts(
  scope: AbiScope,
  frames: readonly CallFrame[],
  labels: ReadonlyMap<string, string>,
  codes: ReadonlyMap<string, string>,
): readonly ScopedLayout[] {
  if (scope.layouts.length === 0) return [];
  const known = scope.layouts.flatMap(({ layout, address }) =>
    address === undefined && layout.variables.length > 0 ? layout : [],
  );
  const byCode = new Map([...codes].map(([address, text]) => [address, runningIn(scope, known, text)]));
  const places = new Map<string, Called>();
  for (const { type, from, to, input } of frames) {
    // borrowed code has the storage of its borrower
    const owner = type === "DELEGATECALL" || type === "CALLCODE" ? from : to;
    if (!isAddress(owner) || !isAddress(to) || typeof input !== "string" || type.startsWith("CREATE")) continue;
    const key = owner.toLowerCase();
    const place = places.get(key) ?? { selectors: new Set(), running: new Set(), isRead: false };
    places.set(key, place);
    if (byCode.has(to.toLowerCase())) place.isRead = true;
    for (const layout of byCode.get(to.toLowerCase()) ?? []) place.running.add(layout);
    const selector = input.slice(0, 10).toLowerCase();
    if (scope.functions(selector).length > 0) place.selectors.add(selector); // else it is data for a fallback
  }
  return [...places].flatMap(([address, { selectors, running, isRead }]) => {
    if (layoutsAt(scope.layouts, address, labels).layouts.length > 0) return [];
    const declaring = ({ code, selectors: own }: StorageLayout): boolean =>
      !(isRead && code) && [...selectors].every((one) => own?.has(one)); // other code is another contract
    const fitting = running.size > 0 ? [...running] : selectors.size > 0 ? known.filter(declaring) : [];
    // a file that the header names is read twice
    const [only, ...others] = new Map(
      fitting.map((one) => [one.code ? `${one.contract} ${one.code.print}` : one, one]),
    ).values();
    return only && others.length === 0 ? [{ layout: only, address }] : [];
  });
}

/** The layouts of the contracts that have this code. Hardhat writes code and layout in two files: they have the name in common. */
function runningIn(scope: AbiScope, known: readonly StorageLayout[], text: string): readonly StorageLayout[] {
  const found = withCode(known, text);
  if (found.length > 0) return found;
  const names = new Set(createdWith(scope, text));
  return known.filter(({ code, contract }) => !code && names.has(contract));
}

/** The layouts of the contracts that have this code. */
function withCode(layouts: readonly StorageLayout[], text: string): readonly StorageLayout[] {
  const digits = codeDigits(text);
  return layouts.filter(({ code }) => code && isDeployed(code, digits));
}

/**
 * Adds the names of contracts to a context whose code ran in a trace, `Vault (0xCf7E…0Fc9)`, and those that answer nothing but
 * their functions. Labels win.
 */
export function namedByCode(traced: TracedCallFacts | undefined, context: ViewContext): ViewContext {
  const { scope, labels } = context;
  if (!scope || !traced || !("codes" in traced)) return context;
  const layouts = scope.layouts.map(({ layout }) => layout);
  const names = new Map<string, string>();
  const closed = new Map<string, StorageLayout>();
  for (const [address, text] of traced.codes) {
    const [layout, ...more] = withCode(layouts, text);
    const contracts = layout ? [layout, ...more].map(({ contract }) => contract) : createdWith(scope, text);
    const [name] = contracts;
    if (name === undefined || contracts.some((one) => one !== name)) continue;
    if (layout && [layout, ...more].every(({ isClosed }) => isClosed) && !isLibrary(text)) closed.set(address, layout);
    if (!labels.has(address)) names.set(address, `${name} (${shortHex(checksummed(address))})`);
  }
  if (names.size + closed.size === 0) return context;
  const all = new Map([...labels, ...names]);
  return { ...context, closed, labels: labels.forSearch ? searchLabels(all) : all };
}

/** The names of the contracts without a layout that have this code. */
function createdWith({ creatables }: AbiScope, text: string): readonly string[] {
  const digits = codeDigits(text);
  return creatables.flatMap(({ name, deployed }) => (deployed && isDeployed(deployed, digits) ? name : []));
}
