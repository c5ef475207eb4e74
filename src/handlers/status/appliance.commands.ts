import packageJson from '../../../package.json' with { type: 'json' };
import { info, lookup } from '../declare.ts';
import { code, fieldList, type Part, paragraph, plural, say, strong, tableOf } from '../reply.ts';
import { impossible } from '../understanding/impossible.ts';
import { notReported, releaseOf } from '../wording/release.ts';

export const release = lookup({
  phrase: 'appliance version',
  says: `
    which version is the appliance / what firmware / which release / which version / appliance release /
    what version are we running / proxy version / which service pack is installed /
    which hotfix is installed / os version / which software version does the appliance have /
    what os is on the appliance / appliance build / show the release / current release /
    version of the appliance / is the appliance up to date / what release are we on / firmware of the box /
    which appliances are still on the old software / which appliances run which version /
    are all appliances on the same version / what version is <appliance> / which appliance is outdated /
    versions of all appliances / which firmware are we on / what firmware are we on / patch level /
    patch level of the appliance / are they running the same version / compare the versions of <a> and <b>
  `,
  also: ['appliance release', 'release', 'which version', 'what version', 'which release'],
  summary: 'Show the release of the appliance and its last upgrade',
  answer: async ({ appliance }) => {
    const version = await appliance.directory.applianceVersion();
    const { major, servicePack, latestUpgrade } = version;
    const name = releaseOf(version);
    const upgrade: readonly Part[] =
      latestUpgrade === undefined
        ? [paragraph`It reports no upgrade uploaded through the API.`]
        : [
            paragraph`Last upgrade uploaded through the API:`,
            { kind: 'log', name: 'latest-upgrade.log', text: latestUpgrade },
          ];
    return {
      headline: say`${strong(appliance.name)} runs ${strong(name === notReported ? 'an unreported release' : name)}`,
      details: [
        fieldList({
          'Major version': say`${major === '' ? 'not reported' : major}`,
          'Service pack': say`${servicePack === '' ? 'not reported' : servicePack}`,
        }),
        ...upgrade,
        paragraph`Appliance Bot itself is version ${packageJson.version}.`,
      ],
    };
  },
});

export const list = info({
  anywhere: false,
  phrase: 'appliance list',
  also: ['appliances', 'list appliances', 'which appliances'],
  says: `
    which appliances are there / what appliances do we have / which boxes do we have / show all appliances /
    names of the appliances / on which appliances can i run commands / what is the default appliance /
    which appliance is this channel for
  `,
  summary: 'List the appliances that this channel can use',
  answer: ({ guide: { appliance, appliances } }) => ({
    headline: say`${strong(plural(appliances.length, 'appliance'))} in this channel`,
    details: [
      ...tableOf(appliances, {
        Appliance: ({ name }) => say`${name}`,
        Tags: ({ tags }) => say`${tags.join(', ')}`,
        Used: ({ name }) => (name === appliance ? say`by default` : say`with ${code(`--on ${name}`)}`),
      }),
    ],
  }),
});

export const networkSettings = impossible({
  says: `
    change ip address / set static ip / change gateway address / set default route / add route /
    configure network interface / set hostname / change hostname / set ntp server / change time zone / set the clock /
    change ip of eth0 / change the ip of the appliance / set ip of eth0 / give eth0 another ip /
    change the netmask / change the gateway / new ip address for the appliance /
    lend dhcp address <address> / dhcp lease for <address> / give <address> to the printer /
    reserve an address / which dhcp leases are there / dhcp
  `,
  why: 'The Web API shows the network interfaces, but cannot change addresses, routes, the name or the clock of an appliance.',
  source: 'appliance-api.md §4.12',
  nearest: ['network interfaces'],
});

export const wholeConfiguration = impossible({
  says: `
    backup the configuration / save the config / download the configuration / export the config /
    restore the configuration / import a config / compare the configuration of <a> and <b> / compare them /
    are they running the same config / config diff / do both have the same config / difference between them /
    take a snapshot / go back to the last config / copy the config to the other appliance / factory reset /
    sync the config / clone the appliance / compare <a> and <b>
  `,
  why: 'The Web API cannot save, restore or compare the configuration of an appliance.',
  source: 'appliance-api.md §4',
  nearest: ['category backup', 'status'],
});

export const licence = impossible({
  says: `
    licence / is the licence valid / when does the licence expire / install licence key
  `,
  why: 'The Web API cannot show or change the license.',
  source: 'appliance-api.md §5.3',
  nearest: ['appliance version', 'status'],
});
