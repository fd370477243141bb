const live = process.stdout.isTTY === true;
const lineEveryMs = 15_000;

/** What runs now, with the time it began and how far it is. @type {Map<string, { begun: number, detail: string }>} */
const underWay = new Map();

/** Says how much is left; empty if that is not known. */
let left = () => "";

/** @param {() => string} estimate */
export function showTimeLeft(estimate) {
  left = estimate;
}

/**
 * Says that something begins: on a terminal in one line that keeps counting, elsewhere in a line of its own, and in a line
 * for everything that runs, now and then.
 *
 * @param {string} name
 * @returns {Announced}
 *
 * @typedef {object} Announced
 * @property {(detail: string) => void} progress Says how far it is.
 * @property {(ok: boolean, detail?: string) => void} done Says how it went and how long it took.
 */
export function announce(name) {
  const begun = performance.now();
  underWay.set(name, { begun, detail: "" });
  clock ??= setInterval(live ? redraw : printLine, live ? 1_000 : lineEveryMs).unref();
  if (live) redraw();
  else console.log(`▸ ${name}`);
  return {
    progress: (detail) => void underWay.set(name, { begun, detail }),
    done(ok, detail) {
      underWay.delete(name);
      const text = `${ok ? "✓" : "✗"} ${name}  ${((performance.now() - begun) / 1000).toFixed(1)} s${detail ? `  ${detail}` : ""}`;
      console.log(live ? `\r\x1b[K${colour(ok, text)}` : text);
      if (live) redraw();
    },
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
  if (underWay.size > 0) process.stdout.write(`\r\x1b[K${summary().slice(0, process.stdout.columns - 1)}`);
  else {
    clearInterval(clock);
    clock = undefined;
    process.stdout.write("\r\x1b[K");
  }
}

function printLine() {
  if (underWay.size > 0) console.log(summary());
}

function summary() {
  const running = [...underWay].map(([name, { begun, detail }]) => {
    return `${name} ${Math.round((performance.now() - begun) / 1000)} s${detail ? ` (${detail})` : ""}`;
  });
  return `… ${left()}${running.join(" · ")}`;
}

/** @param {boolean} ok @param {string} text */
function colour(ok, text) {
  return process.env.NO_COLOR ? text : `\x1b[${ok ? 32 : 31}m${text}\x1b[0m`;
}
