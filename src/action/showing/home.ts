import type { AnyCommand } from '../../handlers/command.ts';
import { areaOf } from '../../handlers/command-name.ts';
import { channel, code, enumerate, person as personSpan, say, strong } from '../../handlers/reply.ts';
import type { Authority } from '../authority/authority.ts';
import type { Button, Said, SaidPart } from '../base/chat.ts';
import { usage } from '../wording/not-understood.ts';

/** A person's own page: where they may do what, and lines to try. */
export async function homeOf(
  person: string,
  commands: readonly AnyCommand[],
  authority: Authority,
): Promise<Said> {
  const guides = await Promise.all(
    Object.keys(authority.policy().channels).map(async (id) => ({
      id,
      guide: await authority.guide(commands, person, id),
    })),
  );
  const here = guides.filter(({ guide }) => guide.roles.length > 0);
  const allowed = guides.flatMap(({ guide }) => guide.commands.filter((entry) => entry.allowed));
  const runnable = [...new Set(allowed.map(({ command }) => command))];
  return {
    headline: say`Hello ${personSpan(person)}. Type ${code('/appliance help')} in a channel to see what you can do there.`,
    details: [
      ...(here.length === 0
        ? [
            {
              kind: 'text',
              text: say`You have no role in any channel where Appliance Bot is enabled. Ask an admin for one.`,
            } as const,
          ]
        : [
            { kind: 'buttons', buttons: [runOne] } as const,
            { kind: 'text', text: [strong('Your channels')] } as const,
            {
              kind: 'table',
              columns: ['Channel', 'Appliance', 'Your roles'],
              rows: here.map(({ id, guide }) => [
                [channel(id)],
                say`${guide.appliance ?? ''}`,
                enumerate([...guide.roles]),
              ]),
            } as const,
            { kind: 'text', text: [strong('Lines to try')] } as const,
            examples(runnable),
          ]),
    ],
  };
}

/** It stands for nothing that is kept: whoever presses it is asked for the channel. */
const runOne: Button = { press: 'build', label: 'Run a command', token: 'home', style: 'primary' };

/** One line of each area, which changes nothing where there is such a one: the whole list is `help`. */
function examples(commands: readonly AnyCommand[]): SaidPart {
  const areas = [...Map.groupBy(commands, areaOf)].toSorted(([one], [other]) => one.localeCompare(other));
  return {
    kind: 'list',
    items: areas.flatMap(([area, all]) => {
      const command = all.find(({ effect }) => effect === 'read') ?? all[0];
      if (command === undefined) return [];
      const line = usage({ command, line: command.example });
      const more = all.length - 1;
      return [more === 0 ? line : say`${line} (${more} more: ${code(`/appliance help ${area}`)})`];
    }),
  };
}
