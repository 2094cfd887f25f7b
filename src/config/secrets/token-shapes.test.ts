import { describe, expect, it } from 'vitest';
import { maskSecrets } from './token-shapes.js';

describe('maskSecrets', () => {
  it.each([
    [
      'Authorization: Bearer sk-live-1234567890abcd',
      'Authorization: Bearer **********************',
    ],
    ['  "Authorization": "Basic dXNlcjpwYXNz"', '  "Authorization": "Basic ************"'],
    ['Bearer abcdefghijkl', 'Bearer ************'],
    ['url: https://user:hunter22@host/mcp', 'url: https://user:********@host/mcp'],
    ['X: sk-proj-abcdefghijklmnop', 'X: sk-proj-****************'],
    ['ghp_abcdefghijklmnopqrstuvwxyz', 'ghp_**************************'],
    ['API_KEY: abcdefgh1234', 'API_KEY: ************'],
    [`PASSWORD: 'correct, horse "x"', A: b`, `PASSWORD: '******************', A: b`],
    [String.raw`"password": "a\"b c,d}e", "x": 1`, '"password": "**********", "x": 1'],
    ['password=correct-horse', 'password=*************'],
  ])('%s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it.each([
    'Authorization: Bearer ${TOKEN}',
    'apiKeyKey: JUDGE',
    'name: create-pod',
    'toolPattern: "^pods_"',
    'url: http://localhost:8080/mcp',
    'token: ${X}',
  ])('leaves %s alone', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });
});
