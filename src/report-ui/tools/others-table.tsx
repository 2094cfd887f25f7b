import type { ToolsReport } from '../../analysis/tools/tool-usage.js';
import { exactCount } from '../elements/amounts.js';
import { shortName } from '../elements/short-name.js';
import { ScrollingTable } from './scrolling-table.js';

/** Resources and prompts. */
export function OthersTable({ report: { others, recorded } }: { report: ToolsReport }) {
  if (others.length === 0) return null;
  return (
    <section class="panel server-tools">
      <div class="panel-title">
        <h2>Resources and prompts</h2>
      </div>
      <ScrollingTable label="resources and prompts">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Kind</th>
            <th scope="col" class="wide-only">
              Server
            </th>
            <th scope="col" class="number">
              Calls
            </th>
            <th scope="col" class="number">
              Errors
            </th>
            <th scope="col" class="number wide-only">
              {recorded ? 'Sessions' : 'Task runs'}
            </th>
          </tr>
        </thead>
        <tbody>
          {others.map(({ server, kind, name, calls, errors, taskRuns }) => (
            <tr key={`${server}/${kind}/${name}`}>
              <th scope="row">{shortName(name)}</th>
              <td>{kind}</td>
              <td class="wide-only">{shortName(server)}</td>
              <td class="number">{exactCount(calls)}</td>
              <td class="number">{exactCount(errors)}</td>
              <td class="number wide-only">{exactCount(taskRuns)}</td>
            </tr>
          ))}
        </tbody>
      </ScrollingTable>
    </section>
  );
}
