import packageJson from '../../../package.json' with { type: 'json' };
import { info } from '../declare.ts';
import { code, enumerate, fieldList, person, plural, say, strong } from '../reply.ts';

export const whoami = info({
  anywhere: true,
  phrase: 'whoami',
  also: ['who am i'],
  summary: 'Show which roles you have in this channel',
  answer: ({ guide, person: asker }) => {
    const held =
      guide.roles.length === 0
        ? say`${person(asker)} has no role in this channel`
        : say`${person(asker)} is ${enumerate(guide.roles.map(strong))} in this channel`;
    const allowed = guide.commands.filter((entry) => entry.allowed).length;
    return {
      headline: held,
      details: [
        ...(guide.obstacle === undefined ? [] : [{ kind: 'text', text: guide.obstacle } as const]),
        fieldList({
          'You can run': say`${allowed} of ${plural(guide.commands.length, 'command')}; ${code('/appliance help')} lists them`,
          Appliance: guide.appliance === undefined ? say`none in this channel` : say`${guide.appliance}`,
          'Your Slack ID': say`${code(asker)}`,
        }),
      ],
    };
  },
});

export const version = info({
  anywhere: false,
  phrase: 'version',
  summary: 'Show which version of the bot is running',
  answer: () => ({
    headline: say`Appliance Bot ${strong(packageJson.version)} on Node ${process.versions.node}`,
  }),
});
