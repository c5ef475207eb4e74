import { done, refused } from './acted.ts';
import { openEntity, useEntity } from './entities/use.ts';
import { escapeTyped } from './escape.ts';
import { emit } from './events.ts';
import { fileLimits, type StoredFile } from './files.ts';
import { forward } from './forward.ts';
import { runStep } from './functions/run-step.ts';
import { globalShortcut, shortcut, use } from './interactions.ts';
import { invite, remove } from './membership.ts';
import { slashCommand } from './payloads.ts';
import { type Member, type Room, slackbotId } from './people.ts';
import type { Act, Acted } from './protocol.ts';
import { toggle } from './reactions.ts';
import { Refusal } from './refusal.ts';
import { answer } from './response-urls.ts';
import { edit, say } from './said.ts';
import { close, enter, submit } from './submissions.ts';
import { suggest } from './suggestions.ts';
import { viewPayload } from './views.ts';
import type { World } from './world.ts';

/** Does what a person does on the page. Resolves when the app acknowledged, or when Slack would have given up on it. */
export async function act(world: World, given: Act): Promise<Acted> {
  const person = world.roster.person(given.as);
  if (person === undefined || person.isBot) return refused(`Nobody here has the ID ${given.as}.`);
  if (person.deleted) return refused(`@${person.name} is deactivated.`);
  switch (given.act) {
    case 'type':
      return type(world, person, given);
    case 'forward':
      return forward(world, person, given);
    case 'use':
      return use(world, person, given);
    case 'enter':
      return enter(world, person, given);
    case 'submit':
      return submit(world, person, given);
    case 'close':
      return close(world, person, given);
    case 'suggest':
      return suggest(world, person, given);
    case 'shortcut':
      return shortcut(world, person, given);
    case 'global_shortcut':
      return globalShortcut(world, person, given);
    case 'open_home':
      return openHome(world, person);
    case 'run_step':
      return runStep(world, person, given);
    case 'open_entity':
      return (given.press === undefined ? openEntity : useEntity)(world, person, given);
    case 'edit':
      return edit(world, person, given);
    case 'react':
      return toggle(world, person, given);
    case 'invite':
      return invite(world, person, given);
    case 'remove':
      return remove(world, person, given);
  }
}

async function type(world: World, person: Member, given: Extract<Act, { act: 'type' }>): Promise<Acted> {
  const room = world.roster.room(given.channel);
  if (room === undefined || !room.members.has(person.id)) return refused('You are not in this channel.');
  if (room.isArchived) return refused('This channel is archived.');
  if (room.isIm && !world.app.takesMessages)
    return refused('Sending messages to this app has been turned off.');
  const line = given.text.trim();
  const files = ownFiles(world, person, given.files ?? []);
  if (files === undefined) return refused('A file is not there any more. Please attach it again.');
  if (line === '' && files.length === 0) return refused('There is nothing to send.');
  if (!line.startsWith('/')) return say(world, person, room, line, files, given.thread_ts);
  // slack-facts.md §7: a slash command carries no file.
  if (files.length > 0) return refused('A slash command cannot carry a file. Send the file as a message.');
  return command(world, person, room, line, given.thread_ts);
}

/** The person's own uploads by ID; undefined when one of them is not there. */
function ownFiles(world: World, person: Member, ids: readonly string[]): StoredFile[] | undefined {
  const files = ids.map((id) => world.files.find(id));
  const fits = files.every((file) => file?.user === person.id) && ids.length <= fileLimits.perMessage;
  return fits ? files.filter((file) => file !== undefined) : undefined;
}

async function command(
  world: World,
  person: Member,
  room: Room,
  line: string,
  threadTs: string | undefined,
): Promise<Acted> {
  const [, name = '', rest = ''] = /^(\S+)(?:\s+(\S.*)?)?$/s.exec(line) ?? [];
  const tell = (text: string): Acted => {
    world.messages.whisper({ channel: room.id, user: slackbotId, isApp: false, text, threadTs }, person.id);
    return refused(text);
  };
  const known = world.app.commands.find((candidate) => candidate.command === name);
  if (known === undefined) return tell(`${name} is not a valid command.`);
  if (threadTs !== undefined) return tell(`${name} is not supported in threads. Sorry!`);
  // slack-facts.md §6: commands are for members of the installing workspace only.
  if (world.roster.isExternal(person))
    return tell(`${name} is not available to people outside this workspace.`);
  const text = known.shouldEscape ? escapeTyped(rest, world.roster) : rest;
  const outcome = await world.dispatch.deliver(
    'slash_commands',
    slashCommand(world, person, room, name, text),
  );
  if (outcome.kind !== 'acked') return tell(`${name} failed with the error “${outcome.kind}”`);
  try {
    acknowledge(world, person, room, line, outcome.body);
    return done;
  } catch (error) {
    if (error instanceof Refusal) return tell(`${name} failed with the error “${error.error}”`);
    throw error;
  }
}

/** The body of a command's acknowledgement may be a message; `in_channel` shows the typed line to everyone as well. */
function acknowledge(world: World, person: Member, room: Room, line: string, body: unknown): void {
  if (typeof body !== 'object' || body === null || Object.keys(body).length === 0) return;
  const reply = body as Readonly<Record<string, unknown>>;
  if (reply.response_type === 'in_channel') {
    world.messages.post({
      channel: room.id,
      user: person.id,
      isApp: false,
      text: escapeTyped(line, world.roster),
    });
  }
  const { response_type: _, ...rest } = reply;
  if (Object.keys(rest).length > 0) answer(world.messages, { user: person.id, channel: room.id }, reply);
}

async function openHome(world: World, person: Member): Promise<Acted> {
  if (!world.app.homeTab) return refused('The app has no Home tab.');
  const home = world.views.home(person.id);
  await emit(world, {
    type: 'app_home_opened',
    user: person.id,
    channel: world.roster.direct(person).id,
    tab: 'home',
    ...(home === undefined ? {} : { view: viewPayload(home) }),
  });
  return done;
}
