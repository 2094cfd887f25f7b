import { expect, it } from 'vitest';
import { Secrets } from './secrets.js';

it('keeps the first name, and no space around a value', () => {
  const secrets = new Secrets();
  secrets.add('A', ' 12345678\n');
  secrets.add('B', '12345678');
  secrets.add('C', undefined);
  secrets.add('PATH', '/usr/local/bin');
  expect(secrets.entries()).toEqual([{ name: 'A', value: '12345678' }]);
});
