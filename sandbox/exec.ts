import type { Action } from '../src/journal/journal.ts';
import { NoSuchButton, type Person, personIn } from './person.ts';
import { type SandboxOptions, startSandbox } from './sandbox.ts';
import { transcript } from './workspace/transcript.ts';
import type { Workspace } from './workspace/workspace.ts';

/** A line to type, and buttons to press after it, each by somebody. */
export interface Script {
  readonly line: string;
  readonly as: string;
  readonly in: string;
  readonly clicks: readonly { readonly label: string; readonly as: string }[];
}

export interface Performance {
  /** The conversation that resulted, as plain text. */
  readonly conversation: string;
  /** Whether the command succeeded. */
  readonly succeeded: boolean;
  /** Why not, where the conversation does not say so by itself. */
  readonly note: string | undefined;
}

/** In milliseconds. Slack's stand-in answers from the same process, so a machine that stands still delays both. */
const patience = 30_000;

/**
 * Plays a script in a sandbox of its own. A button that nobody sees ends it, because nothing after it would make sense.
 * @throws when a person or a channel does not exist
 */
export async function perform(script: Script, options: SandboxOptions): Promise<Performance> {
  const sandbox = await startSandbox({
    ...options,
    world: { ...options.world, slackTiming: { asking: patience } },
  });
  try {
    const { workspace, bot } = sandbox;
    const typist = personIn(workspace, { idle: bot.answered }, script.as);
    const clicks = script.clicks.map(({ label, as }) => ({
      label,
      by: personIn(workspace, { idle: bot.answered }, as),
    }));
    await typist.type(script.in, script.line);
    const missing = await pressAll(clicks, script.in);
    await bot.idle();
    const everyone = [script.as, ...script.clicks.map(({ as }) => as)];
    // Records of buttons are no lines.
    const form = noteOnForm([typist, ...clicks.map(({ by }) => by)]);
    const actions = (await bot.journal.recent()).filter(({ interaction }) => interaction === undefined);
    return {
      conversation: transcript(seenBy(workspace, everyone), script.in.replace(/^#/, '')),
      succeeded:
        missing === undefined && form === undefined && actions.length > 0 && actions.every(isAsWanted),
      note: [missing?.message, form ?? noteOn(actions, script.line)].filter(Boolean).join('\n') || undefined,
    };
  } finally {
    await sandbox.stop();
  }
}

/** Presses one button after the other, up to one that is not there. */
async function pressAll(
  clicks: readonly { readonly label: string; readonly by: Person }[],
  channel: string,
): Promise<NoSuchButton | undefined> {
  try {
    for (const { label, by } of clicks) await by.press(channel, label);
    return undefined;
  } catch (error) {
    if (error instanceof NoSuchButton) return error;
    throw error;
  }
}

/** Done, or not done because a person pressed Cancel; the bot cancels by itself too, and that is no success. */
function isAsWanted({ state, outcome }: Action): boolean {
  return state === 'done' || (state === 'cancelled' && outcome?.code === 'cancelled');
}

/** A form is not part of the conversation, and a script cannot fill it in. */
function noteOnForm(people: readonly Person[]): string | undefined {
  const open = people.map((person) => person.form()).find((form) => form !== undefined);
  if (open === undefined) return undefined;
  const fields = open.fields.map(({ label }) => label).join(', ');
  return `No changes were made yet: the form "${open.title}" is open (${fields}). Fill it in on the page (npm run sandbox), or type a whole line with all of it.`;
}

function noteOn(actions: readonly Action[], line: string): string | undefined {
  if (actions.some(({ state }) => state === 'waiting')) {
    return 'No changes were made yet: the card waits for a click, such as --click "Disconnect".';
  }
  return actions.length === 0 && !line.trimStart().startsWith('/')
    ? `This was posted as a plain message. A command begins with /appliance: exec "/appliance ${line}"`
    : undefined;
}

/** The combined view of these people: everybody's messages, and each one's private ones. */
function seenBy(workspace: Workspace, names: readonly string[]) {
  const ids = workspace.people
    .filter(({ name, id }) => names.includes(name) || names.includes(id))
    .map(({ id }) => id);
  const [first = '', ...others] = ids;
  const snapshot = workspace.snapshot(first);
  const messages = new Map(snapshot.messages.map((message) => [`${message.channel} ${message.ts}`, message]));
  for (const id of others) {
    for (const message of workspace.snapshot(id).messages)
      messages.set(`${message.channel} ${message.ts}`, message);
  }
  return { ...snapshot, messages: [...messages.values()].sort((one, other) => (one.ts < other.ts ? -1 : 1)) };
}
