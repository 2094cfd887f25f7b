import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { locateProgram } from './locate-program.js';

let folder: string;
let program: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'proctor-local-program-'));
  program = path.join(folder, 'program');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
});

afterEach(() => rm(folder, { recursive: true }));

function locate(written: string, environment: NodeJS.ProcessEnv = {}) {
  const definition = { name: 'tool', package: written, config: {}, env: {}, folder };
  return locateProgram(definition, { environment, signal: new AbortController().signal });
}

it('a package that names no program is refused', async () => {
  await expect(locate('npm:program')).rejects.toMatchObject({
    name: 'ExtensionError',
    message: 'the package npm:program is neither a path nor a GitHub release',
    hint: expect.stringContaining('write a path to a program'),
  });
});

describe('a package that is a path', () => {
  it('starts at the folder of the eval', async () => {
    expect(await locate('./program')).toBe(program);
    expect(await locate('program')).toBe(program);
  });

  it('may be absolute', async () => {
    expect(await locate(program)).toBe(program);
  });

  it('may start at the home folder', async () => {
    expect(await locate('~/program', { HOME: folder })).toBe(program);
  });

  it('may be a symbolic link to a program', async () => {
    await symlink(program, path.join(folder, 'link'));
    expect(await locate('./link')).toBe(path.join(folder, 'link'));
  });

  it('must exist', async () => {
    await expect(locate('./other')).rejects.toMatchObject({
      name: 'ExtensionError',
      message: `the program ${path.join(folder, 'other')} does not exist`,
      hint: 'relative paths start at the folder of the eval',
    });
    await expect(locate('./program/other')).rejects.toThrow('does not exist');
    await expect(locate('./nul\0')).rejects.toThrow('does not exist');
  });

  it('is told how a release is written if it looks like one', async () => {
    await expect(locate('github.com/org/repo@v1')).rejects.toMatchObject({
      hint: 'for a release, write https://github.com/org/repo@v1',
    });
  });

  it('must not be a folder', async () => {
    await mkdir(path.join(folder, 'tools'));
    await expect(locate('./tools')).rejects.toMatchObject({
      message: `${path.join(folder, 'tools')} is a folder, not a program`,
      hint: 'name the file in it that is to be started',
    });
    await expect(locate('~', { HOME: folder })).rejects.toThrow('is a folder');
  });

  it('must be a regular file', async () => {
    await expect(locate('/dev/null')).rejects.toThrow('/dev/null is not a regular file');
  });

  it('must be executable', async () => {
    await chmod(program, 0o644);
    await expect(locate('./program')).rejects.toMatchObject({
      message: `the program ${program} is not executable`,
      hint: `make it so: chmod +x ${program}`,
    });
  });
});
