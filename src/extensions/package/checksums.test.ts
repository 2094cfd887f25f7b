import { describe, expect, it } from 'vitest';
import { findHashes, isChecksumList } from './checksums.js';

const hash = 'ab'.repeat(32);
const otherHash = 'cd'.repeat(32);

describe('isChecksumList', () => {
  it.each(['tool_1.2.3_checksums.txt', 'checksums.txt', 'checksums-sha256.txt', 'SHA256SUMS'])(
    'knows %s',
    (name) => {
      expect(isChecksumList(name, 'tool.zip')).toBe(true);
    },
  );

  it('knows the file of the asset alone, and not that of another', () => {
    expect(isChecksumList('tool.zip.sha256', 'tool.zip')).toBe(true);
    expect(isChecksumList('other.zip.sha256', 'tool.zip')).toBe(false);
  });

  it.each(['tool.zip', 'checksums.txt.sig', 'SHA512SUMS', 'notes.txt'])('leaves out %s', (name) => {
    expect(isChecksumList(name, 'tool.zip')).toBe(false);
  });
});

describe('hashesIn', () => {
  it.each([
    `${hash}  tool.zip\n`,
    `${hash} *tool.zip`,
    `${hash.toUpperCase()}\ttool.zip\r\n`,
    `${otherHash}  other.zip\n${hash}  ./dist/tool.zip\n`,
  ])('finds the hash of the asset in %j', (text) => {
    expect(findHashes(text, 'checksums.txt', 'tool.zip')).toEqual([hash]);
  });

  it.each([
    '',
    `${otherHash}  other.zip`,
    `${hash}  tool.zip.sig`,
    `${'ab'.repeat(64)}  tool.zip`,
    `${'ab'.repeat(20)}  tool.zip`,
    `${'zz'.repeat(32)}  tool.zip`,
    'tool.zip',
  ])('finds none in %j', (text) => {
    expect(findHashes(text, 'checksums.txt', 'tool.zip')).toEqual([]);
  });

  it("takes a bare hash only from the asset's own file", () => {
    expect(findHashes(`${hash}\n`, 'tool.zip.sha256', 'tool.zip')).toEqual([hash]);
    expect(findHashes(`${hash}\n`, 'checksums.txt', 'tool.zip')).toEqual([]);
  });

  it('finds all of several', () => {
    const text = `${hash}  a/tool.zip\n${otherHash}  b/tool.zip\n${hash}  tool.zip\n`;
    expect(findHashes(text, 'checksums.txt', 'tool.zip')).toEqual([hash, otherHash]);
  });
});
