/**
 * Keeps stdout for the protocol. What libraries and `console.log` write there goes to stderr instead;
 * only who has the function that this returns still writes to stdout.
 */
export function reserveStdout(): (text: string, written?: () => void) => void {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  Object.assign(stdout, { write: stderr.write.bind(stderr) });
  // Proctor may be gone. The end of stdin says so as well, and then there is still work to do.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  return (text, written) => {
    write(text, () => written?.());
  };
}
