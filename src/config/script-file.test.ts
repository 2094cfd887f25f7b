import { describe, expect, it } from 'vitest';
import { cannotFail } from './script-file.js';

describe('cannotFail', () => {
  it.each([
    'true',
    ':',
    'exit 0',
    ' true ;',
    'exit 1 | true',
    'kubectl get pod web || true',
    'grep -q x file; exit 0',
    'grep -q x file\nexit 0\n',
    '#!/usr/bin/env bash\n# to do\ntrue\n',
    '#!/bin/sh\nset -euo pipefail\ntrue\n',
    '#!/bin/bash -e\ntrue\n',
    'echo checking\ncat file | grep x\n:',
  ])('sees that %j exits with 0 whatever happened', (text) => {
    expect(cannotFail(text)).toBe(true);
  });

  it.each([
    'test -f file',
    'false',
    'exit 1',
    'exit 1 || true',
    'exit 01',
    'grep -q x file\nexit',
    'true && test -f file',
    'set -e\ngrep -q x file\ntrue',
    '#!/bin/bash -e\ngrep -q x file\ntrue',
    '#!/bin/sh -ue\ngrep -q x file\nexit 0',
    'set -o pipefail; exit 1 | true',
    'set -o pipefail\nexit 1 | true',
    'grep -q x file || exit 1\nexit 0',
    'if ! grep -q x file; then exit 1; fi\ntrue',
    ': "${NAME:?must be set}"\ntrue',
    ': "${NAME:?must be set}"',
    'eval "$CHECK"\ntrue',
    '. ./check.sh\ntrue',
    'exec ./check\ntrue',
    '#!/usr/bin/env python3\nimport check\ntrue',
    'echo it is true',
    'cat <<END\nexit 0\nEND\ntest -f file',
    './check \\\n  true',
    '[ "$answer" = true ]',
    'test "$x" = :',
  ])('takes %j to be in order', (text) => {
    expect(cannotFail(text)).toBe(false);
  });
});
