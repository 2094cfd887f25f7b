import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseAsset, describePlatform } from './release-assets.js';

const linux = describePlatform('linux', 'x64');
const mac = describePlatform('darwin', 'arm64');
const windows = describePlatform('win32', 'x64');

function choose(names: readonly string[], platform = linux) {
  const address = new URL('https://example.com/file');
  const assets = names.map((name) => ({ name, address, bytes: 1 }));
  const release = { repo: 'tool', version: 'v1', page: 'org/tool@v1', assets };
  return chooseAsset(release, platform).name;
}

describe('chooseAsset', () => {
  it('takes the file for the system and the processor', () => {
    const names = ['linux', 'darwin', 'windows'].flatMap((system) =>
      ['amd64', 'arm64'].map((processor) => `tool-${system}-${processor}.zip`),
    );
    expect(choose(names)).toBe('tool-linux-amd64.zip');
    expect(choose(names, mac)).toBe('tool-darwin-arm64.zip');
    expect(choose(names, windows)).toBe('tool-windows-amd64.zip');
  });

  it.each([
    'tool-linux-amd64',
    'tool_1.2.3_Linux_x86_64.tar.gz',
    'tool.linux.x64.tgz',
    'tool-x86_64-unknown-linux-musl',
    'tool-linux-amd64-1.2.3',
    'tool.linux.amd64',
    'other-linux-amd64.zip',
  ])('knows %s as one for linux-x64', (name) => {
    expect(choose([name])).toBe(name);
  });

  it.each(['tool-macos-aarch64.tar.gz', 'Tool_Darwin_arm64'])(
    'knows %s for darwin-arm64',
    (name) => {
      expect(choose([name], mac)).toBe(name);
    },
  );

  it.each(['tool-win32-x64.exe', 'tool_windows_x86_64.zip'])('knows %s for win32-x64', (name) => {
    expect(choose([name], windows)).toBe(name);
  });

  it('knows 32 bits by 386', () => {
    const names = ['tool-linux-386', 'tool-linux-amd64'];
    expect(choose(names, describePlatform('linux', 'ia32'))).toBe('tool-linux-386');
  });

  it('looks for what Node calls a system or processor that it does not know', () => {
    expect(choose(['tool-freebsd-riscv64'], describePlatform('freebsd', 'riscv64'))).toBe(
      'tool-freebsd-riscv64',
    );
  });

  it.each([
    'sig',
    'pem',
    'bundle',
    'sbom',
    'json',
    'txt',
    'asc',
    'sha256',
    'deb',
    'rpm',
    '7z',
    'tar.xz',
  ])('leaves out files that end in .%s', (ending) => {
    expect(choose([`tool-linux-amd64.zip.${ending}`, 'tool-linux-amd64.zip'])).toBe(
      'tool-linux-amd64.zip',
    );
    expect(() => choose([`tool-linux-amd64.${ending}`])).toThrow('no file for linux-x64');
  });

  it.each(['tool-linux', 'tool-amd64', 'tool-linuxamd64', 'tool-notlinux-amd64', 'linux-arm64'])(
    'does not take %s, which is not for linux-x64 by its words',
    (name) => {
      expect(() => choose([name])).toThrow('no file for linux-x64');
    },
  );

  it('prefers a file that begins with the name of the repository', () => {
    expect(choose(['helper-linux-amd64', 'tool-linux-amd64', 'toolbox-linux-amd64'])).toBe(
      'tool-linux-amd64',
    );
  });

  it('takes the simplest wrapping of one and the same program', () => {
    const names = ['tool-linux-amd64.zip', 'tool-linux-amd64.tar.gz'];
    expect(choose(names)).toBe('tool-linux-amd64.tar.gz');
    expect(choose([...names, 'tool-linux-amd64'])).toBe('tool-linux-amd64');
  });

  it('takes a program that ends in .exe for Windows, and for nothing else', () => {
    const names = ['tool-windows-linux-amd64.exe', 'tool-windows-linux-amd64'];
    expect(choose(names)).toBe('tool-windows-linux-amd64');
    expect(choose(names, windows)).toBe('tool-windows-linux-amd64.exe');
  });

  it('lists files that are equally good', () => {
    const names = ['tool-linux-amd64-gnu', 'tool-linux-amd64-musl', 'tool-darwin-arm64'];
    expect(() => choose(names)).toThrow(
      expect.objectContaining({
        name: 'ExtensionError',
        message:
          'the release org/tool@v1 has several files for linux-x64: tool-linux-amd64-gnu, tool-linux-amd64-musl',
      }),
    );
  });

  it('lists what there is if nothing fits', () => {
    expect(() => choose(['tool-darwin-arm64', 'checksums.txt'])).toThrow(
      expect.objectContaining({
        message:
          'the release org/tool@v1 has no file for linux-x64; it has: tool-darwin-arm64, checksums.txt',
        hint: 'Proctor looks for a name such as tool-linux-amd64.zip',
      }),
    );
    expect(() => choose([])).toThrow('it has: nothing');
  });

  it('does not list more than can be read', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `file-${index}`);
    expect(() => choose(names)).toThrow(/file-19 and 980 more$/);
  });

  it('never depends on the order, and takes nothing for another platform', () => {
    const word = fc.constantFrom('linux', 'darwin', 'windows', 'amd64', 'arm64', 'x86_64', 'v1');
    const ending = fc.constantFrom('', '.zip', '.tar.gz', '.tgz', '.exe', '.sig', '.txt');
    const name = fc
      .tuple(fc.constantFrom('tool', 'other'), fc.array(word, { maxLength: 3 }), ending)
      .map(([start, words, end]) => `${[start, ...words].join('-')}${end}`);
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
        const chosen = outcome(names);
        expect(outcome(names.toReversed())).toBe(chosen);
        if (chosen === undefined) return;
        expect(chosen).toMatch(/-linux(-|\.|$)/);
        expect(chosen).toMatch(/-(amd64|x86_64)(-|\.|$)/);
        expect(chosen).not.toMatch(/\.(sig|txt|exe)$/);
      }),
      { numRuns: 1000 },
    );
  });
});

function outcome(names: readonly string[]): string | undefined {
  try {
    return choose(names);
  } catch {
    return undefined;
  }
}
