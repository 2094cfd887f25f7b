import { describe, expect } from 'vitest';
import { it } from '../support/scratch-suite.js';
import { command, script } from '../support/suite-parts.js';

const skill = (name: string, text: string) =>
  `---\nname: ${name}\ndescription: How to do it.\n---\n${text}\n`;

const sources = (...paths: string[]) => ({
  skills: { sources: paths.map((path) => ({ type: 'path', path })) },
});

const skills = { mountPath: '.agent/skills' };
const mounted = '.agent/skills/greeting';
const verify = [script('grep -qx "Say hello" "$PROCTOR_AGENT_OUTPUT"')];

describe.concurrent('skills', () => {
  it('are copied for each task run, so that no agent damages them', async ({ makeSuite }) => {
    const damage = `rm -r ${mounted}/scripts; echo damaged > ${mounted}/SKILL.md`;
    const suite = await makeSuite({
      tasks: { one: { spec: { verify }, runs: 2 } },
      agent: {
        ...command(`cat ${mounted}/SKILL.md && sh ${mounted}/scripts/count.sh && ${damage}`),
        skills,
      },
      config: sources('skills', 'one/parting'),
      files: {
        'skills/greeting/SKILL.md': skill('greeting', 'Say hello'),
        'skills/greeting/scripts/count.sh': 'ls .agent/skills',
        'skills/README.md': 'No skill.',
        'one/parting/SKILL.md': skill('parting', 'Say goodbye'),
      },
    });

    const { exitCode, stderr, taskRuns } = await suite.check();

    expect(exitCode, stderr).toBe(0);
    expect(taskRuns).toHaveLength(2);
    for (const { output } of taskRuns) expect(output).toMatch(/Say hello\ngreeting\nparting\n?$/);
    expect(await suite.read('skills/greeting/SKILL.md')).toContain('Say hello');
    expect(await suite.leftovers()).toEqual([]);
  });

  it('that cannot be mounted are an error of the task run, and the agent does not run', async ({
    makeSuite,
  }) => {
    const setup = [script('ln -s "$TMPDIR" "$PROCTOR_WORKDIR/.agent"')];
    const suite = await makeSuite({
      tasks: { one: { spec: { setup } } },
      agent: { ...command('touch "$TMPDIR/ran"'), skills },
      config: sources('skills'),
      files: { 'skills/greeting/SKILL.md': skill('greeting', 'Say hello') },
    });

    const { exitCode, taskRuns } = await suite.check();

    expect(exitCode).toBe(1);
    expect(taskRuns).toMatchObject([
      {
        outcome: 'error',
        failure: {
          category: 'agent-not-started',
          message: expect.stringContaining('leads out of the working directory'),
        },
      },
    ]);
    await expect(suite.read('tmp/skills/greeting/SKILL.md')).rejects.toThrow('ENOENT');
    await expect(suite.read('tmp/ran')).rejects.toThrow('ENOENT');
  });

  it('that were edited are told to --resume', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: {}, two: { spec: { verify: [script('kill -9 $PPID')] } } },
      agent: { ...command('cat'), skills },
      config: sources('skills'),
      files: { 'skills/greeting/SKILL.md': skill('greeting', 'Say hello') },
    });
    await suite.check();
    await suite.write('skills/greeting/SKILL.md', skill('greeting', 'Say nothing'));

    const { exitCode, stderr } = await suite.check(['--resume']);

    expect(exitCode).toBe(2);
    expect(stderr).toContain('skills/greeting/SKILL.md');
  });
});
