import type { AnyCommand } from '../../handlers/command.ts';
import { type Asked, lineOf } from '../../handlers/language/asked.ts';
import { elapsed } from '../../handlers/reply.ts';
import type { WayToAllow } from '../../handlers/why/way.ts';
import { unresolved } from './asked-of.ts';
import type { Authority } from './authority.ts';

/** By which sites are allowed, and asked for. */
export const addPhrase = 'category add <site>… to <category> [--now]';
export const askPhrase = 'ask <domain>… [--for] <--reason>';

/**
 * What somebody who finds sites blocked there can do: allow them where allowed sites go, or ask those who may. Undefined where they can
 * do neither, or the policy says nothing of it. `said`: until when, where that was said; else it is as long as may be asked for.
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
  sites: readonly string[],
  appliance: string,
  said?: Asked['term'],
): Promise<WayToAllow | undefined> {
  const policy = authority.policy().selfService;
  const [add, ask] = [commandByPhrase.get(addPhrase), commandByPhrase.get(askPhrase)];
  if (!policy?.appliances.includes(appliance) || add === undefined || ask === undefined) return undefined;
  const { allowCategory: category, longest } = policy;
  const wanted = { person, channel, access: 'suggest', appliances: [appliance], lasts: longest } as const;
  const args = unresolved(add, { site: sites, category });
  if ((await authority.decide({ ...wanted, command: add, args })).allow) {
    const isOwn = authority.channel(channel)?.appliance === appliance;
    const term = said ?? ({ option: 'for', text: `${Math.floor(longest / 60_000)}m` } as const);
    const typed = { site: sites, category: [category] };
    const line = lineOf({ command: add, typed, term, ...(!isOwn && { on: appliance }) });
    return {
      kind: 'allow',
      line,
      time: said === undefined ? `for ${elapsed(longest)}` : `${said.option} ${said.text}`,
    };
  }
  const mayAsk = await authority.decide({ ...wanted, command: ask, args: { domain: sites } });
  return mayAsk.allow ? { kind: 'ask' } : undefined;
}
