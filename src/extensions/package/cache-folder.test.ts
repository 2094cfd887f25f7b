import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { userCacheFolder } from './cache-folder.js';

describe('userCacheFolder', () => {
  const HOME = '/home/ada';

  it('is what PROCTOR_CACHE_DIR names before all', () => {
    const environment = { PROCTOR_CACHE_DIR: '/cache', XDG_CACHE_HOME: '/xdg', HOME };
    expect(userCacheFolder(environment, 'linux')).toBe('/cache');
    expect(userCacheFolder({ PROCTOR_CACHE_DIR: 'here', HOME }, 'linux')).toBe(
      path.resolve('here'),
    );
  });

  it('is what XDG_CACHE_HOME names, if that is absolute', () => {
    expect(userCacheFolder({ XDG_CACHE_HOME: '/xdg', HOME }, 'darwin')).toBe('/xdg');
    expect(userCacheFolder({ XDG_CACHE_HOME: 'xdg', HOME }, 'linux')).toBe('/home/ada/.cache');
  });

  it('is where the system has it otherwise', () => {
    expect(userCacheFolder({ HOME, PROCTOR_CACHE_DIR: '' }, 'linux')).toBe('/home/ada/.cache');
    expect(userCacheFolder({ HOME }, 'darwin')).toBe('/home/ada/Library/Caches');
    expect(userCacheFolder({ HOME, LOCALAPPDATA: 'C:\\Local' }, 'win32')).toBe('C:\\Local');
    expect(userCacheFolder({ HOME }, 'win32')).toBe('/home/ada/.cache');
  });
});
