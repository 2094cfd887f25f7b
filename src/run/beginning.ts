import { dirname, relative } from 'node:path';
import { getOwnIdentity } from '../base/processes/process-identity.js';
import type { EventBody, EventSink } from '../journal/event.js';
import { type Evaluation, journalSchema, type RunStarted } from '../journal/run-events.js';
import type { Plan } from '../plan/plan.js';
import { proctorVersion } from '../proctor-version.js';
import type { PreviousRun } from './resume/previous-run.js';
import type { Work } from './work.js';

interface Beginning {
  plan: Plan;
  work: Work;
  /** Absolute path of the eval file. */
  evalPath: string;
  record: Pick<Evaluation, 'id' | 'files' | 'options' | 'agent' | 'variants' | 'judge'>;
  mcpServers: RunStarted['mcpServers'];
  /** What the servers offer. */
  offers: readonly EventBody[];
  workspace?: string;
  /** Its id in a queue. */
  queue?: string;
  /** What the journal holds already. */
  previous?: PreviousRun;
  /** Files that changed since, with --force. */
  changed?: readonly string[];
  /** The files and options of this run count from now on, whatever they were. */
  isForced?: boolean;
}

/** Writes what a journal says before the first task run, or where it goes on. */
export function writeBeginning(events: Pick<EventSink, 'write'>, beginning: Beginning): void {
  const { plan, work, evalPath, record, mcpServers, offers, workspace, queue } = beginning;
  const { previous, changed, isForced } = beginning;
  const place = {
    process: getOwnIdentity(),
    ...(workspace !== undefined && { workspace }),
    ...(queue !== undefined && { queue }),
  };
  if (previous) {
    events.write({
      type: 'run-resumed',
      proctor: proctorVersion,
      ...place,
      missing: work.left,
      ...(changed && changed.length > 0 && { changed: [...changed] }),
      ...(isForced && withoutId(record)),
    });
  } else {
    events.write({
      type: 'run-started',
      schema: journalSchema,
      proctor: proctorVersion,
      command: 'check',
      mcpServers,
      evaluation: {
        ...record,
        eval: { name: plan.name, file: relative(dirname(evalPath), evalPath) },
        environment: {
          node: process.version,
          platform: process.platform,
          arch: process.arch,
        },
        taskRuns: work.left,
        ...place,
      },
    });
  }
  for (const event of offers) events.write(event);
  for (const decision of work.decided) events.write(decision);
}

/** A resumed evaluation keeps its own. */
function withoutId({ id: _, ...record }: Beginning['record']) {
  return record;
}
