import packageJson from '../../../package.json' with { type: 'json' };
import { command } from '../command.ts';
import { code, enumerate, person, plural, type Reply, say, strong } from '../reply.ts';

export const whoami = command({
  kind: 'info',
  anywhere: true,
  phrase: 'whoami',
  also: ['who am i'],
  args: {},
  summary: 'Show which roles you have in this channel',
  example: 'whoami',
  effect: 'read',
  answer: ({ guide, person: asker }): Reply => {
    const held =
      guide.roles.length === 0
        ? say`${person(asker)} has no role in this channel`
        : say`${person(asker)} is ${enumerate(guide.roles.map(strong))} in this channel`;
    const allowed = guide.commands.filter((entry) => entry.allowed).length;
    return {
      headline: held,
      details: [
        ...(guide.obstacle === undefined ? [] : [{ kind: 'text', text: guide.obstacle } as const]),
        {
          kind: 'fields',
          fields: [
            {
              name: 'You can run',
              value: say`${allowed} of ${plural(guide.commands.length, 'command')}; ${code('/appliance help')} lists them`,
            },
            {
              name: 'Appliance',
              value: guide.appliance === undefined ? say`none in this channel` : say`${guide.appliance}`,
            },
            { name: 'Your Slack ID', value: say`${code(asker)}` },
          ],
        },
      ],
    };
  },
});

export const version = command({
  kind: 'info',
  anywhere: false,
  phrase: 'version',
  args: {},
  summary: 'Show which version of the bot is running',
  example: 'version',
  effect: 'read',
  answer: (): Reply => ({
    headline: say`Appliance Bot ${strong(packageJson.version)} on Node ${process.versions.node}`,
  }),
});
