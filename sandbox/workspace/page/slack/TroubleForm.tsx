import { type FormEvent, useId, useState } from 'react';
import type { Fault } from '../../faults.ts';
import type { SlackNow } from '../../protocol.ts';
import { type TroubleKind, troubleKinds } from '../../trouble-kinds.ts';
import { sendToSlack } from '../connection.ts';
import { type Entered, FaultOptions, valuesOf } from '../steering/FaultOptions.tsx';
import { Select } from '../steering/Select.tsx';
import { Problem, useSteering } from '../steering/steering.tsx';
import { useWorkspace } from '../workspace.ts';

type KindName = keyof typeof troubleKinds;

/** Which call, how, and for whom. The kinds, their words and their options are those of the table. */
export function TroubleForm({ calls }: Pick<SlackNow, 'calls'>) {
  const id = useId();
  const { directory } = useWorkspace();
  const [steer, problem] = useSteering(sendToSlack);
  const [call, setCall] = useState('chat.postMessage');
  const [kind, setKind] = useState<KindName>('error');
  const [entered, setEntered] = useState<Entered>({});
  const [person, setPerson] = useState('');
  const [times, setTimes] = useState('');
  const { says, options }: TroubleKind = troubleKinds[kind];

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await steer({
      act: 'misbehave',
      call,
      // Put together from the table; the workspace reads it once more.
      fault: { kind, ...valuesOf(options, entered) } as Fault,
      ...(times !== '' && { times: Number(times) }),
      ...(person !== '' && { person }),
    });
  };

  return (
    <form className="panel-part" aria-labelledby={`${id}-heading`} onSubmit={(event) => void submit(event)}>
      <h3 id={`${id}-heading`}>Make a call go wrong</h3>
      <div className="panel-field">
        <label htmlFor={`${id}-call`}>Call</label>
        <Select id={`${id}-call`} value={call} onChange={(event) => setCall(event.target.value)}>
          {calls.map((one) => (
            <option key={one} value={one}>
              {one === '*' ? 'Every call' : one}
            </option>
          ))}
        </Select>
      </div>
      <div className="panel-field">
        <label htmlFor={`${id}-kind`}>How</label>
        <Select
          id={`${id}-kind`}
          value={kind}
          aria-describedby={`${id}-says`}
          onChange={(event) => {
            // The select offers nothing but kinds.
            setKind(event.target.value as KindName);
            setEntered({});
          }}
        >
          {Object.entries(troubleKinds).map(([name, { label }]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </Select>
        <p id={`${id}-says`} className="panel-hint">
          {says}
        </p>
      </div>
      <FaultOptions
        {...{ id, kind, options, entered, times }}
        onEnter={setEntered}
        noun="call"
        onTimes={setTimes}
      >
        <div className="panel-field">
          <label htmlFor={`${id}-person`}>About</label>
          <Select id={`${id}-person`} value={person} onChange={(event) => setPerson(event.target.value)}>
            <option value="">Everybody</option>
            {directory.people
              .filter(({ isBot }) => !isBot)
              .map(({ id: one, name }) => (
                <option key={one} value={one}>
                  {name}
                </option>
              ))}
          </Select>
        </div>
      </FaultOptions>
      <Problem text={problem} />
      <button type="submit" className="button button-large button-primary">
        Make it go wrong
      </button>
    </form>
  );
}
