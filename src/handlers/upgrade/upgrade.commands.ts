import {
  type ApplianceVersion,
  type AskedAppliance,
  BadArgument,
  sentName,
  type UploadContent,
} from '../../api/index.ts';
import { file } from '../argument.ts';
import type { AskingAppliance, OnAppliance, OtherOrder } from '../context.ts';
import { change, lookup } from '../declare.ts';
import type { PostedFile } from '../lists/posted-file.ts';
import { clock, code, fieldList, type Part, person as personSpan, say, strong, type Text } from '../reply.ts';
import { type Fingerprint, nothing, type Preview, type Ran, ready } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { bytes, number } from '../wording/quantities.ts';
import { releaseOf } from '../wording/release.ts';
import { type FileKind, kindOf } from './archive.ts';
import { calledIn, eventsOf, judgeUpgrade, type UpgradeKind, upgradeState } from './upgrade.ts';
import { agreedIn, sendFile, type UploadCall } from './upload.ts';

interface Given {
  readonly file: PostedFile;
}

type UploadTo = (
  appliance: OnAppliance<Given>['appliance'],
  ...given: Parameters<UploadCall>
) => ReturnType<UploadCall>;

/** How long an upgrade is watched, in milliseconds. The document says only that it runs in the background (§4.12). */
const watched = 30 * 60_000;
/** An upgrade that runs despite a refusal has left an event within this time; milliseconds. */
const begins = 3 * 60_000;

export const hotfix = change({
  ...uploading({
    what: 'hotfix',
    accepted: ['gzip'],
    after: 'The appliance then installs it in the background.',
    upload: (appliance, given) => appliance.directory.uploadHotfix(given),
  }),
  ...installing('hotfix'),
  phrase: 'upgrade hotfix <--file>',
  says: `
    install hotfix / upload hotfix / apply patch / upload a hotfix file / apply a hotfix /
    install the hotfix / patch the appliance / upload a patch file / install the hotfix <file> /
    there is a new hotfix / put the hotfix on / install patch / hotfix file / install hotfix file /
    install hotfix <file> / apply hotfix <file> / upload a hotfix / i have a hotfix / install a patch file
  `,
  args: { file: file('a hotfix (.tgz)', ['.tgz']) },
  summary: 'Upload and install a hotfix',
  example: 'upgrade hotfix',
});

export const servicePack = change({
  ...uploading({
    what: 'service pack',
    accepted: ['gzip', 'zip'],
    after: 'The appliance then installs it in the background.',
    upload: (appliance, given) => appliance.directory.uploadServicePack(given),
  }),
  ...installing('service pack'),
  phrase: 'upgrade service-pack <--file>',
  says: `
    upload service pack / install service pack / upgrade appliance / upgrade firmware /
    update the appliance / install the new release / install a service pack / upload the service pack /
    install sp1 / install sp2 / upgrade the firmware / apply the service pack / apply service pack file /
    install the service pack file / install new firmware / upgrade to the new release /
    put the service pack on / upgrade to the next release / install service pack <file> /
    apply service pack <file> / install the latest update / bring it up to date / get the newest version
  `,
  also: ['upgrade service pack <--file>', 'upgrade sp <--file>'],
  args: { file: file('a service pack (.tgz or .zip)', ['.tgz', '.zip']) },
  summary: 'Upload and install a service pack',
  example: 'upgrade service-pack',
});

/** The appliance needs a shell password inside it (§5.4). The API client adds it from the configuration. */
export const shell = change({
  ...uploading({
    what: 'shell package',
    accepted: ['zip'],
    after: 'The appliance then runs its script shell.sh.',
    upload: (appliance, given) => appliance.directory.uploadShellPackage(given),
    problemWith: problemWithPackage,
  }),
  phrase: 'upgrade shell <--file>',
  says: `
    run a script / upload shell package / run shell script on the appliance / execute script /
    run a shell script / execute a script on the appliance / upload a shell package / script zip /
    run a script on the appliance / execute a shell package / install a shell package / run my script /
    shell package file
  `,
  also: ['upgrade shell package <--file>'],
  args: { file: file('a shell package (.zip)', ['.zip']) },
  summary: 'Upload a shell package and run its script',
  example: 'upgrade shell',
  done: ({ file: { name } }) => say`Shell package ${strong(name)} uploaded`,
  verify: {
    notCheckable: 'the appliance runs the script, and the API does not report the result',
  },
});

export const status = lookup({
  phrase: 'upgrade status',
  says: `
    upgrade status / did the upgrade work / how far is the upgrade / is the upgrade done / last upgrade /
    upgrade log / was the hotfix installed / update progress / which release does the appliance run /
    firmware version / did the service pack install / which service pack is installed /
    did the hotfix work / is the hotfix installed / is the service pack installed / how did the upgrade go /
    did the update succeed / has the upgrade finished / what was installed last / upgrade history /
    is an upgrade running / progress of the upgrade / which firmware is on the box /
    which hotfixes are installed / when was the last upgrade / did the last patch go through /
    how is the upgrade going / is the hotfix in / was the service pack installed / did the update fail /
    state of the update
  `,
  also: ['upgrade events'],
  summary: 'Show the release and the result of the last upgrade',
  answer: async ({ appliance }) => {
    const now = await appliance.directory.applianceVersion();
    return {
      headline: say`${strong(appliance.name)} runs ${strong(releaseOf(now))}`,
      details: [
        fieldList({
          'Service pack': say`${now.servicePack === '' ? 'not reported' : now.servicePack}`,
          'Last upgrade': lastOf(now),
        }),
        ...allEvents(now),
      ],
    };
  },
});

interface Uploading {
  readonly what: UpgradeKind | 'shell package';
  readonly accepted: readonly FileKind['kind'][];
  /** The appliance's next step. */
  readonly after: string;
  readonly upload: UploadTo;
  /** Why the file is not sent, to follow its name; undefined without a reason. */
  readonly problemWith?: (appliance: AskedAppliance, content: UploadContent) => Promise<string | undefined>;
}

/** Shared by all uploads: preview and transfer. */
function uploading({ what, accepted, after, upload, problemWith }: Uploading) {
  return {
    effect: 'destructive',
    upgrades: true,
    verb: 'Upload',
    doing: ({ file: { name } }: Given) => say`Uploading ${what} ${name}`,
    preview: async ({ appliance, args, files, otherOrders }: AskingAppliance<Given>): Promise<Preview> => {
      const [{ sha256, size, head, flaw, postedBy }, now, orders] = await Promise.all([
        files.digest(args.file),
        appliance.directory.applianceVersion(),
        otherOrders(),
      ]);
      const others = orders.filter(({ isUpgrade }) => isUpgrade);
      const running = others.filter(({ state }) => state === 'running');
      const { name, id } = args.file;
      const really = kindOf(head);
      if (!accepted.includes(really.kind)) {
        const wanted = accepted.map((kind) => `a ${kind} archive`).join(' or ');
        return nothing`${strong(name)} is not a ${what}: a ${what} is ${wanted}, and the content of this file is ${really.words}.`;
      }
      if (flaw !== undefined) {
        return nothing`${strong(name)} is damaged or incomplete: the archive ${flaw}. Upload it to Slack again.`;
      }
      if (problemWith !== undefined) {
        const problem = await problemWith(appliance, { name, size, stream: await files.open(args.file) });
        if (problem !== undefined) return nothing`${strong(name)} ${problem}.`;
      }
      return ready({
        question: say`Upload ${what} ${strong(name)} to ${strong(appliance.name)}? ${after}${mistaken(what, name)}${running.length === 0 ? '' : say` ${strong(`Another upgrade of ${appliance.name} is running`)}: the release will not show which one took effect.`}`,
        fields: {
          'Also running': ordersIn(running),
          'Outcome unknown': ordersIn(others.filter(({ state }) => state === 'unknown')),
          File: say`${name}`,
          'Sent as': sentName(name) === name ? undefined : sentAs(name),
          'Posted by': postedBy === undefined ? say`not reported` : [personSpan(postedBy)],
          Size: say`${exactly(size)}`,
          'SHA-256': [code(sha256)],
          'File content': say`${really.words}`,
          'Release before': say`${releaseOf(now)}`,
          'Last upgrade before': lastOf(now),
        },
        fingerprint: {
          file: id,
          name,
          size,
          sha256,
          ...upgradeState(now),
          others: running.map(({ line }) => line).join('\n'),
        },
      });
    },
    run: (context: OnAppliance<Given>, shown: Fingerprint): Promise<Ran> =>
      sendFile(context, agreedIn(shown), (given) => upload(context.appliance, given)),
  } as const;
}

/** Shared by hotfixes and service packs: the answer only confirms that the file arrived (§4.12). */
function installing(what: UpgradeKind) {
  return {
    done: ({ file: { name } }: Given) =>
      say`${what === 'hotfix' ? 'Hotfix' : 'Service pack'} ${strong(name)} installed`,
    verify: async ({ appliance, args }: AskingAppliance<Given>, shown: Fingerprint) =>
      judgeUpgrade(
        appliance.name,
        { what, name: sentName(args.file.name) },
        await appliance.directory.applianceVersion(),
        shown,
      ),
    lasts: watched,
    lastsThoughRefused: begins,
  } as const;
}

/** An unusable package needs no confirmation. */
async function problemWithPackage(
  appliance: AskedAppliance,
  content: UploadContent,
): Promise<string | undefined> {
  try {
    await appliance.checkShellPackage(content);
    return undefined;
  } catch (error) {
    if (error instanceof BadArgument) return error.problem;
    throw error;
  }
}

/** Warns if the file's name suggests another kind. */
function mistaken(what: Uploading['what'], name: string): Text {
  const called = calledIn(name);
  if (called === undefined || what === 'shell package' || called === what) return [];
  const phrase = called === 'hotfix' ? 'upgrade hotfix' : 'upgrade service-pack';
  return say` ${strong(`Its name suggests a ${called}, not a ${what}`)}: use ${code(phrase)} for those.`;
}

/** Other uploads with their authors; undefined if there are none. */
const ordersIn = (orders: readonly OtherOrder[]): Text | undefined =>
  orders.length === 0
    ? undefined
    : orders.flatMap(({ line, person: by, since }, index) => [
        ...say`${index === 0 ? '' : '; '}${code(line)}, by ${personSpan(by)}, since ${clock(since)}`,
      ]);

/** The appliance gets a bare file name, so the preview shows the changes. */
const sentAs = (name: string): Text =>
  say`${sentName(name)}. Characters not allowed in a file name are removed.`;

const lastOf = (now: ApplianceVersion): Text => say`${eventsOf(now).at(-1) ?? 'none through the API'}`;

function allEvents(now: ApplianceVersion): readonly Part[] {
  const all = eventsOf(now);
  return all.length < 2 ? [] : [{ kind: 'log', name: 'upgrade.log', text: all.join('\n') }];
}

/** Rounded for reading, and exact for comparing. */
const exactly = (size: number): string =>
  size < 1_000 ? bytes(size) : `${bytes(size)} (${number(size)} bytes)`;

export const undoUpgrade = impossible({
  says: `
    roll back the service pack / previous service pack / uninstall the hotfix / downgrade the firmware /
    revert the upgrade / go back to the previous release / go back to the old version /
    downgrade the appliance / remove the hotfix / previous firmware / roll back the upgrade /
    roll back the last upgrade / undo the upgrade / revert the last upgrade
  `,
  why: 'The Web API can upload a hotfix or a service pack, but cannot uninstall it.',
  source: 'appliance-api.md §4.12',
  nearest: ['upgrade status'],
});

export const planUpgrade = impossible({
  says: `
    what is new in the latest release / release notes / changelog of the appliance /
    what changed in the new version / which bugs are fixed in the update / what does the hotfix fix /
    is the new version stable / download the new version but do not install it / automatic updates on /
    turn off automatic updates
  `,
  why: 'The Web API uploads and installs the update in a file. It cannot find, download or describe one.',
  source: 'appliance-api.md §4.12',
  nearest: ['upgrade status', 'software list'],
});
