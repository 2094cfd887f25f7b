import type { ParameterUse } from '../../analysis/tools/tool-usage.js';
import { counted, exactCount } from '../elements/amounts.js';

/** How often each parameter was given, and each of its values. */
export function ParameterTable({ parameters }: { parameters: readonly ParameterUse[] }) {
  if (parameters.length === 0) return <p class="quiet">It has none.</p>;
  return (
    <table class="parameters">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Given</th>
          <th scope="col">Values</th>
        </tr>
      </thead>
      <tbody>
        {parameters.map(({ name, required, calls, values }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              {required && <span class="quiet"> required</span>}
            </th>
            <td>{calls === 0 ? <strong class="never">never</strong> : counted(calls, 'time')}</td>
            <td>
              {(values ?? []).map(({ value, calls: times }) => (
                <span key={value} class={`value ${times === 0 ? 'untaken' : ''}`}>
                  <code>{value}</code> {times === 0 ? 'never' : exactCount(times)}
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
