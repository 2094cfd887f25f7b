import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Handlers by `KeyboardEvent.key`. One that returns false leaves the key to the browser. */
type Keys = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/** Handles keys anywhere on the page, except in form fields and while a dialog is open. */
export function useKeys(keys: Keys): void {
  // A layout effect, as no key may be lost or reach a component that is no longer shown.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isFormField(event.target) || document.querySelector('dialog[open]')) return;
      if (!Object.hasOwn(keys, event.key)) return;
      if (keys[event.key]?.(event) !== false) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
}

function isFormField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea') !== null;
}

/**
 * Focuses an element as soon as it exists: a virtual table renders its visible rows after it was
 * scrolled, which takes some frames.
 */
export function focusWhenRendered(find: () => HTMLElement | null, framesLeft = 20): void {
  const element = find();
  if (element) element.focus();
  else if (framesLeft > 0) requestAnimationFrame(() => focusWhenRendered(find, framesLeft - 1));
}

const help: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['/'], does: 'search' },
  { keys: ['j', 'k'], does: 'next and previous task run, or call' },
  { keys: ['Enter'], does: 'open it' },
  { keys: ['n', 'p'], does: 'in a task run: next and previous task run' },
  { keys: ['Esc'], does: 'back to the overview; in the search: leave it' },
  {
    keys: ['Arrows'],
    does: 'move in the task table and the timeline; in a task run, same as p and n',
  },
  { keys: ['o', 't', 'c'], does: 'overview, tools, comparison' },
  { keys: ['?'], does: 'this help' },
];

/** The list of keys, in a native dialog: it holds the focus, and Esc closes it. */
export function KeyHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) ref.current?.showModal();
    else ref.current?.close();
  }, [open]);
  return (
    <dialog class="keys" ref={ref} aria-labelledby="keys-title" onClose={onClose}>
      <div class="keys-title">
        <h2 id="keys-title">Keys</h2>
        <button type="button" onClick={onClose}>
          close
        </button>
      </div>
      <dl>
        {help.map(({ keys, does }) => (
          <>
            <dt>
              {keys.map((key) => (
                <>
                  <kbd>{key}</kbd>{' '}
                </>
              ))}
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
    </dialog>
  );
}
