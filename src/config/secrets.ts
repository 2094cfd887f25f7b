import { type Environment, variable } from './environment-expansion.js';

/** A value that must not be seen, and the name that is shown in its place. */
export interface Secret {
  name: string;
  value: string;
}

/** Shorter values are found in ordinary text too. */
export const minSecretLength = 8;
/** Of one line of a longer value: such as `-----BEGIN` are no secrets. */
const minLineLength = 32;

/** Part of every path and prompt, and no secret even where a config refers to them. */
const ordinaryVariables = ['HOME', 'PATH', 'PWD', 'USER', 'SHELL', 'TMPDIR', 'LANG'];

/** Secrets by value. The first name that a value gets is kept. */
export class Secrets {
  readonly #names = new Map<string, string>();
  readonly #ordinary: ReadonlySet<string>;

  constructor(environment: Environment = {}) {
    const values = ordinaryVariables.map((name) => variable(environment, name)?.trim() ?? '');
    this.#ordinary = new Set(values);
  }

  /** Leaves out what is too short or too ordinary to be replaced wherever it stands. */
  add(name: string, value: string | undefined): void {
    this.#add(name, value);
    // A key of several lines is often shown a line at a time, and one line of it says too much.
    const lines = value?.trim().split(/\r?\n/) ?? [];
    if (lines.length > 1) {
      for (const line of lines) if (line.trim().length >= minLineLength) this.#add(name, line);
    }
  }

  #add(name: string, value: string | undefined): void {
    // Space around it gets lost on the way: a header is sent without.
    const secret = value?.trim() ?? '';
    if (secret.length < minSecretLength || ordinaryVariables.includes(name)) return;
    if (this.#ordinary.has(secret) || this.#names.has(secret)) return;
    this.#names.set(secret, name);
  }

  entries(): Secret[] {
    return [...this.#names].map(([value, name]) => ({ name, value }));
  }
}
