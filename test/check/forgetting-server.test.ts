import { expect } from 'vitest';
import { it } from '../support/scratch-suite.js';
import { callTelling, script, scripted, tellingServer } from '../support/suite-parts.js';
import { story } from '../support/task-run-story.js';

/** Ends the agent's server, and waits until nobody knows it any more. */
const kill = {
  script: {
    inline: 'kill -9 "$PID"; while kill -0 "$PID" 2>/dev/null; do sleep 0.01; done',
    env: { PID: '{steps.pid.content}' },
  },
};
const echo = { 'telling.echo': { args: { text: 'here' } } };

it.for(['task', 'run'])(
  'does not take what a new process of scope %s knows for what the agent left in the one that died',
  async (scope, { makeSuite }) => {
    const suite = await makeSuite({
      servers: { telling: tellingServer([], { scope }) },
      agent: scripted(callTelling('pid'), { say: '{result}' }),
      tasks: {
        between: {
          spec: { verify: [{ id: 'pid', 'telling.pid': {} }, kill, echo], cleanup: [echo] },
        },
        // Nobody but the agent has used it.
        before: {
          spec: {
            verify: [
              {
                id: 'pid',
                script: { inline: 'echo "$ANSWER"', env: { ANSWER: '{agent.output}' } },
              },
              { ...kill, script: { ...kill.script, env: { PID: '{steps.pid.stdout}' } } },
              echo,
            ],
          },
        },
        unused: { spec: { verify: [{ id: 'pid', 'telling.pid': {} }, kill, script('true')] } },
      },
    });
    const { events } = await suite.check();
    const steps = story(events, 'between').filter((words) => /step|ends/.test(words));
    expect(steps).toEqual([
      'verify step 1 passed',
      'verify step 2 passed',
      'verify step 3 error',
      'cleanup step 1 passed',
      'ends error',
    ]);
    expect(story(events, 'before').at(-1)).toBe('ends error');
    // What nobody asks does no harm.
    expect(story(events, 'unused').at(-1)).toBe('ends passed');
  },
);
