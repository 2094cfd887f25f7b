import { expect, it } from 'vitest';
import { removeServerSecrets } from './server-entry.js';

it.each([
  ['API_KEY', 'literalsecretpart1-${REGION}', '[redacted:API_KEY]'],
  ['DB_PASSWORD', '${DB_PASSWORD:-defaultpassword123}', '${DB_PASSWORD}'],
  ['DB_PASSWORD', '!!!', '[redacted:DB_PASSWORD]'],
  ['API_KEY', '${ONE}-${OTHER:-abc}', '${ONE}-${OTHER}'],
  ['API_KEY', '{random.id}', '{random.id}'],
  ['API_KEY', '', ''],
  ['REGION', '${REGION:-eu}', '${REGION:-eu}'],
  ['REGION', 'eu-${DB_PASSWORD:-abc}', 'eu-${DB_PASSWORD}'],
  ['TOKEN_FILE', '${PROCTOR_WORKDIR}/token', '${PROCTOR_WORKDIR}/token'],
  ['DATABASE_URL', 'postgres://me:p/w@db/x', 'postgres://me:[redacted:password]@db/x'],
])('of the variable %s leaves of %s only %s', (name, value, shown) => {
  expect(removeServerSecrets({ env: { [name]: value } })).toEqual({ env: { [name]: shown } });
});

it.each([
  ['Authorization', 'Bearer ${TOK:-literal-token-xyz}', 'Bearer ${TOK}'],
  ['Authorization', 'Bearer abc', 'Bearer [redacted:Authorization]'],
  ['X-Api-Key', 'k-${REGION}-literal99', '[redacted:X-Api-Key]'],
  ['Cookie', 'session=abc', '[redacted:Cookie]'],
  ['X-Tenant', 'blue', 'blue'],
])('of the header %s leaves of %s only %s', (name, value, shown) => {
  const headers = { [name]: value };
  expect(removeServerSecrets({ headers })).toEqual({ headers: { [name]: shown } });
});

it.each([
  [
    ['--password', 'hunt2', 'x'],
    ['--password', '[redacted:password]', 'x'],
  ],
  [['--token=abc12'], ['--token=[redacted:token]']],
  [['--password=pw-${REGION}'], ['--password=[redacted:password]']],
  [
    ['--token', '${TOK:-abc}'],
    ['--token', '${TOK}'],
  ],
  [
    ['-e', 'API_KEY=abc'],
    ['-e', 'API_KEY=[redacted:API_KEY]'],
  ],
  [['--env=API_KEY=abc'], ['--env=API_KEY=[redacted:API_KEY]']],
  [
    ['--header', 'Authorization: Bearer abc'],
    ['--header', 'Authorization: Bearer [redacted:Authorization]'],
  ],
  [['--url=http://h/?token=abc&a=b'], ['--url=http://h/?token=[redacted:token]&a=b']],
  [
    ['--auth', '--port', '80'],
    ['--auth', '--port', '80'],
  ],
  [
    ['--key-file', 'x.pem'],
    ['--key-file', 'x.pem'],
  ],
])('leaves of the arguments %j only %j', (args, shown) => {
  expect(removeServerSecrets({ args })).toEqual({ args: shown });
});

it.each([
  ['http://h/mcp?api_key=abc123&page=2', 'http://h/mcp?api_key=[redacted:api_key]&page=2'],
  ['http://h/?api%5Fkey=a;b#x', 'http://h/?api%5Fkey=[redacted:api_key]#x'],
  ['http://${HOST:-a/b@c}/?token=${T:-a&b}', 'http://${HOST:-a/b@c}/?token=${T}'],
  ['https://me:pw@h/', 'https://me:[redacted:password]@h/'],
  ['https://me:${PW:-a@b}@h/', 'https://me:${PW}@h/'],
  ['https://key@h/', 'https://[redacted:password]@h/'],
  ['https://key:@h/', 'https://[redacted:password]:@h/'],
  ['ssh://git@h/', 'ssh://git@h/'],
  ['http://h:${PORT:-80}/@scope/x', 'http://h:${PORT:-80}/@scope/x'],
  ['http://h:80/@scope/x', 'http://h:80/@scope/x'],
])('leaves of the address %s only %s', (url, shown) => {
  expect(removeServerSecrets({ url })).toEqual({ url: shown });
});

it('looks through a long text once', () => {
  const url = `http://${'${A}'.repeat(50_000)}`;
  expect(removeServerSecrets({ url })).toEqual({ url });
});
