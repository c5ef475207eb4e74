import type { UnnamedFields } from '../../api/index.ts';
import { count, nameOrNumber, text, word } from '../argument.ts';
import type { AskingAppliance } from '../context.ts';
import { change, lookup } from '../declare.ts';
import { quoted } from '../language/asked.ts';
import { answeredFrom, countText, listing, repeatedText, withLack } from '../listing.ts';
import { code, enumerate, type Part, paragraph, plainText, say, strong, type Text } from '../reply.ts';
import { impossible } from '../understanding/impossible.ts';
import { reportedUnder } from '../wording/reported.ts';
import { shownFields, shownTable } from './shown.ts';
import { thing } from './thing.ts';
import { isServing, videos as recordings, userOf, video } from './things.ts';

/** The appliance's own limit (appliance-api.md §8.1). */
const mostEvents = 500;

export const events = lookup({
  phrase: 'rdp events [--user] [--reason] [--limit]',
  says: `
    who logged in / who logged in yesterday / failed logins / why was <user> denied / logins of <user> /
    rdp log / who was rejected / login history / access denied for <user> / why can <user> not log in /
    who came in / logon failures / rdp events of <user> / when did <user> connect /
    <user> cannot connect to remote desktop / wrong password of <user> / trail of remote desktop access /
    why can <user> not log in to rdp / rdp login history of <user> / why was <user> refused on rdp /
    who tried to get into rdp at night / when did <user> last log in / rdp login denied /
    bad password attempts on rdp / who was denied on rdp / who was refused on rdp /
    who got refused by the gateway / who was turned away / denied logins / failed rdp logins /
    who logged in last night / who connected yesterday / who was on rdp last night / did <user> log in /
    did <user> connect yesterday / did <user> come in / why was <user> refused /
    why does rdp refuse <user> / why could <user> not log in / why is <user> refused by the gateway /
    <user> cannot log in to rdp / <user> gets access denied on rdp /
    <user> says remote desktop does not work / login attempts of <user> / login problems of <user> /
    last login of <user> / when was <user> last on rdp / last <limit> rdp events / last <limit> logins /
    history of <user> on rdp / access log of the gateway / attempts from outside / who tried to log in /
    brute force attempts / show denied / denied because <reason> / logon events / events of <user> /
    what happened with the login of <user> / refused logins since yesterday /
    what did <user> do in his remote session / why was <user> kicked out / when did <user> log in last /
    failed logins of <user> / brute force on rdp / <user> cannot log in / <user> can not connect /
    <user> gets denied / <user> cannot get on the terminal server / rdp refuses <user> /
    logons since <since> / who logged on / was <user> logged on / who was denied rdp access /
    denied rdp access / who was refused by rdp / refused logons / who could not log on to rdp
  `,
  also: ['rdp log [--user] [--reason] [--limit]', 'rdp history [--user] [--reason] [--limit]'],
  args: {
    user: { ...word('a user name', 'bob.miller'), isUser: true },
    reason: text('a reason, as written in the events', 'bad_password', 100),
    limit: count('a number of events', '20', 1, mostEvents),
  },
  summary: 'List logon events, allowed and denied (at most 500)',
  example: 'rdp events --user bob.miller --limit 20',
  answer: async ({ appliance, args }) => {
    const about = describe(args);
    const look = await logonEvents(args).look(appliance);
    const { all: found, lack } = look;
    if (found.length === 0)
      return withLack(appliance.name, look, {
        headline: say`No logon events${about}`,
        details: await waysOn(appliance, args),
      });
    const limit = args.limit ?? mostEvents;
    const mayBeCut = found.length >= limit && lack === undefined;
    const cut = mayBeCut ? ', and there may be more' : '';
    return withLack(appliance.name, look, {
      headline: say`${countText(look, 'logon event')}${about}${repeatedText(found)}${cut}`,
      details: [
        ...(mayBeCut ? [cutNote(limit)] : []),
        ...(await shownTable(
          found,
          ['date', 'time', 'user', 'target', 'reason', 'detail', 'client_ip'],
          ['id'],
        )),
      ],
    });
  },
});

const logonEvents = ({ user, reason, limit }: Filter & { readonly limit?: number | undefined }) =>
  listing<UnnamedFields>({
    things: plainText(say`logon events${describe({ user, reason })}`),
    read: async ({ rdp }) => {
      const { events: found } = await rdp.listEvents({
        ...(user == null ? {} : { user }),
        ...(reason == null ? {} : { reason }),
        ...(limit == null ? {} : { limit }),
      });
      return found;
    },
    // Events without a number may be equal.
    keyOf: (event) => reportedUnder(event, 'id', 'eventid'),
    isUp: isServing,
  });

export const videos = lookup({
  phrase: 'rdp videos',
  says: `
    show recordings / recorded sessions / list recordings / recording of session / watch the session /
    what did he do on the server video / videos of sessions / is there a recording / session replay /
    recording of the session / how many session videos / recorded remote desktop sessions /
    is there a recording of rdp / what was filmed / screen capture of the session / replays /
    which recordings are there / was the session recorded / is the session of <video> recorded /
    list videos / video of the session / recordings of last week / recording of <video> /
    are sessions recorded / show videos / how many recordings
  `,
  summary: 'List recorded remote-desktop sessions',
  answer: answeredFrom(
    () => recordings,
    async (look) => {
      return {
        headline: countText(look, 'recorded session'),
        details: [
          ...(await shownTable(
            look.all.map(({ fields }) => fields),
            ['id', 'username', 'target', 'started_at', 'duration_seconds', 'size_bytes'],
          )),
        ],
      };
    },
  ),
});

const aVideo = thing({
  kind: 'video',
  list: recordings,
  knownBy: 'number',
  identityOf: ({ id, name }) => ({ id, name: name ?? null }),
});

export const removeVideo = change({
  ...aVideo.deleting(async (found) => ({
    question: say`Delete the recording ${strong(nameOrNumber(found))}? This cannot be undone.`,
    fields: shownFields(found.fields),
  })),
  phrase: 'rdp video delete <video>',
  says: `
    delete recording <video> / remove video <video> / erase recorded session <video> /
    remove old video <video> / erase screen recording <video> / get rid of screen capture <video> /
    destroy the film of session <video> / delete video <video> / drop recording <video> /
    remove the recording <video> / recording <video> must go / wipe video <video>
  `,
  args: { video },
  summary: 'Delete a recorded session',
  example: 'rdp video delete 130',
  run: ({ appliance, args }) => appliance.rdp.deleteVideo({ id: args.video.id }),
});

interface Filter {
  readonly user?: string | undefined;
  readonly reason?: string | undefined;
}

function describe({ user, reason }: Filter): Text {
  return [
    ...(user == null ? [] : say` of ${strong(user)}`),
    ...(reason == null ? [] : say` with the reason ${strong(reason)}`),
  ];
}

const cutNote = (limit: number): Part => ({
  kind: 'text',
  text:
    limit === mostEvents
      ? say`The appliance returns at most ${mostEvents} events, so this list may be incomplete. Narrow it with ${code('--user')} or ${code('--reason')}.`
      : say`The limit was reached. ${code('--limit')} takes up to ${mostEvents}.`,
});

/** Matching is undocumented, and part of a name may find nothing, so similar names are suggested. */
async function waysOn(
  { rdp }: AskingAppliance<unknown>['appliance'],
  { user, reason }: Filter,
): Promise<readonly Part[]> {
  const whole = say`The appliance may match whole words only. `;
  if (user != null) {
    const users = (await rdp.listMembers()).flatMap((one) => userOf(one) ?? []);
    const near = users.filter((name) => name !== user && name.toLowerCase().includes(user.toLowerCase()));
    const rest = reason == null ? '' : ` --reason ${reason}`;
    if (near.length > 0) {
      const offers = near
        .slice(0, 5)
        .map((name) => ({ label: name, line: `rdp events --user ${quoted(name)}${rest}` }));
      return [paragraph`${whole}Did you mean:`, { kind: 'offers', offers }];
    }
  }
  if (reason == null) return [];
  const { events: all } = await rdp.listEvents({});
  const seen = [...new Set(all.flatMap((event) => reportedUnder(event, 'reason') ?? []))].slice(0, 20);
  if (seen.length === 0) return [];
  return [
    paragraph`${whole}Reasons in the newest ${all.length} events: ${enumerate(seen.map((one) => code(one)))}.`,
  ];
}

export const watchVideo = impossible({
  says: `
    download recording / play recording / watch live session / shadow session / take over session /
    send message to session / send message to user / play video / get me video as mp4 / download the video /
    spy on session / look at the screen of session / export the recording /
    watch what session <session> is doing / see what <user> does in his session
  `,
  why: 'The Web API lists and deletes recorded sessions, but cannot play one, watch an open session or message its user.',
  source: 'appliance-api.md §4.6',
  nearest: ['rdp videos', 'rdp sessions'],
});

export const switchRecording = impossible({
  says: `
    turn off session recording / start recording the session / record the session of this user /
    stop rdp recording / record session <session> / record <session> / start recording <session>
  `,
  why: 'The Web API cannot start or stop recording a session.',
  source: 'appliance-api.md §4.6',
  nearest: ['rdp videos', 'rdp policies'],
});
