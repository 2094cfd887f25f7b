import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { proctor } from '../support/cli.js';
import { proctorProgram, testNode } from '../support/proctor-process.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(inject('homeFolder'), 'unreadable-'));
  await writeFile(path.join(folder, 'running.jsonl'), '{"seq":1}\n');
  await writeFile(path.join(folder, 'empty.json'), '');
  await writeFile(path.join(folder, 'other.json'), '{"name":"x"}');
  await mkdir(path.join(folder, 'folder'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.concurrent('results that cannot be read', () => {
  it.each(['summary', 'view', 'report'])(
    'are told for what they are: a pipe for %s',
    async (name) => {
      const command = 'cat other.json | "$0" "$1" "$2" /dev/stdin';
      const words = [testNode, proctorProgram, name];
      const ended = promisify(execFile)('bash', ['-c', command, ...words], { cwd: folder });
      await expect(ended).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('/dev/stdin is a pipe: expected a file'),
      });
    },
  );

  it.each([
    ['none.json', 'none.json does not exist'],
    ['running.json', 'there is a journal, of a check that runs or was killed: running.jsonl'],
    ['folder', 'folder is a folder'],
    ['empty.json', 'empty.json holds no results'],
    ['other.json', 'other.json holds no results'],
    ['empty.json/x', 'empty.json/x cannot be read'],
    [`${'x'.repeat(300)}.json`, 'cannot be read'],
  ])('are told in one line: %s', async (name, message) => {
    const calls = [
      ['summary', name],
      ['view', name],
      ['verify', name, '--task', '1'],
      ['diff', '--base', name, '--current', name],
      ['report', name],
      ['result', 'tools', name],
      ['result', 'merge', name, '--out', 'merged.json'],
      ['result', 'convert', 'junit', name],
    ];
    for (const call of calls) {
      const { exitCode, stdout, stderr } = await proctor(call, { cwd: folder });
      expect({ call, exitCode, stdout }).toEqual({ call, exitCode: 2, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    }
  });
});
