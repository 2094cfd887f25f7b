import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useKeys } from '../keyboard/use-keys.js';
import { historyState } from '../routing/history-state.js';
import type { ShownEntry } from './story-keys.js';
import { StoryPartView } from './story-part-view.js';
import { isOpenAtFirst, type StoryPart, storyParts } from './story-parts.js';
import { neighbouringCall, storyTarget } from './story-target.js';
import type { Pointer } from './use-pointer.js';

interface StoryProps {
  story: readonly ShownEntry[];
  pointer: Pointer;
  /** Numbers of the calls that the chosen assertion points at, and its name. */
  marked: ReadonlySet<number>;
  markedBy: string | undefined;
  /** From one call to the next. */
  onStep: (key: string) => void;
}

/** All that happened, in order. */
export function Story({ story, pointer, marked, markedBy, onStep }: StoryProps) {
  const target = useMemo(() => storyTarget(story, pointer.key, marked), [story, pointer, marked]);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    const key = target?.key ?? pointer.key;
    // The way back from a jump.
    if (key === null && !isFirst.current) scrollTo(0, historyState().scrolledTo ?? scrollY);
    isFirst.current = false;
    const element = key === null ? null : document.getElementById(key);
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  }, [pointer.key, pointer.times]);
  const goToCall = (step: 1 | -1) => {
    const key = neighbouringCall(story, target?.place, step);
    if (key === undefined) return false;
    onStep(key);
  };
  useKeys({ j: () => goToCall(1), k: () => goToCall(-1) });
  const parts = storyParts(story.length);
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
