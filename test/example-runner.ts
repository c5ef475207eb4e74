import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { ZipFile } from 'yazl';
import { type Person, personIn } from '../sandbox/person.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/sandbox.ts';
import type { Message } from '../sandbox/workspace/protocol.ts';
import { transcript } from '../sandbox/workspace/transcript.ts';
import type { AnyCommand } from '../src/handlers/command.ts';
import { commands } from '../src/handlers/registry.ts';
import { referenceOf } from '../src/journal/actions/reference.ts';
import type { Action } from '../src/journal/journal.ts';
import { createLog } from '../src/telemetry/log.ts';
import { unsynced } from './unsynced.ts';

/** Runs the documented examples as somebody who may run everything, against a simulated appliance. */
export interface Examples {
  readonly sandbox: Sandbox;
  /**
   * The appliance is as at its start, and all is done that must have been before the example of a command makes sense.
   * `isCompiled`: that is live, too. `more`: lines that are typed after those. `atStart`: what is set before anything is done.
   */
  readonly prepare: (
    command: AnyCommand,
    isCompiled?: boolean,
    more?: readonly string[],
    atStart?: () => void,
  ) => Promise<void>;
  /** Types a line, fills in the form that it opens, and says yes where it is asked; something may happen right before that. */
  readonly run: (line: string, beforeYes?: () => void) => Promise<Action | undefined>;
  /** Lets what waits to be compiled be compiled, and resolves when it is. */
  readonly compiled: () => Promise<void>;
  /** Moves the clock on, by milliseconds, and lets the bot look at it. */
  readonly pass: (milliseconds: number) => Promise<void>;
  /** The new text in the channel since the last `prepare`, for a reader who may see all of it. */
  readonly said: () => string;
}

export async function startExamples(options: SandboxOptions = {}): Promise<Examples> {
  let ahead = 0;
  const looks = new Set<() => void>();
  const lookAtClock = () => {
    for (const look of looks) look();
  };
  /** The scheduled compile waits until the example is over: `apply` and `pending` would have nothing to show. */
  let compiling = Promise.withResolvers<void>();
  const shellPackage = await zipWith('shell.sh', '#!/bin/sh\nSHELL_PASS=""\nSCRIPT_ID="examples"\nexit 0\n');
  const sandbox = await startSandbox({
    ...options,
    world: {
      journalFile: { open: unsynced },
      now: () => Date.now() + ahead,
      otherClocks: { elapsed: () => performance.now() + ahead },
      sleep: async (milliseconds) => {
        if (milliseconds > 4_500 && milliseconds <= 5_000) await compiling.promise;
        ahead += milliseconds;
      },
      every: (_, callback) => {
        looks.add(callback);
        return () => void looks.delete(callback);
      },
      log: createLog('silent'),
    },
  });
  const { journal } = sandbox.bot;
  const who = (name: string): Person =>
    personIn(sandbox.workspace, { idle: () => sandbox.bot.answered() }, name);
  const [dana, carol] = [who('dana'), who('carol')];

  /** Events that must happen between the preparing lines and the example. */
  const meanwhile: Readonly<Record<string, () => Promise<void>>> = {
    // Its time is over, and nobody can see whether it is.
    'emergency confirm over <--reason>': async () => {
      for (const path of ['- /status', '- /proxy/auth/status']) {
        sandbox.appliance?.faults.set(path, { kind: 'status', status: 500 });
      }
      ahead += 31 * 60_000;
      lookAtClock();
      await expect.poll(async () => (await journal.timedChange('hq', 'emergency disable'))?.tries).toBe(1);
    },
    // The plan has stopped at its first line.
    'plan continue <plan>': async () => {
      const stop = 'GET /system/network/vlan/stop/{id}';
      sandbox.appliance?.faults.set(stop, { kind: 'refuse', error: 'not now' });
      await run('plan vlan stop 3\ncategory add plan.example.net to 252');
      sandbox.appliance?.faults.clear(stop);
    },
  };

  /** An appliance that was put back is in no emergency, and nothing is to be ended there. */
  async function forgetTimedChanges(): Promise<void> {
    for (const { id } of await journal.timedChanges())
      await journal.endTimedChange(id, { how: 'found', says: '' });
  }

  /** The newest typed command: a plan, and not the steps that it has taken. */
  const typedLast = async () => (await journal.recent(20)).find(({ step }) => step === undefined);
  let planned = '';

  const run: Examples['run'] = async (line, beforeYes = () => undefined) => {
    const before = await typedLast();
    await dana.type('helpdesk', `/appliance ${line.replace('A-7KQ2MX9D', planned)}`);
    const form = dana.form();
    if (form !== undefined) {
      const blank = form.fields.filter(({ isOptional, value }) => !isOptional && value.length === 0);
      const filled = blank.map(({ label, kind }) => [
        label,
        kind === 'file_input' ? fileFor(line, shellPackage) : 'Sandbox-4711',
      ]);
      await dana.fill(Object.fromEntries(filled));
      await dana.submit();
    }
    const action = await typedLast();
    if (action === undefined || action.id === before?.id) return undefined;
    if (line.startsWith('plan')) planned = referenceOf(action.id);
    if (action.state !== 'waiting') return action;
    beforeYes();
    return agree(line, action);
  };

  async function agree(line: string, action: Action): Promise<Action | undefined> {
    if (action.consent === undefined) await dana.press('helpdesk', movesEnd(line) ?? verbOf(action));
    else await carol.press('helpdesk', 'Approve');
    return journal.byId(action.id);
  }

  const compiled: Examples['compiled'] = async () => {
    compiling.resolve();
    await sandbox.bot.idle();
    compiling = Promise.withResolvers();
  };
  const danaId = sandbox.workspace.people.find(({ name }) => name === 'dana')?.id ?? '';
  const seen = () => sandbox.workspace.snapshot(danaId);
  /** The time of the last message from before the example. */
  let before = 0;

  return {
    sandbox,
    run,
    compiled,
    pass: async (milliseconds) => {
      ahead += milliseconds;
      lookAtClock();
      await compiled();
    },
    said: () => {
      const { messages, ...others } = seen();
      // Messages in older threads belong to another example.
      const isSince = ({ ts, thread_ts = ts }: Message) => Number(thread_ts) > before;
      const since = { ...others, messages: messages.filter(isSince) };
      return transcript(since, 'helpdesk', { timeZone: 'UTC', now: Date.now() + ahead });
    },
    prepare: async (command, isCompiled = false, more = [], atStart = () => undefined) => {
      // The channel has room again, and an appliance that was silent is asked again which it is.
      ahead += 70_000;
      sandbox.appliance?.reset();
      await forgetTimedChanges();
      sandbox.appliance?.turn(circumstances[command.phrase] ?? {});
      atStart();
      for (const line of command.before ?? []) {
        const action = await run(line);
        // Where another appliance answered before, the bot asks again.
        if (action?.state === 'waiting') await agree(line, action);
      }
      await meanwhile[command.phrase]?.();
      for (const line of more) await run(line);
      if (isCompiled) {
        await compiled();
        // Background compiles of the appliance finish within this time.
        ahead += 5_000;
      }
      before = Math.max(0, ...seen().messages.map(({ ts }) => Number(ts)));
    },
  };
}

/** States of the appliance that an example needs. */
const circumstances: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'emergency remove': { proxyMode: 'global_emergency' },
};

async function zipWith(name: string, content: string): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

/** Label of the button that confirms `temporary end`, `extend` or `keep`. */
function movesEnd(line: string): string | undefined {
  const [, word = ''] = /^temporary (end|extend|keep) /.exec(line) ?? [];
  return { end: 'End now', extend: 'Extend', keep: 'Keep' }[word];
}

function verbOf(action: Action): string {
  const command = commands.find(({ phrase }) => phrase === action.phrase);
  if (command?.kind !== 'change') throw new Error(`${action.line} waits, and changes nothing`);
  return command.verb;
}

/** A shell package is opened and repacked on its way; other files only need to be whole. */
function fileFor(line: string, shellPackage: Buffer): { readonly name: string; readonly content: Buffer } {
  return line.includes('shell')
    ? { name: 'package.zip', content: shellPackage }
    : { name: 'upgrade.tgz', content: gzipSync('an upgrade') };
}
