/**
 * A reporter of your own: the slowest task runs, as a table of tab-separated values.
 *
 *   proctor check eval.yaml --reporter ./slowest-task-runs.mjs=slowest.tsv
 *
 * @type {import('mcp-proctor').CreateReporter}
 */
export default function createReporter({ output, environment }) {
  const shown = Number(environment.SLOWEST ?? 5);
  let warnings = 0;
  return {
    // As it happens. The run does not wait for it.
    onEvent(event) {
      if (event.type === 'warning') warnings += 1;
    },

    // In the end. The results hold everything, also what ran before --resume.
    async onEnd({ results, end }) {
      const slowest = [];
      for await (const { task, run, durationMs, outcome } of results.taskRuns()) {
        slowest.push({ task, run, durationMs: durationMs ?? 0, outcome });
        slowest.sort((left, right) => right.durationMs - left.durationMs);
        slowest.splice(shown);
      }
      await output.write(`# ${end}, ${warnings} warnings\nseconds\ttask\trun\toutcome\n`);
      for (const { task, run, durationMs, outcome } of slowest) {
        const name = task.replaceAll(/\s/g, ' ');
        await output.write(`${(durationMs / 1000).toFixed(1)}\t${name}\t${run}\t${outcome}\n`);
      }
    },
  };
}
