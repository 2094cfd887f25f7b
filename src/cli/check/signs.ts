import type { CommandIo } from '../terminal/output.js';

/** The signs of a live display, each one column wide. */
export interface Signs {
  spinner: readonly string[];
  passed: string;
  failed: string;
  cancelled: string;
  barDone: string;
  barOpen: string;
  cut: string;
}

const unicode: Signs = {
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  passed: '✓',
  failed: '✗',
  cancelled: '-',
  barDone: '━',
  barOpen: '─',
  cut: '…',
};

const ascii: Signs = {
  spinner: ['|', '/', '-', '\\'],
  passed: '+',
  failed: 'x',
  cancelled: '-',
  barDone: '#',
  barOpen: '.',
  cut: '~',
};

export function signsFor({ LC_ALL, LC_CTYPE, LANG }: CommandIo['environment']): Signs {
  // As setlocale has it: the first one that is set decides.
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '') ? unicode : ascii;
}
