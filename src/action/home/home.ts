import type { AnyCommand } from '../../handlers/command.ts';
import { code, person as personSpan, say, strong } from '../../handlers/reply.ts';
import type { Button, Said, SaidPart } from '../base/chat.ts';
import { applianceSections, timedSections } from './appliances.ts';
import type { HealthLine } from './health.ts';
import { commandSections, latelySections } from './own.ts';
import { type RequestParts, requestSections } from './requests.ts';

/** A person's own page, made for whoever looks: what is on, what waits for them, how things are, what they did and can do. */
export interface HomePage {
  /** Where two are the same, so is what is seen. */
  readonly key: string;
  /** Keeps what its buttons stand for. */
  readonly said: () => Promise<Said>;
}

export interface HomeParts extends RequestParts {
  readonly commands: readonly AnyCommand[];
  readonly health: HealthLine;
}

export async function homePage(parts: HomeParts, person: string): Promise<HomePage> {
  const own = await parts.ownChannels.of(person);
  const roles = await Promise.all(own.map(({ id }) => parts.authority.rolesOf(person, id)));
  const channels = own.filter((_, index) => roles[index]?.length !== 0);
  if (channels.length === 0) return { key: 'nowhere', said: async () => nowhere };
  const viewer = { person, channels };
  const sections = await Promise.all([
    timedSections(parts, viewer),
    requestSections(parts, viewer),
    applianceSections(parts, viewer),
    latelySections(parts, viewer),
    commandSections(parts, viewer),
  ]);
  const shown = sections.flat();
  return {
    key: JSON.stringify(shown.map(({ key }) => key)),
    said: async () => {
      const drawn = (await Promise.all(shown.map((section) => section.parts()))).flat();
      return {
        headline: say`Hello ${personSpan(person)}. Type a command under ${strong('Messages')}, or ${code('/appliance')} in a channel.`,
        details: [{ kind: 'buttons', buttons: [{ ...runOne, ...(!isUrgent(drawn) && primary) }] }, ...drawn],
      };
    },
  };
}

/** One button of a page is the one to press: where something is on or waits for somebody, it is that one's. */
const primary = { style: 'primary' } as const;
const isUrgent = (parts: readonly SaidPart[]): boolean =>
  parts.some((part) => part.kind === 'buttons' && part.buttons.some(({ style }) => style !== undefined));

/** It stands for nothing that is kept: whoever presses it is asked for the channel. */
const runOne: Button = { press: 'build', label: 'Run a command', token: 'home' };

const nowhere: Said = {
  headline: say`You have no role in any channel that you are in. Join a channel where Appliance Bot is enabled, and ask an admin for a role there.`,
};
