import { formatShortDuration } from '../../analysis/figure-text.js';
import type { CallCounts, RecordingSummary } from '../../analysis/recording-summary.js';
import { plural } from '../../base/text.js';
import {
  type Document,
  makeAmount,
  makeTable,
  quote,
  right,
  type TableColumn,
} from './document.js';

const mostRows = 100;

/** What agents called while `proctor proxy` recorded them. Nothing in it is a verdict. */
export function describeRecordings(summary: RecordingSummary): Document {
  const { recordings, sessions, called } = summary;
  return {
    title: 'Recorded calls',
    notes: [],
    blocks: [
      {
        type: 'list',
        items: recordings.map((recording) => ({ text: quote(describeSource(recording)) })),
        noun: 'recording',
      },
      { type: 'paragraph', text: { text: describeCalls(summary), tone: 'strong' } },
      makeTable(sessionColumns, sessions, { noun: 'session', limit: mostRows }),
      makeTable(calledColumns, called, { noun: 'name', limit: mostRows }),
      {
        type: 'paragraph',
        text: 'A recording has no verdict: nothing here passed or failed a task.',
      },
    ],
  };
}

function describeSource(recording: RecordingSummary['recordings'][number]): string {
  const { path, servers, finished, startedAt } = recording;
  const when = startedAt === null ? '' : `, ${startedAt.slice(0, 16).replace('T', ' ')}`;
  const open = finished ? '' : '; the proxy is still recording, or was killed';
  return `${path}: proxy recording of ${servers.join(', ')}${when}${open}`;
}

function describeCalls({ sessions, totals }: RecordingSummary): string {
  const { calls, failed, suspected, blocked, unanswered } = totals;
  const parts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(suspected > 0 ? [`${suspected} look${suspected === 1 ? 's' : ''} like an error`] : []),
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
    ...(unanswered > 0 ? [`${unanswered} without an answer`] : []),
  ];
  const how = parts.length > 0 ? ` (${parts.join(', ')})` : '';
  return `${plural(sessions.length, 'session')}, ${plural(calls, 'call')}${how}`;
}

const makeCountColumn = (
  title: string,
  key: 'failed' | 'suspected' | 'blocked' | 'unanswered',
): TableColumn<CallCounts> => ({
  title,
  ...right,
  cell: ({ [key]: count }) => (count === 0 ? undefined : String(count)),
});

const countColumns: readonly TableColumn<CallCounts>[] = [
  { title: 'calls', ...right, cell: ({ calls }) => String(calls) },
  makeCountColumn('failed', 'failed'),
  {
    ...makeCountColumn('suspect', 'suspected'),
    note: 'suspect: looks like an error and is not marked isError',
  },
  makeCountColumn('blocked', 'blocked'),
  makeCountColumn('unanswered', 'unanswered'),
  { title: 'in', ...right, cell: ({ tokens }) => makeAmount(tokens.args) },
  {
    title: 'out',
    ...right,
    note: 'in, out: tokens of arguments and results',
    cell: ({ tokens }) => makeAmount(tokens.result),
  },
];

const sessionColumns: readonly TableColumn<RecordingSummary['sessions'][number]>[] = [
  { title: 'session', cell: ({ session }) => quote(session) },
  {
    title: 'agent',
    isFlexible: true,
    cell: ({ agent }) => (agent === null ? undefined : quote(agent)),
  },
  {
    title: 'time',
    ...right,
    cell: ({ durationMs }) => (durationMs === null ? undefined : formatShortDuration(durationMs)),
  },
  ...countColumns.map(({ note, ...column }) => column),
];

type Called = RecordingSummary['called'][number];

const calledColumns: readonly TableColumn<Called>[] = [
  { title: 'called', isFlexible: true, cell: (each) => quote(formatName(each)) },
  ...countColumns,
  ...(['p50', 'p95'] as const).map(
    (share): TableColumn<Called> => ({
      title: share,
      ...right,
      cell: ({ durationMs }) => (durationMs ? formatShortDuration(durationMs[share]) : undefined),
    }),
  ),
];

function formatName({ server, kind, name }: Called): string {
  return kind === 'tool' ? `${server}.${name}` : `${server} ${kind} ${name}`;
}
