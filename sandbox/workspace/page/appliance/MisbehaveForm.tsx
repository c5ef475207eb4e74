import { type FormEvent, type Ref, useId, useState } from 'react';
import { type Fault, type FaultKind, type Kind, kinds } from '../../../appliance/kinds.ts';
import type { Operation } from '../../../appliance/protocol.ts';
import { type Entered, FaultOptions, valuesOf } from '../steering/FaultOptions.tsx';
import { Select } from '../steering/Select.tsx';
import { Problem, useSteering } from '../steering/steering.tsx';
import { Finder } from './Finder.tsx';
import { sendToAppliance } from './send.ts';

interface Props {
  readonly ref: Ref<HTMLFormElement>;
  readonly operations: readonly Operation[];
  /** The name of the operation that is to misbehave. */
  readonly operation: string | undefined;
  readonly onOperation: (name: string) => void;
}

/** The table's keys are the kinds. */
const every: readonly [FaultKind, Kind][] = Object.entries(kinds) as [FaultKind, Kind][];

/** Which operation, and how. The kinds, their words and their options are those of the appliance's own table. */
export function MisbehaveForm({ ref, operations, operation, onOperation }: Props) {
  const id = useId();
  const [steer, problem] = useSteering(sendToAppliance);
  const [wanted, setWanted] = useState<FaultKind>('status');
  const [entered, setEntered] = useState<Entered>({});
  const [times, setTimes] = useState('');
  /** As chosen; else as the kind has it. */
  const [happens, setHappens] = useState<boolean>();
  const [missing, setMissing] = useState(false);

  const possible = every.filter(([, { only }]) => !only || only.includes(operation ?? ''));
  const groups = Map.groupBy(possible, ([, { group }]) => group);
  // One that this operation cannot suffer gives way to the first that it can.
  const kind = possible.some(([name]) => name === wanted) ? wanted : 'status';
  const { says, happens: usually, options }: Kind = kinds[kind];

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setMissing(operation === undefined);
    if (operation === undefined) return;
    const fault = {
      kind,
      ...valuesOf(options, entered),
      ...(times !== '' && { times: Number(times) }),
      ...(usually !== 'never' && happens !== undefined && happens !== usually && { happens }),
    };
    // Put together from the table that the type is made of; the appliance reads it once more.
    await steer({ act: 'misbehave', operation, fault: fault as Fault });
  };

  return (
    <form
      ref={ref}
      className="panel-part"
      aria-labelledby={`${id}-heading`}
      onSubmit={(event) => void submit(event)}
    >
      <h3 id={`${id}-heading`}>Make it misbehave</h3>
      <div className="panel-field">
        <label htmlFor={`${id}-operation`}>Operation</label>
        <Finder id={`${id}-operation`} operations={operations} chosen={operation} onChoose={onOperation} />
      </div>
      <div className="panel-field">
        <label htmlFor={`${id}-kind`}>How</label>
        <Select
          id={`${id}-kind`}
          value={kind}
          aria-describedby={`${id}-says`}
          onChange={(event) => {
            // The select offers nothing but kinds.
            setWanted(event.target.value as FaultKind);
            setEntered({});
            setHappens(undefined);
          }}
        >
          {[...groups].map(([group, members]) => (
            <optgroup key={group} label={group}>
              {members.map(([name, { label }]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
        <p id={`${id}-says`} className="panel-hint">
          {says} {usually === 'never' && 'The order is not carried out.'}
        </p>
      </div>
      <FaultOptions
        {...{ id, kind, options, entered, times }}
        onEnter={setEntered}
        noun="request"
        onTimes={setTimes}
      />
      {usually !== 'never' && (
        <label className="choice panel-happens">
          <input
            className="choice-box"
            type="checkbox"
            checked={happens ?? usually}
            onChange={(event) => setHappens(event.target.checked)}
          />
          <span>Carry the order out all the same</span>
        </label>
      )}
      <Problem text={missing && operation === undefined ? 'Choose an operation first.' : problem} />
      <button type="submit" className="button button-large button-primary">
        Make it misbehave
      </button>
    </form>
  );
}
