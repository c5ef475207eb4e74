import type { Session } from '../../api/index.ts';
import { change, lookup } from '../declare.ts';
import { answeredFrom, countText, readBackIn } from '../listing.ts';
import { code, elapsed, moment, plural, say, strong, type Text, tableOf } from '../reply.ts';
import { type Fingerprint, happened, notHappened, nothing, ready } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { itsClock, toldMoment } from '../wording/when.ts';
import { reported } from './shown.ts';
import { session, sessions as sessionList } from './things.ts';

export const sessions = lookup({
  phrase: 'rdp sessions',
  says: `
    who is connected / who is logged in / who is on / who is on srv / who is on the server / open sessions /
    active sessions / list sessions / how many sessions / who is working remotely / is <session> connected /
    who uses remote desktop / session of <session> / current connections / is somebody logged in /
    who is on the terminal server / who is logged in to rdp / how many people are in remote desktop /
    active rdp users / connected remote desktop users / is <session> logged in on rdp /
    anybody on the bastion / who is inside the remote desktop / who is still working on remote /
    who is on rdp / who is in rdp / who is using rdp / who works on rdp / list open sessions /
    rdp users online / who is online / anyone on rdp / anybody connected / is anybody on rdp /
    is someone still on the server / how many people are on rdp / how many sessions are open /
    how long has <session> been connected / since when is <session> connected / which sessions are open /
    which users are connected right now / active connections to the gateway / show rdp / who is remote /
    is <session> on rdp / is <session> online / is <session> connected right now / who is on the gateway /
    which session does <session> have / before i restart, who is on / does <session> have a session /
    wer ist auf rdp / wer ist angemeldet / wer ist verbunden / what is the user in session <session> doing /
    who is in session <session> / who is working on <target> / who works remotely / is anyone on <target> /
    who is on <target> right now / how many people are connected / is <user> still logged in /
    is <user> online / since when is <user> connected / how long is <user> connected /
    open sessions of <user> / sessions on <target> / long running sessions /
    is somebody working on <target> / can i reboot <target>, is somebody on it /
    who is sitting on <target> / drop everybody from <target>, who is on / who is connected to <target> /
    who is connected to the server / is <user> still logged on to <target> / is <user> logged on /
    is <user> still on <target> / users on <target> / who has a session on <target> / anybody on <target> /
    any sessions on <target> / who's connected to <target> / who is logged on to server <target> /
    anyone still logged in on <target>
  `,
  also: ['sessions', 'rdp who', 'who is connected'],
  summary: 'List open remote-desktop sessions',
  answer: answeredFrom(
    () => sessionList,
    (look, { now }) => {
      return {
        headline:
          look.all.length > 0
            ? say`${countText(look, 'remote-desktop session')} open`
            : say`No remote-desktop session is open`,
        details: [
          ...tableOf(look.all, {
            Session: ({ id }) => id,
            Person: ({ user }) => reported(user),
            Target: ({ target }) => reported(target),
            From: ({ from }) => reported(from),
            Since: (one) => openSince(one, now),
          }),
        ],
      };
    },
  ),
});

export const disconnect = change({
  phrase: 'rdp disconnect <session>',
  says: `
    kick <session> / disconnect <session> / kill session <session> / log off <session> /
    throw <session> out / end the session of <session> / terminate session <session> /
    close session <session> / rdp kick <session> / session of <session> hangs / <session> is stuck /
    force logout <session> / throw <session> off / log <session> off the remote desktop /
    sign <session> out of rdp / kill rdp session <session> / cut the connection of <session> /
    session of <session> is stuck / get <session> out of the desktop / force logout of <session> /
    disconnect <session> from rdp / disconnect session <session> / kick <session> off /
    kick <session> off rdp / drop session <session> / drop <session> from the terminal server /
    log <session> out / log <session> out of remote desktop / boot <session> /
    remove <session> from the gateway / throw <session> out of rdp / <session> must get off the server /
    kill the session of <session> / end session <session> / end <session> session now /
    stop the session of <session> / <session> is frozen, kick / <session> hangs in rdp, throw out /
    get <session> off the server / <session> rauswerfen / <session> forgot to log off / cut off <session> /
    sitzung <session> beenden / sitzung <session> trennen / kick <user> from <target> / throw <user> off /
    end the session of <user> / log <user> off / cut off <user> / kill session of <user> /
    session <session> is stuck / get <user> off <target> / disconnect everyone on <target> /
    force logoff of <user> / drop everybody from <target> / disconnect all from <target> /
    throw everybody off <target> / kick everyone off <target>
  `,
  also: ['rdp session disconnect <session>', 'rdp kick <session>', 'rdp logoff <session>'],
  args: { session },
  summary: 'Disconnect an open remote-desktop session',
  example: 'rdp disconnect 12',
  effect: 'destructive',
  verb: 'Disconnect',
  doing: (args, shown) => say`Disconnecting session ${args.session}${whose(shown)}`,
  done: (args, shown) => say`Session ${args.session}${whose(shown)} disconnected`,
  preview: async ({ appliance, args, now }) => {
    const { found } = await sessionList.seek(appliance, ({ id }) => id === args.session);
    if (found === undefined)
      return nothing`Session ${args.session} is not open on ${strong(appliance.name)}. ${code('/appliance rdp sessions')} lists open sessions.`;
    return ready({
      question: say`Disconnect session ${strong(String(found.id))}${whose({ ...fingerprintOf(found), user: found.user ?? 'an unnamed person' })}?`,
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
  verify: readBackIn<{ readonly session: number }, Session>(
    () => sessionList,
    async ({ seek }, { args: { session: number } }, shown) => {
      const { found, all } = await seek(({ id }) => id === number, number);
      if (found === undefined)
        return happened`Sessions read back: ${number} is gone, ${plural(all.length, 'other session')} open.`;
      return isSuccessor(found, shown)
        ? happened`Sessions read back: the session you saw is gone, and ${number} is now the number of another one, of ${strong(found.user ?? 'an unnamed person')}.`
        : notHappened`Sessions read back: ${number} is still open.`;
    },
  ),
});

/** Every reported field that distinguishes sessions with the same number. */
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

/** " of bob.miller on srv-hr-01", as far as it was reported. */
const whose = ({ user, target }: Fingerprint): Text => [
  ...(typeof user === 'string' ? say` of ${strong(user)}` : []),
  ...(typeof target === 'string' ? say` on ${strong(target)}` : []),
];

/** Whether this is another session than the shown one. A field that is missing either time proves nothing. */
function isSuccessor(one: Session, shown: Fingerprint): boolean {
  return Object.entries(fingerprintOf(one)).some(([name, value]) => {
    const then = shown[name] ?? null;
    return then !== null && value !== null && then !== value;
  });
}

function openSince({ since }: Session, now: number): Text {
  if (since === undefined) return reported(undefined);
  if ('written' in since) return say`${since.written}${itsClock}`;
  const open = now - since.at.getTime();
  return open < 0 ? toldMoment(since.at.getTime(), now) : say`${moment(since.at)} (${elapsed(open)})`;
}

export const watchSession = impossible({
  says: `
    join the session to help / watch live what somebody does on rdp / shadow the rdp session /
    take over his remote desktop screen / see the screen of somebody
  `,
  why: 'The Web API lists and disconnects open sessions, but cannot show or take over their screen.',
  source: 'appliance-api.md §4.6',
  nearest: ['rdp sessions', 'rdp videos'],
});

export const messageSessions = impossible({
  says: `
    tell everyone on rdp to save their work / announce maintenance to rdp users /
    send a message to rdp users / warn people on the remote desktop / broadcast to remote sessions /
    popup message on terminal server / send <user> a message / tell <user> that his session ends /
    message to <user> / write to the user of session <session> / pop up a message for <user>
  `,
  why: 'The Web API cannot send messages to users in open sessions.',
  source: 'appliance-api.md §4.6',
  nearest: ['rdp sessions', 'rdp disconnect <session>'],
});
