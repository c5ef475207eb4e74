import {
  type ApplianceFailure,
  type AskedAppliance,
  type EngineIndex,
  type EngineVersion,
  extentOf,
  isApplianceFailure,
  withExtent,
} from '../../api/index.ts';
import { change, lookup } from '../declare.ts';
import { answeredFrom, countText, listedIn, listing, lookIn } from '../listing.ts';
import { code, paragraph, plural, say, strong, type Text, tableOf } from '../reply.ts';
import { happened, notCheckable, notHappened, nothing, ready } from '../results.ts';
import { versionKnownBy } from './versions.ts';

/** By key or name: 1190 or 1.190 (appliance-api.md §2.11). */
const version = versionKnownBy('a REST engine version', '1190', (appliance) =>
  listedIn(offered, appliance, ({ key, version: name }) => ({
    word: String(key),
    name,
    value: { key, name },
    ...(keepsUpdates(name) ? {} : { hint: 'would lose the update feature' }),
  })),
);

/** The versions of the index, each with the running one if the same answer has it. */
const offered = listing<EngineVersion & Pick<EngineIndex, 'running'>>({
  things: 'versions of its REST engine',
  read: async ({ directory }) => {
    const { versions: all, running } = await directory.listEngineVersions();
    const each = all.map((one) => ({ ...one, ...(running !== undefined && { running }) }));
    return withExtent(each, extentOf(all));
  },
  keyOf: ({ key }) => key,
});

export const versions = lookup({
  phrase: 'engine versions',
  says: `
    which engine versions / available engine versions / rest engine version / which rest api version /
    is the engine current / new engine available / which rest engine versions are there / newer api engine /
    available engine builds / which engine can be installed / list engine versions /
    which engines are available / which engine do we run / current engine /
    what engine version is installed / show the engines / version of the api engine
  `,
  summary: 'List REST engine versions found by the last refresh',
  answer: answeredFrom(
    () => offered,
    (look, { appliance }) => {
      const all = newestFirst(look.all);
      const [newest] = all;
      const running = newest?.running;
      const runs = running === undefined ? say`` : say`; running: ${strong(running)}`;
      if (newest === undefined) {
        return {
          headline: say`${strong(appliance.name)} lists no versions of its REST engine`,
          details: [paragraph`${code('/appliance engine refresh')} downloads the index.`],
        };
      }
      return {
        headline: say`${countText(look, 'version')} of the REST engine, ${look.lack === undefined ? 'newest:' : 'the newest of them is'} ${strong(newest.version)}${runs}`,
        details: tableOf(all, {
          Version: ({ version: name }) => name,
          Key: ({ key }) => key,
          Running: ({ version: name }) =>
            running === undefined ? 'not reported' : name === running ? 'yes' : 'no',
          'Can be updated later': ({ version: name }) =>
            keepsUpdates(name) ? 'yes' : 'no, it has no update feature',
        }),
      };
    },
  ),
});

export const refresh = change({
  phrase: 'engine refresh',
  says: `
    refresh engine versions / check for a new engine / update engine list / look for new rest engine /
    engine index broken / check online for engine builds / download the list of engine versions /
    look for new rest engine releases / reload the list of engines / look for engine updates /
    check whether there is a newer engine / fetch the engine list / is there a new engine, look
  `,
  summary: 'Download the list of REST engine versions',
  effect: 'write',
  verb: 'Refresh',
  doing: () => say`Refreshing the versions of the REST engine`,
  done: () => say`REST engine versions refreshed`,
  preview: async ({ appliance }) => {
    const index = await indexOf(appliance);
    const known = index && namesIn(index);
    return ready({
      question: say`Download the list of REST engine versions on ${strong(appliance.name)}?`,
      fields: {
        'Known so far':
          index === undefined
            ? say`the index can’t be read`
            : countText(
                lookIn('versions', index.versions, ({ key }) => key),
                'version',
              ),
      },
      fingerprint: { versions: known?.join(' ') ?? null },
    });
  },
  run: async ({ appliance }) => {
    const found = await appliance.directory.refreshEngineVersions();
    return { confirmed: true, learned: { downloaded: namesIn(found).join(' ') } };
  },
  verify: async ({ appliance }, { versions: before, downloaded }) => {
    const now = namesIn(await appliance.directory.listEngineVersions());
    const isLost = downloaded === undefined;
    const expected = String(downloaded ?? before ?? '')
      .split(' ')
      .filter((name) => name !== '');
    const lacking = expected.filter((name) => !now.includes(name)).length;
    // An index without its earlier versions or the downloaded one is incomplete.
    if (now.length === 0 || (lacking > 0 && now.join(' ') !== before))
      return notCheckable`the index lists ${now.length === 0 ? 'no versions' : `${plural(lacking, 'version')} less than it should`}`;
    if (!isLost && now.join(' ') !== downloaded)
      return notHappened`Index read back: it differs from the reply to the refresh, with ${plural(now.length, 'version')}.`;
    if (before === null)
      return happened`The index can be read again: ${plural(now.length, 'version')}, newest: ${now[0] ?? 'none'}.`;
    const known = String(before).split(' ');
    const added = now.filter((name) => !known.includes(name));
    if (isLost && added.length === 0)
      return notHappened`Index read back: it has nothing new. There may be no newer version.`;
    const news = added.length === 0 ? 'none of them new' : `new: ${added.join(', ')}`;
    return happened`Index read back: ${plural(now.length, 'version')}, ${news}.`;
  },
});

export const update = change({
  phrase: 'engine update <version>',
  says: `
    update the engine to <version> / upgrade rest api to <version> / install engine <version> /
    downgrade engine to <version> / change rest engine version <version> /
    upgrade the rest engine to <version> / downgrade the engine to <version> /
    put the engine back on <version> / update the rest api to <version> / switch the engine to <version> /
    rest engine to <version> / new api engine <version> / roll the engine back to <version>
  `,
  also: ['engine update to <version>'],
  args: { version },
  summary: 'Switch the REST engine to another version',
  example: 'engine update 1190',
  effect: 'destructive',
  verb: 'Update',
  doing: ({ version: { name } }) => say`Switching the REST engine to ${name}`,
  done: ({ version: { name } }) => say`REST engine switched to ${strong(name)}`,
  preview: async ({ appliance, args }) => {
    const look = await offered.seek(appliance, ({ key }) => key === args.version.key);
    const { found: wanted, lack } = look;
    const all = newestFirst(look.all);
    if (wanted === undefined)
      return nothing`Version ${args.version.name} is no longer in the index of ${strong(appliance.name)}. ${code('/appliance engine versions')} lists all versions.`;
    // The API client refuses it as well (`engineUpdateKey`); here the reason can be explained.
    if (!keepsUpdates(wanted.version))
      return nothing`REST engine ${strong(wanted.version)} is below 1.189, and ${strong('a downgrade below 1.189 removes the update feature itself')}. The engine of ${strong(appliance.name)} could no longer be updated with the API, not even back.`;
    const { running } = wanted;
    return ready({
      question: say`${switching(appliance.name, running, wanted.version)} Appliance Bot talks to this engine: requests may fail until it is back.`,
      fields: {
        Before: say`${running ?? 'not reported'}`,
        After: say`${wanted.version} (key ${wanted.key})`,
        [lack === undefined ? 'Newest known' : 'Newest listed']: say`${all[0]?.version ?? wanted.version}`,
        'Can be updated later': say`yes (versions below 1.189 have no update feature)`,
        MD5: wanted.md5 === undefined ? undefined : [code(wanted.md5)],
        Source: wanted.uri === undefined ? undefined : say`${wanted.uri}`,
      },
      fingerprint: {
        key: wanted.key,
        version: wanted.version,
        md5: wanted.md5 ?? null,
        running: running ?? null,
      },
    });
  },
  run: async ({ appliance, args }) => {
    const { confirmed, version: told } = await appliance.directory.updateEngine({ key: args.version.key });
    return { confirmed, learned: told === undefined ? {} : { told } };
  },
  verify: async ({ appliance: { name, directory } }, { version: wanted, running: before, told }) => {
    // An engine that did not survive its update does not answer.
    const { running } = await directory.listEngineVersions();
    if (running === undefined) {
      if (told === undefined)
        return notCheckable`the engine answers and can be updated again, but does not report its version`;
      return told === wanted
        ? notCheckable`${name} reports an update to ${String(told)}, answers, and can be updated again, but does not report which version runs`
        : notHappened`${strong(name)} reports an update to ${String(told)}, not to ${String(wanted)}.`;
    }
    // Some replace their files and keep running the old version until a restart (field notes).
    if (running === before && running !== wanted && told === wanted)
      return notCheckable`${name} reports an update to ${String(told)} and still runs ${running}; some engines run the new version only once they are started again`;
    if (running !== wanted)
      return notHappened`${strong(name)} runs REST engine ${running}, ${running === before ? 'as before' : `not ${wanted}`}.`;
    return before === wanted
      ? notCheckable`${name} runs REST engine ${running}, as before`
      : happened`${strong(name)} runs REST engine ${running}; before: ${before === null ? 'not reported' : String(before)}.`;
  },
  // It may answer once more before it restarts, and is then unreachable.
  lasts: 30_000,
});

/** §9 rule 3: from 1.189 on, the engine can be updated through the API. */
function keepsUpdates(name: string): boolean {
  const [major = 0, minor = 0] = name.split('.').map(Number);
  return major > 1 || (major === 1 && minor >= 189);
}

const newestFirst = <Version extends EngineVersion>(all: readonly Version[]): readonly Version[] =>
  all.toSorted((one, other) => byVersion(other.version, one.version));

const byVersion = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });

const namesIn = ({ versions: all }: EngineIndex): readonly string[] =>
  newestFirst(all).map(({ version: name }) => name);

function switching(appliance: string, running: string | undefined, wanted: string): Text {
  const name = strong(appliance);
  if (running === undefined) return say`Switch the REST engine of ${name} to ${strong(wanted)}?`;
  if (running === wanted)
    return say`Reinstall REST engine ${strong(wanted)} on ${name}? It already runs this version.`;
  const verb = byVersion(running, wanted) > 0 ? 'Downgrade' : 'Update';
  return say`${verb} the REST engine of ${name} from ${running} to ${strong(wanted)}?`;
}

/** Undefined if the appliance answers without an index, which a refresh repairs. */
async function indexOf({ directory }: AskedAppliance): Promise<EngineIndex | undefined> {
  try {
    return await directory.listEngineVersions();
  } catch (error) {
    if (isApplianceFailure(error) && isCurable(error)) return undefined;
    throw error;
  }
}

function isCurable(failure: ApplianceFailure): boolean {
  switch (failure.code) {
    case 'not_served':
      return failure.obstacle === 'index_corrupted';
    case 'http_status':
      return failure.obstacle === undefined;
    default:
      return ['refused', 'not_json', 'empty', 'unexpected_reply', 'too_large'].includes(failure.code);
  }
}
