import { tokenShapes } from './token-shapes.js';

/**
 * Replaces what looks like a secret by stars of the same length, so that markers still fit. For text
 * that is shown to people: lines of files and messages.
 */
export function maskSecrets(text: string): string {
  return secretShapes.reduce(
    (masked, shape) =>
      masked.replace(shape, (whole, before: string, secret: string) =>
        secret.includes('${') ? whole : before + '*'.repeat(secret.length),
      ),
    text,
  );
}

/** What stands before a secret, and the secret. */
const secretShapes = [
  // A header or variable that carries one.
  /((?:authorization|api[-_]?key|token|secret|password)["']?\s*[:=]\s*["']?)([^\s"',}]{8,}(?: [^\s"',}]+)*)/gi,
  ...tokenShapes.map(({ pattern }) => pattern),
];
