import { expect, test } from 'vitest';
import type { EvalData } from '../config/schemas/eval-schema.js';
import { SourceFile } from '../config/yaml/source-file.js';
import { listExtensionDefinitions } from './extension-definition.js';

type Extension = NonNullable<EvalData['config']['extensions']>[string];

const environment = { HOME: '/home/grace', TOKEN: 's3cret', TILDE: '~/x' };

function definitionOf(extension: Extension, needed = ['db']) {
  const data: EvalData = {
    kind: 'Eval',
    metadata: { name: 'suite' },
    config: { extensions: { db: extension, other: { package: './other' } }, taskSets: [] },
  };
  const source = new SourceFile('/suite/eval.yaml', 'eval.yaml', '');
  return listExtensionDefinitions({ source, data }, environment, needed);
}

test('expands variables in every string of config and env, and nothing else', () => {
  const [definition] = definitionOf({
    package: './db-{env.TOKEN}',
    config: { token: '{env.TOKEN}', list: [{ deep: 'a{env.TOKEN}b{random.id}' }], port: 5 },
    env: { DB_TOKEN: 'x-{env.TOKEN}' },
  });
  expect(definition).toEqual({
    name: 'db',
    package: './db-{env.TOKEN}',
    config: { token: 's3cret', list: [{ deep: 'as3cretb{random.id}' }], port: 5 },
    env: { DB_TOKEN: 'x-s3cret' },
    folder: '/suite',
  });
});

test('expands ~ at the start of paths', () => {
  const [definition] = definitionOf({
    package: './db',
    config: { home: '~', file: '~/.kube/config', other: 'a~/b', user: '~ada', set: '{env.TILDE}' },
    env: { KEPT: '~/x' },
  });
  expect(definition?.config).toEqual({
    home: '/home/grace',
    file: '/home/grace/.kube/config',
    other: 'a~/b',
    user: '~ada',
    set: '~/x',
  });
  expect(definition?.env).toEqual({ KEPT: '~/x' });
});

test('a variable that is not set is an error, but only for an extension that is needed', () => {
  const extension = { package: './db', config: { url: '{env.NONE}' } };
  expect(() => definitionOf(extension)).toThrow(
    'the extension db needs the environment variable NONE, which is not set',
  );
  expect(definitionOf(extension, ['other']).map(({ name }) => name)).toEqual(['other']);
});
