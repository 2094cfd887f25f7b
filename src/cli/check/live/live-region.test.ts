import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TerminalSize } from '../../terminal/output.js';
import { LiveRegion } from './live-region.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function regionWith(frame: (size: TerminalSize) => string[], size = { columns: 10, rows: 5 }) {
  const written: string[] = [];
  const output = { write: (text: string) => void written.push(text), isTerminal: true };
  const region = new LiveRegion({ ...output, size: () => size }, frame);
  return { region, size, written: () => written.splice(0).join('').replaceAll('\u001b', 'ESC') };
}

describe('LiveRegion', () => {
  it('draws over its last frame, prints above it, and gives the terminal back', () => {
    let frame = ['one', 'two'];
    const { region, written } = regionWith(() => frame);
    region.changed();
    vi.advanceTimersByTime(100);
    expect(written()).toBe('ESC[?25l\roneESC[K\ntwoESC[J\r');
    frame = ['three'];
    region.print('done\n');
    vi.advanceTimersByTime(100);
    expect(written()).toBe('\rESC[1AdoneESC[K\nthreeESC[J\r');
    region.print('last\n');
    region.stop();
    expect(written()).toBe('\rlastESC[K\nESC[JESC[?25h');
    region.print('after\n');
    region.changed();
    vi.advanceTimersByTime(5000);
    expect(written()).toBe('after\n');
  });

  it('draws at most ten times a second, and once a second when nothing changes', () => {
    let frames = 0;
    const { region } = regionWith(() => [String(++frames)]);
    for (let millisecond = 0; millisecond < 1000; millisecond++) {
      region.changed();
      vi.advanceTimersByTime(1);
    }
    expect(frames).toBe(10);
    vi.advanceTimersByTime(3000);
    expect(frames).toBe(13);
    region.stop();
  });

  it('goes further up when the terminal became narrower and wrapped the lines', () => {
    const { region, size, written } = regionWith(() => ['x'.repeat(9), 'y'.repeat(9), 'z']);
    vi.advanceTimersByTime(1000);
    written();
    size.columns = 4;
    vi.advanceTimersByTime(1000);
    expect(written()).toMatch(/^\rESC\[6A/);
    region.stop();
  });

  it('shows the cursor again when the process ends in the middle', () => {
    const before = process.listenerCount('exit');
    const { written } = regionWith(() => []);
    const listener = process.listeners('exit').at(-1);
    written();
    listener?.(0);
    expect(written()).toBe('ESC[?25h');
    expect(process.listenerCount('exit')).toBe(before);
  });
});
