import { createHash } from 'node:crypto';
import { done, refused } from '../acted.ts';
import { emit } from '../events.ts';
import { appId, type Member, slackbotId } from '../people.ts';
import type { Act, Acted } from '../protocol.ts';
import type { World } from '../world.ts';
import type { Execution } from './executions.ts';
import { problemsWith } from './parameters.ts';
import type { Step } from './step.ts';

/** Starts a workflow that is one step of the app. */
export async function runStep(
  world: World,
  person: Member,
  given: Extract<Act, { act: 'run_step' }>,
): Promise<Acted> {
  const { roster, app, executions } = world;
  const step = app.steps.find(({ callback_id }) => callback_id === given.function);
  if (step === undefined) return refused(`The app has no step ${given.function}.`);
  if (given.channel !== undefined && !roster.isMember(given.channel, person.id))
    return refused('You are not in this channel.');
  const [problem] = problemsWith(given.inputs, step.input_parameters, roster);
  if (problem !== undefined) return refused(`The input ${problem.name} ${problem.says}.`);
  const { channel, inputs } = given;
  const execution = executions.start({ step, by: person.id, channel, inputs });
  const outcome = await emit(world, {
    type: 'function_executed',
    function: functionObject(step),
    inputs,
    function_execution_id: execution.id,
    workflow_execution_id: execution.workflow,
    bot_access_token: execution.token,
  });
  if (outcome?.kind === 'acked') return done;
  const error = `This app responded with the error “${outcome?.kind ?? 'dispatch_failed'}”`;
  // An app that does not acknowledge in time has failed, even where the event is delivered again (bolt-js#2288,
  // bolt-python#1305).
  if (execution.ended === undefined) fail(world, execution, error);
  return refused(error);
}

/** Extra fields of a click in a message of a running step. */
export function functionData({ triggers }: World, execution: Execution, person: Member): object {
  const { id, step, inputs, token } = execution;
  return {
    function_data: { execution_id: id, function: { callback_id: step.callback_id }, inputs },
    bot_access_token: token,
    interactivity: { interactor: { id: person.id }, interactivity_pointer: triggers.make(person.id) },
  };
}

/** Ends a failed step; the person who started the workflow reads the reason. */
export function fail({ executions, messages }: World, execution: Execution, error: string): void {
  executions.end(execution, { state: 'failed', error });
  const { step, by, channel } = execution;
  if (channel === undefined) return;
  const text = `The workflow stopped: its step “${step.title}” failed. ${error}`;
  messages.whisper({ channel, user: slackbotId, isApp: false, text }, by);
}

function functionObject({ callback_id, title, description, input_parameters, output_parameters }: Step) {
  return {
    id: `Fn${createHash('sha256').update(callback_id).digest('hex').slice(0, 10).toUpperCase()}`,
    callback_id,
    title,
    description,
    type: 'app',
    input_parameters,
    output_parameters,
    app_id: appId,
    date_created: installed,
    date_updated: installed,
    date_deleted: 0,
  };
}

const installed = 1_700_000_000;
