import { expect } from 'vitest';
import type { SimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { sandboxRoles } from '../../sandbox/sandbox.ts';
import { type Conversation, converse } from '../conversation.ts';
import type { Place, Step, Story } from './story.ts';

/** Acts on the appliance itself, behind the bot's back, in the words of the stories. */
const byHand: readonly (readonly [RegExp, (appliance: SimulatedAppliance, ...said: string[]) => void])[] = [
  [
    /^(\S+) is removed from category (\d+)$/,
    ({ state }, site = '', id) => {
      const category = state.categories.all.get(Number(id));
      category?.sites.delete(site);
      if (category !== undefined) category.live = new Set([...category.live].filter((one) => one !== site));
    },
  ],
  [
    /^the gateway is set to (\S+)$/,
    ({ state }, suite = '') => {
      Object.assign(state.rdp.tls, { offered: [suite] });
    },
  ],
];

/** A Wednesday far from every change of clocks. */
const begins = Date.parse('2026-03-11T14:00:00Z');
/** How far a time of day may be off, in minutes. */
const tolerance = 4;

/** Plays a story in a sandbox of its own, and fails at the first line that is not as the page says. */
export async function play(story: Story): Promise<void> {
  const { channels = {}, ...policy } = story.policy as { channels?: Record<string, { roles?: object }> };
  const { roles = {}, ...channel } = channels.C0HELPDESK ?? {};
  const conversation = await converse({
    from: begins,
    policy: {
      ...policy,
      channels: {
        ...channels,
        C0HELPDESK: { name: 'helpdesk', appliance: 'hq', ...channel, roles: { ...sandboxRoles, ...roles } },
      },
    },
  });
  const places = story.steps.filter((step) => 'person' in step);
  const readAll = () =>
    new Map(places.map((place) => [keyOf(place), conversation.read(place.person, place.channel)]));
  let before = readAll();
  for (const step of story.steps) {
    if (step.kind === 'bot' || step.kind === 'silence') {
      const now = conversation.read(step.person, step.channel);
      holds(step, newIn(before.get(keyOf(step)) ?? '', now), `${where(story, step)}\n${now}`);
      continue;
    }
    before = readAll();
    await take(step, conversation, where(story, step));
  }
}

const keyOf = ({ person, channel }: Place): string => `${person} ${channel}`;
const where = ({ page }: Story, { line, text }: Step): string => `${page}:${line} ${text}`;

async function take(
  step: Exclude<Step, { kind: 'bot' | 'silence' }>,
  { type, press, pass, person, appliance }: Conversation,
  at: string,
): Promise<void> {
  switch (step.kind) {
    case 'types':
      await type(step.what, step.person, step.channel);
      break;
    case 'presses':
      await press(step.label, step.person, step.channel);
      break;
    case 'fills':
      await person(step.person).fill(step.fields);
      await person(step.person).submit();
      break;
    case 'later':
      await pass(step.milliseconds);
      break;
    case 'by_hand': {
      const known = byHand.find(([pattern]) => pattern.test(step.what));
      if (known === undefined) throw new Error(`${at}: nothing in test/guide/play.ts does this`);
      const [pattern, act] = known;
      act(appliance, ...(pattern.exec(step.what) ?? []).slice(1));
    }
  }
}

/** The lines that were not there before, as often as they are new. */
function newIn(before: string, now: string): readonly string[] {
  const known = before.split('\n').map(plain);
  return now
    .split('\n')
    .map(plain)
    .filter((line) => {
      const at = known.indexOf(line);
      if (at !== -1) known.splice(at, 1);
      return at === -1 && line !== '';
    });
}

const plain = (line: string): string => line.trim().replace(/\s+/g, ' ');

function holds(step: Extract<Step, { kind: 'bot' | 'silence' }>, fresh: readonly string[], at: string): void {
  if (step.kind === 'silence') {
    expect(fresh, at).toEqual([]);
    return;
  }
  const left = [...fresh];
  for (const line of step.lines) {
    const found = left.findIndex((one) => isSaid(plain(line), one));
    expect(found, `${at}\n\nThe bot did not say: ${line}\nIt said:\n${left.join('\n')}`).not.toBe(-1);
    left.splice(found, 1);
  }
}

/** Whether it stands in the line that was read. */
function isSaid(wanted: string, read: string): boolean {
  const pattern = wanted
    .split(/( ?… ?|\b\d\d:\d\d\b)/)
    .map((part) =>
      part.includes('…')
        ? '.*?'
        : /^\d\d:\d\d$/.test(part)
          ? '(\\d\\d:\\d\\d)'
          : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
    )
    .join('');
  const times = wanted.match(/\b\d\d:\d\d\b/g) ?? [];
  const said = new RegExp(pattern).exec(read)?.slice(1);
  return said !== undefined && times.every((time, index) => isNear(time, said[index] ?? ''));
}

const isNear = (one: string, other: string): boolean => {
  const apart = Math.abs(minutesOf(one) - minutesOf(other));
  return Math.min(apart, 24 * 60 - apart) <= tolerance;
};

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
