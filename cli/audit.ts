import { parseArgs } from 'node:util';
import type { Policy } from '../src/auth/policy.ts';
import type { Environment } from '../src/config/secret.ts';
import { lastMomentOf, momentOf, readSince, sinceWanted } from '../src/handlers/language/since.ts';
import { inUtc } from '../src/handlers/text.ts';
import type { Generation } from '../src/journal/audit/chain-start.ts';
import { heldOf, links, recordedOf } from '../src/journal/audit/hash-chain.ts';
import { type AuditFilter, isWanted, termsFor, termsOf } from '../src/journal/audit/search-terms.ts';
import { fewestDigits, type Held } from '../src/journal/audit/verify/held.ts';
import { type Verified, verifyRecords } from '../src/journal/audit/verify/verify.ts';
import type { Store } from '../src/journal/database.ts';
import { JournalUnavailable } from '../src/journal/unavailable.ts';
import { NotDone } from './journal/journal-file.ts';
import { openStore } from './journal/open-store.ts';
import { policyInUse } from './policy-in-use.ts';
import { misuse, noSuchCommand, readWords, type Terminal } from './terminal.ts';

const usage = `Usage:

appliance-bot audit verify [--holds NUMBER:DIGITS@TIME]…
    Verifies the hash chain: recomputes the digest of every record, and compares the records with their actions and with
    the search index. Exits with 0 if all records are unchanged, 1 at the first one that is not, and 2 if the check
    could not be completed. With --holds, the record must exist and have this digest, as shown in the audit channel, or
    must have been old enough at TIME to be pruned under the policy file in APPLIANCE_BOT_CONFIG. Only --holds detects a
    chain that was recomputed as a whole, or whose end was removed.

appliance-bot audit export [--since TIME] [--until TIME] [--by U…] [--in C…] [--command WORDS] [--on APPLIANCE]
                          [--ticket TICKET] [--plan PLAN] [--about NAME] [--denied] [--failed] [--approved] [--changes]
    Writes the records to standard output as JSON Lines, oldest first. TIME is ${sinceWanted},
    and applies to the end of an action; --until yesterday includes all of yesterday. Days and hours are those of the
    time_zone of the policy file in APPLIANCE_BOT_CONFIG, as in Slack; without it, of this machine.

The journal is read from the folder in APPLIANCE_BOT_DATA, or from the PostgreSQL database in DATABASE_URL. The bot may
be running. docs/audit.md describes the records, and what the digests prove.
`;

/** Runs the tool with the words of its command line; resolves to its exit code. */
export async function auditTool(words: readonly string[], terminal: Terminal): Promise<number> {
  const { write, complain, environment } = terminal;
  const fail = (why: string) => misuse(why, usage, terminal);
  const read = readWords(() => parse(words), usage, terminal);
  if ('code' in read) return read.code;
  const { values, positionals } = read.parsed;
  const [task, ...rest] = positionals;
  if (task !== 'verify' && task !== 'export') return fail(noSuchCommand(task, ['verify', 'export']));
  if (rest.length > 0) return fail(`Unexpected argument ${rest[0]}.`);
  const held = (values.holds ?? []).map(heldIn);
  if (!held.every((one) => one !== undefined)) {
    return fail(
      `--holds takes a number, at least ${fewestDigits} digits of the digest, and the time of the record, such as ${exampleHeld}.`,
    );
  }
  const [sinceSaid, untilSaid] = [values.since, values.until].map((typed) => typed && readSince(typed));
  if (values.since !== undefined && !sinceSaid) return fail(`--since takes ${sinceWanted}.`);
  if (values.until !== undefined && !untilSaid) return fail(`--until takes ${sinceWanted}.`);
  if (values.by !== undefined && !/^[UW][A-Z0-9]+$/.test(values.by)) {
    return fail('--by takes the Slack ID of a person, such as U012ABCDEF. It is shown in their profile.');
  }
  if (values.in !== undefined && !/^[CDG][A-Z0-9]+$/.test(values.in)) {
    return fail(
      '--in takes the Slack ID of a channel, such as C012ABCDEF. It is shown in the channel details.',
    );
  }
  let store: Store | undefined;
  try {
    store = await openStore(environment);
    if (task === 'verify') {
      const keep = () => keepIn(environment);
      return await told(await verifyRecords(store, { held, keep, now: terminal.now() }), write);
    }
    const at = [terminal.now(), zoneIn(environment)] as const;
    const since = sinceSaid ? momentOf(sinceSaid, ...at) : undefined;
    const times = { since, until: untilSaid ? lastMomentOf(untilSaid, ...at, since) : undefined };
    await exportAll(store, { ...values, on: values.on?.split(','), ...times }, write);
    return 0;
  } catch (error) {
    complain(
      error instanceof NotDone ? `${error.message}\n` : `Couldn’t read the records: ${reasonOf(error)}.\n`,
    );
    return 2;
  } finally {
    await store?.close();
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof JournalUnavailable) return reasonOf(error.cause);
  return error instanceof Error ? error.message || error.name : String(error);
}

const parse = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      since: { type: 'string' },
      until: { type: 'string' },
      by: { type: 'string' },
      in: { type: 'string' },
      command: { type: 'string' },
      on: { type: 'string' },
      ticket: { type: 'string' },
      plan: { type: 'string' },
      about: { type: 'string' },
      denied: { type: 'boolean' },
      failed: { type: 'boolean' },
      approved: { type: 'boolean' },
      changes: { type: 'boolean' },
      holds: { type: 'string', multiple: true },
      help: { type: 'boolean', short: 'h' },
    },
  });

const exampleHeld = '12:9f3ab0c4d511@2027-01-31T08:15:00Z';

/** Undefined where it is none. */
function heldIn(typed: string): Held | undefined {
  const [, seq, digest = '', time] = /^([1-9][0-9]{0,14}):([0-9a-f]{1,64})(?:@(.+))?$/.exec(typed) ?? [];
  const at = time === undefined ? undefined : Date.parse(time);
  if (seq === undefined || digest.length < fewestDigits || Number.isNaN(at)) return undefined;
  return { seq: Number(seq), digest, at };
}

/** How long the policy keeps records. @throws NotDone where that cannot be read */
function keepIn(environment: Environment): number | undefined {
  const why = 'A record given with --holds was pruned, and the retention period cannot be read';
  return policyIn(environment, why).audit?.keep;
}

/** The policy's time zone, in which days begin. @throws NotDone where errors of the policy file hide it */
const zoneIn = (environment: Environment): string =>
  environment.APPLIANCE_BOT_CONFIG
    ? policyIn(environment, 'The time zone cannot be read').timeZone
    : new Intl.DateTimeFormat().resolvedOptions().timeZone;

function policyIn(environment: Environment, why: string): Policy {
  const file = environment.APPLIANCE_BOT_CONFIG;
  if (!file) throw new NotDone(`${why}: APPLIANCE_BOT_CONFIG is not set.`);
  const read = policyInUse(file, environment);
  if ('wrong' in read) throw new NotDone(`${why}: ${read.wrong}`);
  return read.meaning.policy;
}

async function told(verified: Verified, write: Terminal['write']): Promise<number> {
  const { broken } = verified;
  await write(broken === undefined ? inOrder(verified) : `BROKEN: ${broken.says}\n${before(verified)}`);
  return broken === undefined ? 0 : 1;
}

function inOrder({ rows, head, prunedUpTo, restores, unindexed }: Verified): string {
  const pruned = prunedUpTo === 0 ? '' : ` Records up to number ${number(prunedUpTo)} were pruned.`;
  const lost = restores.map(lostIn).join('');
  return head === undefined
    ? `There are no records.${pruned}\n${lost}`
    : `OK: ${records(rows)}, unchanged.${pruned}\n${lost}${unfound(unindexed)}The newest record is number ${head.seq} with the digest ${head.digest}.\nNote for the next check: --holds ${heldOf(head)}\n`;
}

/** A chain that lost its end looks like a restored backup, so the reader must know whether somebody restored one. */
function lostIn({ beganAt, knownUntil, saidUntil, follows, first, lostRecord }: Generation): string {
  const until = saidUntil === undefined ? '' : ` Actions until ${inUtc(saidUntil)} are missing from it.`;
  const told = lostRecord === undefined ? '' : ` The audit channel shows ${lostRecord}.`;
  return `RESTORED: at ${inUtc(beganAt)}, the bot found that the journal ended at ${inUtc(knownUntil)}, as after a restore from a backup.${until} Records after number ${follows} are lost. New records start with number ${first}.${told}\n`;
}

function unfound([first, ...others]: Verified['unindexed']): string {
  if (first === undefined) return '';
  const which =
    others.length === 0
      ? `Record ${number(first)} is`
      : `Record ${number(first)} and ${number(others.length)} more are`;
  return `NOTE: ${which} not found by every name, because an earlier version could not index a name with a character that no database holds (a null character, or half of an emoji). The digests are intact: nobody has changed anything.\n`;
}

const before = ({ rows, head }: Verified): string =>
  head === undefined ? '' : `The digests of ${records(rows)}, up to number ${head.seq}, are intact.\n`;

const records = (count: number): string => `${number(count)} ${count === 1 ? 'record' : 'records'}`;

const number = (count: number): string => count.toLocaleString('en');

/** A line a record. The text of each stands there as it was digested. */
async function exportAll({ quick }: Store, filter: AuditFilter, write: Terminal['write']): Promise<void> {
  const { since = 0, until = Number.POSITIVE_INFINITY } = filter;
  const wanted = termsFor(filter);
  const first = await quick
    .selectFrom('audit')
    .select('seq')
    .where('at', '>=', since)
    .orderBy('at')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  if (first === undefined) return;
  for await (const rows of links(quick, first.seq)) {
    const lines = rows
      .filter((row) => row.at <= until && isWanted(termsOf(recordedOf(row).record), wanted))
      .map(
        ({ seq, at, action, digest, record_json }) =>
          `${JSON.stringify({ seq, at, action, digest }).slice(0, -1)},"record":${record_json}}\n`,
      );
    if (lines.length > 0) await write(lines.join(''));
    if ((rows.at(-1)?.at ?? 0) > until) return;
  }
}
