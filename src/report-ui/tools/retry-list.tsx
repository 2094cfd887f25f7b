import type { ToolUse } from '../../analysis/tools/tool-usage.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { counted } from '../elements/amounts.js';
import { shortName } from '../elements/short-name.js';
import { placeOfNamedRun, runLink } from '../routing/run-links.js';
import { type RetryGroup, retryGroups } from './retry-groups.js';

interface RetryListProps {
  index: ReportIndex;
  set: number;
  tool: ToolUse;
}

/** Calls that were made again with other arguments after an error. */
export function RetryList({ index, set, tool: { retries, retryCount } }: RetryListProps) {
  if (retryCount === 0) return null;
  return (
    <>
      <h3>Called again with other arguments</h3>
      <p class="quiet">
        {counted(retryCount, 'time')} after an error
        {retryCount > retries.length && `; the first ${retries.length}:`}
      </p>
      <ul class="details-list">
        {retryGroups(retries).map((group, place) => (
          <li key={place}>
            <Group index={index} set={set} group={group} />
          </li>
        ))}
      </ul>
    </>
  );
}

const mostLinks = 8;

function Group({ index, set, group }: { index: ReportIndex; set: number; group: RetryGroup }) {
  const { changed, error, worked, retries } = group;
  return (
    <>
      {counted(retries.length, 'time')}{' '}
      {changed.length > 0 ? `with another ${changed.join(', ')}` : 'with other arguments'}, of which{' '}
      {worked} worked
      {error !== '' && <span class="finding-hint quiet">{error}</span>}
      <span class="retry-links">
        {retries.slice(0, mostLinks).map(({ task, run, failed }) => {
          const place = placeOfNamedRun(index, set, task, run);
          const at = new URLSearchParams({ at: `call-${failed}` });
          const name = `${shortName(task)}, run ${run}, call ${failed}`;
          if (place === undefined) return <span key={name}>{name}</span>;
          return (
            <a key={name} href={runLink(index, place, at)}>
              {name}
            </a>
          );
        })}
        {retries.length > mostLinks && <span>and {retries.length - mostLinks} more</span>}
      </span>
    </>
  );
}
