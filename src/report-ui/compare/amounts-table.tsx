import type { MeanAmounts } from '../../analysis/diff/results-diff.js';
import { amountChanges } from './amount-changes.js';

interface AmountsTableProps {
  base: MeanAmounts;
  current: MeanAmounts;
}

export function AmountsTable({ base, current }: AmountsTableProps) {
  const changes = amountChanges(base, current);
  return (
    <section class="panel amounts" aria-labelledby="amounts-title">
      <h2 id="amounts-title">What a task run takes</h2>
      {changes.length === 0 ? (
        <p class="quiet">The results do not tell.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Mean of judged runs</th>
              <th scope="col">Base</th>
              <th scope="col">Current</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ name, base: before, current: after, change }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{before}</td>
                <td>{after}</td>
                <td>{change}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
