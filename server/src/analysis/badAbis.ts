import type { Cell } from "../notebook/cell.ts";
import { type JsonNode, spanOf } from "../notebook/json.ts";
import { contractAt } from "./abi.ts";
import { type AbiEntry, abiEntries } from "./abiEntries.ts";
import type { Problem } from "./problem.ts";
import type { Scope } from "./scope.ts";

/**
 * Finds problems in the `abi` of a header or a cell: its entries, the files that it names, the contracts that it
 * covers.
 */
export function badAbis(cell: Cell, scope: Scope): readonly Problem[] {
  const all = abiEntries(cell);
  const addresses = new Set(all.flatMap(({ address }) => address ?? [])); // one may be for many entries
  return [
    ...all.flatMap((entry) => badEntry(entry, scope)),
    ...[...addresses].flatMap((node) => badAddress(node, scope)),
  ];
}

function badEntry({ node, found }: AbiEntry, { abis }: Scope): readonly Problem[] {
  const span = spanOf(node);
  if (found.kind === "wrong") return [{ code: "bad-abi", span, path: undefined, what: found.what }];
  const { path } = found.kind === "file" ? found : {};
  const fault = path === undefined ? undefined : abis.files.get(path)?.fault;
  if (path === undefined || fault === undefined) return [];
  return fault === "untrusted"
    ? [{ code: "unread-abi", span, path }]
    : [{ code: "bad-abi", span, path, what: fault.what }];
}

function badAddress(node: JsonNode, { header }: Scope): readonly Problem[] {
  if (contractAt(node, header) !== undefined) return [];
  const what = "the `address` of a contract is `0x` and 40 digits, or the variable of the header that holds it";
  return [{ code: "bad-abi", span: spanOf(node), path: undefined, what }];
}
