const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** In turn: what differs from the system's own comes first. */
export function themesFrom(system: 'light' | 'dark'): Theme[] {
  return system === 'light' ? ['auto', 'dark', 'light'] : ['auto', 'light', 'dark'];
}

const key = 'proctor-theme';

/** A page from a file may have no storage: then a choice lasts as long as the page. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return themes.find((theme) => theme === stored) ?? 'auto';
  } catch {
    return 'auto';
  }
}

export function applyTheme(theme: Theme = storedTheme()): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // As above.
  }
}
