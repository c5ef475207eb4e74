import { type AnyCommand, areaOf } from '../handlers/command.ts';
import {
  channel,
  code,
  enumerate,
  type Part,
  person as personSpan,
  type Reply,
  say,
  strong,
} from '../handlers/reply.ts';
import type { Authority } from './authority.ts';
import { usage } from './not-understood.ts';

/** A person's own page: where they may do what, and lines to try. */
export async function homeOf(
  person: string,
  channels: readonly string[],
  commands: readonly AnyCommand[],
  authority: Authority,
): Promise<Reply> {
  const guides = await Promise.all(
    channels.map(async (id) => ({ id, guide: await authority.guide(commands, person, id) })),
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
              text: say`You hold no role in any channel that I serve. Ask an admin for one.`,
            } as const,
          ]
        : [
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

function examples(commands: readonly AnyCommand[]): Part {
  const byArea = commands.toSorted((one, other) => areaOf(one).localeCompare(areaOf(other)));
  return {
    kind: 'list',
    items: byArea.map((command) => usage({ command, line: command.example })),
  };
}
