import { whyNotFor } from '../../auth/asking/self-service.ts';
import type { Decision } from '../../auth/decide.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import type { SiteWish } from '../base/site-request.ts';
import type { Authority } from './authority.ts';
import { askPhrase } from './ways.ts';

/** Through the one door, with all that is asked for; somebody before a block page is nobody whom it could know. */
export async function mayAskFor(
  {
    authority,
    commandByPhrase,
  }: {
    readonly authority: Pick<Authority, 'policy' | 'decide'>;
    readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
  },
  site: string,
  appliances: readonly string[] | 'none',
  { from, lasts = 'forGood' }: Pick<SiteWish, 'from'> & { readonly lasts?: SiteWish['lasts'] | 'forGood' },
): Promise<Decision> {
  const command = commandByPhrase.get(askPhrase);
  if (command === undefined) throw new Error(`There is no command ${askPhrase}`);
  if (from.kind === 'slack') {
    const { person, channel } = from;
    const args = { domain: [site] };
    return authority.decide({ person, channel, command, access: 'run', args, appliances, lasts });
  }
  const policy = authority.policy().selfService;
  const names = appliances === 'none' ? [] : appliances;
  const why =
    policy === undefined
      ? 'off'
      : names
          .map((name) => whyNotFor(policy, { appliance: { name, tags: [] }, lasts }))
          .find((one) => one !== undefined);
  return why === undefined
    ? { allow: true, held: [], by: [] }
    : { allow: false, denial: { code: 'self_service', why, longest: policy?.longest } };
}
