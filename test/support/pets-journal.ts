import {
  agentFinished,
  assertion,
  ended,
  JournalBuilder,
  started,
} from '../../testing/journals.js';

/** A journal with fixed numbers: three runs of a task, of which the last two pass. */
export function petsJournal(evaluation: { id: string; model?: string }): JournalBuilder {
  const { id, model = 'small' } = evaluation;
  const builder = new JournalBuilder({
    id,
    taskRuns: 3,
    agent: { name: 'claude-code', type: 'claude-code', model },
  });
  const usage = { inputTokens: 12_000, outputTokens: 500 };
  const calls = { tool: 3, resource: 1, prompt: 0, errors: 1, tokens: 250 };
  for (const run of [1, 2, 3]) {
    const taskRun = `feed-${run}`;
    builder.add(started({ taskRun, run, runs: 3, difficulty: 'easy', labels: { area: 'pets' } }));
    for (const event of agentFinished(taskRun)) builder.add(event);
    builder.add(assertion({ taskRun, passed: run > 1 }));
    builder.add(
      ended({
        ...{ taskRun, run, usage, calls, cost: 0.25, durationMs: 1000 * run },
        ...(run === 1 && {
          outcome: 'failed' as const,
          assertionsHeld: false,
          failure: {
            category: 'assertion-failed' as const,
            message: 'feed was not called',
            evidence: 4,
          },
        }),
      }),
    );
  }
  builder.add({ type: 'run-ended', durationMs: 1000, calls: 0 });
  return builder;
}
