import type { ChoiceGroup } from './filter-choices.js';

interface FilterSelectProps {
  name: string;
  groups: readonly ChoiceGroup[];
  /** Null: any. */
  value: string | null;
  onChange: (value: string | null) => void;
}

/** Options are told apart by their place: a value from outside may be any text, also none. */
export function FilterSelect({ name, groups, value, onChange }: FilterSelectProps) {
  if (groups.length === 0 && value === null) return null;
  const choices = groups.flatMap((group) => group.choices);
  const selected = choices.findIndex((choice) => choice.value === value);
  const isUnknown = value !== null && selected === -1;
  let place = 0;
  const options = (group: ChoiceGroup) =>
    group.choices.map(({ text }) => {
      const own = place++;
      return (
        <option key={own} value={String(own)} selected={own === selected}>
          {text === '' ? '(empty)' : text}
        </option>
      );
    });
  return (
    <select
      class={value === null ? '' : 'is-set'}
      aria-label={name}
      onChange={({ currentTarget }) =>
        onChange(choices[Number(currentTarget.value)]?.value ?? null)
      }
    >
      <option value="-1" selected={value === null}>
        any {name}
      </option>
      {isUnknown && (
        <option value="-2" selected>
          {value}
        </option>
      )}
      {groups.map((group) =>
        group.name === '' ? (
          options(group)
        ) : (
          <optgroup key={group.name} label={group.name}>
            {options(group)}
          </optgroup>
        ),
      )}
    </select>
  );
}
