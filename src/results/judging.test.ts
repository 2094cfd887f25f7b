import { describe, expect, it } from 'vitest';
import type { Judging } from '../journal/task-run-events.js';
import {
  describeJudgingChanges,
  findJudgingChanges,
  Judgings,
  mergeRejudgedJudging,
} from './judging.js';

const script = (digest: string) => ({ type: 'script', digest });
const judge = (digest: string) => ({ type: 'llmJudge', digest });

const whole: Judging = {
  prompt: 'p',
  assertions: { callOrder: 'a', toolsUsed: 'b' },
  setup: [script('s')],
  verify: [script('v'), judge('j')],
  judge: { model: 'small', digest: 'small' },
  timeoutMs: 60_000,
};

describe('judgingChanges', () => {
  it.each<[string, Judging]>([
    ['', {}],
    ['the prompt changed', { prompt: 'q' }],
    ['the assertion callOrder is gone', { assertions: { toolsUsed: 'b' } }],
    [
      'the assertion maxToolCalls is new; the assertion toolsUsed changed',
      { assertions: { callOrder: 'a', toolsUsed: 'c', maxToolCalls: 'd' } },
    ],
    ['setup step 1 (script) changed', { setup: [script('t')] }],
    ['verify step 2 (llmJudge) changed', { verify: [script('v'), judge('k')] }],
    ['verify step 1 (script) is gone', { verify: [judge('j')] }],
    ['verify step 1 (script) is new', { verify: [script('w'), script('v'), judge('j')] }],
    ['the verify steps changed', { verify: [script('v'), judge('j'), judge('j')] }],
    ['the judge is large, it was small', { judge: { model: 'large', digest: 'large' } }],
    ['the settings of the judge changed', { judge: { model: 'small', digest: 'hot' } }],
    ['the judge is gone', { judge: null }],
    ['the time limit is 300 s, it was 60 s', { timeoutMs: 300_000 }],
    ['the time limit is none, it was 60 s', { timeoutMs: null }],
  ])('says: %s', (text, change) => {
    expect(describeJudgingChanges(findJudgingChanges(whole, { ...whole, ...change }))).toBe(text);
  });

  it('takes what is not known for no change', () => {
    expect(findJudgingChanges(whole, {})).toEqual([]);
    expect(findJudgingChanges(undefined, whole)).toEqual([]);
    expect(findJudgingChanges({ assertions: whole.assertions }, whole)).toEqual([]);
  });

  it('keeps a name of a file that others wrote short', () => {
    const changes = findJudgingChanges(
      { assertions: {} },
      { assertions: { ['x'.repeat(100_000)]: '1', __proto__: '2', toString: '3' } },
    );
    expect(describeJudgingChanges(changes).length).toBeLessThan(500);
    expect(describeJudgingChanges(changes)).toContain('the assertion toString is new');
  });
});

describe('Judgings', () => {
  const of = (...all: (Judging | undefined)[]) => {
    const judgings = new Judgings();
    for (const each of all) judgings.add(each);
    return judgings;
  };

  it('counts those that are alike once', () => {
    expect(of(whole, { ...whole }, undefined)).toMatchObject({
      known: [whole],
      hasUnknown: true,
    });
  });

  it('says what changed between and within sets of runs', () => {
    expect(Judgings.changes(of(whole), of(whole, undefined))).toEqual([]);
    const edited = { ...whole, prompt: 'q' };
    expect(describeJudgingChanges(Judgings.changes(of(whole, edited)))).toBe('the prompt changed');
    expect(describeJudgingChanges(Judgings.changes(of(whole), of(edited)))).toBe(
      'the prompt changed',
    );
  });

  it.each(Object.keys(whole))('compares %s also where the first run does not know it', (part) => {
    const other: Judging = {
      ...{ prompt: 'q', assertions: {}, setup: [], verify: [], judge: null, timeoutMs: null },
    };
    const edited = { ...whole, [part]: other[part as keyof Judging] };
    const { [part as keyof Judging]: _, ...partly } = whole;
    const changes = Judgings.changes(of(partly, whole), of(edited));
    expect(changes.length).toBeGreaterThan(0);
    expect(changes).toEqual(findJudgingChanges(whole, edited));
    expect(Judgings.changes(of(partly), of(edited))).toEqual([]);
  });
});

describe('rejudgedJudging', () => {
  it('has the questions and the judge of today, and the other steps as they were', () => {
    const today = { ...whole, verify: [script('w'), judge('k')], judge: { digest: 'large' } };
    expect(mergeRejudgedJudging(whole, today)).toEqual({
      ...whole,
      verify: [script('v'), judge('k')],
      judge: { digest: 'large' },
    });
  });

  it('does not know the steps where those of today are others', () => {
    const { verify: _, ...others } = whole;
    expect(mergeRejudgedJudging(whole, { ...whole, verify: [judge('k')] })).toEqual(others);
  });
});
