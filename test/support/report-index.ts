import type { Outcome } from '../../src/journal/task-run-events.js';
import type { ReportIndex } from '../../src/report-data/report-data.js';

/** What a test says of a task run of a report; the rest is usual. */
export interface IndexedRun {
  task?: string;
  run?: number;
  /** What was given, from 0, and the variant of its matrix. */
  source?: number;
  variant?: string | null;
  outcome?: Outcome;
  /** In rates; else of a re-run. */
  counts?: boolean;
  message?: string | null;
  category?: ReportIndex['taskRuns']['category'][number];
  durationMs?: number | null;
  calls?: number;
  tokens?: { input: number | null; output: number | null };
  cost?: number | null;
  /** `server/name`. */
  tools?: string[];
}

type IndexedTask = Partial<Omit<ReportIndex['tasks'][number], 'name' | 'path'>>;

/** Of the index of an HTML report what its overview filters, sorts and links by. */
type IndexOfRuns = Pick<ReportIndex, 'sources' | 'tasks' | 'servers' | 'tools' | 'taskRuns'> & {
  sets: { name: string; source: number; variant: string | null }[];
};

export function reportIndex(
  runs: readonly IndexedRun[],
  tasks: Readonly<Record<string, IndexedTask>> = {},
): IndexOfRuns {
  const taskNames = [...new Set(runs.map(({ task }) => task ?? 'a task'))];
  const toolNames = [...new Set(runs.flatMap(({ tools }) => tools ?? []))];
  const servers = [...new Set(toolNames.map((name) => name.split('/')[0] ?? ''))];
  const keys = [...new Set(runs.map(setKey))];
  const sets = keys.map((key) => {
    const [source, variant]: [number, string | null] = JSON.parse(key);
    return { name: variant ?? `source ${source}`, source, variant };
  });
  return {
    sources: [...new Set(sets.map(({ source }) => `source ${source}`))],
    sets,
    tasks: taskNames.map((name) => ({
      name,
      path: `tasks/${name}.yaml`,
      difficulty: null,
      labels: {},
      ...tasks[name],
    })),
    servers,
    tools: toolNames.map((name) => {
      const [server = '', ...rest] = name.split('/');
      return { server: servers.indexOf(server), kind: 'tool', name: rest.join('/') };
    }),
    taskRuns: {
      set: runs.map((run) => keys.indexOf(setKey(run))),
      task: runs.map(({ task }) => taskNames.indexOf(task ?? 'a task')),
      run: runs.map(({ run }) => run ?? 1),
      outcome: runs.map(({ outcome }) => outcome ?? 'passed'),
      counts: runs.map(({ counts }) => counts ?? true),
      category: runs.map(({ category }) => category ?? null),
      message: runs.map(({ message }) => message ?? null),
      startedAt: runs.map(() => null),
      durationMs: runs.map(({ durationMs }) => durationMs ?? null),
      calls: runs.map(({ calls }) => calls ?? 0),
      callErrors: runs.map(() => 0),
      suspectedErrors: runs.map(() => 0),
      inputTokens: runs.map(({ tokens }) => tokens?.input ?? null),
      outputTokens: runs.map(({ tokens }) => tokens?.output ?? null),
      cost: runs.map(({ cost }) => cost ?? null),
      tools: runs.map(({ tools }) => (tools ?? []).map((name) => toolNames.indexOf(name))),
      chunk: runs.map(() => 0),
      place: runs.map((_, place) => place),
    },
  };
}

function setKey({ source = 0, variant = null }: IndexedRun): string {
  return JSON.stringify([source, variant]);
}
