import type { NumberOption, TextOption } from '../../../appliance/kinds.ts';

import { Select } from './Select.tsx';

interface Props {
  readonly id: string;
  readonly option: NumberOption | TextOption;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** An option of a kind of misbehaviour: a choice where only a few numbers matter, else a box. */
export function OptionField({ id, option, value, onChange }: Props) {
  return (
    <div className="panel-field">
      <label htmlFor={id}>{option.label}</label>
      {option.type === 'number' ? (
        option.offered ? (
          <Choice {...{ id, value, onChange }} offered={option.offered} />
        ) : (
          <input
            id={id}
            className="field"
            type="number"
            required
            min={option.from}
            max={option.to}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      ) : option.isClosed ? (
        <Choice {...{ id, value, onChange }} offered={option.offered ?? []} />
      ) : (
        <>
          <input
            id={id}
            className="field"
            value={value}
            maxLength={1000}
            list={option.offered && `${id}-offered`}
            onChange={(event) => onChange(event.target.value)}
          />
          {option.offered && (
            <datalist id={`${id}-offered`}>
              {option.offered.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          )}
        </>
      )}
    </div>
  );
}

function Choice({
  id,
  value,
  onChange,
  offered,
}: Omit<Props, 'option'> & { readonly offered: readonly (string | number)[] }) {
  return (
    <Select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
      {offered.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </Select>
  );
}
