import { type Devchain, startDevchain } from "../../devchain/devchain.ts";
import { type CountingProxy, countingProxy } from "./countingProxy.ts";

interface CountedChain {
  readonly chain: Devchain;
  readonly proxy: CountingProxy;
  /** Puts another proxy in front of the chain. See {@link countingProxy} for the requests that it holds back or answers. */
  holding(holds: Parameters<typeof countingProxy>[1]): Promise<void>;
}

/** One embedded chain without new blocks for all tests of a block, and a new proxy in front of it for each test. */
export function countedChain(): CountedChain {
  let chain: Devchain | undefined;
  let proxy: CountingProxy | undefined;
  before(async () => {
    chain = await startDevchain({ sealEveryMs: 0, traffic: false });
  });
  after(() => chain?.stop());
  beforeEach(async () => {
    proxy = await countingProxy(begun(chain).url);
  });
  afterEach(() => proxy?.close());
  return {
    get chain() {
      return begun(chain);
    },
    get proxy() {
      return begun(proxy);
    },
    async holding(holds) {
      await begun(proxy).close();
      proxy = await countingProxy(begun(chain).url, holds);
    },
  };
}

function begun<T>(thing: T | undefined): T {
  if (thing === undefined) throw new RangeError("It is there only while a test runs.");
  return thing;
}
