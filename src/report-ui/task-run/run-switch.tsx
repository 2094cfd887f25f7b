import { unitOf } from '../../analysis/tools/tool-usage.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { exactCount } from '../elements/amounts.js';
import { OutcomeSign } from '../elements/graphics.js';
import { shortName } from '../elements/text.js';
import { overviewOf } from '../overview/overview.js';
import { parseView, wholeView } from '../overview/view.js';
import { parseHash } from '../routing/hash.js';
import { getCurrentRoute, getLastOverview, goTo } from '../routing/navigation.js';
import {
  nameOfRun,
  placeInOrder,
  placeOfRun,
  runLink,
  sameRunOfVariants,
} from '../routing/run-links.js';
import { useKeys } from '../shell/keyboard.js';

interface RunSwitchProps {
  index: ReportIndex;
  place: number;
}

/** The way to the overview, and to the task run before and after. */
export function RunSwitch({ index, place }: RunSwitchProps) {
  const overview = overviewOf(index);
  const unit = unitOf(index);
  const shown = overview.sorted(parseView(parseHash(getLastOverview()).query));
  const among = (of: number) => placeInOrder(shown, () => overview.sorted(wholeView), of);
  const { before, after, number, of } = among(place);
  const move = (direction: 'before' | 'after') => () => {
    const from = placeOfRun(index, getCurrentRoute().parts);
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
      <a href={getLastOverview()}>All {unit}s</a>
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

interface VariantSwitchProps {
  index: ReportIndex;
  place: number;
}

/** The way to what the other variants of the matrix made of the same run. */
export function VariantSwitch({ index, place }: VariantSwitchProps) {
  const { sets, taskRuns } = index;
  if ((sets[taskRuns.set[place] ?? -1]?.variant ?? null) === null) return null;
  const places = sameRunOfVariants(index, place);
  if (places.length < 2) return null;
  return (
    <nav class="variant-switch" aria-label="variants">
      <span class="quiet">Variant</span>
      {places.map((each) => {
        const outcome = taskRuns.outcome[each] ?? 'error';
        const variant = shortName(sets[taskRuns.set[each] ?? -1]?.variant ?? 'none');
        return (
          <a
            key={each}
            class="link-button"
            href={runLink(index, each)}
            aria-current={each === place ? 'page' : undefined}
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
