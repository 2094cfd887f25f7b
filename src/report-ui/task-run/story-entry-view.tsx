import type { ComponentChildren } from 'preact';
import { formatDuration } from '../elements/amounts.js';
import { Fold, FoldedText, LongText } from '../elements/fold.js';
import { OutcomeBadge } from '../elements/graphics.js';
import { CallView, OwnCallView } from './call-view.js';
import { StepView } from './step-view.js';
import type { ShownEntry } from './story-entries.js';

interface StoryEntryViewProps {
  entry: ShownEntry;
  /** Whether a link or a jump leads to this entry: it is shown unfolded. */
  isTarget: boolean;
  /** Name of the chosen assertion, if it points at this entry. */
  markedBy: string | undefined;
}

export function StoryEntryView({ entry, isTarget, markedBy }: StoryEntryViewProps) {
  switch (entry.kind) {
    case 'phase':
      return <PhaseHead entry={entry} />;
    case 'step':
      return <StepView step={entry.step} phase={entry.phase} wanted={isTarget} />;
    case 'call':
      return <CallView entry={entry} wanted={isTarget} markedBy={markedBy} />;
    case 'own-call':
      return <OwnCallView entry={entry} wanted={isTarget} markedBy={markedBy} />;
    case 'warning':
      return <WarningView warning={entry.warning} />;
    default:
      return (
        <Spoken by={speakers[entry.kind]}>
          <LongText text={entry.text.trim()} label={speakers[entry.kind]} />
        </Spoken>
      );
  }
}

const speakers = {
  message: 'agent',
  thinking: 'thinking',
  log: 'log',
  answer: 'final answer',
};

function Spoken({ by, children }: { by: string; children: ComponentChildren }) {
  return (
    <>
      <span class="spoken-by">{by}</span>
      <div class="spoken">{children}</div>
    </>
  );
}

type PhaseEntry = Extract<ShownEntry, { kind: 'phase' }>;

function PhaseHead({ entry }: { entry: PhaseEntry }) {
  const { phase, outcome, durationMs, message, details } = entry;
  return (
    <>
      <h3>
        <span class={`phase-swatch ${phase}`} aria-hidden="true" />
        <span class="phase-name">{phase}</span>
        {durationMs !== null && <span class="quiet">{formatDuration(durationMs)}</span>}
        {outcome !== null && outcome !== 'passed' && <OutcomeBadge outcome={outcome} />}
      </h3>
      {message !== undefined && <LongText text={message} label={`why ${phase} did not pass`} />}
      {details !== undefined && (
        <Fold summary="details">
          {() => <FoldedText value={details} label={`details of ${phase}`} />}
        </Fold>
      )}
    </>
  );
}

type Warning = Extract<ShownEntry, { kind: 'warning' }>['warning'];

function WarningView({ warning: { code, message, server, details } }: { warning: Warning }) {
  return (
    <div class="notice">
      <strong>warning</strong> <code>{code}</code>
      {server !== undefined && <> of {server}</>}
      <LongText text={message} label="the warning" />
      {details !== undefined && (
        <Fold summary="details">
          {() => <FoldedText value={details} label="details of the warning" />}
        </Fold>
      )}
    </div>
  );
}
