import { expect, test } from 'vitest';
import { notAskable, type SelfServicePolicy, whyNotAsk } from './self-service.ts';

const hour = 60 * 60_000;
const policy: SelfServicePolicy = {
  ...{ channel: 'C0DECIDES', appliances: ['hq'], allowCategory: '207', not: [], longest: 4 * hour },
  ...{ forGood: false, perPerson: { open: 3, day: 10 }, open: 8 * hour, requester: false },
  askers: new Set(['everyone']),
};
const place = (channel: string) => ({ channel, place: 'own' }) as const;
const wanted = (name: string, lasts: number | 'forGood') => ({ appliance: { name, tags: [] }, lasts });
const asks = (more: Partial<SelfServicePolicy>, what = wanted('hq', hour), channel = 'C0RANDOM') =>
  whyNotAsk({ ...policy, ...more }, ['U1', 'everyone'], place(channel), what);

test("asking for oneself needs the policy's permission: by person, channel, category and duration", () => {
  expect(whyNotAsk(undefined, ['U1', 'everyone'], place('C0RANDOM'), wanted('hq', hour))).toBe('off');
  expect(asks({})).toBeUndefined();
  expect(asks({ askers: new Set(['U2']) })).toBe('person');
  expect(asks({ from: ['C0OTHER'] })).toBe('place');
  expect(asks({ from: ['C0OTHER'] }, wanted('hq', hour), 'D0DIRECT')).toBeUndefined();
  expect(asks({}, wanted('branch', hour))).toBe('appliance');
  expect(asks({}, wanted('hq', 5 * hour))).toBe('longest');
  expect(asks({}, wanted('hq', 'forGood'))).toBe('for_good');
  expect(asks({ forGood: true }, wanted('hq', 'forGood'))).toBeUndefined();
});

test('a site may be asked for where every category of it may be', () => {
  const [shopping, betting] = [
    { id: 252, name: 'shopping' },
    { id: 126, name: 'gambling' },
  ];
  expect(notAskable(policy, [shopping, betting])).toBeUndefined();
  expect(notAskable({ not: ['126'] }, [shopping, betting])).toEqual(betting);
  expect(notAskable({ not: ['Gambling'] }, [betting])).toEqual(betting);
  expect(notAskable({ not: [], categories: ['252'] }, [shopping, betting])).toEqual(betting);
  expect(notAskable({ not: [], categories: ['shopping'] }, [shopping])).toBeUndefined();
  expect(notAskable({ not: [], categories: ['252'] }, [])).toBe('uncategorized');
  expect(notAskable({ not: [], categories: ['252', 'uncategorized'] }, [])).toBeUndefined();
  expect(notAskable({ not: ['uncategorized'] }, [])).toBe('uncategorized');
});
