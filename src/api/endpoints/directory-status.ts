import type { Obstacle } from '../failure.ts';
import { Misfit } from '../reading/bounds.ts';
import { type Envelope, field, isRecord } from '../reading/envelope.ts';
import { excerptOf } from '../reading/excerpt.ts';
import { obstacleIn } from '../reading/obstacles.ts';
import { accepted, Refusal, type ReplyReader, whole } from '../reading/reply-reader.ts';
import { textOf } from '../reading/said.ts';
import {
  answered,
  component,
  mapped,
  numberAsText,
  optional,
  record,
  type Shape,
  text,
  truth,
  type Unread,
} from '../reading/shape.ts';

/** The connection to the directory (appliance-api.md §2.9). Numbers are absent if not reported. */
export interface DirectoryStatus extends Unread {
  /** False if the connection is broken; `info` then explains why. */
  readonly connected: boolean;
  /** The mode that explains a missing connection, if reported. Hostname and numbers are then absent. */
  readonly mode?: DirectoryMode;
  /** One clean line, '' if empty. Still hostile text. */
  readonly info: string;
  /** Running authentication daemons of the proxy. */
  readonly activeDaemons?: number;
  /** Their maximum (§8.2). */
  readonly maxDaemons?: number;
  readonly requestsSent?: number;
  /** Normally as many as were sent. */
  readonly repliesReceived?: number;
  /** Above zero, the directory server is slow. */
  readonly queueLength?: number;
  readonly averageServiceTime?: ServiceTime;
  /**
   * The address of a test login through the proxy, such as "http://www.example.com". Hostile text, like the
   * result.
   */
  readonly testedUrl?: string;
  readonly testedProxy?: string;
  /** Such as "Success with 200 (OK)". */
  readonly testResult?: string;
}

/** An emergency enabled by people, one entered by the appliance itself, or an unused directory. */
export type DirectoryMode = 'emergency' | 'global_emergency' | 'feature_off';

/** For other calls these are obstacles; here they are part of the status. */
export const directoryModes: readonly (DirectoryMode & Obstacle)[] = [
  'emergency',
  'global_emergency',
  'feature_off',
];

/** A time as the appliance writes it, such as "12 msec". */
export interface ServiceTime {
  readonly text: string;
  /** Absent if the text has another unit or none. */
  readonly milliseconds?: number;
}

/** Whether the proxy is correctly linked to an authentication method (§4.12). */
export interface AuthenticationLink {
  readonly linked: boolean;
  /** One clean line, '' when nothing. Still hostile text. */
  readonly info: string;
}

/** The texts of `/appliance_version` (§2.10). The first three are '' if not reported. */
export interface ApplianceVersion {
  readonly major: string;
  /** Including the service pack. */
  readonly version: string;
  readonly servicePack: string;
  /** The newest hotfix, such as '2021092801' (field notes). */
  readonly hotfix?: string;
  /** The events of the last service pack that was uploaded through the API. */
  readonly latestUpgrade?: string;
  /** The appliance's own name and serial number, which are undocumented. */
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
 * §7.5: a status false is this operation's answer. With Kerberos there is no status, and the words say that the
 * connection is well (field notes).
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
 * "True or false" (§4.12): alone, as text, or as the status of an envelope. If the info contradicts the status,
 * the status is not the answer, and there is none.
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

/** `Error` states why something could not be processed (§7.2), so with a text there a false is no answer. */
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

/** Lines, a list of lines or other content; interpreted later. */
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

/** Accepts any form. */
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
      // Without a hotfix, it is the number 0.
      ...(/^0*$/.test(hotfix.trim()) ? {} : { hotfix }),
      ...(latestUpgrade === '' ? {} : { latestUpgrade }),
      ...(hostname === '' ? {} : { hostname }),
      ...(serial === '' ? {} : { serial }),
    }),
  ),
);
