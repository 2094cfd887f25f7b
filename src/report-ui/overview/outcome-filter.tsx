import type { Outcome } from '../../journal/task-run-events.js';
import { exactCount } from '../elements/amounts.js';
import { OutcomeSign } from '../elements/outcome-badge.js';
import { outcomes } from '../elements/outcomes.js';
import type { Overview } from './overview.js';
import type { View } from './view.js';

interface OutcomeFilterProps {
  overview: Overview;
  view: View;
  onChange: (outcomes: Outcome[]) => void;
}

/** Each with how many there would be, so that its count does not change with its own choice. */
export function OutcomeFilter({ overview, view, onChange }: OutcomeFilterProps) {
  const counts = overview.outcomesIn(view);
  const all = overview.outcomes;
  const toggle = (outcome: Outcome) =>
    onChange(outcomes.filter((one) => view.outcomes.includes(one) !== (one === outcome)));
  return (
    <fieldset class="outcome-filter">
      <legend class="off-screen">outcomes</legend>
      {outcomes
        .filter((outcome) => all[outcome] > 0 || view.outcomes.includes(outcome))
        .map((outcome) => (
          <button
            type="button"
            key={outcome}
            class={`chip ${outcome}`}
            aria-pressed={view.outcomes.includes(outcome)}
            onClick={() => toggle(outcome)}
          >
            <OutcomeSign outcome={outcome} />
            {outcome} <span class="chip-count">{exactCount(counts[outcome])}</span>
          </button>
        ))}
    </fieldset>
  );
}
