import { hash } from 'node:crypto';
import type { MirrorStatus } from '../../api/index.ts';
import { type Argument, count } from '../argument.ts';
import { lookup } from '../declare.ts';
import { readAuthentication } from '../directory/authentication.ts';
import { code, say, strong, type Text } from '../reply.ts';
import { directoryFinding, linkFinding } from '../status/connection.ts';
import { byGravity, type HealthFinding, isWell, markOf, summary } from '../status/finding.ts';
import { diskUse, mirrorFinding } from '../status/mirror.ts';
import { findingsIn, readAll } from '../status/status.ts';
import { percent } from '../wording/quantities.ts';
import type { Observation } from './observation.ts';
import type { WatchReads } from './watchable.ts';
import { quiet, watching } from './watching.ts';

/**
 * The time limit of an answer, in milliseconds. A hanging appliance is looked at twice and reported within
 * little more than a minute.
 */
const patience = 10_000;
const inTime = () => ({ signal: AbortSignal.timeout(patience) });

export const status = lookup({
  ...watching({
    name: 'status',
    posts: () => 'something is wrong, gets better or worse, or is well again',
    more: 'status',
    read: async (context) => ({
      readings: await readAll(context.appliance, inTime()),
      timed: await context.timedChange(),
    }),
    see: ({ readings, timed }, { now }) => health(findingsIn(readings, now, timed)),
  }),
  phrase: 'watch status [--quiet]',
  says: `
    tell me when something breaks / keep an eye on <appliance> / alert me when something is wrong /
    monitor the appliance / watch the appliance / tell us when the status changes / notify us of problems /
    warn me when it goes down / alert this channel / subscribe to status / tell me when the appliance is down /
    call me when the appliance is down / notify us when the appliance is up again
  `,
  args: { quiet },
  summary: 'Post here when the health of the appliance changes',
  example: 'watch status',
});

export const directory = lookup({
  ...watching({
    name: 'directory',
    posts: () => 'the directory connection breaks, or works again',
    more: 'directory status',
    read: ({ appliance }) => readAuthentication(appliance, inTime()),
    see: (authentication) => health([directoryFinding(authentication), linkFinding(authentication)]),
  }),
  phrase: 'watch directory [--quiet]',
  says: `
    tell me when the directory breaks / alert me when active directory is down / watch active directory /
    tell us when the directory is up again /
    watch ad / watch ldap / notify us when logins stop working / monitor the domain controller
  `,
  args: { quiet },
  summary: 'Post here when the directory connection changes',
  example: 'watch directory',
});

/** Includes its disk and its updates. */
const readMirror = ({ appliance }: WatchReads): Promise<MirrorStatus> => appliance.mirror.status(inTime());

export const mirror = lookup({
  ...watching({
    name: 'mirror',
    posts: () => 'something is wrong with the mirror, or it is well again',
    more: 'mirror status',
    read: readMirror,
    see: (value, { now }) => health([mirrorFinding({ answered: true, value }, now)]),
  }),
  phrase: 'watch mirror [--quiet]',
  says: `
    tell me when the mirror fails / alert me when a sync fails / watch the sync / monitor the mirror /
    notify us when the mirror is out of sync
  `,
  args: { quiet },
  summary: 'Post here when the state of the mirror changes',
  example: 'watch mirror',
});

const wholePercent = count('a percentage', '85', 1, 99);
const over: Argument<number> = {
  ...wholePercent,
  read: (word) => wholePercent.read(word.replace(/^>=? ?/, '').replace(/ ?%$/, '')),
};

/** The default threshold in percent, early enough to act. */
const filling = 85;

export const disk = lookup({
  ...watching({
    name: 'disk',
    posts: (limit = filling) => `the disk is more than ${limit} % full, or no longer is`,
    more: 'mirror status',
    read: readMirror,
    see: (value, { over = filling }) => {
      const used = diskUse(value);
      if (used === undefined) {
        return { kind: 'state', is: 'unasked', key: 'unasked', says: say`⚠️ the disk’s use is not reported` };
      }
      const share = percent(used > over && Math.round(used) <= over ? used : Math.round(used));
      return used > over
        ? {
            kind: 'state',
            is: 'problem',
            key: 'over',
            says: say`❌ the disk is ${strong(share)} full, over ${over} %`,
          }
        : { kind: 'state', is: 'fine', key: 'fine', says: say`✅ the disk is ${share} full` };
    },
  }),
  phrase: 'watch disk [over] [--quiet]',
  also: [
    'watch disk > [over] [--quiet]',
    // The usual notation.
    'watch disk > [over] % [--quiet]',
    'watch disk [over] % [--quiet]',
    'watch disk over [over] % [--quiet]',
    'watch disk above [over] % [--quiet]',
    'watch disk over [over] [--quiet]',
    'watch disk above [over] [--quiet]',
  ],
  says: `
    tell me when the disk is full / alert me when the disk is over <over> / warn me before the disk is full /
    monitor disk space / watch the disk usage / notify us when the disk is more than <over> full
  `,
  args: { over, quiet },
  summary: 'Post here when the disk fills beyond a limit (85 %)',
  example: 'watch disk > 85%',
});

export const denied = lookup({
  ...watching({
    name: 'rdp denied',
    posts: () => 'the gateway denies a logon',
    more: 'rdp events',
    read: ({ appliance }) => appliance.rdp.listEvents({}, inTime()),
    see: ({ events, mayBeCut }) => {
      const all = named(events.toReversed());
      const wanted = all.filter(({ fields: { reason = '' } }) => !usual.test(reason));
      return {
        kind: 'news',
        mayBeCut,
        all: all.map(({ id }) => id),
        entries: wanted.map(({ id, fields }) => ({ id, says: eventWords(fields) })),
      };
    },
  }),
  phrase: 'watch rdp denied [--quiet]',
  also: ['watch rdp [--quiet]', 'watch rdp logins [--quiet]', 'watch denied [--quiet]'],
  says: `
    tell me when somebody is denied on rdp / alert me of failed logins / watch failed logins /
    watch for brute force / notify us when a login is refused / monitor remote desktop logins
  `,
  args: { quiet },
  summary: 'Post here when the gateway denies a logon',
  example: 'watch rdp denied',
});

type EventFields = Readonly<Record<string, string>>;

/** Without an ID, an event is identified by all its fields and by the number of equal events before it. */
function named(
  events: readonly EventFields[],
): readonly { readonly id: string; readonly fields: EventFields }[] {
  const alike = new Map<string, number>();
  return events.map((fields) => {
    if (fields.id !== undefined) return { id: fields.id, fields };
    const told = hash('sha256', JSON.stringify(fields)).slice(0, 16);
    const before = alike.get(told) ?? 0;
    alike.set(told, before + 1);
    return { id: `${told}.${before}`, fields };
  });
}

/** Words of successful events; the document lists none. */
const usual =
  /^(?:log ?(?:on|in|off|out)|allow(?:ed)?|connect(?:ed)?|disconnect(?:ed)?|ok|success(?:ful)?|start(?:ed)?|end(?:ed)?|)$/i;

function eventWords(fields: EventFields): Text {
  const { date = '', time = '', user = '', target = '', reason = '', client_ip: from = '' } = fields;
  const where = target === '' ? say`` : say` on ${strong(target)}`;
  const address = from === '' ? say`` : say` from ${code(from)}`;
  return say`${`${date} ${time}`.trim()} ${strong(user)}${where}${address}: ${reason}`;
}

export const updates = lookup({
  ...watching({
    name: 'updates',
    posts: () => 'the mirror has updates to fetch, or reports none any more',
    more: 'mirror status',
    read: readMirror,
    see: ({ updatesAvailable, atLeast }) => {
      if (updatesAvailable === undefined) {
        return {
          kind: 'state',
          is: 'unasked',
          key: 'unasked',
          says: say`⚠️ whether there are updates is not reported`,
        };
      }
      if (updatesAvailable)
        return {
          kind: 'state',
          is: 'problem',
          key: 'available',
          says: say`ℹ️ the mirror has updates to fetch`,
        };
      const doubt = atLeast === undefined ? '' : ' (a failed check looks the same)';
      return { kind: 'state', is: 'fine', key: 'none', says: say`✅ the mirror reports no updates${doubt}` };
    },
  }),
  phrase: 'watch updates [--quiet]',
  says: `
    tell me when there are updates / alert me when an update is available / watch for new releases /
    notify us of new updates / monitor updates
  `,
  args: { quiet },
  summary: 'Post here when the mirror has updates to fetch',
  example: 'watch updates',
});

/** The problems, their gravity and unreadable areas, without their numbers. */
function health(findings: readonly HealthFinding[]): Observation {
  const sorted = byGravity(findings);
  if (isWell(sorted)) return { kind: 'state', is: 'fine', key: 'fine', says: say`✅ no problems found` };
  const notWell = sorted.filter(({ gravity }) => gravity !== 'fine' && gravity !== 'notice');
  const key = notWell.map((one) => `${one.area} ${markOf(one)} ${kindOf(one)}`).join();
  const isUnasked = notWell.every(({ gravity }) => gravity === 'unasked');
  return { kind: 'state', is: isUnasked ? 'unasked' : 'problem', key, says: summary(findings) };
}

/** The reason for an unreadable area may change with every look. */
const kindOf = ({ gravity, which, says }: HealthFinding): string =>
  gravity === 'unasked' ? '' : (which ?? withoutNumbers(says));

/** Removes counted or measured numbers, which have a unit: `5 requests`, `96%`, `9:15`. */
const withoutNumbers = (says: Text): string =>
  says
    .flatMap((span) => (typeof span === 'string' ? [span] : 'text' in span ? [span.text] : []))
    .join('')
    .replace(/[0-9]+(?:[.:][0-9]+)*(?:%| [a-z]+)?/gi, '#');
