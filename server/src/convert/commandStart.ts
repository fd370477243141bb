/** A program whose commands are read, by itself or with its folder; variables may be set for it alone. */
const program = String.raw`(?:"[^"\r\n]{0,200}[\\/]curl(?:\.exe)?"|(?:[^\s"'|;&<>()]{0,200}[\\/])?(?:curl(?:\.exe|:[\w.-]+)?|cast))(?=[ \t\\^\x60])`;
const direct = new RegExp(String.raw`(?:[A-Za-z_]\w*=[^\s;&|]*[ \t]+)*(?=${program})`, "y");
const within = new RegExp(String.raw`(?<=[ \t(])(?=${program})`);

/** What runs the command that follows it, behind arguments of its own. */
const wrapper =
  /(?:sudo|time|timeout|watch|docker|podman|kubectl|ssh|env|nohup|exec|command|xargs|call|cmd|start|do|then|else|if|while|until|for)(?=[ \t])/y;

const prompt = /[ \t]*(?:(?:[$>%]|PS[^>\r\n]{0,200}>|[A-Za-z]:\\[^>\r\n]{0,200}>|[\w.~@:/\\-]{1,200}[$%>])[ \t]*)?/y;
const assignment = /(?:(?:export|local|readonly|declare)[ \t]+)?([A-Za-z_]\w*)=/y;
const substitution = /"?(?:\$\(|`)[ \t]*/y;
const value = /(?=[^\s$`]*[ \t]*(?:;|$)|["'$])/my;

export interface CommandStart {
  readonly start: number;
  /** The variable that is set to what the command prints, or to a value. */
  readonly name: string | undefined;
  readonly isValue: boolean;
}

/** @returns The command, or the value of a variable, at the beginning of a line or behind an operator in it. */
export function commandAt(text: string, at: number, lineEnd: number): CommandStart | undefined {
  const begin = endOf(prompt, text, at) ?? at;
  const found = assigned(text, begin) ?? bare(text, begin);
  if (found && (found.name !== undefined || isCommand(text.slice(found.start, lineEnd)))) return found;
  const behind = found ? undefined : commandBehind(text.slice(at, lineEnd), false);
  return behind === undefined ? undefined : (assigned(text, at + behind) ?? bare(text, at + behind));
}

function bare(text: string, at: number): CommandStart | undefined {
  const start = programAt(text, at);
  return start === undefined ? undefined : { start, name: undefined, isValue: false };
}

/** `NAME=value`, `NAME=$(command …)`. */
function assigned(text: string, at: number): CommandStart | undefined {
  assignment.lastIndex = at;
  const name = assignment.exec(text)?.[1];
  if (name === undefined) return undefined;
  const from = assignment.lastIndex;
  const inside = endOf(substitution, text, from);
  const start = inside === undefined ? undefined : programAt(text, inside);
  if (start !== undefined) return { start, name, isValue: false };
  if (programAt(text, at) !== undefined) return undefined; // the variable of a command
  return endOf(value, text, from) === undefined ? undefined : { start: from, name, isValue: true };
}

function programAt(text: string, at: number): number | undefined {
  const from = endOf(/[!@({& \t]{0,20}/y, text, at) ?? at;
  if (endOf(direct, text, from) !== undefined) return from;
  const behind = endOf(wrapper, text, from);
  if (behind === undefined) return undefined;
  const own = /^[^|;&\r\n"'`]*/.exec(text.slice(behind, behind + 400))?.[0].length ?? 0;
  const offset = within.exec(text.slice(behind, behind + own + 20))?.index;
  return offset === undefined || offset > own ? undefined : behind + offset;
}

/** @returns Where the pattern ends that begins there. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** A sentence that begins with the name of a program has no argument that one takes. */
function isCommand(rest: string): boolean {
  return !/^curl(?:\.exe)?[ \t]/.test(rest) || /[ \t]-|["'$%\\^`/:]/.test(rest);
}

/**
 * @param rest - Of a line.
 * @param isFed - What is printed goes into the command.
 * @returns Where the next command that is read begins in it: behind `;`, `&&`, `||` or `&` that stand outside of quotes.
 */
export function commandBehind(rest: string, isFed: boolean): number | undefined {
  const parts = /'[^']*'|"(?:[^"\\]|\\.)*"|\\.|(?:&&|\|\|?|;|[({]|(?<!>)&(?![>\d]))([ \t]*)|[\s\S]/gy;
  parts.lastIndex = /^\)?"?/.exec(rest)?.[0].length ?? 0; // the end of `"$(…)"`
  for (const { 0: part, 1: space, index } of rest.matchAll(parts)) {
    if (space === undefined) continue;
    const at = index + part.length;
    if (part.trim() === "|" && !isFed && !/^(?:xargs[ \t]|curl[ \t][^|]*@-)/.test(rest.slice(at))) continue;
    const found = assigned(rest, at) ?? bare(rest, at);
    if (found && !found.isValue && isCommand(rest.slice(found.start))) return at;
  }
  return undefined;
}
