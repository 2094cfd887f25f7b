import type { Outcome } from '../../journal/task-run-events.js';

/** All outcomes, in the order in which they are shown everywhere. */
export const outcomes: readonly Outcome[] = ['passed', 'failed', 'timeout', 'error', 'cancelled'];

export const columns = [
  'outcome',
  'task',
  'variant',
  'run',
  'source',
  'message',
  'duration',
  'calls',
  'tokens',
  'cost',
] as const;
export type Column = (typeof columns)[number];

export const taskOrders = ['rate', 'name', 'duration', 'tokens'] as const;
export type TaskOrder = (typeof taskOrders)[number];

/** Filters and order of the overview, all of it in the address. Null and empty: no filter. */
export interface View {
  text: string;
  outcomes: readonly Outcome[];
  difficulty: string | null;
  /** A label, as `key=value`. */
  label: string | null;
  server: string | null;
  /** A tool, as `server/name`. */
  tool: string | null;
  /** Place in `index.sources`; `set` in the address. */
  source: number | null;
  variant: string | null;
  sort: { column: Column; descending: boolean };
  tasksBy: TaskOrder;
}

const firstSort: View['sort'] = { column: 'outcome', descending: true };

export const wholeView: View = {
  text: '',
  outcomes: [],
  difficulty: null,
  label: null,
  server: null,
  tool: null,
  source: null,
  variant: null,
  sort: firstSort,
  tasksBy: 'rate',
};

export function parseView(query: URLSearchParams): View {
  const named = new Set(query.get('outcome')?.split(','));
  const source = query.get('set');
  return {
    text: query.get('q') ?? '',
    outcomes: outcomes.filter((outcome) => named.has(outcome)),
    difficulty: query.get('difficulty'),
    label: query.get('label'),
    server: query.get('server'),
    tool: query.get('tool'),
    source: source !== null && /^\d{1,6}$/.test(source) ? Number(source) : null,
    variant: query.get('variant'),
    sort: parseSort(query.get('sort')),
    tasksBy: taskOrders.find((order) => order === query.get('tasks')) ?? wholeView.tasksBy,
  };
}

/** Writes only what differs from the default view, so that addresses stay short. */
export function formatView(view: View): URLSearchParams {
  const query = new URLSearchParams();
  const put = (name: string, value: string | null, usual = '') => {
    if (value !== null && value !== usual) query.set(name, value);
  };
  put('q', view.text);
  put('outcome', view.outcomes.join(','));
  put('difficulty', view.difficulty);
  put('label', view.label);
  put('server', view.server);
  put('tool', view.tool);
  put('set', view.source === null ? null : String(view.source));
  put('variant', view.variant);
  put('sort', formatSort(view.sort), formatSort(firstSort));
  put('tasks', view.tasksBy, wholeView.tasksBy);
  return query;
}

export function isFiltered(view: View): boolean {
  const { text, outcomes, difficulty, label, server, tool, source, variant } = view;
  const choices = [difficulty, label, server, tool, source, variant];
  return text.trim() !== '' || outcomes.length > 0 || choices.some((choice) => choice !== null);
}

function formatSort({ column, descending }: View['sort']): string {
  return descending ? `-${column}` : column;
}

function parseSort(text: string | null): View['sort'] {
  const column = columns.find((name) => name === text?.replace(/^-/, ''));
  return column ? { column, descending: text?.startsWith('-') === true } : firstSort;
}
