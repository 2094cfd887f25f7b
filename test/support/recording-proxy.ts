import type { EventBody, EventSink } from '../../src/journal/event.js';
import { RecordingProxy } from '../../src/proxy/recording-proxy.js';
import { onLoneTestFinished } from '../../testing/test-end.js';

/** A proxy with its record. It ends with the test. */
export async function startProxy() {
  const events: EventBody[] = [];
  const sink: EventSink = {
    write: (event) => events.push(event),
    pressure: () => undefined,
    redact: String,
  };
  const { PATH } = process.env;
  const proxy = await RecordingProxy.start({ sink, environment: { PATH } });
  onLoneTestFinished(() => proxy.close());
  return { proxy, events };
}
