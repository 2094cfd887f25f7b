import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { agentTask, claudeAgent, standInEnvironment } from '../../testing/agent-tasks.js';

it('is kept when Claude Code gives up in plain words, and not in its stream', async () => {
  const task = agentTask();
  const complaint = path.join(task.privateFolder, 'complaint.txt');
  writeFileSync(complaint, 'Your organization has disabled Claude Code.\n');
  const environment = standInEnvironment('', { STAND_IN_STREAM: complaint, STAND_IN_EXIT: '1' });

  const result = await claudeAgent().run({ ...task, environment });

  expect(result).toMatchObject({
    end: 'failed',
    failure: {
      message: 'claude exited with code 1',
      details: 'Your organization has disabled Claude Code.',
    },
  });
  expect(task.steps).toEqual([
    { kind: 'log', text: 'Your organization has disabled Claude Code.' },
  ]);
});
