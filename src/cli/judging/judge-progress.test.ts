import { describe, expect, it } from 'vitest';
import type { CommandIo } from '../terminal/output.js';
import { JudgeProgress } from './judge-session.js';

function watched(isTerminal: boolean, environment: CommandIo['environment'] = {}) {
  const written: string[] = [];
  const stderr = { write: (text: string) => void written.push(text), isTerminal };
  const stdout = { write: () => {}, isTerminal };
  return { io: { stdout, stderr, environment }, text: () => written.join('') };
}

describe('JudgeProgress', () => {
  it('tells it in ten lines at most where nobody watches', () => {
    const { io, text } = watched(false);
    const progress = new JudgeProgress(io, 40);
    for (let count = 0; count < 40; count++) progress.judged();
    progress.end();
    const lines = text().trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe('asking the judge: 4 of 40 answers judged');
    expect(lines.at(-1)).toBe('asking the judge: 40 of 40 answers judged');
  });

  it('tells once that it stops', () => {
    const { io, text } = watched(false);
    const progress = new JudgeProgress(io, 3);
    progress.stopping();
    progress.stopping();
    progress.judged();
    progress.end();
    expect(text()).toBe('stopping the judge\nstopping the judge: 1 of 3 answers judged\n');
  });

  it('leaves a terminal as it was', () => {
    const { io, text } = watched(true);
    const progress = new JudgeProgress(io, 2);
    progress.judged();
    progress.end();
    const [hidden, cleared, shown] = ['\u001b[?25l', '\u001b[J', '\u001b[?25h'];
    expect(text().startsWith(hidden)).toBe(true);
    expect(text().endsWith(`${cleared}${shown}`)).toBe(true);
    expect(text()).not.toContain('\n');
  });

  it.each([{ CI: 'true' }, { TERM: 'dumb' }])('draws nothing with %j', (environment) => {
    const { io, text } = watched(true, environment);
    const progress = new JudgeProgress(io, 1);
    progress.judged();
    progress.end();
    expect(text()).toBe('asking the judge: 1 of 1 answers judged\n');
  });
});
