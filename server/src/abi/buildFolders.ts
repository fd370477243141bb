/** Where a project that says nothing has its contracts: Foundry's folder, Hardhat's, and what people make by hand. */
export const usualFolders: readonly string[] = ["out", "artifacts", "abi"];

/**
 * The folders that a `foundry.toml` has artifacts written to, of all its profiles.
 *
 * @see https://getfoundry.sh/config/reference/project (out)
 */
export function foundryFolders(toml: string): readonly string[] {
  const found: string[] = [];
  let section = "";
  for (const line of toml.slice(0, maxTextLength).split("\n")) {
    section = /^\s*\[{1,2}([^[\]]*)\]/.exec(line)?.[1] ?? section;
    const [, , basic, , literal] = /^\s*(["']?)out\1\s*=\s*(?:"([^"\\]*)"|(')([^']*)')/.exec(line) ?? [];
    const folder = basic ?? literal;
    if (folder !== undefined && /^(profile\.[^.]+|default)?$/.test(section.replace(/["'\s]/g, ""))) found.push(folder);
  }
  return [...new Set(found)];
}

/**
 * The folders that a `hardhat.config.*` names under `paths.artifacts`. The file is a program; it is read as text and
 * never run, so only a path that is there as such is found.
 *
 * @see https://hardhat.org/hardhat-runner/docs/config#path-configuration
 */
export function hardhatFolders(config: string): readonly string[] {
  const text = config.slice(0, maxTextLength).replace(comments, "");
  const found: string[] = [];
  for (const { 1: inside = "" } of text.matchAll(/\bpaths["']?\s*:\s*\{([^{}]*)\}/g)) {
    const [, , folder] = /(?:^|[\s,"'])artifacts["']?\s*:\s*(["'`])([^"'`$\\]*)\1/.exec(inside) ?? [];
    if (folder !== undefined) found.push(folder);
  }
  return [...new Set(found)];
}

/** Whole lines and blocks; one that never ends takes all that follows, so that each is looked at once. */
const comments = /\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|^[ \t]*\/\/.*$/gm;

/** UTF-16 code units of a configuration that are looked at. */
const maxTextLength = 200_000;
