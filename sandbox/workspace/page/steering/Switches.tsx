import type { Switch } from '../../../appliance/protocol.ts';
import type { Acted } from '../../protocol.ts';
import { Problem, useSteering } from './steering.tsx';

interface Props {
  readonly title: string;
  readonly switches: readonly Switch[];
  readonly turn: (switches: Readonly<Record<string, string>>) => Promise<Acted>;
}

/** How all of it behaves, whatever is asked. */
export function Switches({ title, switches, turn }: Props) {
  const [steer, problem] = useSteering(turn);
  return (
    <section className="panel-part" aria-labelledby="switches-heading">
      <h3 id="switches-heading">{title}</h3>
      <Problem text={problem} />
      {switches.map(({ name, label, says, values, value }) => (
        <fieldset key={name} className="switch" aria-describedby={`switch-${name}`}>
          <legend>{label}</legend>
          <div className="switch-values">
            {Object.entries(values).map(([one, words]) => (
              <label key={one}>
                <input
                  className="visually-hidden"
                  type="radio"
                  name={name}
                  checked={one === value}
                  onChange={() => void steer({ [name]: one })}
                />
                {words}
              </label>
            ))}
          </div>
          <p id={`switch-${name}`} className="panel-hint">
            {says}
          </p>
        </fieldset>
      ))}
    </section>
  );
}
