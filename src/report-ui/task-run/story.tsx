import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatCount, formatDuration } from '../elements/amounts.js';
import { Fold, FoldedText, LongText } from '../elements/fold.js';
import { OutcomeBadge } from '../elements/graphics.js';
import { usePrinting } from '../elements/media.js';
import { readHistoryState } from '../routing/navigation.js';
import { useKeys } from '../shell/keyboard.js';
import { CallView, OwnCallView } from './call-view.js';
import { StepView } from './step-view.js';
import {
  findNeighbouringCall,
  findStoryTarget,
  formatStoryKey,
  isOneOfCalls,
  isOpenAtFirst,
  type ShownEntry,
  type StoryPart,
  splitStory,
} from './story-entries.js';
import type { Pointer } from './task-run-page.js';

interface StoryProps {
  story: readonly ShownEntry[];
  pointer: Pointer;
  /** Numbers of the calls that the chosen assertion points at; `markedBy`: its name. */
  marked: ReadonlySet<number>;
  markedBy: string | undefined;
  /** Called to go to the next or previous call. */
  onStep: (key: string) => void;
}

/** All that happened in a task run, in order. */
export function Story({ story, pointer, marked, markedBy, onStep }: StoryProps) {
  const target = useMemo(
    () => findStoryTarget(story, pointer.key, marked),
    [story, pointer, marked],
  );
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    const key = target?.key ?? pointer.key;
    // Back from a jump: to where the page was scrolled before.
    if (key === null && !isFirst.current) scrollTo(0, readHistoryState().scrolledTo ?? scrollY);
    isFirst.current = false;
    const element = key === null ? null : document.getElementById(key);
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  }, [pointer.key, pointer.times]);
  const goToCall = (step: 1 | -1) => {
    const key = findNeighbouringCall(story, target?.place, step);
    if (key === undefined) return false;
    onStep(key);
  };
  useKeys({ j: () => goToCall(1), k: () => goToCall(-1) });
  const parts = splitStory(story.length);
  return (
    <section class="story" aria-labelledby="story-title">
      <h2 id="story-title">What happened</h2>
      {parts.map((part, number) => {
        const wanted = target !== undefined && isInPart(target.place, part);
        return (
          <StoryPartView
            key={part.start}
            story={story}
            part={part}
            openAtFirst={isOpenAtFirst(number, parts.length)}
            wanted={wanted}
            pointedAt={wanted ? pointer.key : null}
            marked={marked}
            markedBy={markedBy}
          />
        );
      })}
    </section>
  );
}

function isInPart(place: number, { start, end }: StoryPart): boolean {
  return place >= start && place < end;
}

interface StoryPartViewProps {
  story: readonly ShownEntry[];
  part: StoryPart;
  openAtFirst: boolean;
  /** Whether the entry to be shown is in this part. */
  wanted: boolean;
  /** Key of the entry that is pointed at, if it is in this part. */
  pointedAt: string | null;
  /** Numbers of the calls that the chosen assertion points at; `markedBy`: its name. */
  marked: ReadonlySet<number>;
  markedBy: string | undefined;
}

function StoryPartView(props: StoryPartViewProps) {
  const { part, openAtFirst, wanted } = props;
  const [opened, setOpened] = useState(openAtFirst);
  const printing = usePrinting();
  // A state, so that the part stays open when another entry is pointed at.
  if (wanted && !opened) setOpened(true);
  if (!opened && !wanted && !printing) {
    const name = `entries ${formatCount(part.start + 1)} to ${formatCount(part.end)}`;
    return (
      <button
        type="button"
        class="story-more"
        aria-label={`show ${name}`}
        onClick={() => setOpened(true)}
      >
        {name}
      </button>
    );
  }
  return <Entries {...props} />;
}

function Entries({ story, part, pointedAt, marked, markedBy }: StoryPartViewProps) {
  // A jump changes one or two entries: memoised, so that the others are not rendered again.
  return useMemo(
    () => (
      <ol start={part.start + 1}>
        {story.slice(part.start, part.end).map((entry) => {
          const key = formatStoryKey(entry);
          return (
            <li key={key} id={key} tabIndex={-1} class={`story-entry ${entry.kind}`}>
              <StoryEntryView
                entry={entry}
                isTarget={key === pointedAt}
                markedBy={isOneOfCalls(entry, marked) ? markedBy : undefined}
              />
            </li>
          );
        })}
      </ol>
    ),
    [story, part.start, part.end, pointedAt, marked, markedBy],
  );
}

interface StoryEntryViewProps {
  entry: ShownEntry;
  /** Whether a link or a jump leads to this entry: it is shown unfolded. */
  isTarget: boolean;
  /** Name of the chosen assertion, if it points at this entry. */
  markedBy: string | undefined;
}

function StoryEntryView({ entry, isTarget, markedBy }: StoryEntryViewProps) {
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
