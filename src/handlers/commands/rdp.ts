import type { Session } from '../../api/index.ts';
import { identifier } from '../argument.ts';
import { command, type Subject } from '../command.ts';
import { code, elapsed, moment, plural, say, strong, type Text } from '../reply.ts';

export const sessions = command({
  kind: 'lookup',
  phrase: 'rdp sessions',
  also: ['rdp session list', 'rdp list sessions'],
  args: {},
  summary: 'List the open remote-desktop sessions',
  example: 'rdp sessions',
  effect: 'read',
  answer: async ({ appliance, now }) => {
    const open = await appliance.rdp.listSessions();
    return {
      headline:
        open.length === 0
          ? say`No remote-desktop session is open`
          : say`${strong(plural(open.length, 'remote-desktop session'))} open`,
      details:
        open.length === 0
          ? []
          : [
              {
                kind: 'table',
                columns: ['Session', 'Person', 'Target', 'From', 'Since'],
                rows: open.map((session) => [
                  say`${session.id}`,
                  reported(session.user),
                  reported(session.target),
                  reported(session.from),
                  openSince(session, now),
                ]),
              },
            ],
    };
  },
});

export const disconnect = command({
  kind: 'change',
  phrase: 'rdp disconnect <session>',
  also: ['rdp session disconnect <session>', 'rdp disconnect session <session>'],
  args: { session: identifier('a session number', '12') },
  summary: 'Disconnect an open remote-desktop session',
  example: 'rdp disconnect 12',
  effect: 'destructive',
  verb: 'Disconnect',
  doing: ({ session }) => say`Disconnecting session ${session}`,
  done: ({ session }) => say`Session ${session} is disconnected`,
  preview: async ({ appliance, args, now }) => {
    const session = (await appliance.rdp.listSessions()).find(({ id }) => id === args.session);
    if (session === undefined) {
      return {
        kind: 'nothing',
        why: say`Session ${args.session} is not open on ${strong(appliance.name)}: it has ended, or never was. ${code('/appliance rdp sessions')} lists the open ones.`,
      };
    }
    return {
      kind: 'ready',
      question: say`Disconnect session ${strong(String(session.id))} of ${strong(session.user ?? 'an unnamed person')}?`,
      fields: [
        { name: 'Person', value: reported(session.user) },
        { name: 'Target', value: reported(session.target) },
        { name: 'From', value: reported(session.from) },
        ...(session.address === undefined ? [] : [{ name: 'Address', value: say`${session.address}` }]),
        { name: 'Since', value: openSince(session, now) },
      ],
      subject: subjectOf(session),
    };
  },
  run: ({ appliance, args }) => appliance.rdp.disconnectSession({ id: args.session }),
  verify: async (context, shown) => {
    const number = context.args.session;
    const open = await context.appliance.rdp.listSessions();
    const under = open.filter(({ id }) => id === number);
    if (under.some((session) => !isSuccessor(session, shown))) {
      return { kind: 'not_happened', evidence: say`I read the sessions back and ${number} is still open.` };
    }
    const [successor] = under;
    const others = plural(open.length - under.length, 'other session');
    return {
      kind: 'happened',
      evidence:
        successor === undefined
          ? say`I read the sessions back: ${number} is gone, ${others} open.`
          : say`I read the sessions back: the session you saw is gone, and ${number} is now the number of another one, of ${strong(successor.user ?? 'an unnamed person')}.`,
    };
  },
});

/** Everything reported that tells one session from another under the same number. */
function subjectOf({ id, user, target, from, address, since }: Session): Subject {
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
function isSuccessor(session: Session, shown: Subject): boolean {
  return Object.entries(subjectOf(session)).some(([name, value]) => {
    const then = shown[name] ?? null;
    return then !== null && value !== null && then !== value;
  });
}

/** The document names no field of a session (appliance-api.md §2.14), so any of them may be missing. */
const reported = (value: string | undefined): Text => say`${value ?? 'not reported'}`;

function openSince({ since }: Session, now: number): Text {
  if (since === undefined) return reported(undefined);
  if ('written' in since) return say`${since.written} by the appliance's clock`;
  const open = now - since.at.getTime();
  // The appliance's clock may be ahead of ours.
  return open < 0 ? say`${moment(since.at)}` : say`${moment(since.at)} (${elapsed(open)})`;
}
