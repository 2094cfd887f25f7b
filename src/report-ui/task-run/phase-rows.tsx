import type { PhaseName } from '../../journal/task-run-events.js';
import { OutcomeSign } from '../elements/outcome-badge.js';
import { shortName } from '../elements/short-name.js';
import { Bar, type BarRowProps, fromTo } from './bar.js';
import { BarGroup } from './bar-group.js';
import { stepKey } from './story-keys.js';
import { reachesInto, type TimelinePhase } from './timeline.js';

interface PhaseRowProps extends BarRowProps {
  phases: TimelinePhase[];
  zoom: PhaseName | null;
  onZoom: (phase: PhaseName | null) => void;
}

export function PhaseRow({ phases, part, zoom, onZoom, onTell }: PhaseRowProps) {
  const seen = phases.filter((phase) => reachesInto(phase, part));
  return (
    <BarGroup label="Phases" count={seen.length}>
      {(tabStop) =>
        seen.map((phase, place) => (
          <Bar
            key={phase.name}
            span={phase}
            part={part}
            class={`phase ${phase.name} ${phase.outcome === 'passed' ? '' : 'unhappy'}`}
            label={`${phase.name}, ${phase.outcome ?? 'never ended'}: ${fromTo(phase)}`}
            tabIndex={place === tabStop ? 0 : -1}
            pressed={zoom === phase.name}
            onTell={onTell}
            onSelect={() => onZoom(zoom === phase.name ? null : phase.name)}
          >
            {phase.outcome && phase.outcome !== 'passed' && <OutcomeSign outcome={phase.outcome} />}
            <span>{phase.name}</span>
          </Bar>
        ))
      }
    </BarGroup>
  );
}

interface StepRowProps extends BarRowProps {
  phases: TimelinePhase[];
}

export function StepRow({ phases, part, onShow, onTell }: StepRowProps) {
  const steps = phases.flatMap((phase) => phase.steps).filter((step) => reachesInto(step, part));
  if (steps.length === 0) return null;
  return (
    <BarGroup label="Steps" count={steps.length}>
      {(tabStop) =>
        steps.map((placed, place) => {
          const { phase, step } = placed;
          const kind = shortName(step.kind);
          const name = `${phase} step ${step.step}, ${kind}`;
          return (
            <Bar
              key={`${phase}-${step.step}`}
              span={placed}
              part={part}
              class={`step ${phase} ${step.passed ? '' : 'unhappy'}`}
              label={`${name}, ${step.outcome}: ${fromTo(placed)}`}
              tabIndex={place === tabStop ? 0 : -1}
              onTell={onTell}
              onSelect={() => onShow(stepKey(phase, step.step))}
            >
              {!step.passed && <OutcomeSign outcome={step.outcome} />}
              <span>{kind}</span>
            </Bar>
          );
        })
      }
    </BarGroup>
  );
}
