import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { messageOf } from '../data/decode.js';
import { PageMessage } from './page-message.js';

interface ErrorBoundaryProps {
  children: ComponentChildren;
}

/** A mistake in one page must not leave the reader with an empty window. */
export function ErrorBoundary({ children }: ErrorBoundaryProps) {
  const [error, reset] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return (
    <PageMessage title="This page could not be shown">
      <p>{messageOf(error)}</p>
      <p>
        <button type="button" onClick={reset}>
          try again
        </button>{' '}
        or go back to the <a href="#/">overview</a>.
      </p>
    </PageMessage>
  );
}
