/** What became of each server and set, as a table. */
export function summaryTable(rows) {
  const table = [
    ['server', 'set', 'directly', 'through the proxy', 'differences'],
    ...rows.map(({ server, set, directly, proxied, differences }) => {
      return [server, set, counted(directly), counted(proxied), String(differences)];
    }),
  ];
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
