import { addressInWord, addressList, contractForm, facetsCall, safeCalls, safeSlot } from "../abi/contractForm.ts";
import { shownSymbol } from "../abi/token.ts";
import { isWord, quantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import type { BackgroundClient, Question } from "../gate/backgroundClient.ts";
import { resultOf } from "../rpc/outcome.ts";

/** A contract that is known by its code and what it says itself. */
export type SafeOrDiamond =
  | { readonly kind: "diamond"; readonly facets: number }
  | {
      readonly kind: "safe";
      /** The contract whose code it runs. */
      readonly to: string | undefined;
      readonly version: string | undefined;
      /** How many of all owners must sign. */
      readonly owners: { readonly needed: bigint; readonly all: number } | undefined;
    };

/**
 * Asks a contract whose code looks like that of a Safe or of a diamond.
 *
 * @param code - As `eth_getCode` returns it. Most contracts are neither, by their code, and are not asked.
 */
export async function safeOrDiamond(
  address: string,
  code: JsonValue | undefined,
  client: BackgroundClient,
  signal: AbortSignal,
): Promise<SafeOrDiamond | undefined> {
  const call = (data: string): Question => ({ method: "eth_call", params: [{ to: address, data }, "pending"] });
  const ask = async (questions: readonly Question[]) => (await client.ask(questions, signal)).map(resultOf);
  switch (contractForm(code)?.kind) {
    case "dispatcher": {
      const facets = addressList((await ask([call(facetsCall)]))[0]);
      return facets && { kind: "diamond", facets: facets.length };
    }
    case "Safe": {
      const slot = { method: "eth_getStorageAt", params: [address, safeSlot, "pending"] };
      const [word, versionText, threshold, list] = await ask([slot, ...safeCalls.map(call)]);
      const version = shownSymbol(versionText, client.mask);
      const [needed, owners] = [isWord(threshold) ? quantity(threshold) : undefined, addressList(list)];
      return {
        kind: "safe",
        to: addressInWord(word),
        version: version !== undefined && /^\d[\w.+-]{0,20}$/.test(version) ? version : undefined,
        owners: needed !== undefined && owners && needed <= owners.length ? { needed, all: owners.length } : undefined,
      };
    }
    default:
      return undefined;
  }
}
