import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { proctor } from '../support/cli.js';
import { proctorProgram } from '../support/proctor-process.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(inject('homeFolder'), 'completion-'));
  await symlink(proctorProgram, path.join(folder, 'proctor'));
  const { stdout } = await proctor(['completion', 'bash']);
  await writeFile(path.join(folder, 'proctor.bash'), stdout);
  await writeFile(path.join(folder, 'results one.json'), '{}');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** What bash would offer for words as readline hands them over, which takes `=` for one of its own. */
async function offers(...words: string[]): Promise<string[]> {
  const script = `
    source ./proctor.bash
    COMP_WORDS=(proctor "$@") COMP_CWORD=$#
    _proctor
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', ...words], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}`, HOME: folder },
  });
  return stdout.split('\n').filter(Boolean);
}

describe.concurrent('in bash', () => {
  it('commands are completed', async () => {
    expect(await offers('vali')).toEqual(['validate']);
    expect(await offers('result', 'con')).toEqual(['convert']);
  });

  it('options and their values are completed', async () => {
    expect(await offers('check', 'eval.yaml', '--rep')).toEqual(['--reporter']);
    expect(await offers('summary', '--output', 'ma')).toEqual(['markdown']);
  });

  it('a value behind a sign is completed without what is before it', async () => {
    expect(await offers('summary', '--output', '=', 'ma')).toEqual(['markdown']);
    expect(await offers('summary', '--output', '=')).toEqual(['text', 'json', 'markdown']);
  });

  it('files are completed where a file can stand, also with a space in the name', async () => {
    expect(await offers('summary', 'res')).toEqual(['results one.json']);
    expect(await offers('schema', 'res')).toEqual(['results']);
  });
});

describe('the script', () => {
  it.each(['bash', 'zsh', 'fish'])('of %s is printed', async (shell) => {
    const { exitCode, stdout, stderr } = await proctor(['completion', shell]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('__complete');
    expect(stdout).not.toContain('\\$');
  });

  it('of another shell is refused', async () => {
    const { exitCode, stdout, stderr } = await proctor(['completion', 'zhs']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('did you mean zsh?');
  });
});
