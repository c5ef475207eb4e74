import { type FormEvent, useId, useState } from 'react';
import type { Step, StepParameter } from '../../functions/step.ts';
import { Select } from '../steering/Select.tsx';
import { titleOf, useWorkspace } from '../workspace.ts';
import { inputsOf } from './entered.ts';

/** A form for a step and its inputs. The notice bar shows refused inputs. */
export function StepForm({ steps }: { readonly steps: readonly Step[] }) {
  const id = useId();
  const { act } = useWorkspace();
  const [chosen, setChosen] = useState('');
  const [entered, setEntered] = useState<Readonly<Record<string, string>>>({});
  const step = steps.find(({ callback_id }) => callback_id === chosen) ?? steps[0];
  if (step === undefined) return null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const inputs = inputsOf(step.input_parameters, entered);
    void act({ act: 'run_step', function: step.callback_id, inputs });
  };
  return (
    <form className="panel-part" aria-labelledby={`${id}-heading`} onSubmit={submit}>
      <h3 id={`${id}-heading`}>Run a step</h3>
      <div className="panel-field">
        <label htmlFor={`${id}-step`}>Step</label>
        <Select
          id={`${id}-step`}
          value={step.callback_id}
          onChange={(event) => {
            setChosen(event.target.value);
            setEntered({});
          }}
        >
          {steps.map(({ callback_id, title }) => (
            <option key={callback_id} value={callback_id}>
              {title}
            </option>
          ))}
        </Select>
        <p className="panel-hint">{step.description}</p>
      </div>
      {step.input_parameters.map((parameter) => (
        <ParameterField
          key={`${step.callback_id} ${parameter.name}`}
          id={`${id}-${parameter.name}`}
          parameter={parameter}
          value={entered[parameter.name] ?? ''}
          onChange={(value) => setEntered({ ...entered, [parameter.name]: value })}
        />
      ))}
      <button type="submit" className="button button-large button-primary">
        Run
      </button>
    </form>
  );
}

interface FieldProps {
  readonly id: string;
  readonly parameter: StepParameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ParameterField({ id, parameter, value, onChange }: FieldProps) {
  const offered = useOffered(parameter.type);
  const { title, description, is_required } = parameter;
  return (
    <div className="panel-field">
      <label htmlFor={id}>{title}</label>
      {offered === undefined ? (
        <input
          id={id}
          className="field"
          required={is_required}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <Select
          id={id}
          required={is_required}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="" />
          {offered.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </Select>
      )}
      {description && <p className="panel-hint">{description}</p>}
    </div>
  );
}

/** Choices by value and name; undefined for a typed value. */
function useOffered(type: string): readonly (readonly [value: string, name: string])[] | undefined {
  const { directory } = useWorkspace();
  switch (type) {
    case 'boolean':
      return [
        ['true', 'yes'],
        ['false', 'no'],
      ];
    case 'slack#/types/user_id':
      return directory.people.map(({ id, name }) => [id, name]);
    case 'slack#/types/channel_id':
      return directory.channels.map((channel) => [channel.id, titleOf(channel)]);
    case 'slack#/types/usergroup_id':
      return Object.entries(directory.groups);
    default:
      return undefined;
  }
}
