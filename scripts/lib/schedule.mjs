/**
 * Work that may run beside other work.
 *
 * @typedef {object} Task
 * @property {string} name
 * @property {readonly string[]} needs Names of earlier tasks that must have succeeded. A name that no task has is met.
 * @property {number} processors How many it keeps busy.
 * @property {() => Promise<boolean>} run Whether it succeeded.
 * @property {(failed: readonly string[]) => void} skip Called instead if needs failed.
 */

/**
 * Runs tasks side by side, in their order, as far as there are processors for them.
 *
 * @param {readonly Task[]} tasks
 * @param {number} processors
 */
export async function runTasks(tasks, processors) {
  /** @type {Map<string, Promise<boolean>>} */
  const begun = new Map();
  const free = slots(processors);
  for (const task of tasks) begun.set(task.name, runOne(task));
  await Promise.all(begun.values());

  /** @param {Task} task */
  async function runOne(task) {
    const needs = task.needs.map((name) => ({ name, ok: begun.get(name) ?? true }));
    const results = await Promise.all(needs.map(async ({ name, ok }) => ({ name, ok: await ok })));
    const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
    if (failed.length > 0) {
      task.skip(failed);
      return false;
    }
    const release = await free.take(task.processors);
    try {
      return await task.run();
    } finally {
      release();
    }
  }
}

/** Lends processors, first come, first served. A task that wants more than there are gets all. @param {number} all */
function slots(all) {
  let free = all;
  /** @type {{ processors: number, go: () => void }[]} */
  const waiting = [];
  const serve = () => {
    for (let [first] = waiting; first && (first.processors <= free || free === all); [first] = waiting) {
      waiting.shift();
      free -= first.processors;
      first.go();
    }
  };
  return {
    /** @param {number} processors @returns {Promise<() => void>} */
    take: (processors) =>
      new Promise((resolve) => {
        const release = () => {
          free += processors;
          serve();
        };
        waiting.push({ processors, go: () => resolve(release) });
        serve();
      }),
  };
}
