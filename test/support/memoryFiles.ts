import type { Files } from "../../server/src/base/ports.ts";

/** Files of a project in memory, by the path from its folder, `file:///nowhere`. */
export function filesOf(contents: Readonly<Record<string, string>>): Files {
  const top = "file:///nowhere/";
  return {
    read: async (one) => {
      const text = one.startsWith(top) ? contents[one.slice(top.length)] : undefined;
      return text === undefined ? undefined : new TextEncoder().encode(text);
    },
    list: async (one) => {
      const inside = Object.keys(contents).filter((name) => `${top}${name}`.startsWith(`${one}/`));
      if (inside.length === 0) return undefined;
      const names = inside.map((name) => `${top}${name}`.slice(one.length + 1));
      const kinds = new Map(names.map((name) => [name.split("/")[0] ?? "", name.includes("/")]));
      return [...kinds].map(
        ([name, isFolder]) => ({ name, kind: isFolder ? "folder" : "file", version: "1" }) as const,
      );
    },
  };
}
