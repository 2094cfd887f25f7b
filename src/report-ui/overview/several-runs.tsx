import { percentText } from '../elements/amounts.js';
import { Fold } from '../elements/fold.js';
import type { Totals } from './totals.js';

/** What one may expect of several runs of a task. */
export function SeveralRuns({ passWithK }: Pick<Totals, 'passWithK'>) {
  if (passWithK.length === 0) return null;
  return (
    <Fold class="several-runs" summary="pass@k and pass^k">
      {() => (
        <table>
          <thead>
            <tr>
              <th scope="col">k runs</th>
              <th scope="col">one passes</th>
              <th scope="col">all pass</th>
              <th scope="col">tasks</th>
            </tr>
          </thead>
          <tbody>
            {passWithK.map(({ k, any, all, tasks }) => (
              <tr key={k}>
                <th scope="row">{k}</th>
                <td>{percentText(any)}</td>
                <td>{percentText(all)}</td>
                <td>{tasks}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Fold>
  );
}
