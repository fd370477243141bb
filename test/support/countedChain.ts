import type { Devchain } from "../../devchain/devchain.ts";
import { type CountingProxy, countingProxy, replacing } from "./countingProxy.ts";
import { sharedChain } from "./sharedChain.ts";

interface CountedChain {
  readonly chain: Devchain;
  readonly proxy: CountingProxy;
  /** Puts another proxy in front of the chain. See {@link countingProxy} for the requests that it holds back or answers. */
  holding(holds: Parameters<typeof countingProxy>[1]): Promise<void>;
  /** Replaces the answers to some requests. */
  replacing(replace: Parameters<typeof replacing>[1]): Promise<void>;
}

/** The shared chain for all tests of a block, and a new proxy in front of it for each test. */
export function countedChain(): CountedChain {
  const chain = sharedChain();
  let proxy: CountingProxy | undefined;
  beforeEach(async () => {
    proxy = await countingProxy(chain.url);
  });
  const holding: CountedChain["holding"] = async (holds) => {
    await begun(proxy).close();
    proxy = await countingProxy(chain.url, holds);
  };
  return {
    chain,
    get proxy() {
      return begun(proxy);
    },
    holding,
    replacing: (replace) => holding(replacing(chain.url, replace)),
  };
}

function begun(proxy: CountingProxy | undefined): CountingProxy {
  if (proxy === undefined) throw new RangeError("The proxy is there only while a test runs.");
  return proxy;
}
