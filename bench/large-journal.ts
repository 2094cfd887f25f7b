import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { RawJson } from '../src/base/json-text.js';
import { agentFinished, call, ended, JournalBuilder, started } from '../testing/journals.js';
import type { LargeSize } from './large-results.js';

const runsOfTask = 20;

/** Writes the journal of a check that ran one task run after the other. */
export async function writeLargeJournal(path: string, size: LargeSize): Promise<void> {
  const file = createWriteStream(path);
  const builder = new JournalBuilder({ id: 'large', taskRuns: size.taskRuns });
  for (let index = 0; index < size.taskRuns; index++) {
    addTaskRun(builder, index, size);
    if (!file.write(builder.takeText())) await once(file, 'drain');
  }
  builder.add({ type: 'run-ended', durationMs: 1000, calls: size.taskRuns * size.calls });
  file.end(builder.takeText());
  await once(file, 'finish');
}

function addTaskRun(builder: JournalBuilder, index: number, { calls, resultBytes }: LargeSize) {
  const task = `task-${Math.floor(index / runsOfTask)}`;
  const run = (index % runsOfTask) + 1;
  const taskRun = `${task}-${run}`;
  const path = `tasks/${task}.yaml`;
  builder.add(started({ taskRun, task, path, run, runs: runsOfTask, labels: { area: 'pets' } }));
  const text = 'a "quoted" line\n'.repeat(Math.ceil(resultBytes / 16));
  const result = new RawJson(JSON.stringify({ content: [{ type: 'text', text }] }));
  const [agentStarted, agentEnded] = agentFinished(taskRun);
  if (agentStarted) builder.add(agentStarted);
  for (let number = 1; number <= calls; number++) {
    builder.add(call({ taskRun, call: number, args: new RawJson('{"cat":"Tom"}'), result }));
  }
  if (agentEnded) builder.add(agentEnded);
  const counts = { tool: calls, resource: 0, prompt: 0, errors: 0, tokens: 0 };
  builder.add(ended({ taskRun, task, run, calls: counts }));
}
