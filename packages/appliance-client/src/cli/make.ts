import { createInterface } from 'node:readline/promises';
import { connectAppliance } from '../../../../src/api/client.ts';
import { DryRunEnd, type DryRunRequest } from '../../../../src/api/dry-run.ts';
import { type ApplianceFailure, isApplianceFailure } from '../../../../src/api/errors.ts';
import type { ApplianceSettings } from '../../../../src/api/settings.ts';
import { inDashes, type TypedCall } from './calls.ts';
import type { Given, Sources } from './given.ts';
import { settingsFrom } from './settings.ts';
import { asJson, asText, harmless, told } from './show.ts';
import { exitCodes, type Terminal, Usage } from './terminal.ts';

/** A call that is to be made. */
export interface Asked {
  readonly call: TypedCall;
  readonly given: Given;
  readonly sources: Sources;
}

/** Makes the call and prints what came of it. Resolves to the exit code. @throws Usage before anything is sent */
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
      terminal.stderr.write('Not sent.\n');
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

/** What is wrong with a setting is the caller's to mend. */
function connected(settings: ApplianceSettings) {
  try {
    return connectAppliance(settings);
  } catch (error) {
    if (error instanceof TypeError) throw new Usage(`${error.message} Nothing was sent.`);
    throw error;
  }
}

/** A dry run that ends before all is known has shown what it could. */
function afterEnd(error: unknown): void {
  if (!(error instanceof DryRunEnd)) throw error;
}

async function invoke(
  appliance: object,
  { area, own, arguments: all }: TypedCall,
  { arguments: given }: Given,
  signal: AbortSignal,
): Promise<unknown> {
  // The names are those of the declarations that the appliance was made of.
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
    throw new Usage(`${what} changes ${name}, and there is nobody to ask: add --yes. Nothing was sent.`);
  }
  const values = call.arguments.flatMap(({ name: own, isSecret }) => {
    const value = given.arguments[own];
    return value === undefined ? [] : [`  ${inDashes(own)}: ${isSecret ? '•••' : shown(value)}\n`];
  });
  stderr.write(`${call.summary}\nOn ${harmless(name)}, as ${what} (${call.effect}):\n${values.join('')}`);
  const lines = createInterface({ input: stdin, output: stderr });
  // Ctrl+D ends what is typed, Ctrl+C gives up: neither is a yes, and a question that is never answered would hang.
  const noAnswer = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  lines.once('SIGINT', () => lines.close());
  try {
    const answer = await Promise.race([lines.question('Send it? [y/N] '), noAnswer]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

/** Fields may have a password among them, from a file: their names are enough. */
function shown(value: unknown): string {
  if (Array.isArray(value) && value.length > 5)
    return harmless(`${value.slice(0, 5).join(', ')} … (${value.length})`);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return harmless(Object.keys(value).join(', '));
  return harmless(String(value));
}

/** A call that does not reject for a part of it tells of that part in its value. */
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
    ? `${what}\nIt may have happened: look before you try again.`
    : `${what}\nNo changes were made.`;
}

/** A setting that a program would set is set otherwise here. */
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
