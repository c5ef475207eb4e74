import type { Session } from '../../api/index.ts';
import { change, lookup } from '../declare.ts';
import { code, elapsed, moment, plural, say, strong, type Text, tableOf } from '../reply.ts';
import { type Fingerprint, happened, notHappened, nothing, ready } from '../results.ts';
import { reported } from './shown.ts';
import { session } from './things.ts';

export const sessions = lookup({
  phrase: 'rdp sessions',
  says: [
    'who is connected',
    'who is logged in',
    'who is on',
    'who is on srv',
    'who is on the server',
    'open sessions',
    'active sessions',
    'list sessions',
    'how many sessions',
    'who is working remotely',
    'is <session> connected',
    'who uses remote desktop',
    'session of <session>',
    'current connections',
    'is somebody logged in',
  ],
  also: ['sessions', 'rdp who', 'who is connected'],
  summary: 'List the open remote-desktop sessions',
  answer: async ({ appliance, now }) => {
    const open = await appliance.rdp.listSessions();
    return {
      headline:
        open.length === 0
          ? say`No remote-desktop session is open`
          : say`${strong(plural(open.length, 'remote-desktop session'))} open`,
      details: tableOf(open, {
        Session: ({ id }) => id,
        Person: ({ user }) => reported(user),
        Target: ({ target }) => reported(target),
        From: ({ from }) => reported(from),
        Since: (one) => openSince(one, now),
      }),
    };
  },
});

export const disconnect = change({
  phrase: 'rdp disconnect <session>',
  says: [
    'kick <session>',
    'disconnect <session>',
    'kill session <session>',
    'log off <session>',
    'throw <session> out',
    'end the session of <session>',
    'terminate session <session>',
    'close session <session>',
    'rdp kick <session>',
    'session of <session> hangs',
    '<session> is stuck',
    'force logout <session>',
  ],
  also: ['rdp session disconnect <session>', 'rdp kick <session>', 'rdp logoff <session>'],
  args: { session },
  summary: 'Disconnect an open remote-desktop session',
  example: 'rdp disconnect 12',
  effect: 'destructive',
  verb: 'Disconnect',
  doing: (args) => say`Disconnecting session ${args.session}`,
  done: (args) => say`Session ${args.session} is disconnected`,
  preview: async ({ appliance, args, now }) => {
    const found = (await appliance.rdp.listSessions()).find(({ id }) => id === args.session);
    if (found === undefined)
      return nothing`Session ${args.session} is not open on ${strong(appliance.name)}: it has ended, or never was. ${code('/appliance rdp sessions')} lists the open ones.`;
    return ready({
      question: say`Disconnect session ${strong(String(found.id))} of ${strong(found.user ?? 'an unnamed person')}?`,
      fields: {
        Person: reported(found.user),
        Target: reported(found.target),
        From: reported(found.from),
        Address: found.address === undefined ? undefined : say`${found.address}`,
        Since: openSince(found, now),
      },
      fingerprint: fingerprintOf(found),
    });
  },
  run: ({ appliance, args }) => appliance.rdp.disconnectSession({ id: args.session }),
  verify: async (context, shown) => {
    const number = context.args.session;
    const open = await context.appliance.rdp.listSessions();
    const under = open.filter(({ id }) => id === number);
    if (under.some((one) => !isSuccessor(one, shown)))
      return notHappened`I read the sessions back and ${number} is still open.`;
    const [successor] = under;
    const others = plural(open.length - under.length, 'other session');
    return successor === undefined
      ? happened`I read the sessions back: ${number} is gone, ${others} open.`
      : happened`I read the sessions back: the session you saw is gone, and ${number} is now the number of another one, of ${strong(successor.user ?? 'an unnamed person')}.`;
  },
});

/** Everything reported that tells one session from another under the same number. */
function fingerprintOf({ id, user, target, from, address, since }: Session): Fingerprint {
  return {
    session: id,
    user: user ?? null,
    target: target ?? null,
    from: from ?? null,
    address: address ?? null,
    since: since === undefined ? null : 'at' in since ? since.at.toISOString() : since.written,
  };
}

/** Whether this is another session than the one that was shown. What is not reported either time proves nothing. */
function isSuccessor(one: Session, shown: Fingerprint): boolean {
  return Object.entries(fingerprintOf(one)).some(([name, value]) => {
    const then = shown[name] ?? null;
    return then !== null && value !== null && then !== value;
  });
}

function openSince({ since }: Session, now: number): Text {
  if (since === undefined) return reported(undefined);
  if ('written' in since) return say`${since.written} by the appliance's clock`;
  const open = now - since.at.getTime();
  // The appliance's clock may be ahead of ours.
  return open < 0 ? say`${moment(since.at)}` : say`${moment(since.at)} (${elapsed(open)})`;
}
