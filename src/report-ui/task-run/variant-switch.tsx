import type { ReportIndex } from '../../report-data/report-data.js';
import { OutcomeSign } from '../elements/outcome-badge.js';
import { shortName } from '../elements/short-name.js';
import { runLink, sameRunOfVariants } from '../routing/run-links.js';

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
