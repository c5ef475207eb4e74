import type { AskedAppliance, IniSections, UnnamedFields } from '../../api/index.ts';
import { count, text } from '../argument.ts';
import { change, lookup } from '../declare.ts';
import { countText, type Listing, listing, repeatedText, withLack } from '../listing.ts';
import { code, fieldList, type Part, say, strong } from '../reply.ts';
import {
  happened,
  notCheckable,
  notHappened,
  nothing,
  type Preview,
  ready,
  type Verification,
} from '../results.ts';
import { service } from '../service.ts';
import { impossible } from '../understanding/impossible.ts';
import { acting } from '../wording/acting.ts';
import { reportedFields, reportedTable } from '../wording/reported.ts';
import {
  fingerprintOf,
  processOf,
  type ServiceProcess,
  stateOf,
  statusBehind,
} from '../wording/service-process.ts';

const server = service('the FTP server', processOn);

/** The default number of events. */
const usual = 50;

export const status = lookup({
  phrase: 'ftp status',
  says: `
    is ftp running / ftp ok / is the ftp server up / does ftp work / ftp problems / ftp does not work /
    ftp upload fails / is the ftp server installed / ftp is down / is ftp up / is ftp alive /
    is the ftp service running / is ftp installed / ftp down / cannot connect to ftp /
    customers cannot upload by ftp / state of the ftp server / does the ftp server answer /
    is vsftpd running / is ftp allowed / is ftp on / is the ftp server running / ftp up / ftp is slow /
    is the ftp installed / ftp not reachable / how is the ftp server
  `,
  summary: 'Show the status of the FTP server',
  answer: async ({ appliance }) => {
    const sections = await appliance.ftpd.status();
    const headline =
      server.headline(processOf(flat(sections))) ?? say`The FTP server does not report whether it is running`;
    return { headline, details: partsOf(sections) };
  },
});

export const events = lookup({
  phrase: 'ftp events <words> [rows]',
  says: `
    search ftp log <words> / who uploaded <words> / ftp log for <words> / ftp transfers of <words> /
    find <words> in the ftp log / who downloaded <words> by ftp / ftp logins /
    search the ftp log for <words> / who logged in over ftp / ftp uploads of <words> /
    ftp log with <words> / who uploaded by ftp / did somebody upload to ftp / did <words> upload /
    what was uploaded by ftp / who put <words> on the ftp server / who got <words> from ftp /
    when was <words> uploaded / was <words> uploaded / has the file <words> arrived /
    ftp activity of <words> / did <words> log in to ftp / ftp failures of <words> /
    look for <words> in the ftp log / show ftp log lines with <words> / what did <words> do on ftp /
    which files went over ftp / who downloaded <words> / uploads by <words> / ftp transfers /
    what did <words> upload / was <words> transferred by ftp / failed ftp logins /
    did <words> arrive by ftp / ftp uploads / ftp downloads / ftp log / ftp history /
    uploads on the ftp server / what happened on ftp
  `,
  also: ['ftp log <words> [rows]'],
  args: {
    words: text('words to find in the log', 'login failed', 200),
    rows: count('a number of events', '50', 1, 5_000),
  },
  summary: `Search the log of the FTP server (${usual} events by default)`,
  example: 'ftp events "login failed" 50',
  answer: async ({ appliance, args }) => {
    const max = args.rows ?? usual;
    const look = await eventsWith(args.words, max).look(appliance);
    const { all, lack } = look;
    const more = all.length < max || lack !== undefined ? '' : '. Limit reached: there may be more';
    return withLack(
      appliance.name,
      look,
      all.length === 0
        ? {
            headline: say`The FTP server of ${strong(appliance.name)} lists no event that contains ${code(args.words)}`,
          }
        : {
            headline: say`${countText(look, 'event')} of the FTP server with ${code(args.words)}${repeatedText(all)}${more}`,
            details: [await reportedTable(all)],
          },
    );
  },
});

const eventsWith = (words: string, max: number): Listing<UnnamedFields> =>
  listing<UnnamedFields>({
    things: `events with ${words}`,
    read: ({ ftpd }) => ftpd.findEvents({ search: words, max }),
    keyOf: () => undefined,
    isUp: async (appliance) => (await processOn(appliance)).running === true,
  });

export const restart = change({
  ...server.restarting(({ ftpd }) => ftpd.restart()),
  phrase: 'ftp restart',
  says: `
    restart ftp / bounce ftp / ftp hangs / ftp server stuck / restart the ftp server / kick the ftp daemon /
    ftp hangs, restart it / reload ftp / ftp is stuck / restart vsftpd / restart the ftp service /
    ftp does not respond, restart it / reboot ftp
  `,
  summary: 'Restart the FTP server: running transfers are aborted',
  preview: async ({ appliance }) => {
    const process = await processOn(appliance);
    if (process.installed === false) return notInstalled(appliance);
    return ready({
      question: say`Restart the FTP server of ${strong(appliance.name)}?`,
      fields: { State: stateOf(process), Impact: say`running transfers are aborted` },
      fingerprint: fingerprintOf(process),
    });
  },
  // The document does not say whether it restarts in the background (appliance-api.md §4.10).
  lasts: 30_000,
});

export const install = change({
  ...acting('Install', 'the FTP server'),
  phrase: 'ftp install',
  says: `
    install ftp / set up ftp server / deploy ftp / put ftp on the appliance / set up an ftp server /
    install vsftpd / add the ftp service / we need an ftp server / add ftp /
    activate the ftp server package / install the ftp service
  `,
  summary: 'Install the FTP server (its binaries must be on the appliance)',
  before: ['ftp uninstall'],
  effect: 'write',
  preview: async ({ appliance }) => {
    const process = await processOn(appliance);
    if (process.installed === true)
      return nothing`The FTP server of ${strong(appliance.name)} is already installed and is ${stateOf(process)}.`;
    return ready({
      question: say`Install the FTP server on ${strong(appliance.name)}?`,
      fields: {
        State: stateOf(process),
        Requires: say`its binaries on the appliance; the appliance refuses without them`,
      },
      fingerprint: { installed: process.installed ?? null },
    });
  },
  run: ({ appliance }) => appliance.ftpd.install(),
  verify: ({ appliance }) => readInstalled(appliance, true),
  undo: (_, { installed }) => (installed === false ? 'ftp uninstall' : undefined),
  lasts: 60_000,
  shownWithin: statusBehind,
});

export const uninstall = change({
  ...acting('Uninstall', 'the FTP server'),
  phrase: 'ftp uninstall',
  says: `
    uninstall ftp / remove ftp server / get rid of ftp / delete ftp server / remove ftp /
    delete the ftp server / take ftp off the appliance / we do not need ftp any more /
    get rid of the ftp server / remove the ftp service / deinstall ftp / throw ftp away
  `,
  summary: 'Uninstall the FTP server',
  effect: 'destructive',
  preview: async ({ appliance }) => {
    const process = await processOn(appliance);
    if (process.installed === false) return notInstalled(appliance);
    return ready({
      question: say`Uninstall the FTP server of ${strong(appliance.name)}?`,
      fields: {
        State: stateOf(process),
        Impact: say`all FTP uploads and downloads stop`,
        'To restore': say`${code('/appliance ftp install')}, while its binaries are on the appliance; whether its settings are kept is undocumented`,
      },
      // A restarted server is still the same server.
      fingerprint: { installed: process.installed ?? null },
    });
  },
  run: ({ appliance }) => appliance.ftpd.uninstall(),
  verify: ({ appliance }) => readInstalled(appliance, false),
  lasts: 60_000,
  shownWithin: statusBehind,
});

async function readInstalled(appliance: AskedAppliance, wanted: boolean): Promise<Verification> {
  const process = await processOn(appliance);
  if (process.installed === undefined)
    return notCheckable`the status of the FTP server does not report whether it is installed`;
  const state = process.installed ? say`installed and ${stateOf(process)}` : say`not installed`;
  const judged = process.installed === wanted ? happened : notHappened;
  return judged`Status read back: the FTP server is ${state}.`;
}

const notInstalled = ({ name }: AskedAppliance): Preview =>
  nothing`The FTP server is not installed on ${strong(name)}. ${code('/appliance ftp install')} installs it.`;

async function processOn(appliance: AskedAppliance): Promise<ServiceProcess> {
  return processOf(flat(await appliance.ftpd.status()));
}

/** `section.key`, as reports write it. */
const flat = (sections: IniSections): UnnamedFields =>
  Object.fromEntries(
    Object.entries(sections).flatMap(([section, keys]) =>
      Object.entries(keys).map(([key, value]) => [`${section}.${key}`, value]),
    ),
  );

/** A section's name only matters if there are several. */
function partsOf(sections: IniSections): readonly Part[] {
  const filled = Object.entries(sections).filter(([, keys]) => Object.keys(keys).length > 0);
  return filled.flatMap(([section, keys]): readonly Part[] => [
    ...(filled.length > 1 ? [{ kind: 'text', text: [strong(section || 'General')] } as const] : []),
    fieldList(reportedFields(keys)),
  ]);
}

export const stopFtp = impossible({
  says: `
    stop ftp / shut down the ftp server / start ftp / turn off ftp / enable ftp / disable ftp /
    switch the ftp server off / pause ftp
  `,
  why: 'The Web API can restart, install and uninstall the FTP server, but cannot only stop or start it.',
  source: 'appliance-api.md §4.10',
  nearest: ['ftp restart', 'ftp status', 'ftp uninstall'],
});

export const ftpUsers = impossible({
  says: `
    new ftp user / ftp accounts / ftp password / list ftp users / ftp share / add an ftp user <name> /
    delete ftp user <name> / unlock ftp user <name> / reset the ftp password of <name> /
    create an ftp account for <name> / let ftp user <name> upload again /
    which folders can ftp user <name> see / give <name> ftp access
  `,
  why: 'The Web API cannot manage users, passwords or folders of the FTP server.',
  source: 'appliance-api.md §4.10',
  nearest: ['ftp status', 'ftp events <words> [rows]'],
});

export const ftpRules = impossible({
  says: `
    which file types are blocked on ftp / block uploads over ftp / block ftp uploads of <files> /
    allow ftp download of <file> / forbid ftp delete / forbid deleting files on ftp /
    limit the size of ftp uploads / allow <files> on ftp / scan ftp uploads / ftp filter rules /
    is upload allowed on ftp / download the file <file> from ftp / delete the file <file> on the ftp /
    get file <file> from the ftp server / block ftp to <server> / allow ftp to <server> /
    which ftp commands are permitted / which ftp commands are allowed / allow ftp commands /
    allowed ftp commands / is upload over ftp allowed / may users upload by ftp / is ftp blocked
  `,
  why: 'The Web API reports what the FTP server did, but cannot read or change its files or what may be transferred.',
  source: 'appliance-api.md §4.10',
  nearest: ['ftp events <words> [rows]', 'ftp status'],
});
