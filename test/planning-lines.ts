import { referenceOf } from '../src/journal/actions/reference.ts';
import { type Conversation, converse } from './conversation.ts';

export const five = [
  'category add one.example.net to 252',
  'acl object disable google_sni',
  'vlan stop 3',
  'category add two.example.net to 252',
  'category add three.example.net to 257',
];

/** bob is operator in helpdesk, and may change all of this. */
export async function withBob<Made extends Conversation = Conversation>(made?: Promise<Made>) {
  // People who made no conversation of their own get a plain one.
  const conversation = (await (made ?? converse())) as Made;
  const { appliance, attach, type, press, bot } = conversation;
  const sites = (id: number) => [...(appliance.state.categories.all.get(id)?.live ?? [])];
  return {
    ...conversation,
    ask: (line: string) => type(`/appliance ${line}`, 'bob'),
    click: (label: string) => press(label, 'bob'),
    plan: (...lines: readonly string[]) => type(`/appliance plan\n${lines.join('\n')}`, 'bob'),
    attachPlan: (text: string, name: string, ...lines: readonly string[]) =>
      attach(text, { name, content: Buffer.from(lines.join('\r\n')) }, 'bob'),
    orders: () => appliance.requests.filter(({ method }) => method !== 'GET').map(({ path }) => path),
    isIn: (site: string, id = 252) => sites(id).includes(site),
    isUp: () => appliance.state.vlan.interfaces.get(3)?.upSince !== undefined,
    isEnabled: () => appliance.state.acl.objects.get(3)?.enabled,
    planned: async () => {
      const found = (await bot.journal.recent(30)).find(({ phrase }) => phrase === 'plan <lines>…');
      return referenceOf(found?.id ?? '');
    },
    /** Somebody has made it another one behind the bot's back. */
    describeInterface: (id: number, description: string) => {
      const one = appliance.state.vlan.interfaces.get(id);
      if (one !== undefined) appliance.state.vlan.interfaces.set(id, { ...one, description });
    },
    breakVlan: () =>
      appliance.faults.set('GET /system/network/vlan/stop/{id}', {
        kind: 'refuse',
        error: 'operation not permitted',
      }),
  };
}
