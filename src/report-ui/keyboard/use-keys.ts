import { useLayoutEffect } from 'preact/hooks';

/** Names as in `KeyboardEvent.key`. One that returns false did nothing with its key. */
export type Keys = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/** Keys that work anywhere on the page, but where somebody is writing or a dialog is open. */
export function useKeys(keys: Keys): void {
  // Not later: no key may be lost, or go to what is no longer shown.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isElsewhere(event.target) || document.querySelector('dialog[open]')) return;
      if (!Object.hasOwn(keys, event.key)) return;
      if (keys[event.key]?.(event) !== false) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
}

function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea') !== null;
}
