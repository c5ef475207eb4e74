import { command } from '../command.ts';
import { type Part, type Reply, say, strong } from '../reply.ts';
import { releaseOf } from './status.ts';

export const release = command({
  kind: 'lookup',
  phrase: 'appliance version',
  also: ['appliance release', 'release'],
  args: {},
  summary: 'Tell the release of the appliance, and what its last upgrade said',
  example: 'appliance version',
  effect: 'read',
  answer: async ({ appliance }): Promise<Reply> => {
    const version = await appliance.directory.applianceVersion();
    const { major, servicePack, latestUpgrade } = version;
    const upgrade: readonly Part[] =
      latestUpgrade === undefined
        ? [{ kind: 'text', text: say`It tells of no upgrade that was uploaded through the API.` }]
        : [
            { kind: 'text', text: say`The last upgrade that was uploaded through the API:` },
            { kind: 'log', name: 'latest-upgrade.log', text: latestUpgrade },
          ];
    return {
      headline: say`${strong(appliance.name)} runs ${strong(releaseOf(version) ?? 'a release that it does not tell')}`,
      details: [
        {
          kind: 'fields',
          fields: [
            { name: 'Major version', value: say`${major === '' ? 'not reported' : major}` },
            { name: 'Service pack', value: say`${servicePack === '' ? 'not reported' : servicePack}` },
          ],
        },
        ...upgrade,
      ],
    };
  },
});
