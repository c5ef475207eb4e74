import { done, refused } from './acted.ts';
import { emit } from './events.ts';
import type { Stored } from './messages.ts';
import { botUserId, type Member } from './people.ts';
import type { Act, Acted } from './protocol.ts';
import { Refusal } from './refusal.ts';
import type { World } from './world.ts';

/** Names of emoji as Slack has them. Which of them there are is not known here: workspaces have their own. */
const nameShape = /^[a-z0-9_'+-]{1,100}(?:::skin-tone-[2-6])?$/;
/** How many different emoji a message may have (`too_many_emoji`). */
const most = 23;
/** Two names of one emoji. */
const alike: Readonly<Record<string, string>> = { thumbsup: '+1', thumbsdown: '-1' };

/** Refuses with invalid_name, already_reacted or too_many_emoji. */
export async function react(world: World, message: Stored, given: string, user: string): Promise<void> {
  const name = named(given);
  const { reactions } = message;
  const same = reactions.find((one) => one.name === name);
  if (same?.users.includes(user)) throw new Refusal('already_reacted');
  if (same === undefined && reactions.length >= most) throw new Refusal('too_many_emoji');
  world.messages.mark(
    message,
    same === undefined
      ? [...reactions, { name, users: [user] }]
      : reactions.map((one) => (one === same ? { name, users: [...one.users, user] } : one)),
  );
  await tell(world, 'reaction_added', message, name, user);
}

/** Refuses with invalid_name or no_reaction. */
export async function unreact(world: World, message: Stored, given: string, user: string): Promise<void> {
  const name = named(given);
  const { reactions } = message;
  if (!reactions.some((one) => one.name === name && one.users.includes(user)))
    throw new Refusal('no_reaction');
  const left = reactions.map((one) =>
    one.name === name ? { name, users: one.users.filter((id) => id !== user) } : one,
  );
  world.messages.mark(
    message,
    left.filter(({ users }) => users.length > 0),
  );
  await tell(world, 'reaction_removed', message, name, user);
}

/** A person's click on the page: the same emoji once more takes theirs away. */
export async function toggle(
  world: World,
  person: Member,
  given: Extract<Act, { act: 'react' }>,
): Promise<Acted> {
  const message = world.messages.find(given.channel, given.ts);
  if (message === undefined || !world.roster.isMember(given.channel, person.id))
    return refused('This message is not there any more.');
  if (world.roster.room(given.channel)?.isArchived === true) return refused('This channel is archived.');
  const isTheirs = message.reactions.some(
    ({ name, users }) => name === (alike[given.emoji] ?? given.emoji) && users.includes(person.id),
  );
  try {
    await (isTheirs ? unreact : react)(world, message, given.emoji, person.id);
    return done;
  } catch (error) {
    if (error instanceof Refusal) return refused(`Slack says: ${error.error}`);
    throw error;
  }
}

function named(given: string): string {
  const name = given.replace(/^:|:$/g, '');
  if (!nameShape.test(name)) throw new Refusal('invalid_name');
  return alike[name] ?? name;
}

/** The app hears of reactions where it is a member, including its own. */
async function tell(
  world: World,
  type: string,
  message: Stored,
  reaction: string,
  user: string,
): Promise<void> {
  if (!world.roster.isMember(message.channel, botUserId)) return;
  await emit(world, {
    type,
    user,
    reaction,
    item_user: message.user,
    item: { type: 'message', channel: message.channel, ts: message.ts },
  });
}
