import { converse } from './conversation.ts';
import { ordersTo } from './orders.ts';

/** A conversation with bob, who is operator and may change categories; 252 is shopping. */
export async function withBob(options: Parameters<typeof converse>[0] = {}) {
  const conversation = await converse(options);
  const { appliance, type, press } = conversation;
  const category = (id: number) => {
    const found = appliance.state.categories.all.get(id);
    if (found === undefined) throw new Error(`There is no category ${id}`);
    return found;
  };
  return {
    ...conversation,
    /** Another one after a restart. */
    get bot() {
      return conversation.bot;
    },
    category,
    ask: (line: string) => type(`/appliance ${line}`, 'bob'),
    click: (label: string) => press(label, 'bob'),
    /** The requests to the appliance that match, such as `POST /categories/252/add`. */
    sent: (call: RegExp) => appliance.requests.filter((one) => call.test(`${one.method} ${one.path}`)),
    /** How many orders it has got. */
    orders: () => ordersTo(appliance).length,
  };
}
