import { parseJson } from '../content.ts';
import type { Execution } from '../functions/executions.ts';
import { problemsWith } from '../functions/parameters.ts';
import { fail } from '../functions/run-step.ts';
import { Refusal, refuseWith } from '../refusal.ts';
import { required } from './arguments.ts';
import type { Answering, Call } from './method.ts';

const completeSuccess: Answering = (call) => {
  const { world, args } = call;
  const execution = running(call);
  const outputs = parseJson(args.outputs ?? null, 'invalid_arguments');
  if (typeof outputs !== 'object' || outputs === null || Array.isArray(outputs))
    throw refuseWith('invalid_arguments', ['must be an object [json-pointer:/outputs]']);
  const values = outputs as Readonly<Record<string, unknown>>;
  const problems = problemsWith(values, execution.step.output_parameters, world.roster);
  if (problems.length > 0) {
    const said = problems.map(({ name, says }) => `${name} ${says} [json-pointer:/outputs/${name}]`);
    throw refuseWith('parameter_validation_failed', said);
  }
  world.executions.end(execution, { state: 'completed', outputs: values });
  return {};
};

const completeError: Answering = (call) => {
  const execution = running(call);
  const error = required(call.args, 'error');
  fail(call.world, execution, error);
  return {};
};

/** The step that the call is about. A step ends once. */
function running({ world, args }: Call): Execution {
  const execution = world.executions.find(required(args, 'function_execution_id'));
  if (execution === undefined) throw new Refusal('function_execution_not_found');
  if (execution.ended !== undefined) throw new Refusal('execution_not_in_running_state');
  return execution;
}

export const functions = { completeSuccess, completeError };
