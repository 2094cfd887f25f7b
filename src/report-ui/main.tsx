import { render } from 'preact';
import { rootElementId } from '../report-data/report-data.js';
import { App } from './app.js';
import { messageOf } from './data/decode.js';
import { readIndex } from './data/read-index.js';
import { PageMessage } from './shell/page-message.js';
import { applyTheme } from './shell/theme.js';

const root = document.getElementById(rootElementId);
applyTheme();
if (root) void start(root);

async function start(root: HTMLElement): Promise<void> {
  try {
    const index = await readIndex();
    root.replaceChildren();
    render(<App index={index} />, root);
  } catch (error) {
    root.replaceChildren();
    render(
      <main>
        <PageMessage title="This report cannot be shown">
          <p>{messageOf(error)}</p>
        </PageMessage>
      </main>,
      root,
    );
  }
}
