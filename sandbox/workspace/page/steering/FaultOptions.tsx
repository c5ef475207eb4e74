import type { ReactNode } from 'react';
import type { NumberOption, TextOption } from '../../../appliance/kinds.ts';
import { OptionField } from './OptionField.tsx';
import { Select } from './Select.tsx';

type Options = Readonly<Record<string, NumberOption | TextOption>>;
export type Entered = Readonly<Record<string, string>>;

interface Props {
  readonly id: string;
  readonly kind: string;
  readonly options: Options;
  readonly entered: Entered;
  readonly onEnter: (entered: Entered) => void;
  /** The noun of the faulty thing: "request". */
  readonly noun: string;
  /** For how many of them; '' is until it is cleared. */
  readonly times: string;
  readonly onTimes: (times: string) => void;
  readonly children?: ReactNode;
}

/** The options of a kind of fault, and how long it lasts. */
export function FaultOptions({ id, kind, options, entered, onEnter, noun, times, onTimes, children }: Props) {
  return (
    <div className="panel-fields">
      {Object.entries(options).map(([name, option]) => (
        <OptionField
          key={`${kind}/${name}`}
          id={`${id}-${name}`}
          option={option}
          value={entered[name] ?? String(option.default)}
          onChange={(value) => onEnter({ ...entered, [name]: value })}
        />
      ))}
      {children}
      <div className="panel-field">
        <label htmlFor={`${id}-times`}>For</label>
        <Select id={`${id}-times`} value={times} onChange={(event) => onTimes(event.target.value)}>
          <option value="">Until cleared</option>
          <option value="1">Next {noun}</option>
          <option value="2">Next 2 {noun}s</option>
          <option value="5">Next 5 {noun}s</option>
        </Select>
      </div>
    </div>
  );
}

/** The entered values, in the shape of a fault. */
export const valuesOf = (options: Options, entered: Entered): Readonly<Record<string, string | number>> =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => {
      const value = entered[name] ?? option.default;
      return [name, option.type === 'number' ? Number(value) : value];
    }),
  );
