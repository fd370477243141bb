import { type AddressOfKey, loadedAddressOfKey, loadKeysOfAddresses, mayHoldKeys } from "../abi/address.ts";
import { memoByObject } from "../base/memo.ts";
import type { Cell } from "../notebook/cell.ts";
import { DocumentCache } from "./documentCache.ts";
import type { Document } from "./documents.ts";
import type { WorkspaceHost } from "./host.ts";

/** The code that finds the private key of an address, for documents that may have both in a cell. */
export class KeyAddresses {
  readonly #needed: DocumentCache<AddressOfKey | undefined>;

  constructor({ changed }: Pick<WorkspaceHost, "changed">) {
    this.#needed = new DocumentCache<AddressOfKey | undefined>(undefined, { changed, isSame: Object.is });
  }

  follow({ uri, header, cells }: Document): void {
    const cell = [...(header ? [header] : []), ...cells].find(mayHoldKeysOfAddresses);
    if (cell) this.#needed.follow(uri, "needed", () => load(cell));
  }
  /** Returns the code once it has been loaded for the document. */
  of(uri: string): AddressOfKey | undefined {
    return this.#needed.of(uri);
  }
  settled(uri: string): Promise<void> {
    return this.#needed.settled(uri);
  }
  forget(uri: string): void {
    this.#needed.forget(uri);
  }
}

const mayHoldKeysOfAddresses = memoByObject(({ text }: Cell) => mayHoldKeys(text));

async function load({ text }: Cell): Promise<AddressOfKey | undefined> {
  await loadKeysOfAddresses(text);
  return loadedAddressOfKey();
}
