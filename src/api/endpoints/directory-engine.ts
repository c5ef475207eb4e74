import { z } from 'zod';
import { field } from '../reading/envelope.ts';
import { type Accepted, accepted, type ReplyReader, under } from '../reading/reply.ts';
import {
  component,
  integer,
  keyed,
  Misfit,
  meaning,
  optional,
  record,
  required,
  text,
  type Unread,
} from '../reading/shape.ts';
import { engineKey, keepsUpdater } from '../release.ts';

/** A version of the REST engine that can be had (appliance-api.md §2.11). */
export interface EngineVersion extends Unread {
  /** The version without its dot: what an update is ordered by. */
  readonly key: number;
  /** Such as "1.190". */
  readonly version: string;
  /** Where the appliance downloads it. */
  readonly uri?: string;
  readonly md5?: string;
}

/** What the last refresh found, and the engine that runs. */
export interface EngineIndex {
  /** Such as "1.190"; absent where the appliance does not tell it (field notes). It may be higher than all in the index. */
  readonly running?: string;
  readonly versions: readonly EngineVersion[];
}

const described = component(
  'EngineVersion',
  'An available version of the REST engine (§2.11).',
  record({
    version: required('VERSION', text, 'The version, such as "1.190".'),
    uri: optional('URI', text, 'Where the appliance downloads it.'),
    md5: optional('MD5', text, 'Its MD5 digest, hexadecimal.'),
  }),
);

/** Under a wrong key somebody would order another version than the one he sees: such an index is not understood. */
const engineVersions = under(
  'index',
  keyed(integer, described, (key, entry): EngineVersion => {
    if (engineKey(entry.version) !== key) throw new Misfit('VERSION', 'does not match its key');
    return { key, ...entry };
  }),
  'The versions by their keys; a key is the version without its dot.',
);

const running = optional(
  'current_version',
  text,
  'The running version, such as "1.190"; not always reported.',
);

export const engineIndex: ReplyReader<EngineIndex> = component(
  'EngineIndex',
  'The versions found by the last refresh, and the running engine (§2.11).',
  {
    read(answer) {
      const told = field(answer.body, running.key);
      // What is odd about it must not lose the index.
      const name = typeof told === 'string' || typeof told === 'number' ? String(told).trim() : '';
      return { versions: engineVersions.read(answer), ...(name === '' ? {} : { running: name }) };
    },
    wire: {
      allOf: [
        engineVersions.wire,
        { type: 'object', properties: { [running.key]: meaning(running.description, running.shape.wire) } },
      ],
    },
  },
);

export interface EngineUpdate extends Accepted {
  /** Which version the engine says that it was put to; absent where its words name none. */
  readonly version?: string;
}

/** "Success updated new version 1.190" (field notes). */
export const engineUpdate: ReplyReader<EngineUpdate> = {
  ...accepted,
  read(answer) {
    const order = accepted.read(answer);
    const version = /\bversion\s+v?(\d+\.\d+)\b/i.exec(order.info)?.[1];
    return { ...order, ...(version === undefined ? {} : { version }) };
  },
};

/**
 * A key of the index. Below 1.189 the engine has no updates (§9 rule 3): whoever goes there through the API does not
 * come back through it. The key alone leaves open where the dot was; every engine so far is a 1.x, so the first digit
 * is taken for the major version.
 */
export const engineUpdateKey = z
  .int()
  .positive()
  .refine(
    (key) => keepsUpdater(versionOf(key)),
    'is a version below 1.189, which would remove the update feature',
  )
  .describe('The key of the version in the index, which is the version without its dot: 1190 for 1.190.');

function versionOf(key: number): string {
  const digits = String(key);
  return `${digits.slice(0, 1)}.${digits.slice(1)}`;
}
