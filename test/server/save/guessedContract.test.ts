import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createDownloads } from "../../../server/src/node/transport.ts";
import { createService } from "../../../server/src/service/service.ts";
import { codeInProcess } from "../../support/codeInProcess.ts";
import { countedChain } from "../../support/countedChain.ts";
import { testHost } from "../../support/host.ts";
import { lookupServer } from "../../support/lookupServer.ts";
import { createPassing, type PassingContracts } from "../../support/passingContracts.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const { signal } = new AbortController();

describe("looking up a contract in an editor", function () {
  this.timeout(300_000);
  const counted = countedChain();
  let at: PassingContracts;
  let folder: string;
  before(async () => {
    at = await createPassing(counted.chain);
  });
  beforeEach(async () => {
    folder = temporaryFolder();
    await counted.replacing(({ method }) => (method === "eth_chainId" ? { result: "0x2105" } : undefined));
  });

  async function opened(readCode: typeof codeInProcess | undefined, instead?: () => number) {
    const host = await lookupServer([], instead);
    const service = createService(
      testHost({
        readCode,
        downloads: createDownloads(() => ({})),
        roots: [pathToFileURL(folder).href],
        settings: { rpcNotebook: { endpoint: counted.proxy.url, lookupHost: host.url } },
      }),
    );
    const uri = pathToFileURL(join(folder, "a.rpc.json")).href;
    service.openText(uri, "[]");
    return {
      host,
      add: (guess?: boolean) => service.addAskedContract({ uri, address: at.vault, ...(guess && { guess }) }, signal),
    };
  }
  const files = () => (existsSync(join(folder, "contracts")) ? readdirSync(join(folder, "contracts")) : []);

  it("offers to guess one that nobody has verified, and guesses it without asking the host again", async () => {
    const { host, add } = await opened(codeInProcess);
    const refused = await add();
    assert.ok("refused" in refused && refused.canGuess);
    assert.deepEqual(files(), []);
    const added = await add(true);
    assert.ok("uri" in added, JSON.stringify(added));
    assert.match(added.text, /guessed from its code/);
    assert.equal(files().length, 1);
    assert.equal(host.paths.length, 1);
  });

  it("does not offer it where code cannot be read, or if the host fails", async () => {
    for (const { add } of [await opened(undefined), await opened(codeInProcess, () => 500)]) {
      const refused = await add();
      assert.ok("refused" in refused && !refused.canGuess);
    }
  });
});
