import type { Obstacle } from '../failure.ts';
import type { Envelope } from '../reading/envelope.ts';
import { field, isRecord } from '../reading/envelope.ts';
import { excerptOf } from '../reading/excerpt.ts';
import { obstacleIn } from '../reading/obstacles.ts';
import { accepted, Refusal, type ReplyReader, whole } from '../reading/reply.ts';
import { textOf } from '../reading/said.ts';
import {
  answered,
  component,
  Misfit,
  mapped,
  numberAsText,
  optional,
  record,
  type Shape,
  text,
  truth,
  type Unread,
} from '../reading/shape.ts';

/** The connection to the directory (appliance-api.md §2.9). All numbers are absent when the appliance does not say. */
export interface DirectoryStatus extends Unread {
  /** False when the connection is broken; `info` then explains why. */
  readonly connected: boolean;
  /** Why it is not connected, where the appliance says that it is in such a mode. Hostname and numbers are absent then. */
  readonly mode?: DirectoryMode;
  /** One clean line, '' when nothing. Still hostile text. */
  readonly info: string;
  /** Authentication daemons of the proxy at work. */
  readonly activeDaemons?: number;
  /** How many there may be (§8.2). */
  readonly maxDaemons?: number;
  readonly requestsSent?: number;
  /** Normally as many as were sent. */
  readonly repliesReceived?: number;
  /** Above zero, the directory server is slow. */
  readonly queueLength?: number;
  readonly averageServiceTime?: ServiceTime;
  /** Where a log-in was tried through the proxy, such as "http://www.example.com", and what came of it. Hostile texts. */
  readonly testedUrl?: string;
  readonly testedProxy?: string;
  /** Such as "Success with 200 (OK)". */
  readonly testResult?: string;
}

/** The emergency that people enable, the one that the appliance enters by itself, or the directory is not used at all. */
export type DirectoryMode = 'emergency' | 'global_emergency' | 'feature_off';

/** What elsewhere keeps an appliance from serving a call is told by its status. */
export const directoryModes: readonly (DirectoryMode & Obstacle)[] = [
  'emergency',
  'global_emergency',
  'feature_off',
];

/** A time as the appliance writes it, such as "12 msec". */
export interface ServiceTime {
  readonly text: string;
  /** Absent when the text has another unit or none. */
  readonly milliseconds?: number;
}

/** Whether the proxy is correctly linked to an authentication method (§4.12). */
export interface AuthenticationLink {
  readonly linked: boolean;
  /** One clean line, '' when nothing. Still hostile text. */
  readonly info: string;
}

/** The texts of `/appliance_version` (§2.10); of the first three, those are '' that the appliance does not tell. */
export interface ApplianceVersion {
  readonly major: string;
  /** With the service pack in it. */
  readonly version: string;
  readonly servicePack: string;
  /** The newest hotfix, such as '2021092801' (field notes). */
  readonly hotfix?: string;
  /** The events of the last service pack that was uploaded through the API. */
  readonly latestUpgrade?: string;
  /** Its own name and number, which the document does not know. */
  readonly hostname?: string;
  readonly serial?: string;
}

const serviceTime: Shape<ServiceTime> = mapped(text, (said): ServiceTime => {
  const written = said.trim();
  const number = /^(\d+(?:\.\d+)?)\s*(?:ms|msecs?|milliseconds?)$/i.exec(written)?.[1];
  return { text: written, ...(number === undefined ? {} : { milliseconds: Number(number) }) };
});

const numbers = record({
  activeDaemons: optional('current_daemon', numberAsText, 'Active authentication daemons of the proxy.'),
  maxDaemons: optional('max_daemons', numberAsText, 'The maximum number of them (§8.2).'),
  requestsSent: optional('requests_sent', numberAsText, 'Queries sent to the directory.'),
  repliesReceived: optional(
    'replies_received',
    numberAsText,
    'Answers of the directory, normally as many as the queries.',
  ),
  queueLength: optional(
    'queue_length',
    numberAsText,
    'Waiting queries; above zero, the directory server is slow.',
  ),
  averageServiceTime: optional('avg_service_time', serviceTime, 'With its unit, such as "12 msec".'),
  testedUrl: optional('tested_url', text, 'The address used to test a log-in through the proxy.'),
  testedProxy: optional('tested_proxy', text, 'The proxy used for the test.'),
  testResult: optional('test_credentials_result', text, 'The result, such as "Success with 200 (OK)".'),
});

/**
 * §7.5: a status false is this operation's answer. With Kerberos there is no status at all, and the words tell
 * that the connection is well (field notes).
 */
export const directoryStatus: ReplyReader<DirectoryStatus> = component(
  'DirectoryStatus',
  'The connection to the directory (§2.9). Status false is an answer: it is broken, and Info explains why (§7.5).',
  {
    read(answer) {
      const mode = modeIn(answer.info);
      const connected = mode === undefined && (isWellByWords(answer) || statusOf(answer));
      return {
        connected,
        info: excerptOf(answer.info),
        ...(mode === undefined ? {} : { mode }),
        ...numbers.read(answer.body),
      };
    },
    wire: { allOf: [accepted.wire, numbers.wire] },
  },
);

/**
 * "True or false" (§4.12): alone, as text, or as the status of an envelope. An info that says the opposite of the
 * status shows that the status is not the answer, and then there is none.
 */
export const authenticationLink: ReplyReader<AuthenticationLink> = component(
  'AuthenticationLink',
  'Whether the proxy is correctly linked to an authentication method (§4.12): alone, or as the status of an envelope.',
  {
    read(answer) {
      if (!isRecord(answer.body)) return { linked: truth.read(answer.body), info: '' };
      const linked = statusOf(answer);
      if (answer.info.toLowerCase() === String(!linked)) throw new Misfit('status', `contradicts Info`);
      return { linked, info: excerptOf(answer.info) };
    },
    wire: { anyOf: [{ type: 'boolean', description: 'Whether it is linked.' }, accepted.wire] },
  },
);

/** The words may be a log of several lines. */
const modeIn = (info: string): DirectoryMode | undefined =>
  directoryModes.find((mode) => info.split(/\r?\n/).some((line) => obstacleIn(line.trim()) === mode));

const isWellByWords = ({ status, error, body, info }: Envelope): boolean =>
  status === undefined &&
  error === '' &&
  field(body, 'status') === undefined &&
  /\bconnection seems ok\b/i.test(info);

/** `Error` says why something could not be processed (§7.2): with a text there, a false answers nothing. */
function statusOf({ status, error, body }: Envelope): boolean {
  if (status === false && error !== '') throw new Refusal();
  if (status !== undefined) return status;
  try {
    return truth.read(field(body, 'status'));
  } catch (problem) {
    throw Misfit.under('status', problem);
  }
}

/** Text, or the number 0 (field notes). */
const hotfixText: Shape<string> = { ...text, wire: { type: ['string', 'integer'] } };

/** Lines, a list of lines or anything else; what it says is read later and elsewhere. */
const events: Shape<string> = {
  read: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join('\n') : textOf(value),
  wire: {
    anyOf: [
      { type: 'array', items: { type: 'string', description: 'An event.' } },
      { type: 'string' },
      { type: 'null' },
    ],
  },
};

/** Whatever it is written as. */
const printed: Shape<string> = { read: textOf, wire: { type: ['string', 'integer'] } };

const told = answered(
  record({
    major: optional('major', text, 'The version line, such as "4.50".'),
    version: optional('version', text, 'The version as text, with the service pack in it.'),
    servicePack: optional('service_pack', text, 'The service pack; may be empty.'),
    hotfix: optional('hotfix', hotfixText, 'The newest hotfix, such as "2021092801"; 0 where there is none.'),
    latestUpgrade: optional(
      'latest_upgrade',
      events,
      'The events of the last service pack that was uploaded through the API.',
    ),
    hostname: optional('hostname', printed, 'The name of the appliance, where it tells one.'),
    serial: optional('serial', printed, 'Its serial number, where it tells one.'),
  }),
);

export const applianceVersion: ReplyReader<ApplianceVersion> = whole(
  mapped(
    component('ApplianceVersion', 'The release of the appliance (§2.10).', {
      ...told,
      wire: { allOf: [accepted.wire, told.wire] },
    }),
    ({
      major = '',
      version = '',
      servicePack = '',
      hotfix = '',
      latestUpgrade = '',
      hostname = '',
      serial = '',
    }): ApplianceVersion => ({
      major,
      version,
      servicePack,
      // Where there is none, it is the number 0.
      ...(/^0*$/.test(hotfix.trim()) ? {} : { hotfix }),
      ...(latestUpgrade === '' ? {} : { latestUpgrade }),
      ...(hostname === '' ? {} : { hostname }),
      ...(serial === '' ? {} : { serial }),
    }),
  ),
);
