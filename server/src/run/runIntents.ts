import { withFunctions } from "../abi/abiScope.ts";
import type { InWords } from "../abi/clearSigning.ts";
import { describedCalls } from "../abi/describedCalls.ts";
import { abiScope } from "../analysis/abi.ts";
import type { DispatchHost } from "../gate/endpointQueue.ts";
import { intentOf, type Signed } from "../report/intent.ts";
import type { Labels } from "../report/shown.ts";
import { knownNames } from "../report/words.ts";
import { chainOf, type DocumentRun } from "./documentRun.ts";
import { statedTokens } from "./observe/runTokens.ts";

/** Describes requests before they are sent, with the names and ABIs of the notebook and its project. */
export function intentDescriber(run: DocumentRun): DispatchHost["intentOf"] {
  const { document, header, support } = run;
  return async (cell, { method, params, called }) => {
    await support.signatures.loadIf(() => true);
    const abis = support.signatures.with(support.contracts.of(document));
    const scope = abiScope(cell, { header: document.header, abis });
    const tokens = statedTokens(header);
    const inWords = async (signed: Signed, labels: Labels): Promise<InWords | undefined> => {
      const chainId = chainOf(run, cell);
      const names = knownNames(labels, tokens, chainId);
      if ("transaction" in signed) {
        const [said] = await support.descriptors.calls(document, describedCalls([signed.transaction], chainId), names);
        return said?.words;
      }
      return support.descriptors.typedData(document, signed, names);
    };
    const naming = { labels: run.names, tokens, inWords };
    return intentOf(method, params, { ...naming, scope: called ? withFunctions(scope, called) : scope });
  };
}
