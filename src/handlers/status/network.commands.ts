import { lookup } from '../declare.ts';
import { code, paragraph, plural, type Reply, say, strong } from '../reply.ts';
import { measuredName, measuredValue } from '../wording/measured.ts';
import { entriesIn, nameOf, type ReportEntry, stateOf } from './report.ts';

export const interfaces = lookup({
  phrase: 'network interfaces',
  says: `
    network interfaces / which ip addresses / is eth0 up / link state / network cards /
    what ip has the appliance / show interfaces / is the network up / network errors / ifconfig / ip addr /
    link down / which interfaces are there / is the link up / is eth1 connected /
    show me the network cards / which addresses does the appliance have / what is the ip of the appliance /
    mac addresses / packet errors / is a cable unplugged / state of the network / ip address of eth0 /
    which nics / speed of the interfaces / what addresses do the interfaces have /
    ip addresses of the appliance / what ip does the appliance have / which ip do we have /
    addresses of the nics
  `,
  also: ['network'],
  summary: 'List network interfaces',
  answer: async ({ appliance }) => {
    const report = await appliance.directory.networkInterfaces();
    // Fields beside the interfaces are none.
    const named = entriesIn(report).filter(({ key }) => key !== '');
    // The same line twice is one interface.
    const all = [...new Map(named.map((one) => [JSON.stringify(one.fields), one])).values()];
    if (all.length === 0) {
      return {
        headline: say`${strong(appliance.name)} reports no network interfaces`,
        details: report.info === '' ? [] : [paragraph`The appliance reports: ${code(report.info)}`],
      };
    }
    const up = all.filter((one) => stateOf(one) === true).length;
    const down = all.filter((one) => stateOf(one) === false).length;
    const states = up + down === 0 ? say`` : say`: ${up} up, ${down} down`;
    return {
      headline: say`${strong(plural(all.length, 'network interface'))}${states}`,
      details: [tableOf(all)],
    };
  },
});

function tableOf(all: readonly ReportEntry[]): NonNullable<Reply['details']>[number] {
  const told = new Set(['name', 'up', 'state', 'status', 'running', 'active']);
  const others = [...new Set(all.flatMap(({ fields }) => Object.keys(fields)))].filter(
    (name) => !told.has(name.toLowerCase()),
  );
  return {
    kind: 'table',
    columns: ['Interface', 'State', ...others.map(measuredName)],
    rows: all.map((one) => {
      const up = stateOf(one);
      return [
        say`${nameOf(one)}`,
        say`${up === undefined ? 'not reported' : up ? 'up' : 'down'}`,
        ...others.map((name) => (one.fields[name] === '' ? say`–` : measuredValue(name, one.fields[name]))),
      ];
    }),
  };
}
