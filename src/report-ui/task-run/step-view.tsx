import type { StepEntry } from '../../analysis/story/story-entry.js';
import { durationText } from '../elements/amounts.js';
import { Fold } from '../elements/fold.js';
import { OutcomeBadge } from '../elements/outcome-badge.js';
import { shortName } from '../elements/short-name.js';
import { JudgementView } from './judgement-view.js';
import { LongText } from './long-text.js';
import { StepAccount } from './step-account.js';

interface StepViewProps {
  step: StepEntry['step'];
  phase: StepEntry['phase'];
  wanted: boolean;
}

/** A step of setup, verify or cleanup: what failed is open. */
export function StepView({ step, phase, wanted }: StepViewProps) {
  const { kind, id, at, outcome, message, judgement } = step;
  const unmet = (step.unmet ?? []).filter((expectation) => expectation !== message);
  return (
    <div class={`step-card ${step.passed ? '' : 'unhappy'}`}>
      <div class="step-head">
        <span class="call-number">{step.step}</span>
        <span class="call-name">{shortName(kind)}</span>
        {id !== undefined && <code>{shortName(id)}</code>}
        <OutcomeBadge outcome={outcome} />
        <span class="call-amounts">
          {at && (
            <code>
              {at.file}:{at.line}
            </code>
          )}
          {step.durationMs !== null && <span>{durationText(step.durationMs)}</span>}
        </span>
      </div>
      {message !== undefined && <LongText text={message} label="why the step did not pass" />}
      {unmet.length > 0 && (
        <ul class="step-unmet">
          {unmet.map((expectation, place) => (
            <li key={place}>
              <LongText text={expectation} label="an expectation that was not met" />
            </li>
          ))}
        </ul>
      )}
      {judgement && <JudgementView judgement={judgement} />}
      <Fold summary="details" openAtFirst={!step.passed} wanted={wanted}>
        {() => <StepAccount step={step} of={`step ${step.step} of ${phase}`} />}
      </Fold>
    </div>
  );
}
