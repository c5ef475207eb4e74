import type { AnyCommand } from '../../handlers/command.ts';
import { person, say, strong, type Text } from '../../handlers/reply.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import type { Action } from '../../journal/journal.ts';
import { changeOf, targetsIn } from '../base/stored.ts';
import type { After } from '../base/timeout.ts';
import { doingIn } from '../showing/card.ts';

/** Who has its turn. */
export type AtIt = { readonly action: Action } | 'compile';

/** What a change waits for. Nobody learns here what is done in another channel. */
export function waitingFor(
  appliance: string,
  holder: AtIt | undefined,
  { channel }: Pick<Action, 'channel'>,
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
): Text {
  const then = 'It is sent as soon as that is over. Nothing was sent so far.';
  if (holder === 'compile') return say`Waiting: ${strong(appliance)} is compiling. ${then}`;
  const command = changeOf(commandByPhrase, holder?.action);
  if (holder === undefined || command === undefined || holder.action.channel !== channel)
    return say`Waiting: another change is under way on ${strong(appliance)}. ${then}`;
  const { id, person: who } = holder.action;
  return say`Waiting for ${referenceOf(id)} of ${person(who)}: ${doingIn(command, targetsIn(holder.action))}. ${then}`;
}

/** In milliseconds: when somebody is told that it waits, and how often it is said anew, for what it waits for changes. */
const pauses = { first: 2_500, next: 20_000 };

/** Waits, and says for what as long as it does. */
export async function saidWhileWaiting<Value>(
  after: After,
  say: () => void,
  waiting: Promise<Value>,
): Promise<Value> {
  let callOff = () => {};
  const sayIn = (milliseconds: number) => {
    callOff = after(milliseconds, () => {
      say();
      sayIn(pauses.next);
    });
  };
  sayIn(pauses.first);
  try {
    return await waiting;
  } finally {
    callOff();
  }
}
