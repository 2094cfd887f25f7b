import type { Pattern } from '../patterns/pattern.js';
import { type Environment, getVariable } from '../placeholders/environment-variables.js';

/** A value that must not be seen, and the name that is shown in its place. */
export interface Secret {
  name: string;
  value: string;
}

/** Shorter values are found in ordinary text too. */
export const minSecretLength = 8;
/** The minimum for secrets that an eval names: three characters occur in any text. */
export const minNamedLength = 4;

/** The minimum for one line of a longer value: lines such as `-----BEGIN` are no secrets. */
const minLineLength = 32;

/** Part of every path and prompt, and no secret even where a config refers to them. */
const ordinaryVariables = ['HOME', 'PATH', 'PWD', 'USER', 'SHELL', 'TMPDIR', 'LANG'];

/** Secrets by value. The first name that a value gets is kept. */
export class Secrets {
  readonly #names = new Map<string, string>();
  readonly #ordinary: ReadonlySet<string>;
  readonly #taken: ReadonlySet<string>;
  readonly #shown = new Set<string>();
  readonly #patterns: Pattern[] = [];

  /** `names` are what results refer to: with these replaced, results could not be understood. */
  constructor(environment: Environment = {}, names: readonly string[] = []) {
    const values = ordinaryVariables.map((name) => getVariable(environment, name)?.trim() ?? '');
    this.#ordinary = new Set(values);
    this.#taken = new Set(names);
  }

  /** Leaves out what is too short or too ordinary to be replaced wherever it stands. */
  add(name: string, value: string | undefined): void {
    this.#add(name, value);
    // A key of several lines is often shown a line at a time, and one line of it says too much.
    // In variables, its lines often end with the two characters \n, which its reader makes lines of.
    const lines = value?.trim().split(/\r?\n|\\n/) ?? [];
    if (lines.length > 1) {
      this.#add(name, lines.join('\n'));
      for (const line of lines) if (line.trim().length >= minLineLength) this.#add(name, line);
    }
  }

  /** Adds a secret that the eval asks for by name, however ordinary its value is. */
  addNamed(name: string, value: string | undefined): void {
    const secret = value?.trim() ?? '';
    if (secret.length >= minNamedLength) this.#names.set(secret, name);
    this.add(name, value);
  }

  #add(name: string, value: string | undefined): void {
    // Space around it gets lost on the way: a header is sent without.
    const secret = value?.trim() ?? '';
    if (secret.length < minSecretLength || ordinaryVariables.includes(name)) return;
    if (this.#ordinary.has(secret) || this.#names.has(secret)) return;
    if (this.#taken.has(secret)) this.#shown.add(name);
    else this.#names.set(secret, name);
  }

  /** The names of secrets that stay visible, as something in the suite is called the same. */
  shown(): string[] {
    return [...this.#shown];
  }

  /** Adds a pattern: whatever matches it is a secret, too. */
  addPattern(pattern: Pattern): void {
    this.#patterns.push(pattern);
  }

  patterns(): readonly Pattern[] {
    return this.#patterns;
  }

  entries(): Secret[] {
    return [...this.#names].map(([value, name]) => ({ name, value }));
  }
}
