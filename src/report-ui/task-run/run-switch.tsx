import { getUsageUnit } from '../../analysis/tools/tool-usage.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { formatCount } from '../elements/amounts.js';
import { OutcomeSign } from '../elements/graphics.js';
import { formatName } from '../elements/text.js';
import { getOverview } from '../overview/overview.js';
import { parseView, wholeView } from '../overview/view.js';
import {
  findNeighbours,
  findRun,
  findSameRunOfVariants,
  formatRunLink,
  formatRunName,
  parseHash,
} from '../routing/hash.js';
import { getCurrentRoute, getLastOverview, goTo } from '../routing/navigation.js';
import { useKeys } from '../shell/keyboard.js';

interface RunSwitchProps {
  index: ReportIndex;
  place: number;
}

/** Links to the overview and to the previous and next task run, also by keys. */
export function RunSwitch({ index, place }: RunSwitchProps) {
  const overview = getOverview(index);
  const unit = getUsageUnit(index);
  const shown = overview.sorted(parseView(parseHash(getLastOverview()).query));
  const getNeighbours = (run: number) =>
    findNeighbours(shown, () => overview.sorted(wholeView), run);
  const { before, after, position, total } = getNeighbours(place);
  const move = (direction: 'before' | 'after') => () => {
    const from = findRun(index, getCurrentRoute().parts);
    const to = from === undefined ? from : getNeighbours(from)[direction];
    if (to === undefined) return false;
    goTo(formatRunLink(index, to));
  };
  const byArrow = (action: () => unknown) => (event: KeyboardEvent) =>
    isUsingArrows(event.target) ? false : action();
  useKeys({
    p: move('before'),
    n: move('after'),
    ArrowLeft: byArrow(move('before')),
    ArrowRight: byArrow(move('after')),
  });
  return (
    <nav class="run-switch" aria-label={`${unit}s`}>
      <a href={getLastOverview()}>All {unit}s</a>
      <span class="run-place quiet">
        {formatCount(position)} of {formatCount(total)}
        {total < index.taskRuns.task.length && ' that match the filters'}
      </span>
      {before !== undefined && <Neighbour index={index} place={before} word="Previous" by="p" />}
      {after !== undefined && <Neighbour index={index} place={after} word="Next" by="n" />}
    </nav>
  );
}

interface NeighbourProps extends RunSwitchProps {
  word: string;
  /** Name of the key that does the same. */
  by: string;
}

function Neighbour({ index, place, word, by }: NeighbourProps) {
  const outcome = index.recorded ? '' : (index.taskRuns.outcome[place] ?? 'error');
  const name = formatRunName(index, place);
  return (
    <a
      class="link-button"
      href={formatRunLink(index, place)}
      title={`${[name, outcome].filter(Boolean).join(', ')} (key ${by})`}
      aria-label={`${[word, outcome].filter(Boolean).join(' ')}: ${name}`}
      aria-keyshortcuts={by}
    >
      {word} <span class="neighbour-outcome quiet">{outcome}</span>
    </a>
  );
}

/** Whether the target uses arrow keys itself, as the timeline and scrolling text do. */
function isUsingArrows(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.folded-text, [data-arrows]') !== null;
}

interface VariantSwitchProps {
  index: ReportIndex;
  place: number;
}

/** Links to the same run by the other variants of the matrix. */
export function VariantSwitch({ index, place }: VariantSwitchProps) {
  const { sets, taskRuns } = index;
  if ((sets[taskRuns.set[place] ?? -1]?.variant ?? null) === null) return null;
  const places = findSameRunOfVariants(index, place);
  if (places.length < 2) return null;
  return (
    <nav class="variant-switch" aria-label="variants">
      <span class="quiet">Variant</span>
      {places.map((variantPlace) => {
        const outcome = taskRuns.outcome[variantPlace] ?? 'error';
        const variant = formatName(sets[taskRuns.set[variantPlace] ?? -1]?.variant ?? 'none');
        return (
          <a
            key={variantPlace}
            class="link-button"
            href={formatRunLink(index, variantPlace)}
            aria-current={variantPlace === place ? 'page' : undefined}
            aria-label={`${variant}, ${outcome}`}
          >
            <OutcomeSign outcome={outcome} />
            <bdi>{variant}</bdi>
          </a>
        );
      })}
    </nav>
  );
}
