import { createHash } from 'node:crypto';
import { isObject } from '../../base/json.js';

/** Handing every small piece to the hash by itself takes most of the time. */
const pieceSize = 16 * 1024;

/**
 * Equal JSON values have equal fingerprints, others do not: the order of keys does not matter, the
 * order of a list does. With a stack of its own, however deep the value is nested.
 */
export function jsonFingerprint(value: unknown): string {
  const hash = createHash('sha256');
  const waiting: unknown[] = [value];
  let piece = '';
  while (waiting.length > 0) {
    piece += `${head(waiting.pop(), waiting)} `;
    if (piece.length < pieceSize) continue;
    hash.update(piece);
    piece = '';
  }
  return hash.update(piece).digest('base64url');
}

/** A value's own part. As it counts its members, no closing mark is needed behind them. */
function head(value: unknown, waiting: unknown[]): string {
  if (Array.isArray(value)) {
    for (let index = value.length - 1; index >= 0; index--) waiting.push(value[index]);
    return `[${value.length}`;
  }
  if (isObject(value)) {
    const keys = Object.keys(value).sort();
    for (const key of keys) waiting.push(value[key], key);
    return `{${keys.length}`;
  }
  // Not JSON.stringify for numbers: 1e999 is infinite in JavaScript, which JSON would call null.
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
