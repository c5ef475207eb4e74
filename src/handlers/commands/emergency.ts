import { text } from '../argument.ts';
import { command, type Preview, type Subject, type Verification } from '../command.ts';
import { code, elapsed, moment, type Reply, say, strong, type Text } from '../reply.ts';
import { readIn } from '../status/answer.ts';
import {
  type Authentication,
  authenticationFields,
  type Emergency,
  emergencyIn,
  emergencyWords,
  endButton,
  leaveButton,
  readAuthentication,
  stateWhenAsked,
  toldOf,
} from '../status/emergency.ts';
import { span } from '../status/span.ts';

export const current = command({
  kind: 'lookup',
  phrase: 'emergency status',
  also: ['emergency'],
  args: {},
  summary: 'Tell whether an emergency mode is on',
  example: 'emergency status',
  effect: 'read',
  answer: async ({ appliance }): Promise<Reply> => {
    const found = await readAuthentication(appliance);
    const emergency = emergencyIn(found);
    const mark = emergency === 'on' || emergency === 'global' ? '🚨 ' : '';
    return {
      headline: say`${mark}${emergencyWords[emergency]}`,
      details: [
        { kind: 'fields', fields: authenticationFields(found) },
        ...(emergency === 'on' ? [endButton(appliance.name)] : []),
        ...(emergency === 'global' ? [leaveButton(appliance.name)] : []),
      ],
    };
  },
});

export const enable = command({
  kind: 'change',
  phrase: 'emergency enable <--for> <--reason>',
  also: ['emergency on <--for> <--reason>', 'emergency start <--for> <--reason>'],
  args: {
    for: span('a time up to 8 h', '30m', { minutes: 1, hours: 8 }),
    reason: text('a reason', '"directory down"'),
  },
  summary: 'Let everybody pass without authentication, while the directory is down',
  example: 'emergency enable --for 30m --reason "directory down"',
  effect: 'destructive',
  verb: 'Enable emergency mode',
  doing: () => say`Enabling emergency mode`,
  done: (args) =>
    say`🚨 Emergency mode is ${strong('on')}: everybody passes without authentication. Asked for ${elapsed(args.for)}; somebody must end it`,
  preview: async ({ appliance, args }): Promise<Preview> => {
    const found = await readAuthentication(appliance);
    const emergency = emergencyIn(found);
    const name = strong(appliance.name);
    if (emergency === 'on') return { kind: 'nothing', why: say`${name} is in emergency mode already.` };
    if (emergency === 'global') {
      return {
        kind: 'nothing',
        why: say`${name} has put itself into Global Emergency: its proxy neither filters nor authenticates, so everybody passes already. ${code('/appliance emergency remove')} leaves it.`,
      };
    }
    return {
      kind: 'ready',
      question: say`Enable emergency mode on ${name} for ${strong(elapsed(args.for))}? ${strong('Everybody will pass without authentication.')}`,
      fields: [
        { name: 'Reason', value: say`${args.reason}` },
        // Without the moment: the card stands when it is done, too, and the evidence tells that moment then.
        { name: 'Ends', value: say`when somebody ends it; asked for ${elapsed(args.for)}` },
        stateWhenAsked(found),
      ],
      subject: subjectOf(found),
    };
  },
  run: async ({ appliance, args, now }) => {
    const { confirmed } = await appliance.directory.enableEmergency();
    return { confirmed, learned: { until: now + args.for }, details: [endButton(appliance.name)] };
  },
  verify: async ({ appliance }, shown): Promise<Verification> => {
    const found = await readAuthentication(appliance);
    switch (emergencyIn(found)) {
      case 'on':
      case 'global':
        return happened(say`I read the state back.${toldOf(found)} ${untilWhen(shown)}`);
      case 'off':
        return {
          kind: 'not_happened',
          evidence: say`I read the state back and the proxy still authenticates people.${toldOf(found)}`,
        };
      case 'unclear':
        return hasLetGo(found, shown)
          ? happened(
              say`I read the state back: the proxy, which authenticated people before, no longer does.${toldOf(found)} ${untilWhen(shown)}`,
            )
          : {
              kind: 'not_checkable',
              why: 'nothing that can be read tells emergency mode from the broken connection that was there before',
            };
    }
  },
  undo: () => 'emergency disable',
});

export const disable = command({
  kind: 'change',
  phrase: 'emergency disable',
  also: ['emergency end', 'emergency off'],
  args: {},
  summary: 'End emergency mode: people must authenticate again',
  example: 'emergency disable',
  before: ['emergency enable --for 30m --reason "directory down"'],
  effect: 'write',
  verb: 'End emergency mode',
  doing: () => say`Ending emergency mode`,
  done: () => say`Emergency mode is ${strong('over')}: people must authenticate again`,
  preview: async ({ appliance }): Promise<Preview> => {
    const found = await readAuthentication(appliance);
    const emergency = emergencyIn(found);
    const name = strong(appliance.name);
    if (emergency === 'off') {
      return {
        kind: 'nothing',
        why: say`${name} is not in emergency mode: its proxy authenticates people.`,
      };
    }
    if (emergency === 'global') {
      return {
        kind: 'nothing',
        why: say`${name} is in Global Emergency, which it entered by itself. ${code('/appliance emergency remove')} leaves it.`,
      };
    }
    return {
      kind: 'ready',
      question: say`End emergency mode on ${name}? People must authenticate again.`,
      fields: [stateWhenAsked(found)],
      subject: subjectOf(found),
    };
  },
  run: ({ appliance }) => appliance.directory.disableEmergency(),
  verify: async ({ appliance }, shown) => overOrNot(await readAuthentication(appliance), shown, 'on'),
  // It would open the gate again, with one click and without a reason.
});

export const remove = command({
  kind: 'change',
  phrase: 'emergency remove',
  also: ['global emergency remove', 'emergency remove global'],
  args: {},
  summary: 'Leave Global Emergency, which an appliance enters by itself: filter and authenticate again',
  example: 'emergency remove',
  effect: 'destructive',
  verb: 'Leave Global Emergency',
  doing: () => say`Leaving Global Emergency`,
  done: () => say`Global Emergency is ${strong('over')}: the proxy filters and authenticates again`,
  preview: async ({ appliance }): Promise<Preview> => {
    const found = await readAuthentication(appliance);
    const emergency = emergencyIn(found);
    const name = strong(appliance.name);
    if (emergency === 'off') {
      return {
        kind: 'nothing',
        why: say`${name} is not in Global Emergency: its proxy authenticates people.`,
      };
    }
    if (emergency === 'on') {
      return {
        kind: 'nothing',
        why: say`${name} is not in Global Emergency but in the emergency mode that people enable. ${code('/appliance emergency disable')} ends it.`,
      };
    }
    const doubt = emergency === 'global' ? say`` : say` ${name} does not show whether it is in it.`;
    return {
      kind: 'ready',
      question: say`Take the proxy of ${name} out of Global Emergency? It filters and authenticates again, and if what drove it there is not mended, people may be cut off.${doubt}`,
      fields: [stateWhenAsked(found)],
      subject: subjectOf(found),
    };
  },
  run: ({ appliance }) => appliance.directory.removeGlobalEmergency(),
  verify: async ({ appliance }, shown) => overOrNot(await readAuthentication(appliance), shown, 'global'),
});

/** What identifies the state: not the numbers, which never stand still. */
function subjectOf(found: Authentication) {
  const status = readIn(found.directory);
  return {
    emergency: emergencyIn(found),
    connected: status?.connected ?? null,
    linked: readIn(found.link)?.linked ?? null,
    atWork: status?.activeDaemons === undefined ? null : status.activeDaemons > 0,
  } satisfies Subject;
}

/** Whether the proxy authenticated people when the card was shown and does not any more, as in an emergency (§3). */
function hasLetGo(found: Authentication, shown: Subject): boolean {
  const now = subjectOf(found);
  return (['connected', 'linked', 'atWork'] as const).some(
    (sign) => shown[sign] === true && now[sign] === false,
  );
}

/** Whether this emergency is over, and whether people can authenticate now that it is. */
function overOrNot(
  found: Authentication,
  shown: Subject,
  mode: Extract<Emergency, 'on' | 'global'>,
): Verification {
  const emergency = emergencyIn(found);
  if (emergency === mode) {
    return { kind: 'not_happened', evidence: say`I read the state back and it is still on.${toldOf(found)}` };
  }
  if (emergency === 'off') {
    return happened(say`I read the state back: the proxy authenticates people.${toldOf(found)}`);
  }
  if (emergency !== 'unclear') {
    return happened(say`I read the state back, but: ${emergencyWords[emergency]}.${toldOf(found)}`);
  }
  return shown.emergency === mode
    ? happened(
        say`I read the state back: it is over. ${strong('But people cannot authenticate yet')}, because the directory is not connected.${toldOf(found)}`,
      )
    : {
        kind: 'not_checkable',
        why: 'the directory is not connected, and nothing that can be read tells an emergency from that',
      };
}

const happened = (evidence: Text): Verification => ({ kind: 'happened', evidence });

/** Nobody ends it by itself, and whoever reads this must know. */
function untilWhen({ until }: Subject): Text {
  const asked = typeof until === 'number' ? say`It was asked for until ${moment(until)}, but ` : say``;
  return say`${asked}${strong('I do not end it by myself')}: press the button below or type ${code('/appliance emergency disable')}.`;
}
