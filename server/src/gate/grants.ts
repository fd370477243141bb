import { sitesNamed } from "../endpoints/site.ts";
import { methodGrant } from "./verdict.ts";

/** Everything that a person has granted, as texts: a site, a value at a site, or a method at a site or everywhere. */
export class Grants {
  readonly #grants: Set<string>;

  /** @param remembered - Grants of earlier sessions, and hosts. */
  constructor(remembered: readonly string[]) {
    this.#grants = new Set(remembered.flatMap(readGrant));
  }

  get all(): ReadonlySet<string> {
    return this.#grants;
  }
  hasAll(grants: readonly string[]): boolean {
    return grants.every((grant) => this.#grants.has(grant));
  }
  /** Whether a method was allowed, by its name or its namespace, at this site or everywhere. */
  allowsMethod(site: string, method: string): boolean {
    const names = methodNames(method);
    return ["*", site].some((where) => names.some((name) => this.#grants.has(methodGrant(where, name))));
  }
  add(grants: readonly string[]): void {
    for (const grant of grants) this.#grants.add(grant);
  }
}

/** @example methodNames("zks_estimateFee"); //=> ["zks_estimateFee", "zks_*"] */
export function methodNames(method: string): readonly string[] {
  const end = method.indexOf("_") + 1;
  return end > 1 ? [method, `${method.slice(0, end)}*`] : [method];
}

/** Reads a remembered grant. Earlier versions remembered only a host, which means HTTPS. */
function readGrant(grant: string): readonly string[] {
  const [where = "", ...rest] = grant.split(" ");
  if (where === "*" || where.includes("://")) return [grant];
  return sitesNamed(where).map((site) => [site, ...rest].join(" "));
}
