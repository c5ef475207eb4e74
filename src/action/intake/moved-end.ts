import type { Match } from '../../handlers/language/match.ts';
import { typedMoment } from '../../handlers/language/times/said-time.ts';
import type { MovedEnd } from '../../handlers/reply.ts';
import { consentOf } from '../base/consent.ts';
import { targetsIn as madeOn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';

/** What an action has made temporary, as it was made: whatever its words mean by now. */
export async function readMoved(
  {
    journal,
    commandByPhrase,
    match,
    authority,
    now,
  }: Pick<Parts, 'journal' | 'commandByPhrase' | 'match' | 'authority' | 'now'>,
  { action: id, on, to }: MovedEnd,
  line: string,
): Promise<Match> {
  const action = await journal.byId(id);
  const command = commandByPhrase.get(action?.phrase ?? '');
  const [target] = action === undefined ? [] : madeOn(action);
  if (action === undefined || command?.kind !== 'change' || target === undefined) return match(line);
  const typed = match(action.understoodAs ?? action.line);
  const args = Object.entries(target.args).filter(([name]) => command.args[name]?.input !== 'secret');
  const at = to === 'now' ? now() : to;
  return {
    ...{ kind: 'command', command, on, typed: typed.kind === 'command' ? typed.typed : {} },
    args: Object.fromEntries(args) as never,
    reason: consentOf(action)?.reason ?? undefined,
    ...(at !== 'never' && {
      term: { option: 'until', text: typedMoment(at, authority.policy().timeZone) },
    }),
  };
}
