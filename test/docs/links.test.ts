import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"],
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).flatMap((name) =>
    name.endsWith(".md") ? [join("docs", name)] : [],
  ),
];

const known = new Map<string, readonly string[]>();

/** The anchors that GitHub gives to the headings of a page. */
function anchorsIn(page: string): readonly string[] {
  const anchors = known.get(page) ?? readAnchors(page);
  known.set(page, anchors);
  return anchors;
}

function readAnchors(page: string): readonly string[] {
  const text = readFileSync(join(root, page), "utf8").replace(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/^#+ +(.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("the pages of the project", () => {
  it("link to files and headings that exist", () => {
    const links = pages.flatMap((page) => {
      const text = readFileSync(join(root, page), "utf8").replace(/^ *```[\s\S]*?^ *```|`[^`\n]*`/gm, "");
      return [...text.matchAll(/\]\(([^)\s:]+)\)/g)].map(([, link = ""]) => ({ page, link }));
    });
    const dead = links.filter(({ page, link }) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && target.endsWith(".md") && !anchorsIn(target).includes(anchor);
    });
    assert.ok(links.length > 100);
    assert.deepEqual(dead, []);
  });
});
