import { describe, expect, it } from 'vitest';
import { parseReporterRequests } from './reporter-requests.js';

describe('the reporters that are asked for', () => {
  it('have a name, and a file after the first equals sign', () => {
    expect(parseReporterRequests(['junit=a=b.xml', 'html', 'tap'], 'text')).toEqual([
      {
        shown: 'junit=a=b.xml',
        kind: { builtin: 'junit' },
        file: `${process.cwd()}/a=b.xml`,
      },
      { shown: 'html', kind: { builtin: 'html' } },
      { shown: 'tap', kind: { builtin: 'tap' } },
    ]);
  });

  it('are json with -o json, which is the same', () => {
    const json = { kind: { builtin: 'json' } };
    expect(parseReporterRequests([], 'json')).toEqual([{ shown: '-o json', ...json }]);
    expect(parseReporterRequests(['json'], 'json')).toEqual([{ shown: 'json', ...json }]);
    expect(parseReporterRequests(['json=a.json'], 'json')).toHaveLength(2);
  });

  it('can be modules: a path, or a package with a slash', () => {
    const here = import.meta.filename;
    expect(parseReporterRequests([here, '@team/reporter', 'team/reporter=x'], 'text')).toEqual([
      { shown: here, kind: { module: here } },
      { shown: '@team/reporter', kind: { module: '@team/reporter' } },
      {
        shown: 'team/reporter=x',
        kind: { module: 'team/reporter' },
        file: `${process.cwd()}/x`,
      },
    ]);
    expect(parseReporterRequests(['package.json'], 'text')[0]?.kind).toEqual({
      module: `${process.cwd()}/package.json`,
    });
  });

  it.each([
    [['juint'], 'unknown reporter "juint"', 'did you mean junit?'],
    [['constructor'], 'unknown reporter "constructor"', 'expected text, json, '],
    [['./not-there.mjs'], './not-there.mjs does not exist', ''],
    [['junit='], 'expected a file after =', ''],
    [['html', 'html'], '--reporter html is given twice', ''],
    [['junit', 'tap'], '--reporter junit and --reporter tap both want standard output', 'a file'],
    [['text', 'markdown'], 'both want standard output', 'a file'],
  ])('%j is refused', (given, message, hint) => {
    const refused = expect.objectContaining({
      name: 'UsageError',
      message: expect.stringContaining(message),
      ...(hint && { hint: expect.stringContaining(hint) }),
    });
    expect(() => parseReporterRequests(given, 'text')).toThrow(refused);
  });

  it('cannot have standard output beside -o json', () => {
    const message = '--reporter junit and -o json both want standard output';
    expect(() => parseReporterRequests(['junit'], 'json')).toThrow(message);
    expect(parseReporterRequests(['junit=j.xml', 'github'], 'json')).toHaveLength(3);
  });
});
