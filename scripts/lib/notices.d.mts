import type { Metafile } from "esbuild";

/** The folders of the packages whose code is in a build. */
export function bundledPackages(metafile: Metafile): readonly string[];

/**
 * The notices of packages, as text.
 *
 * @throws {Error} if a package has no licence text, or a licence that is not permissive.
 */
export function noticesOf(folders: readonly string[]): string;
