import { expect, it } from 'vitest';
import { SourceFile } from '../config/yaml/source-file.js';
import { locateKey } from './origin.js';

it('the line of a key is computed when it is read, and copies made by spreading have it', () => {
  const file = new SourceFile('/suite/task.yaml', 'task.yaml', 'kind: Task\nspec:\n  limits: {}\n');
  let searches = 0;
  const keyLine = file.keyLine.bind(file);
  file.keyLine = (path) => {
    searches += 1;
    return keyLine(path);
  };
  const line = locateKey(file, ['spec', 'limits']);
  expect(searches).toBe(0);
  expect(line).toEqual({ file: 'task.yaml', line: 3 });
  expect(JSON.stringify({ ...line })).toBe('{"file":"task.yaml","line":3}');
});
