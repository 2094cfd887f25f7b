import { runBridge } from './bridge.js';

/*
 * The bridge as a program of its own, in one file: agents that can only start MCP servers as programs
 * are given a copy of it. Nothing in it says what the agent is part of.
 */

const [, , url = ''] = process.argv;
// The client need not read standard error.
process.stderr.on('error', () => {});
void runBridge(new URL(url), (text) => process.stderr.write(`${JSON.stringify(text)}\n`));
