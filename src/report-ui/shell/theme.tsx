import { useState } from 'preact/hooks';
import { useMedia } from '../elements/media.js';

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** The order in which clicks change the theme: what differs from the system's comes first. */
function orderThemes(system: 'light' | 'dark'): Theme[] {
  return system === 'light' ? ['auto', 'dark', 'light'] : ['auto', 'light', 'dark'];
}

const key = 'proctor-theme';

/**
 * Reads the chosen theme. A page from a file may have no storage: then a choice lasts as long as
 * the page.
 */
function readStoredTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return themes.find((theme) => theme === stored) ?? 'auto';
  } catch {
    return 'auto';
  }
}

export function applyTheme(theme: Theme = readStoredTheme()): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // No storage, as above.
  }
}

const pictures: Record<Theme, string> = {
  auto: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  light:
    'M8 5.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 1 0 0-5.6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  dark: 'M13 9.8A5.6 5.6 0 0 1 6.2 3a5.6 5.6 0 1 0 6.8 6.8z',
};

/**
 * Changes the theme in a cycle. Each click is visible, but for the last one, back to the system's.
 */
export function ThemeButton() {
  const [theme, setTheme] = useState(readStoredTheme);
  const cycle = orderThemes(useMedia('(prefers-color-scheme: dark)') ? 'dark' : 'light');
  const next = cycle[(cycle.indexOf(theme) + 1) % cycle.length] ?? 'auto';
  const change = () => {
    applyTheme(next);
    setTheme(next);
  };
  const label = `colours: ${theme}; change to ${next}`;
  return (
    <button type="button" class="theme" aria-label={label} title={label} onClick={change}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={pictures[theme]} class={theme} />
      </svg>
    </button>
  );
}
