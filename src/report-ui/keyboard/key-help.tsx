import { useEffect, useRef } from 'preact/hooks';

const help: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['/'], does: 'search' },
  { keys: ['j', 'k'], does: 'next and previous task run, or call' },
  { keys: ['Enter'], does: 'open it' },
  { keys: ['n', 'p'], does: 'in a task run: the next and the previous one' },
  { keys: ['Esc'], does: 'back to the overview; in the search: leave it' },
  { keys: ['Arrows'], does: 'move in the tasks and the timeline; in a task run also as p and n' },
  { keys: ['o', 't', 'c'], does: 'overview, tools, comparison' },
  { keys: ['?'], does: 'this help' },
];

/** A dialog of the browser's own: it holds the focus, and Esc closes it. */
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
