import { expect, it } from 'vitest';
import { SourceFile } from '../config/source-file.js';
import { lineOf } from './origin.js';

it('finds a line when it is read, and then for whoever copies it too', () => {
  const file = new SourceFile('/suite/task.yaml', 'task.yaml', 'kind: Task\nspec:\n  limits: {}\n');
  let searches = 0;
  const keyLine = file.keyLine.bind(file);
  file.keyLine = (path) => {
    searches += 1;
    return keyLine(path);
  };
  const line = lineOf(file, ['spec', 'limits']);
  expect(searches).toBe(0);
  expect(line).toEqual({ file: 'task.yaml', line: 3 });
  expect(JSON.stringify({ ...line })).toBe('{"file":"task.yaml","line":3}');
});
