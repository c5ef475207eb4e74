import packageJson from '../../../package.json' with { type: 'json' };
import { info } from '../declare.ts';
import { code, enumerate, fieldList, person, plural, say, strong } from '../reply.ts';
import { impossible } from '../understanding/impossible.ts';

export const whoami = info({
  anywhere: true,
  phrase: 'whoami',
  says: [
    'who am i',
    'what is my role',
    'my roles',
    'my permissions',
    'which rights do i have',
    'what may i do here',
    'my access',
  ],
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
  says: ['bot version', 'which version of the bot', 'what version is appliance bot', 'about the bot'],
  summary: 'Show which version of the bot is running',
  answer: () => ({
    headline: say`Appliance Bot ${strong(packageJson.version)} on Node ${process.versions.node}`,
  }),
});

export const notify = impossible({
  says: [
    'alert when',
    'notify when',
    'remind me',
    'alert me if sync fails',
    'subscribe to alerts',
    'send me a mail when',
    'alert if disk full',
    'schedule a command',
    'run every morning',
  ],
  why: 'I answer and act when somebody asks, and do not watch anything for you.',
  source: 'docs/setup.md',
  nearest: ['status', 'mirror status'],
});
