import type { Entry, ImportPart, Note } from "./importModel.ts";

interface ScriptForm {
  /** A line that is a comment; group 1 is its text. */
  readonly comment: RegExp;
  /** Whether lines that are not read are named in a note. */
  readonly namesOthers: boolean;
}

/** The result of reading from a place on. */
export interface ScriptPart extends ImportPart {
  /** A place in the last line that was read. */
  readonly end: number;
}

/**
 * Reads a text line by line. Comments become Markdown.
 *
 * @param read - Reads the statements that begin on a line; `undefined` if there are none.
 */
export function readScript(
  text: string,
  { comment, namesOthers }: ScriptForm,
  read: (at: number, lineEnd: number) => ScriptPart | undefined,
): ImportPart {
  const entries: Entry[] = [];
  const notes: Note[] = [];
  let comments: string[] = [];
  let isNamed = false;
  const endComments = (): void => {
    if (comments.length > 0) entries.push({ kind: "markdown", text: comments.join("\n") });
    comments = [];
  };
  for (let at = 0; at < text.length; ) {
    const lineEnd = nextLine(text, at);
    const line = text.slice(at, lineEnd).trim();
    const commented = comment.exec(line)?.[1];
    const part = commented === undefined ? read(at, lineEnd) : undefined;
    if (commented !== undefined) comments.push(commented);
    if (part) {
      endComments();
      isNamed = false;
      entries.push(...part.entries);
      notes.push(...part.notes);
    } else if (namesOthers && commented === undefined && !isNamed && !/^(?:#!.*|```.*|)$/.test(line)) {
      isNamed = true;
      notes.push({ at, severity: "note", what: "This is not a `curl` or `cast` command, so it is left out." });
    }
    at = nextLine(text, Math.max(at, part?.end ?? at));
  }
  endComments();
  return { entries, notes };
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}
