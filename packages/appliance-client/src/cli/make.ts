import { createInterface } from 'node:readline/promises';
import { connectAppliance } from '../../../../src/api/client.ts';
import { DryRunEnd, type DryRunRequest } from '../../../../src/api/dry-run.ts';
import { type ApplianceFailure, isApplianceFailure } from '../../../../src/api/errors.ts';
import type { ApplianceSettings } from '../../../../src/api/settings.ts';
import { inDashes, type TypedCall } from './calls.ts';
import type { Given } from './given.ts';
import { type Sources, settingsFrom } from './settings.ts';
import { asJson, asText, harmless, told } from './show.ts';
import { exitCodes, type Terminal, Usage } from './terminal.ts';

export interface Asked {
  readonly call: TypedCall;
  readonly given: Given;
  readonly sources: Sources;
}

/** Makes the call and prints the result. Resolves to the exit code. @throws Usage before anything is sent */
export async function make({ call, given, sources }: Asked, terminal: Terminal): Promise<number> {
  const settings = settingsFrom(given.options, sources);
  const appliance = connected(settings);
  const { stdout } = terminal;
  const columns = stdout.isTTY ? stdout.columns : undefined;
  const print = (value: unknown) => stdout.write(`${given.json ? asJson(value) : asText(value, columns)}\n`);
  const giveUp = new AbortController();
  const onInterrupt = () => giveUp.abort();
  process.once('SIGINT', onInterrupt);
  try {
    if (given.dryRun) {
      const requests: DryRunRequest[] = [];
      await invoke(
        appliance.dryRun((request) => requests.push(request)),
        call,
        given,
        giveUp.signal,
      ).catch(afterEnd);
      print(requests);
      return exitCodes.done;
    }
    if (call.effect !== 'read' && !given.yes && !(await agreed(call, given, settings.name, terminal))) {
      terminal.stderr.write('Nothing was sent.\n');
      return exitCodes.notAgreed;
    }
    const value = await invoke(appliance, call, given, giveUp.signal);
    print(value);
    return hasFailures(value) ? exitCodes.unknown : exitCodes.done;
  } catch (error) {
    if (!isApplianceFailure(error)) throw error;
    terminal.stderr.write(given.json ? `${asJson({ error: told(error) })}\n` : `${wordsFor(error, call)}\n`);
    return error.code === 'bad_argument' ? exitCodes.notUnderstood : codeOf(error, call);
  } finally {
    process.off('SIGINT', onInterrupt);
    await appliance.close();
  }
}

/** The caller must correct a wrong setting. */
function connected(settings: ApplianceSettings) {
  try {
    return connectAppliance(settings);
  } catch (error) {
    if (error instanceof TypeError) throw new Usage(`${error.message} Nothing was sent.`);
    throw error;
  }
}

/** A dry run that ends early has shown all it could. */
function afterEnd(error: unknown): void {
  if (!(error instanceof DryRunEnd)) throw error;
}

async function invoke(
  appliance: object,
  { area, own, arguments: all }: TypedCall,
  { arguments: given }: Given,
  signal: AbortSignal,
): Promise<unknown> {
  // The names come from the declarations of the client.
  const one: unknown = Reflect.get(Object(Reflect.get(appliance, area)), own);
  if (typeof one !== 'function') throw new Error(`There is no call ${area}.${own}.`);
  return all.length === 0 ? one({ signal }) : one(given, { signal });
}

async function agreed(
  call: TypedCall,
  given: Given,
  name: string,
  { stdin, stderr }: Terminal,
): Promise<boolean> {
  const what = `${call.area} ${call.word}`;
  if (stdin.isTTY !== true) {
    throw new Usage(
      `${what} changes ${name}, and without a terminal the tool can ask nobody. Nothing was sent. Add --yes to send it.`,
    );
  }
  const values = call.arguments.flatMap(({ name: own, isSecret }) => {
    const value = given.arguments[own];
    return value === undefined ? [] : [`  ${inDashes(own)}: ${isSecret ? '•••' : shown(value)}\n`];
  });
  stderr.write(`${call.summary}\nOn ${harmless(name)}, as ${what} (${call.effect}):\n${values.join('')}`);
  const lines = createInterface({ input: stdin, output: stderr });
  // Ctrl+D ends the input and Ctrl+C aborts. Neither is a yes, and an unanswered question would hang.
  const noAnswer = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  lines.once('SIGINT', () => lines.close());
  try {
    const answer = await Promise.race([lines.question('Send it? [y/N] '), noAnswer]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

/** Shows only the names of fields, because a file may contain a password. */
function shown(value: unknown): string {
  if (Array.isArray(value) && value.length > 5)
    return harmless(`${value.slice(0, 5).join(', ')} … (${value.length})`);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return harmless(Object.keys(value).join(', '));
  return harmless(String(value));
}

/** A call that does not reject for a failed part reports it in its value. */
function hasFailures(value: unknown): boolean {
  if (isApplianceFailure(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasFailures);
}

function codeOf({ mayHaveHappened }: ApplianceFailure, { effect }: TypedCall): number {
  return effect !== 'read' && mayHaveHappened ? exitCodes.unknown : exitCodes.failed;
}

function wordsFor(failure: ApplianceFailure, { effect }: TypedCall): string {
  const what = `${harmless(failure.message)}${remedyFor(failure)}`;
  if (effect === 'read') return what;
  return failure.mayHaveHappened
    ? `${what}\nThe change may have been made. Check before you try again.`
    : `${what}\nNo changes were made.`;
}

/** The terminal has other names for settings than a program. */
function remedyFor(failure: ApplianceFailure): string {
  if (failure.code !== 'not_configured') return '';
  switch (failure.setting) {
    case 'mirrorUrl':
      return '. Set APPLIANCE_MIRROR_URL, or use --mirror-url.';
    case 'shellPassword':
      return '. Set APPLIANCE_SHELL_PASSWORD or APPLIANCE_SHELL_PASSWORD_FILE.';
    case 'url':
      return '. Set APPLIANCE_URL, or use --url.';
  }
}
