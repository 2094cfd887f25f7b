import { useState } from 'preact/hooks';
import { formatCount, formatPlural } from '../elements/amounts.js';
import { usePrinting } from '../elements/media.js';
import { formatName } from '../elements/text.js';
import { formatRunLink } from '../routing/run-links.js';
import type { Searchable } from './searchable.js';
import { countFailingAssertions, type FailureGroup } from './totals.js';

interface FailuresPanelProps {
  searchable: Searchable;
  groups: readonly FailureGroup[];
}

const shownAtFirst = 8;
const mostTasks = 4;

/** Why task runs did not pass, grouped by reason. Renders nothing where all passed. */
export function FailuresPanel({ searchable, groups }: FailuresPanelProps) {
  const [showsAll, showAll] = useState(false);
  const printing = usePrinting();
  if (groups.length === 0) return null;
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const assertions = countFailingAssertions(groups);
  const shown = showsAll || printing ? groups : groups.slice(0, shownAtFirst);
  return (
    <section class="panel failures" aria-labelledby="failures-title">
      <div class="panel-title">
        <h2 id="failures-title">Did not pass</h2>
        <span class="quiet">
          {formatPlural(count, 'task run')}
          {assertions.length > 0 &&
            `; assertions: ${assertions.map(([name, times]) => `${name} ×${times}`).join(', ')}`}
        </span>
      </div>
      <ul class="failure-groups">
        {shown.map((group) => (
          <FailureLine
            key={`${group.category} ${group.message}`}
            searchable={searchable}
            group={group}
          />
        ))}
      </ul>
      {shown.length < groups.length && (
        <button type="button" class="more" onClick={() => showAll(true)}>
          Show all {formatCount(groups.length)} reasons
        </button>
      )}
    </section>
  );
}

function FailureLine({ searchable, group }: { searchable: Searchable; group: FailureGroup }) {
  const { index } = searchable;
  const { category, message, rows, tasks } = group;
  const names = tasks.slice(0, mostTasks).map((task) => formatName(index.tasks[task]?.name ?? ''));
  const more = tasks.length > mostTasks ? ` and ${tasks.length - mostTasks} more` : '';
  return (
    <li>
      <a href={formatRunLink(index, rows[0] ?? 0)}>
        <strong>{category}</strong> {message}
      </a>{' '}
      {rows.length > 1 && <strong class="failure-times">×{formatCount(rows.length)}</strong>}{' '}
      <span class="quiet">
        <bdi>{names.join(', ')}</bdi>
        {more}
      </span>
    </li>
  );
}
