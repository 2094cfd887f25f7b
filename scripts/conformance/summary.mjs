/** What became of each server and set, as a table. */
export function serverTable(rows) {
  return formatTable([
    ['server', 'set', 'directly', 'through the proxy', 'differences'],
    ...rows.map(({ server, set, directly, proxied, differences }) => {
      return [server, set, counted(directly), counted(proxied), String(differences)];
    }),
  ]);
}

/** What became of each client and set, as a table. */
export function clientTable(rows) {
  return formatTable([
    ['client', 'set', 'checks', 'scenarios expected to fail'],
    ...rows.map(({ client, set, checks, expected }) => {
      return [client, set, counted(checks), String(expected)];
    }),
  ]);
}

function formatTable(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

export function countPassed(checks) {
  return checks.filter(({ status }) => status === 'SUCCESS').length;
}

function counted(checks) {
  const passed = countPassed(checks);
  const failed = checks.filter(({ status }) => status === 'FAILURE').length;
  return `${passed} passed, ${failed} failed, ${checks.length - passed - failed} other`;
}
