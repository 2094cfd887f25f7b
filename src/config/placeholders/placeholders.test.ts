import { describe, expect, it } from 'vitest';
import { findMisspeltPlaceholders } from './placeholders.js';

describe('findMisspeltPlaceholders', () => {
  it.each([
    ['{radom.id}', '{random.id}'],
    ['{rnadom.port}', '{random.port}'],
    ['{step.x.stdout}', '{steps.x.stdout}'],
    ['{step.kubernetes.pods_list.content}', '{steps.kubernetes.pods_list.content}'],
    ['{agents.output}', '{agent.output}'],
    ['{Agent.prompt}', '{agent.prompt}'],
    ['{evn.HOME}', '{env.HOME}'],
    ['{tasks.name}', '{task.name}'],
  ])('takes %s for %s', (written, meant) => {
    expect(findMisspeltPlaceholders(`a ${written} b`)).toEqual([
      { written, meant, offset: 2, length: written.length },
    ]);
  });

  it.each([
    '{random.id} {steps.x.stdout} {agent.output} {env.HOME} {task.name}',
    '{foo.bar} {self.name} {event.id} {range.port}',
    '{agents.name} {radom.choice} {step.x} {envs.home} {tasks.id}',
    '{{ .radom.id }} {{radom.id}} {{step.x.stdout}} ${step.x.stdout}',
    '{"radom.id": 1} {radom.id, x} {radom . id} {radom.id',
    '{dom.id} {agentic.output}',
  ])('leaves %s alone', (text) => {
    expect(findMisspeltPlaceholders(text)).toEqual([]);
  });
});
