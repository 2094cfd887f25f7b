import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type ArchivedFile,
  paxName,
  paxRecord,
  tar,
  tarGz,
  zip,
} from '../../../testing/release-archives.js';
import { sha256 } from '../../../testing/releases.js';
import { unpackProgram } from './unpack-program.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'proctor-unpack-'));
});

afterEach(() => rm(folder, { recursive: true }));

const content = Buffer.from(`#!/bin/sh\n${'echo program\n'.repeat(1000)}`);
const program = { name: 'tool', content };
const readme = { name: 'README.md', content: Buffer.from('Read me.'), mode: 0o644 };
const license = { name: 'LICENSE', content: Buffer.from('Do what you want.'), mode: 0o644 };

async function unpack(asset: Buffer, name: string, more: { maxBytes?: number } = {}) {
  const work = await mkdtemp(path.join(folder, 'work-'));
  const file = path.join(work, 'asset');
  const target = path.join(work, 'program');
  await writeFile(file, asset);
  const signal = new AbortController().signal;
  const hash = await unpackProgram(file, { name, repo: 'tool', target, signal, ...more });
  const written = await readFile(target);
  expect(hash).toBe(sha256(written));
  return written;
}

const wrappings: [name: string, wrap: (files: ArchivedFile[]) => Buffer][] = [
  ['tool-linux-amd64.tar.gz', tarGz],
  ['tool-linux-amd64.tgz', tarGz],
  ['tool-linux-amd64.zip', zip],
];

describe.each(wrappings)('%s', (name, wrap) => {
  it('holds a program with the name of the repository', async () => {
    const other = { name: 'helper', content: Buffer.from('other') };
    expect(await unpack(wrap([readme, other, program]), name)).toEqual(content);
  });

  it('holds a program with the name of the archive', async () => {
    const named = { name: 'tool-linux-amd64', content };
    const other = { name: 'helper', content: Buffer.from('other') };
    expect(await unpack(wrap([other, named]), name)).toEqual(content);
  });

  it.each(['tool.exe', 'Tool', 'tool-1.2.3/bin/tool'])('holds a program %s', async (called) => {
    const other = { name: 'helper', content: Buffer.from('other') };
    expect(await unpack(wrap([other, { name: called, content }]), name)).toEqual(content);
  });

  it('holds one file that can be the program', async () => {
    const hidden = { name: '._main', content: Buffer.from('resource') };
    const files = [readme, license, hidden, { name: 'dist/main', content, mode: 0o644 }];
    expect(await unpack(wrap(files), name)).toEqual(content);
  });

  it('holds one file that is executable', async () => {
    const data = { name: 'data.bin', content: Buffer.from('data'), mode: 0o644 };
    expect(await unpack(wrap([data, { name: 'main', content }]), name)).toEqual(content);
  });

  it('holds a program without content', async () => {
    const empty = Buffer.alloc(0);
    expect(await unpack(wrap([{ name: 'tool', content: empty }]), name)).toEqual(empty);
  });

  it('is refused if the program is not clear', async () => {
    const files = [readme, { name: 'one', content }, { name: 'two', content }];
    await expect(unpack(wrap(files), name)).rejects.toThrow(
      'which of its files is the program is not clear: it holds README.md, one, two',
    );
  });

  it('is refused if there is nothing but documents', async () => {
    await expect(unpack(wrap([readme, license]), name)).rejects.toThrow('is not clear');
    await expect(unpack(wrap([]), name)).rejects.toThrow('it holds nothing');
  });

  it.each(['../tool', '../../../../tmp/tool', '/tmp/tool', 'a/../../tool', '..\\tool', 'C:tool'])(
    'is refused if its program wants to be at %s',
    async (called) => {
      await expect(unpack(wrap([{ name: called, content }]), name)).rejects.toThrow('not clear');
      const written = await readdir(folder, { recursive: true });
      expect(written.map((file) => path.basename(file))).not.toContain('tool');
      expect(written.map((file) => path.basename(file))).not.toContain('program');
    },
  );

  it('is refused if the program is too large', async () => {
    await expect(unpack(wrap([program]), name, { maxBytes: 1000 })).rejects.toThrow(
      'larger than 1000 bytes',
    );
  });

  it('is refused if it is cut off', async () => {
    const whole = wrap([program]);
    const cutOff = /unexpected end of file|not a zip archive, or cut off|it holds nothing/;
    await expect(unpack(whole.subarray(0, whole.length - 40), name)).rejects.toThrow(cutOff);
    await expect(unpack(Buffer.alloc(0), name)).rejects.toThrow(cutOff);
  });

  it('is refused if it is something else', async () => {
    await expect(unpack(Buffer.alloc(5000, 'x'), name)).rejects.toThrow(
      /incorrect header check|not a zip archive/,
    );
  });

  it('is refused if it holds too many files', async () => {
    const empty = Buffer.alloc(0);
    const files = Array.from({ length: 10_001 }, (_, index) => ({
      name: `${index}`,
      content: empty,
    }));
    await expect(unpack(wrap(files), name)).rejects.toThrow('more than 10000 files');
  });
});

describe('a tar archive', () => {
  const name = 'tool-linux-amd64.tar.gz';

  it('may have names that are too long for their header', async () => {
    const long = `${'folder/'.repeat(40)}tool`;
    const other = { name: 'helper', content: Buffer.from('other') };
    const pax = [paxName(long), { name: 'cut', content }, other];
    expect(await unpack(tarGz(pax), name)).toEqual(content);
    const gnu = { name: '././@LongLink', content: Buffer.from(`${long}\0`), type: 'L' };
    expect(await unpack(tarGz([gnu, { name: 'cut', content }, other]), name)).toEqual(content);
  });

  it('does not have its links followed', async () => {
    const link = { name: 'tool', content: Buffer.alloc(0), type: '2' };
    await expect(unpack(tarGz([link]), name)).rejects.toThrow('is not clear');
  });

  it('is refused if a file is said to be longer than the archive', async () => {
    await expect(unpack(tarGz([{ ...program, size: 10 ** 9 }]), name)).rejects.toThrow(
      'it is cut off',
    );
  });

  it('is refused if its header was changed', async () => {
    const archive = tar([program]);
    archive.write('evil');
    await expect(unpack(gzipSync(archive), name)).rejects.toThrow('not a tar archive, or damaged');
  });

  it.each([
    ['with a length that is none', '99999 path=x\n'.replace('99999', 'xx')],
    ['that ends nowhere', '0 path=x\n'],
  ])('is refused if it has a pax header %s', async (_, text) => {
    const header = { name: 'pax', content: Buffer.from(text), type: 'x' };
    await expect(unpack(tarGz([header, program]), name)).rejects.toThrow(/damaged|too large/);
  });

  it('may have the length of a file in a pax header', async () => {
    const other = { name: 'helper', content: Buffer.from('other') };
    const size = paxRecord('size', String(content.length));
    const archive = tarGz([size, { ...program, size: 0 }, other]);
    expect(await unpack(archive, name)).toEqual(content);
  });

  it.each(['99999999', '-1', '9'.repeat(30), '1e9'])(
    'is refused if a pax header says that a file has %s bytes',
    async (size) => {
      const archive = tarGz([paxRecord('size', size), program]);
      await expect(unpack(archive, name)).rejects.toThrow(/cut off|damaged/);
    },
  );

  it('is refused if it goes on after its end', async () => {
    const archive = Buffer.concat([tar([program]), Buffer.alloc(512, 'x')]);
    await expect(unpack(gzipSync(archive), name)).rejects.toThrow('not a tar archive, or damaged');
  });

  it.each(['1', '3', '4', '6'])('takes a member of type %s for no file', async (type) => {
    const special = { name: 'tool', content: Buffer.alloc(0), type };
    await expect(unpack(tarGz([special]), name)).rejects.toThrow('it holds nothing');
  });

  it('is refused if it has a header of any size', async () => {
    const header = { name: 'pax', content: Buffer.alloc(100_000, ' '), type: 'x' };
    await expect(unpack(tarGz([header, program]), name)).rejects.toThrow('too large');
  });
});

describe('a zip archive', () => {
  const name = 'tool-linux-amd64.zip';

  it('may hold files that are not compressed', async () => {
    expect(await unpack(zip([program], { method: 0 }), name)).toEqual(content);
  });

  it('may end with a comment', async () => {
    expect(await unpack(zip([program], { comment: 'made with care' }), name)).toEqual(content);
  });

  it('does not have its links followed', async () => {
    const link = { name: 'tool', content: Buffer.from('/bin/sh'), mode: 0o120777 };
    await expect(unpack(zip([link]), name)).rejects.toThrow('is not clear');
  });

  it.each([
    ['more', content.length - 1, 'larger than'],
    ['less', content.length + 1, 'cut off'],
  ])('is refused if there is %s in it than it says', async (_, size, reason) => {
    await expect(unpack(zip([{ ...program, size }]), name)).rejects.toThrow(reason);
  });

  it('is refused if it is encrypted', async () => {
    await expect(unpack(zip([program], { flags: 1 }), name)).rejects.toThrow('encrypted');
  });

  it('is refused if it is compressed in another way', async () => {
    await expect(unpack(zip([program], { method: 93 }), name)).rejects.toThrow(
      'its compression method (93) is not supported',
    );
  });

  it('may be zip64', async () => {
    const other = { name: 'helper', content: Buffer.from('other') };
    expect(await unpack(zip([other, program], { zip64: {} }), name)).toEqual(content);
  });

  it('is refused if it says that it is zip64, and is not', async () => {
    const archive = zip([program]);
    archive.writeUInt32LE(0xffffffff, archive.length - 6);
    await expect(unpack(archive, name)).rejects.toThrow('it is damaged');
  });

  it.each([
    ['a file', { bytes: 2n ** 40n }, 'larger than'],
    ['a file', { bytes: 2n ** 64n - 1n }, 'larger than'],
    ['the place of a file', { fileAt: 2n ** 40n }, 'it is damaged'],
    ['the place of a file', { fileAt: 2n ** 64n - 1n }, 'it is damaged'],
    ['the place of its list', { directoryAt: 2n ** 64n - 1n }, 'it is damaged'],
    ['the place of its end', { recordAt: 2n ** 64n - 1n }, 'not a zip archive, or cut off'],
  ])('is refused if it is zip64 and lies about %s: %o', async (_, zip64, reason) => {
    await expect(unpack(zip([program], { zip64 }), name)).rejects.toThrow(reason);
  });

  it('is refused if its list of files takes too much room', async () => {
    const files = Array.from({ length: 300 }, (_, index) => ({
      name: `${index}`.padStart(60_000, '0'),
      content: Buffer.alloc(0),
    }));
    await expect(unpack(zip(files), name)).rejects.toThrow('its list of files is too large');
  });
});

describe('a release file that is the program', () => {
  it.each(['tool-linux-amd64', 'tool-windows-amd64.exe'])('is taken as it is: %s', async (name) => {
    expect(await unpack(content, name)).toEqual(content);
  });
});
