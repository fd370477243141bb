/** Names of files and folders, as different systems understand them. */

/**
 * Whether a name means `.git` on any system. Windows and macOS ignore case; Windows also what follows a colon, and dots and
 * spaces at the end, and knows the short name `git~1`; macOS ignores invisible characters.
 */
export function meansGit(name: string): boolean {
  const [plain = ""] = name.replace(/\p{Default_Ignorable_Code_Point}/gu, "").split(":");
  return /^(?:\.git|git~\d+)[. ]*$/i.test(plain);
}

/**
 * Whether Windows opens something else under this name: a device, a second stream of a file, or a file with another name.
 *
 * @see https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
export function isReservedOnWindows(name: string): boolean {
  return /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)|[<>:"/\\|?*\0-\x1f]|[. ]$/i.test(name);
}

/** Returns the same text for all names of a file on a disk that ignores case: macOS ignores the Unicode form too. */
export function foldedName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
