import { expect, it } from 'vitest';
import { PlaceholderValues } from './placeholder-values.js';

function values(): PlaceholderValues {
  const random = { id: 'ab12', port: 4711 };
  return new PlaceholderValues({ taskName: 'tidy up', random, environment: { HOST: 'here' } });
}

it('puts in what is known of the task run', () => {
  const known = values();
  known.agentPrompted('Do it.');
  known.agentAnswered('Done.');
  known.stepEnded({ type: 'script', id: 'make' }, { stdout: '{env.HOST}' });
  const text = '{task.name} {random.id}:{random.port} {env.HOST} {agent.prompt} {agent.output} {x}';
  expect(known.resolve(text)).toBe('tidy up ab12:4711 here Do it. Done. {x}');
  expect(known.resolve('{steps.make.stdout} {steps.script.stdout}')).toBe('{env.HOST} {env.HOST}');
});

it.each(['env.NOT_SET', 'agent.output', 'steps.make.stdout', 'steps.make', 'task.id'])(
  'does not go on with {%s}, which stands for nothing',
  (name) => {
    expect(() => values().resolve(`{${name}}`)).toThrow(`{${name}} cannot be resolved`);
  },
);

it.each(['env', 'random', 'agent', 'steps.script'])(
  'takes nothing for a value of %s that every object has',
  (family) => {
    const known = values();
    known.stepEnded({ type: 'script' }, { stdout: '' });
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(() => known.resolve(`{${family}.${name}}`)).toThrow('there is no such value');
    }
  },
);

it('does not use an output of which a part is left out', () => {
  const known = values();
  known.stepEnded({ type: 'script' }, { stdout: 'a[...]b', stderr: '' }, ['stdout']);
  expect(known.resolve('<{steps.script.stderr}>')).toBe('<>');
  expect(() => known.resolve('{steps.script.stdout}')).toThrow('too long to be kept as a whole');
});
