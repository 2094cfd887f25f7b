// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the shell that expands these
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCommandAgent } from '../../testing/agent-tasks.js';

const shells = ['bash', 'sh', 'dash', 'zsh'].filter((shell) =>
  ['/bin', '/usr/bin'].some((folder) => existsSync(path.join(folder, shell))),
);

const places = [
  'printf %s {{ .Prompt }}',
  'printf %s "{{ .Prompt }}"',
  "printf %s '{{ .Prompt }}'",
  'printf %s {{ printf "%q" .Prompt }}',
  'printf %s "$PROCTOR_PROMPT"',
  'cat "$PROCTOR_PROMPT_FILE"',
];

describe('the prompt of a command', () => {
  it.each(shells.flatMap((shell) => places.map((place) => [shell, place])))(
    'arrives unchanged in %s through %s and never executes',
    async (shell, place) => {
      const prompts = [
        '',
        `it's "quoted" 'twice'`,
        '$(touch pwned) `touch pwned` ${HOME} $$ \\$(touch pwned)',
        `'; touch pwned; ' "; touch pwned; "`,
        'lines\n and the end \n\n\n',
        'back\\slashes \\\\ \\n \\" \\',
        '-n * ? [a] ~ {a,b} !! %s & | < > ; #',
        'naïve 😀 日本語 \u0081\u0088 \t\r\u0001',
      ];
      for (const prompt of prompts) {
        const environment = { PATH: process.env.PATH, SHELL: shell };
        const { end, output, task } = await runCommandAgent(place, { prompt, environment });
        expect({ end, output }).toEqual({ end: 'finished', output: prompt });
        expect(readdirSync(task.workdir)).toEqual([]);
      }
    },
    30_000,
  );

  it.each(shells)(
    'arrives whatever it is through every place of one %s command',
    async (shell) => {
      const texts = places.map((place) => place.replace(/^(?:printf %s|cat)/, '')).slice(0, 5);
      const command = `printf '%s\\0' ${texts.join(' ')} x{{ .Prompt }} "y{{ .Prompt }}z"`;
      const environment = { PATH: process.env.PATH, SHELL: shell };
      const prompts = fc
        .string({ unit: 'binary', maxLength: 200 })
        .map((text) => text.replaceAll('\0', ''));
      await fc.assert(
        fc.asyncProperty(prompts, async (prompt) => {
          const { output } = await runCommandAgent(command, { prompt, environment });
          const expected = [...Array(5).fill(prompt), `x${prompt}`, `y${prompt}z`];
          expect(output.split('\0').slice(0, -1)).toEqual(expected);
        }),
        { numRuns: 30 },
      );
    },
    60_000,
  );

  it('does not trust a shell with other quotes', async () => {
    const environment = { PATH: process.env.PATH, SHELL: '/usr/bin/fish' };
    const { output } = await runCommandAgent('echo "$BASH_VERSION"', { environment });
    expect(output).toMatch(/^\d/);
  });

  it('is in a private file, and in the environment', async () => {
    const { output, task } = await runCommandAgent(
      'printf "%s %s" "$PROCTOR_PROMPT_FILE" "$PROCTOR_PROMPT"',
    );
    const file = path.join(task.privateFolder, 'prompt.txt');
    expect(output).toBe(`${file} Say hello.`);
    expect(readFileSync(file, 'utf8')).toBe('Say hello.');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['200 kB', 'x'.repeat(200_000)],
    ['a NUL', 'a\0b'],
  ])('with %s reaches a command that reads the file', async (_, prompt) => {
    const environment = { PATH: process.env.PATH, PROCTOR_PROMPT: 'of somebody else' };
    const command = 'cat "$PROCTOR_PROMPT_FILE"; env | grep -c ^PROCTOR_PR[O]MPT=';
    const { output } = await runCommandAgent(command, { prompt, environment });
    expect(output).toBe(`${prompt}0\n`);
  });

  it.each(
    ['{{ .Prompt }}', '"$PROCTOR_PROMPT"', '{{ printf "%q" .Prompt }}'].flatMap((place) => [
      [place, 'x'.repeat(120 * 1024 + 1), '122881 bytes'],
      [place, 'a\0b', 'NUL'],
    ]),
  )('through %s is refused if it is too long or has a NUL', async (place, prompt, reason) => {
    const { end, failure, task } = await runCommandAgent(`touch started; true ${place}`, {
      prompt,
    });
    expect({ end, code: failure?.code }).toEqual({ end: 'failed', code: 'not-started' });
    expect(failure?.message).toContain(reason);
    expect(failure?.message).toContain('PROCTOR_PROMPT_FILE');
    expect(readdirSync(task.workdir)).toEqual([]);
  });

  it('may have 120 KiB', async () => {
    const prompt = '\u00e9'.repeat(60 * 1024);
    expect((await runCommandAgent('printf %s "{{ .Prompt }}"', { prompt })).output).toBe(prompt);
  });

  it('is refused where its quotes make the command line too long', async () => {
    const prompt = "'".repeat(100_000);
    const { failure } = await runCommandAgent('true {{ printf "%q" .Prompt }}', { prompt });
    expect(failure).toMatchObject({
      code: 'not-started',
      message: expect.stringContaining('the command line would be 400007 bytes long'),
      details: expect.stringContaining('PROCTOR_PROMPT_FILE'),
    });
  });
});
