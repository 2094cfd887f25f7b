import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Redactor } from './redactor.js';
import { collectSecrets } from './suite-secrets.js';

const root = path.resolve(import.meta.dirname, '../../..');

/** The environment of a GitHub Actions build and a desktop: most of it sounds secret, and almost nothing is. */
const environment = {
  ACTIONS_RUNTIME_TOKEN: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl',
  ACTIONS_RUNTIME_URL: 'https://pipelines.example.test/abc/',
  ANDROID_HOME: '/usr/local/lib/android/sdk',
  AUTHOR: 'Somebody Else',
  COMPASS_VERSION: '1.42.0-beta',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
  GITHUB_ACTOR: 'somebody',
  GITHUB_PATH: '/home/runner/work/_temp/_runner_file_commands/add_path',
  GITHUB_SHA: 'e83c5163316f89bfbde7d9ab23ca2e25604af290',
  GITHUB_TOKEN: 'a-token-that-is-a-secret-1',
  GPG_AGENT_INFO: '/run/user/1000/gnupg/S.gpg-agent:0:1',
  GPG_KEY: 'E3FF2839C048B25C084DEBE9B26995E310250568',
  KEYBOARD_LAYOUT: 'us-international',
  OLDPWD: '/home/runner/work',
  PATH: '/usr/local/bin:/usr/bin:/bin',
  PWD: '/home/runner/work/project',
  SSH_AUTH_SOCK: '/tmp/ssh-abc/agent.123',
  TOKENIZERS_PARALLELISM: 'disabled',
  XAUTHORITY: '/run/user/1000/gdm/Xauthority',
};

const digest = (name: string, seed: number) => createHash(name).update(String(seed)).digest();
const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

const filesIn = (folder: string, isTaken: (name: string) => boolean) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(isTaken)
    .map((name) => readFileSync(path.join(root, folder, name), 'utf8'))
    .join('\n');

/** Text as results have it, with no secret in it. */
function ownTexts(): Record<string, string> {
  return {
    docs: filesIn('docs', (name) => name.endsWith('.md')),
    source: filesIn('src', (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name)),
    schemas: filesIn('schemas', (name) => name.endsWith('.json')),
    lock: readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
    uuids: many(20_000, () => crypto.randomUUID()),
    commits: many(20_000, (index) => `${digest('sha1', index).toString('hex')} Fix it`),
    digests: many(20_000, (index) => `sha256:${digest('sha256', index).toString('hex')}`),
    image: many(40_000, (index) =>
      digest('sha512', index).toString('base64').slice(0, 84),
    ).replaceAll('\n', ''),
  };
}

/** What others wrote. Their examples of addresses have passwords, which are to be redacted: they are taken out. */
function textsOfOthers(): Record<string, string> {
  const withoutPasswords = (text: string) => text.replaceAll(/(?<=:\/\/\w+):\w+(?=@)/g, '');
  const manual = (name: string) =>
    filesIn(`node_modules/${name}`, (file) => /\.(?:md|[cm]?js)$/.test(file));
  const declarations = filesIn('node_modules/@types/node', (name) => name.endsWith('.d.ts'));
  const manuals = ['undici', 'zod', 'ajv', 'yaml', 'commander'].map(manual).join('\n');
  return { declarations: withoutPasswords(declarations), manuals: withoutPasswords(manuals) };
}

// Each apart: much text of one kind would hide what is redacted in another.
it.each([
  { whose: 'our own', texts: ownTexts, leastCharacters: 10_000_000 },
  { whose: 'that of others', texts: textsOfOthers, leastCharacters: 5_000_000 },
])(
  'ordinary text, $whose, is redacted next to never: at most once in two million characters',
  ({ texts, leastCharacters }) => {
    const redactor = new Redactor(collectSecrets({}, environment));
    const found = Object.entries(texts()).map(([name, text]) => {
      const before = text.split('[redacted:').length;
      return [name, text.length, redactor.text(text).split('[redacted:').length - before] as const;
    });
    const characters = found.reduce((sum, [, length]) => sum + length, 0);
    const redactions = found.reduce((sum, [, , count]) => sum + count, 0);
    expect(characters).toBeGreaterThan(leastCharacters);
    expect(redactions / characters, JSON.stringify(found)).toBeLessThanOrEqual(5e-7);
  },
);
