import assert from "node:assert/strict";
import type { Uri } from "vscode";
import { useFakeVscode, vscode } from "../support/vscode.ts";

/** The members of `Uri` that are used. */
function uri(path: string): Uri {
  return { path, with: ({ path: other }: { path: string }) => uri(other) } as unknown as Uri; // only these are used
}

describe("a file that the client replaces", () => {
  const files = new Map<string, string>();
  let failing: "write" | "rename" | undefined;

  before(useFakeVscode);
  beforeEach(() => {
    files.clear();
    files.set("/a", "old");
    failing = undefined;
    vscode.workspace = {
      fs: {
        writeFile: async ({ path }: Uri, bytes: Uint8Array) => {
          files.set(path, failing === "write" ? "to" : new TextDecoder().decode(bytes));
          if (failing === "write") throw new Error("the disk is full");
        },
        rename: async (from: Uri, to: Uri) => {
          if (failing === "rename") throw new Error("not renamed");
          files.set(to.path, files.get(from.path) ?? "");
          files.delete(from.path);
        },
        delete: async ({ path }: Uri) => void files.delete(path),
      },
    };
  });

  const replace = async (mayReplace?: () => Promise<boolean>): Promise<boolean> => {
    const { replaceFile } = await import("../../client/src/replaceFile.ts");
    return replaceFile(uri("/a"), "torn?", mayReplace);
  };

  it("has its new content as a whole", async () => {
    assert.equal(await replace(), true);
    assert.deepEqual([...files], [["/a", "torn?"]]);
  });

  for (const what of ["write", "rename"] as const)
    it(`has its old content if a ${what} fails, and nothing is left beside it`, async () => {
      failing = what;
      await assert.rejects(replace());
      assert.deepEqual([...files], [["/a", "old"]]);
    });

  it("has its old content if it has changed meanwhile", async () => {
    const seen: string[] = [];
    const mayReplace = async (): Promise<boolean> => {
      seen.push(...files.values());
      return false;
    };
    assert.equal(await replace(mayReplace), false);
    assert.deepEqual(seen, ["old", "torn?"]);
    assert.deepEqual([...files], [["/a", "old"]]);
  });
});
