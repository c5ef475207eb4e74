import type { EngineVersion } from '../../api/index.ts';
import { change, lookup } from '../declare.ts';
import { code, paragraph, plural, say, strong, tableOf } from '../reply.ts';
import { happened, notCheckable, notHappened, nothing, ready } from '../results.ts';
import { versionKnownBy } from './versions.ts';

/** By its key or by its name: 1190 or 1.190 (appliance-api.md §2.11). */
const version = versionKnownBy('a version of the REST engine', '1190', async (appliance) =>
  (await appliance.directory.listEngineVersions()).map(({ key, version: name }) => ({
    word: String(key),
    name,
    value: { key, name },
    ...(keepsUpdates(name) ? {} : { hint: 'would lose the update feature' }),
  })),
);

export const versions = lookup({
  phrase: 'engine versions',
  summary: 'List the versions of the REST engine that the last refresh found',
  answer: async ({ appliance }) => {
    const all = newestFirst(await appliance.directory.listEngineVersions());
    const [newest] = all;
    if (newest === undefined) {
      return {
        headline: say`${strong(appliance.name)} knows no versions of its REST engine`,
        details: [paragraph`${code('/appliance engine refresh')} downloads the index.`],
      };
    }
    return {
      headline: say`${strong(plural(all.length, 'version'))} of the REST engine, the newest is ${strong(newest.version)}`,
      details: tableOf(all, {
        Version: ({ version: name }) => name,
        Key: ({ key }) => key,
        'Can be updated again': ({ version: name }) =>
          keepsUpdates(name) ? 'yes' : 'no, it loses the update feature',
      }),
    };
  },
});

export const refresh = change({
  phrase: 'engine refresh',
  summary: 'Download which versions of the REST engine there are',
  effect: 'write',
  verb: 'Refresh',
  doing: () => say`Refreshing the versions of the REST engine`,
  done: () => say`The versions of the REST engine are refreshed`,
  preview: async ({ appliance }) => {
    const known = namesIn(await appliance.directory.listEngineVersions());
    return ready({
      question: say`Download the versions of the REST engine on ${strong(appliance.name)}?`,
      fields: { 'Known so far': say`${plural(known.length, 'version')}` },
      fingerprint: { versions: known.join(' ') },
    });
  },
  run: async ({ appliance }) => {
    const found = await appliance.directory.refreshEngineVersions();
    return { confirmed: true, learned: { downloaded: namesIn(found).join(' ') } };
  },
  verify: async ({ appliance }, shown) => {
    const now = namesIn(await appliance.directory.listEngineVersions());
    const before = String(shown.versions).split(' ');
    const added = now.filter((name) => !before.includes(name));
    const isLost = shown.downloaded === undefined;
    if (isLost && added.length === 0)
      return notHappened`I read the index back and it has nothing new, which it also has not when there is nothing.`;
    if (!isLost && now.join(' ') !== shown.downloaded)
      return notHappened`I read the index back and it is not what the refresh answered: it has ${plural(now.length, 'version')}.`;
    const news = added.length === 0 ? 'none of them new' : `new: ${added.join(', ')}`;
    return happened`I read the index back: ${plural(now.length, 'version')}, ${news}.`;
  },
});

export const update = change({
  phrase: 'engine update <version>',
  also: ['engine update to <version>'],
  args: { version },
  summary: 'Put the REST engine to another version',
  example: 'engine update 1190',
  effect: 'destructive',
  verb: 'Update',
  doing: ({ version: { name } }) => say`Updating the REST engine to ${name}`,
  done: ({ version: { name } }) => say`The REST engine is updated to ${strong(name)}`,
  preview: async ({ appliance, args }) => {
    const all = newestFirst(await appliance.directory.listEngineVersions());
    const wanted = all.find(({ key }) => key === args.version.key);
    if (wanted === undefined)
      return nothing`The index of ${strong(appliance.name)} has no version ${args.version.name} any more. ${code('/appliance engine versions')} lists them.`;
    // The API client refuses it as well (`engineUpdateKey`); here it can be explained.
    if (!keepsUpdates(wanted.version))
      return nothing`I do not send this: REST engine ${strong(wanted.version)} is below 1.189, and ${strong('a downgrade below 1.189 removes the update feature itself')}. After it, nobody could update the engine of ${strong(appliance.name)} through the API any more, not even back.`;
    return ready({
      question: say`Put the REST engine of ${strong(appliance.name)} to ${strong(wanted.version)}? It is the program that answers this bot: calls may fail until it is back.`,
      fields: {
        Before: say`not reported: the API does not tell it`,
        After: say`${wanted.version} (key ${wanted.key})`,
        'Newest known': say`${all[0]?.version ?? wanted.version}`,
        'Can be updated again': say`yes (a version below 1.189 would lose the update feature itself)`,
        MD5: wanted.md5 === undefined ? undefined : [code(wanted.md5)],
        'Downloaded from': wanted.uri === undefined ? undefined : say`${wanted.uri}`,
      },
      fingerprint: { key: wanted.key, version: wanted.version, md5: wanted.md5 ?? null },
    });
  },
  run: ({ appliance, args }) => appliance.directory.updateEngine({ key: args.version.key }),
  verify: async ({ appliance }) => {
    // An engine that has not survived its update does not answer; nothing else of it can be seen.
    await appliance.directory.listEngineVersions();
    return notCheckable`the engine answers and can be updated again, but the API does not tell which version of it runs`;
  },
  // It may answer once more before it restarts, and is away meanwhile.
  lasts: 30_000,
});

/** §9 rule 3: from 1.189 on, the engine can be updated through the API. */
function keepsUpdates(name: string): boolean {
  const [major = 0, minor = 0] = name.split('.').map(Number);
  return major > 1 || (major === 1 && minor >= 189);
}

const newestFirst = (all: readonly EngineVersion[]): readonly EngineVersion[] =>
  all.toSorted((one, other) => other.version.localeCompare(one.version, 'en', { numeric: true }));

const namesIn = (all: readonly EngineVersion[]): readonly string[] =>
  newestFirst(all).map(({ version: name }) => name);
