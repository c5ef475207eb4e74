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

export const status = lookup({
  ...watching({
    name: 'status',
    more: 'status',
    read: async (context) => ({
      readings: await readAll(context.appliance),
      timed: await context.timedChange(),
    }),
    see: ({ readings, timed }, { now }) => health(findingsIn(readings, now, timed)),
  }),
  phrase: 'watch status [--quiet]',
  says: `
    tell me when something breaks / keep an eye on <appliance> / alert me when something is wrong /
    monitor the appliance / watch the appliance / tell us when the status changes / notify us of problems /
    warn me when it goes down / alert this channel / subscribe to status
  `,
  args: { quiet },
  summary: 'Post here when the health of the appliance changes',
  example: 'watch status',
});

export const directory = lookup({
  ...watching({
    name: 'directory',
    more: 'directory status',
    read: ({ appliance }) => readAuthentication(appliance),
    see: (authentication) => health([directoryFinding(authentication), linkFinding(authentication)]),
  }),
  phrase: 'watch directory [--quiet]',
  says: `
    tell me when the directory breaks / alert me when active directory is down / watch active directory /
    watch ad / watch ldap / notify us when logins stop working / monitor the domain controller
  `,
  args: { quiet },
  summary: 'Post here when the directory connection changes',
  example: 'watch directory',
});

/** Its disk and its updates come with it. */
const readMirror = ({ appliance }: WatchReads): Promise<MirrorStatus> => appliance.mirror.status();

export const mirror = lookup({
  ...watching({
    name: 'mirror',
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

/** In percent, where nobody says from what on: then there is time to do something. */
const filling = 85;

export const disk = lookup({
  ...watching({
    name: 'disk',
    more: 'mirror status',
    read: readMirror,
    see: (value, { over = filling }) => {
      const used = diskUse(value);
      if (used === undefined) {
        return { kind: 'state', is: 'unasked', key: 'unasked', says: say`⚠️ the disk’s use is not reported` };
      }
      const share = percent(Math.round(used));
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
    // As it is shown.
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
    more: 'rdp events',
    read: ({ appliance }) => appliance.rdp.listEvents({ limit: latest }),
    see: ({ events }) => ({
      kind: 'news',
      entries: events
        .filter(({ reason = '' }) => !usual.test(reason))
        .map((fields) => ({ id: fields.id ?? JSON.stringify(fields), says: eventWords(fields) }))
        .toReversed(),
    }),
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

/** So many of the newest events are looked through each time. */
const latest = 100;
/** What is no refusal. Which other words there are, no document says. */
const usual =
  /^(?:log ?(?:on|in|off|out)|allow(?:ed)?|connect(?:ed)?|disconnect(?:ed)?|ok|success(?:ful)?|start(?:ed)?|end(?:ed)?|)$/i;

function eventWords(fields: Readonly<Record<string, string>>): Text {
  const { date = '', time = '', user = '', target = '', reason = '', client_ip: from = '' } = fields;
  const where = target === '' ? say`` : say` on ${strong(target)}`;
  const address = from === '' ? say`` : say` from ${code(from)}`;
  return say`${`${date} ${time}`.trim()} ${strong(user)}${where}${address}: ${reason}`;
}

export const updates = lookup({
  ...watching({
    name: 'updates',
    more: 'mirror status',
    read: readMirror,
    see: ({ updatesAvailable }) => {
      if (updatesAvailable === undefined) {
        return {
          kind: 'state',
          is: 'unasked',
          key: 'unasked',
          says: say`⚠️ whether there are updates is not reported`,
        };
      }
      return updatesAvailable
        ? { kind: 'state', is: 'problem', key: 'available', says: say`ℹ️ the mirror has updates to fetch` }
        : { kind: 'state', is: 'fine', key: 'none', says: say`✅ the mirror has all updates` };
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

/** What is wrong, and how badly: not in which numbers. */
function health(findings: readonly HealthFinding[]): Observation {
  const sorted = byGravity(findings);
  if (isWell(sorted)) return { kind: 'state', is: 'fine', key: 'fine', says: say`✅ no problems found` };
  const wrong = sorted.filter(({ gravity }) => gravity === 'emergency' || gravity === 'fault');
  const says = summary(findings);
  if (wrong.length === 0) return { kind: 'state', is: 'unasked', key: 'unasked', says };
  const key = wrong.map((one) => `${one.area} ${markOf(one)}`).join();
  return { kind: 'state', is: 'problem', key, says };
}
