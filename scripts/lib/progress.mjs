const live = process.stdout.isTTY === true;

/** What runs now, with the time it began. @type {Map<string, number>} */
const underWay = new Map();

/**
 * Says that something begins: on a terminal in one line that keeps counting, elsewhere in a line of its own.
 *
 * @param {string} name
 * @returns {(ok: boolean, detail?: string) => void} Says how it went and how long it took.
 */
export function announce(name) {
  const begun = performance.now();
  underWay.set(name, begun);
  if (live) redraw();
  else console.log(`▸ ${name}`);
  return (ok, detail) => {
    underWay.delete(name);
    const text = `${ok ? "✓" : "✗"} ${name}  ${seconds(begun)}${detail ? `  ${detail}` : ""}`;
    console.log(live ? `\r\x1b[K${colour(ok, text)}` : text);
    if (live) redraw();
  };
}

/** @param {string} text @param {number} lines */
export function tail(text, lines) {
  return text.trimEnd().split("\n").slice(-lines).join("\n");
}

/** The beginning and the end of a long text: one of them says what went wrong. @param {string} text @param {number} lines */
export function ends(text, lines) {
  const all = text.trim().split("\n");
  return all.length <= lines ? all.join("\n") : [...all.slice(0, lines / 2), "…", ...all.slice(-lines / 2)].join("\n");
}

/** @type {NodeJS.Timeout | undefined} */
let clock;

function redraw() {
  if (underWay.size === 0) {
    clearInterval(clock);
    clock = undefined;
    process.stdout.write("\r\x1b[K");
    return;
  }
  clock ??= setInterval(redraw, 1_000).unref();
  const names = [...underWay].map(([name, begun]) => `${name} ${seconds(begun)}`);
  process.stdout.write(`\r\x1b[K… ${names.join(" · ")}`);
}

/** @param {number} begun */
function seconds(begun) {
  return `${((performance.now() - begun) / 1000).toFixed(1)} s`;
}

/** @param {boolean} ok @param {string} text */
function colour(ok, text) {
  return process.env.NO_COLOR ? text : `\x1b[${ok ? 32 : 31}m${text}\x1b[0m`;
}
