import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { compilePattern } from '../../src/config/patterns/pattern.js';
import type { TokenRule } from '../../src/config/secrets/token-shapes.js';

interface GitleaksRule {
  id: string;
  regex: string;
  entropy?: number;
  keywords: string[];
}

const folder = path.resolve(import.meta.dirname, '../token-rules');

/** How gitleaks says that a token has ended: fit for source code, but not for a sentence. */
const endInCode = String.raw`(?:[\x60'"\s;]|\\[nr]|$)`;
const endInText = '(?:[^A-Za-z0-9_]|$)';
/** A name nearby that gitleaks asks for, up to the token itself. */
const context = /^\(\?i\)\[\\w\.-\]\{0,50\}\?.*\[\\x60'"\\s=\]\{0,5\}(?=\()/;
/** In JSON that a text quotes, the letter of `\n` belongs to no word. */
const startInText = String.raw`(?:\b|\\[nrt])`;

/** The table of well-known tokens, and the page that lists them, made from the rules of gitleaks. */
export function tokenRuleFiles(): Record<string, string> {
  const data = parse(readFileSync(path.join(folder, 'gitleaks-rules.yaml'), 'utf8'));
  const license = readFileSync(path.join(folder, 'LICENSE-gitleaks.txt'), 'utf8').trim();
  const rules: GitleaksRule[] = data.rules;
  return {
    'src/config/secrets/token-rules.json': tableOf(rules, license),
    'docs/reference/token-shapes.md': pageOf(rules),
  };
}

/** One rule a line, so that a diff shows which changed. */
function tableOf(rules: readonly GitleaksRule[], license: string): string {
  const about =
    'Made by `npm run generate` from scripts/token-rules/gitleaks-rules.yaml: the shapes of tokens in gitleaks (https://github.com/gitleaks/gitleaks)';
  const lines = rules.map((rule) => `    ${JSON.stringify(entryOf(rule))}`);
  return [
    '{',
    `  "about": ${JSON.stringify(about)},`,
    `  "license": ${JSON.stringify(license)},`,
    '  "rules": [',
    lines.join(',\n'),
    '  ]',
    '}',
    '',
  ].join('\n');
}

function entryOf({ id, regex, entropy, keywords }: GitleaksRule): TokenRule {
  const pattern = patternOf(regex, keywords);
  const compiled = compilePattern(pattern);
  if (!compiled.ok) throw new Error(`${id}: ${compiled.reason}`);
  const exact = keywords.flatMap((keyword) => exactKeyword(pattern, keyword) ?? []);
  const isExact = exact.length === keywords.length;
  const shown = isExact ? exact : keywords;
  if ((shown[0] ?? '').length < 3) throw new Error(`${id}: a keyword needs three characters`);
  return {
    name: id,
    pattern,
    ...(entropy !== undefined && { entropy }),
    keywords: shown,
    ...(!isExact && { ignoresCase: true }),
  };
}

function patternOf(regex: string, keywords: readonly string[]): string {
  const [before = ''] = context.exec(regex) ?? [];
  const token = regex.slice(before.length).toLowerCase();
  const isOwn = before !== '' && keywords.some((keyword) => unescaped(token).includes(keyword));
  const bare = isOwn ? String.raw`(?i)\b${regex.slice(before.length)}` : regex;
  const [, flags = '', start = '', rest = ''] = /^((?:\(\?i\))?)((?:\\b)?)(.*)$/.exec(bare) ?? [];
  // Groups inside of a token mean nothing here.
  const hasGroup = /^\((?!\?)|^\(\?:\^/.test(rest);
  const group = hasGroup ? rest.replace(endInCode, endInText) : `(${rest})`;
  return flags + (start === '' ? '' : startInText) + group;
}

/** As the pattern has it, if it minds the case there. */
function exactKeyword(pattern: string, keyword: string): string | undefined {
  const text = unescaped(pattern);
  const at = text.toLowerCase().indexOf(keyword);
  if (at === -1 || text.slice(0, at).includes('(?i')) return undefined;
  return text.slice(at, at + keyword.length);
}

function unescaped(pattern: string): string {
  return pattern.replace(/\\([./-])/g, '$1');
}

function pageOf(rules: readonly GitleaksRule[]): string {
  return [
    '# Token formats',
    '',
    'Tokens of these formats are redacted everywhere, even if no variable holds them; see',
    '[Secrets](../secrets.md). The formats are those of',
    '[gitleaks](https://github.com/gitleaks/gitleaks) (MIT licence, Copyright (c) 2019 Zachary Rice), as far as',
    'they have a distinctive prefix or form.',
    '',
    ...rules.map(({ id }) => `- \`${id}\``),
    '',
  ].join('\n');
}
