import { describe, expect, it } from 'vitest';
import { ReleaseHost, readAssets } from './release-host.js';

function headers(environment: NodeJS.ProcessEnv, address: string) {
  return new ReleaseHost(environment).headersFor(new URL(address), 'text/plain');
}

describe('ReleaseHost', () => {
  it('is GitHub if nothing else is said', () => {
    expect(new ReleaseHost({}).api).toBe('https://api.github.com');
    expect(new ReleaseHost({ PROCTOR_GITHUB_API_URL: '' }).api).toBe('https://api.github.com');
  });

  it('is at the address of PROCTOR_GITHUB_API_URL, with or without a slash', () => {
    const api = 'https://git.example.com/api/v3';
    expect(new ReleaseHost({ PROCTOR_GITHUB_API_URL: api }).api).toBe(api);
    expect(new ReleaseHost({ PROCTOR_GITHUB_API_URL: `${api}/` }).api).toBe(api);
  });

  it.each([
    'https://github.com/org/tool/releases/download/v1/tool',
    'https://api.github.com.evil.example/x',
    'http://api.github.com/x',
    'https://api.github.com:8443/x',
  ])('does not send the token to %s', (address) => {
    expect(headers({ GITHUB_TOKEN: 'secret' }, address)).toEqual({
      accept: 'text/plain',
      'user-agent': 'mcp-proctor',
    });
  });

  it('sends the API the token of GITHUB_TOKEN, else that of GH_TOKEN', () => {
    const address = 'https://api.github.com/x';
    const tokens = { GITHUB_TOKEN: 'first', GH_TOKEN: 'second' };
    expect(headers(tokens, address)).toMatchObject({ authorization: 'Bearer first' });
    expect(headers({ ...tokens, GITHUB_TOKEN: '' }, address)).toMatchObject({
      authorization: 'Bearer second',
    });
    expect(headers({ GITHUB_TOKEN: '' }, address)).not.toHaveProperty('authorization');
  });
});

describe('assetsIn', () => {
  const asset = { name: 'tool', size: 1, url: 'https://api.github.com/assets/1' };

  function addressFor(browser_download_url: string, environment: NodeJS.ProcessEnv = {}) {
    const text = JSON.stringify({ assets: [{ ...asset, browser_download_url }] });
    return readAssets(text, new ReleaseHost(environment))[0]?.address.href;
  }

  it('uses the public address, and with a token that of the API', () => {
    const address = 'https://github.com/org/tool/file';
    expect(addressFor(address)).toBe(address);
    expect(addressFor(address, { GITHUB_TOKEN: 'secret' })).toBe(asset.url);
  });

  it('has no address of the API that is somewhere else', () => {
    const address = 'https://github.com/org/tool/file';
    const environment = { GITHUB_TOKEN: 'x', PROCTOR_GITHUB_API_URL: 'https://git.example.com' };
    expect(addressFor(address, environment)).toBe(address);
  });

  it('refuses a file that would come unencrypted from a host that is encrypted', () => {
    expect(() => addressFor('http://github.com/org/tool/file')).toThrow(
      "https://api.github.com did not answer as GitHub's release API does",
    );
  });
});
