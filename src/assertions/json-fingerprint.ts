import { createHash } from 'node:crypto';
import { isObject } from '../base/json.js';

/** Pieces are joined before they are hashed: updates with small ones would take most of the time. */
const pieceSize = 16 * 1024;

/**
 * Computes equal fingerprints for equal JSON values: the order of keys does not matter, the
 * order of a list does. Not recursive, as the value may be nested very deeply. Unlike `digestJson`, whose
 * digests are recorded, it is made for many small values, and does not confuse infinity with null.
 */
export function computeJsonFingerprint(value: unknown): string {
  const hash = createHash('sha256');
  const waiting: unknown[] = [value];
  let piece = '';
  while (waiting.length > 0) {
    piece += `${writeHead(waiting.pop(), waiting)} `;
    if (piece.length < pieceSize) continue;
    hash.update(piece);
    piece = '';
  }
  return hash.update(piece).digest('base64url');
}

/** Writes a value without its members. Their number is part of it, so no closing bracket is needed. */
function writeHead(value: unknown, waiting: unknown[]): string {
  if (Array.isArray(value)) {
    for (let index = value.length - 1; index >= 0; index--) waiting.push(value[index]);
    return `[${value.length}`;
  }
  if (isObject(value)) {
    const keys = Object.keys(value).sort();
    for (const key of keys) waiting.push(value[key], key);
    return `{${keys.length}`;
  }
  // Not JSON.stringify for numbers: 1e999 is Infinity in JavaScript, which JSON writes as null.
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
