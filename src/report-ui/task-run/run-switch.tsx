import { getUsageUnit } from '../../analysis/tools/tool-usage.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { exactCount } from '../elements/amounts.js';
import { useKeys } from '../keyboard/use-keys.js';
import { overviewOf } from '../overview/overview.js';
import { parseView, wholeView } from '../overview/view.js';
import { parseHash } from '../routing/hash.js';
import { lastOverview } from '../routing/last-overview.js';
import { placeInOrder } from '../routing/reading-order.js';
import { placeOfRun, runLink } from '../routing/run-links.js';
import { nameOfRun } from '../routing/run-names.js';
import { currentRoute, goTo } from '../routing/use-hash.js';

interface RunSwitchProps {
  index: ReportIndex;
  place: number;
}

/** The way to the overview, and to the task run before and after. */
export function RunSwitch({ index, place }: RunSwitchProps) {
  const overview = overviewOf(index);
  const unit = getUsageUnit(index);
  const shown = overview.sorted(parseView(parseHash(lastOverview()).query));
  const among = (of: number) => placeInOrder(shown, () => overview.sorted(wholeView), of);
  const { before, after, number, of } = among(place);
  const move = (direction: 'before' | 'after') => () => {
    const from = placeOfRun(index, currentRoute().parts);
    const to = from === undefined ? from : among(from)[direction];
    if (to === undefined) return false;
    goTo(runLink(index, to));
  };
  const byArrow = (action: () => unknown) => (event: KeyboardEvent) =>
    usesArrows(event.target) ? false : action();
  useKeys({
    p: move('before'),
    n: move('after'),
    ArrowLeft: byArrow(move('before')),
    ArrowRight: byArrow(move('after')),
  });
  return (
    <nav class="run-switch" aria-label={`${unit}s`}>
      <a href={lastOverview()}>All {unit}s</a>
      <span class="run-place quiet">
        {exactCount(number)} of {exactCount(of)}
        {of < index.taskRuns.task.length && ' that the filters show'}
      </span>
      {before !== undefined && <Neighbour index={index} place={before} word="Previous" by="p" />}
      {after !== undefined && <Neighbour index={index} place={after} word="Next" by="n" />}
    </nav>
  );
}

interface NeighbourProps extends RunSwitchProps {
  word: string;
  /** The key that does the same. */
  by: string;
}

function Neighbour({ index, place, word, by }: NeighbourProps) {
  const outcome = index.recorded ? '' : (index.taskRuns.outcome[place] ?? 'error');
  const name = nameOfRun(index, place);
  return (
    <a
      class="link-button"
      href={runLink(index, place)}
      title={`${[name, outcome].filter(Boolean).join(', ')} (key ${by})`}
      aria-label={`${[word, outcome].filter(Boolean).join(' ')}: ${name}`}
      aria-keyshortcuts={by}
    >
      {word} <span class="neighbour-outcome quiet">{outcome}</span>
    </a>
  );
}

/** The timeline and text that scrolls have their own use for them. */
function usesArrows(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.folded-text, [data-arrows]') !== null;
}
