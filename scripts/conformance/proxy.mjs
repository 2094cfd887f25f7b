import { watch } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const startWithinMs = 20_000;

/** Starts `proctor proxy` in front of the server; resolves once it has written its configuration. */
export async function startProxy(processes, proctor, serverUrl, name) {
  const folder = processes.folderOf(name);
  const given = path.join(folder, 'given.json');
  const written = path.join(folder, 'written.json');
  const record = path.join(folder, 'record.jsonl');
  const server = { type: 'http', url: serverUrl, enableAllTools: true };
  await writeFile(given, JSON.stringify({ mcpServers: { fixture: server } }));

  const appeared = appearanceOf(written);
  const files = ['--mcp-config-file', given, '--write-config', written, '--out', record];
  const started = processes.start(name, [process.execPath, proctor, 'proxy', ...files]);
  await started.until(appeared, startWithinMs);
  const { mcpServers } = JSON.parse(await readFile(written, 'utf8'));
  return { process: started, url: mcpServers.fixture.url };
}

function appearanceOf(file) {
  return new Promise((resolve) => {
    const watcher = watch(path.dirname(file), { persistent: false }, (_event, changed) => {
      if (changed !== path.basename(file)) return;
      watcher.close();
      resolve();
    });
  });
}
