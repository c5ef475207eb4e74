import type { ApplianceNow } from '../../protocol.ts';
import { Problem, useSteering } from './steering.tsx';

/** In which of its ways the whole appliance goes. */
export function Switches({ switches }: Pick<ApplianceNow, 'switches'>) {
  const [steer, problem] = useSteering();
  return (
    <section className="appliance-part" aria-labelledby="switches-heading">
      <h3 id="switches-heading">Ways of the appliance</h3>
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
                  onChange={() => void steer({ act: 'turn', switches: { [name]: one } })}
                />
                {words}
              </label>
            ))}
          </div>
          <p id={`switch-${name}`} className="appliance-hint">
            {says}
          </p>
        </fieldset>
      ))}
    </section>
  );
}
