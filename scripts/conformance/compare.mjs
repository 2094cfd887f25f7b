/** Where the proxy may differ. Each has to occur, so that none stays here for longer than needed. */
const exceptions = [
  {
    server: 'everything',
    set: '2025-11-25',
    scenario: 'dns-rebinding-protection',
    check: 'localhost-host-rebinding-rejected',
    directly: 'FAILURE',
    proxied: 'SUCCESS',
    reason: 'this server takes any Host and Origin, the proxy does not',
  },
];

/**
 * Compares the statuses, check by check. The messages are left out: they have times, ids and ports
 * in them. A check that occurs more than once is told apart by its turn.
 */
export function compare({ server, set, directly, proxied }) {
  const checks = byKey(directly);
  const proxiedChecks = byKey(proxied);
  const differences = [];
  const excused = [];
  for (const key of new Set([...checks.keys(), ...proxiedChecks.keys()])) {
    const one = checks.get(key);
    const other = proxiedChecks.get(key);
    const statuses = { directly: one?.status ?? 'absent', proxied: other?.status ?? 'absent' };
    if (statuses.directly === statuses.proxied) continue;

    const text = `${set} / ${key}: directly ${statuses.directly}, through the proxy ${statuses.proxied}`;
    const { scenario, id: check } = one ?? other;
    const exception = findException({ server, set, scenario, check, ...statuses });
    if (exception) excused.push({ text, exception });
    else differences.push({ text, messages: [one?.message, other?.message].filter(Boolean) });
  }
  return { differences, excused };
}

export function unusedExceptions(used) {
  return exceptions
    .filter((exception) => !used.includes(exception))
    .map(({ server, set, scenario, check }) => {
      return `${server}: ${set} / ${scenario} / ${check}: an exception that did not occur`;
    });
}

function byKey(checks) {
  const found = new Map();
  for (const { scenario, id, name, ...rest } of checks) {
    const key = `${scenario} / ${id} (${name})`;
    let unique = key;
    for (let turn = 2; found.has(unique); turn += 1) unique = `${key} #${turn}`;
    found.set(unique, { scenario, id, name, ...rest });
  }
  return found;
}

function findException(difference) {
  return exceptions.find(({ reason, ...fields }) =>
    Object.entries(fields).every(([field, value]) => difference[field] === value),
  );
}
