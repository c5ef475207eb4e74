import { channelIn, decide } from '../../auth/decide.ts';
import type { Policy } from '../../auth/policy.ts';
import type { Identity, Where } from '../../auth/request.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { code, say, type Text } from '../../handlers/reply.ts';
import { placeInWords } from '../wording/denied.ts';
import { anySubjectOf } from './subject.ts';

/** Why little or nothing is allowed, where there is a reason beyond roles. */
export function obstacleFor(
  who: Identity,
  where: Where,
  policy: Policy,
  commands: readonly AnyCommand[],
): Text | undefined {
  const { channel: id, place } = where;
  const channel = channelIn(policy, id);
  if (channel === undefined) {
    const ask = commands.map(anySubjectOf).find(({ selfService }) => selfService === 'alone');
    const asking = ask && decide({ who, where, what: ask, access: 'run' }, policy);
    const notEnabled = say`Appliance Bot isn’t enabled in ${placeInWords(id)}`;
    if (asking?.allow) return say`${notEnabled}, but blocked websites can be requested here.`;
    const isElsewhere = asking?.denial.code === 'self_service' && asking.denial.why === 'place';
    const hint = isElsewhere ? ' Blocked websites can be requested in a direct message.' : '';
    return say`${notEnabled}: only ${code('help')} and ${code('whoami')} work here.${hint}`;
  }
  switch (who.kind) {
    case 'member':
      return place === 'shared' && channel.sharedWrites !== true
        ? say`Changes are blocked: this channel is shared with another organization.`
        : undefined;
    case 'guest':
      return say`You are a guest in this workspace: guests hold only roles granted to them by name.`;
    case 'other_organisation':
      return say`You belong to another organization, whose people have only roles granted to them by name.`;
    case 'bot':
      return say`Only bots that the policy grants a role by name may use Appliance Bot.`;
    case 'deactivated':
      return say`Your account is deactivated.`;
    case 'lookup_failed':
      return say`Couldn’t find out from Slack who you are, so you have no role here for now.`;
  }
}
