import type { AnyCommand } from '../../handlers/command.ts';
import { lineOf } from '../../handlers/language/asked.ts';
import type { WayToAllow } from '../../handlers/why/way.ts';
import { unresolved } from './asked-of.ts';
import type { Authority } from './authority.ts';

/** By which sites are allowed, and asked for. */
export const addPhrase = 'category add <site>… to <category> [--now]';
export const askPhrase = 'ask <domain> [--for] <--reason>';

/**
 * What somebody who finds a site blocked there can do: allow it where allowed sites go, or ask those who may. Undefined where they can
 * do neither, or the policy says nothing of it.
 */
export async function wayToAllow(
  {
    authority,
    commandByPhrase,
  }: {
    readonly authority: Pick<Authority, 'policy' | 'decide' | 'channel'>;
    readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
  },
  { person, channel }: { readonly person: string; readonly channel: string },
  site: string,
  appliance: string,
): Promise<WayToAllow | undefined> {
  const policy = authority.policy().selfService;
  const [add, ask] = [commandByPhrase.get(addPhrase), commandByPhrase.get(askPhrase)];
  if (!policy?.appliances.includes(appliance) || add === undefined || ask === undefined) return undefined;
  const { allowCategory: category, longest } = policy;
  const wanted = { person, channel, access: 'suggest', appliances: [appliance], lasts: longest } as const;
  const args = unresolved(add, { site: [site], category });
  if ((await authority.decide({ ...wanted, command: add, args })).allow) {
    const isOwn = authority.channel(channel)?.appliance === appliance;
    const term = { option: 'for', text: `${Math.floor(longest / 60_000)}m` } as const;
    const typed = { site: [site], category: [category] };
    const line = lineOf({ command: add, typed, term, ...(!isOwn && { on: appliance }) });
    return { kind: 'allow', line, lasts: longest };
  }
  const mayAsk = await authority.decide({ ...wanted, command: ask, args: { domain: site } });
  return mayAsk.allow ? { kind: 'ask' } : undefined;
}
