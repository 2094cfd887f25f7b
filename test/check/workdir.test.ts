import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { it } from '../support/scratch-suite.js';
import { command, script } from '../support/suite-parts.js';

/** Tells where it is and what it finds, and leaves something. */
const agent = command('pwd; ls -A; touch mark; mkdir -p deep/er; touch deep/er/mark');

describe.concurrent('the working directory', () => {
  it('is fresh and empty for every task run, and gone after it', async ({ makeSuite }) => {
    const look = script('[ ! -e "$(cat ../last)" ] && echo "$PROCTOR_WORKDIR" > ../last');
    const suite = await makeSuite({
      tasks: { a: { runs: 2, spec: { setup: [look] } }, b: { spec: { setup: [look] } } },
      files: { last: 'nowhere' },
      agent,
    });
    const { exitCode, taskRuns, events } = await suite.check();
    expect(exitCode).toBe(0);
    const folders = taskRuns.map(({ output }) => output.trim());
    expect(new Set(folders).size).toBe(3);
    for (const folder of folders) {
      expect(path.relative(suite.temporaryFolder, folder)).toMatch(
        /^[0-9a-f]{36}\/a\/[0-9a-f]{12}\/work$/,
      );
    }
    const started = events.flatMap((event) =>
      event.type === 'task-run-started' ? [event.workdir] : [],
    );
    expect(started).toEqual(folders);
    expect(await suite.leftovers()).toEqual([]);
  });

  it('is kept if asked for: of those that do not pass, or of all', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { a: {}, b: { spec: { verify: [script('false')] } } },
      agent,
    });
    const failed = await suite.check(['--keep-workdir', 'failed']);
    expect(failed.exitCode).toBe(1);
    const [passing, failing] = failed.taskRuns;
    expect(passing?.workdir).toBeUndefined();
    expect(await readdir(failing?.workdir ?? '')).toEqual(['deep', 'mark']);
    // Nothing else of it is left, such as files with addresses.
    expect(await readdir(path.dirname(failing?.workdir ?? ''))).toEqual(['work']);
    expect(await suite.leftovers()).toHaveLength(1);
    expect(failed.stdout).toContain(failing?.workdir);

    const all = await suite.check(['--keep-workdir', 'always']);
    for (const { workdir } of all.taskRuns) {
      expect(await readdir(workdir ?? '')).toEqual(['deep', 'mark']);
      expect(all.stdout).toContain(workdir);
    }
    expect(await suite.leftovers()).toHaveLength(2);
  });
});
