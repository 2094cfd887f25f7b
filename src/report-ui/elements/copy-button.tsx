import { useEffect, useState } from 'preact/hooks';

interface CopyButtonProps {
  /** Called on click, as the text may take long to make. */
  text: () => string;
  label: string;
  children?: string;
}

export function CopyButton({ text, label, children = 'copy' }: CopyButtonProps) {
  const [status, setStatus] = useState<string>();
  useEffect(() => {
    if (status === undefined) return;
    const timer = setTimeout(() => setStatus(undefined), 2000);
    return () => clearTimeout(timer);
  }, [status]);
  const copy = async () => setStatus((await copyToClipboard(text())) ? 'copied' : 'not allowed');
  return (
    <button
      type="button"
      class="copy"
      aria-label={status === undefined ? label : undefined}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{status ?? children}</span>
    </button>
  );
}

/** Copies a text. A page from a file may not use the clipboard, but may copy what is selected. */
async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'off-screen';
  const before = document.activeElement;
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
