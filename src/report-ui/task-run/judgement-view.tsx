import type { JudgementEntry } from '../../analysis/story/story-entry.js';
import { costText, counted, exactCount } from '../elements/amounts.js';
import { Fold } from '../elements/fold.js';
import { OutcomeBadge } from '../elements/outcome-badge.js';
import { LongText } from './long-text.js';

type Judgement = JudgementEntry['judgement'];
type Vote = Judgement['votes'][number];

/** What the LLM judge said, and what it held the answer against. */
export function JudgementView({ judgement }: { judgement: Judgement }) {
  const { mode, reference, reason, failureCategory, votes, model, usage, cost } = judgement;
  const facts = [
    model,
    usage && `${exactCount(usage.inputTokens)} in, ${counted(usage.outputTokens, 'token')} out`,
    cost !== undefined && costText(cost),
  ].filter(Boolean);
  return (
    <div class="judgement">
      <h4>
        judge <Verdict passed={judgement.passed} />
        {failureCategory !== 'n/a' && <code>{failureCategory}</code>}
        {facts.length > 0 && <span class="quiet">{facts.join(' · ')}</span>}
      </h4>
      <LongText text={reason} label="the judge's reason" />
      <h4>reference ({mode})</h4>
      <LongText text={reference} label="the reference" />
      {votes.length > 1 && (
        <Fold
          summary={`${votesInWords(votes)} of ${votes.length}`}
          openAtFirst={!isUnanimous(votes)}
        >
          {() => (
            <ol class="votes">
              {votes.map((vote, place) => (
                <li key={place}>
                  <Verdict passed={vote.passed} />
                  {vote.attempts > 1 && <span class="quiet">asked {vote.attempts} times</span>}
                  <LongText text={vote.reason ?? vote.error ?? ''} label={`vote ${place + 1}`} />
                </li>
              ))}
            </ol>
          )}
        </Fold>
      )}
    </div>
  );
}

function Verdict({ passed }: { passed: boolean | null }) {
  if (passed === null) return <OutcomeBadge outcome="error" />;
  return <OutcomeBadge outcome={passed ? 'passed' : 'failed'} />;
}

function votesInWords(votes: readonly Vote[]): string {
  return `votes: ${votes.filter(({ passed }) => passed).length} for passed`;
}

function isUnanimous(votes: readonly Vote[]): boolean {
  return votes.every(({ passed }) => passed === votes[0]?.passed);
}
