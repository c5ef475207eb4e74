import { lookup } from '../declare.ts';
import { fieldList, type Part, paragraph, say, strong } from '../reply.ts';
import { notReported, releaseOf } from '../wording/release.ts';

export const release = lookup({
  phrase: 'appliance version',
  also: ['appliance release', 'release'],
  summary: 'Tell the release of the appliance, and what its last upgrade said',
  answer: async ({ appliance }) => {
    const version = await appliance.directory.applianceVersion();
    const { major, servicePack, latestUpgrade } = version;
    const name = releaseOf(version);
    const upgrade: readonly Part[] =
      latestUpgrade === undefined
        ? [paragraph`It tells of no upgrade that was uploaded through the API.`]
        : [
            paragraph`The last upgrade that was uploaded through the API:`,
            { kind: 'log', name: 'latest-upgrade.log', text: latestUpgrade },
          ];
    return {
      headline: say`${strong(appliance.name)} runs ${strong(name === notReported ? 'a release that it does not tell' : name)}`,
      details: [
        fieldList({
          'Major version': say`${major === '' ? 'not reported' : major}`,
          'Service pack': say`${servicePack === '' ? 'not reported' : servicePack}`,
        }),
        ...upgrade,
      ],
    };
  },
});
