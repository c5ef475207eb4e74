import type { Envelope } from '../reading/envelope.ts';
import { field, isRecord } from '../reading/envelope.ts';
import { excerptOf } from '../reading/excerpt.ts';
import { propertiesOf, Refusal, type ReplyReader, whole } from '../reading/reply.ts';
import { textOf } from '../reading/said.ts';
import {
  answered,
  Misfit,
  mapped,
  numberAsText,
  optional,
  record,
  type Shape,
  text,
  truth,
} from '../reading/shape.ts';
import { lenient, type Unread } from './lenient.ts';

/** The connection to the directory (appliance-api.md §2.9). All numbers are absent when the appliance does not say. */
export interface DirectoryStatus extends Unread {
  /** False when the connection is broken; `info` then explains why. */
  readonly connected: boolean;
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
}

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
  /** The events of the last service pack that was uploaded through the API. */
  readonly latestUpgrade?: string;
}

const serviceTime: Shape<ServiceTime> = mapped(text, (said): ServiceTime => {
  const written = said.trim();
  const number = /^(\d+(?:\.\d+)?)\s*(?:ms|msecs?|milliseconds?)$/i.exec(written)?.[1];
  return { text: written, ...(number === undefined ? {} : { milliseconds: Number(number) }) };
});

const numbers = lenient({
  activeDaemons: optional('current_daemon', numberAsText),
  maxDaemons: optional('max_daemons', numberAsText),
  requestsSent: optional('requests_sent', numberAsText),
  repliesReceived: optional('replies_received', numberAsText),
  queueLength: optional('queue_length', numberAsText),
  averageServiceTime: optional('avg_service_time', serviceTime),
});

const statusWire = { status: { type: 'boolean' }, info: { type: 'string' } };

/** §7.5: a status false is this operation's answer. */
export const directoryStatus: ReplyReader<DirectoryStatus> = {
  read(answer) {
    const connected = statusOf(answer);
    return { connected, info: excerptOf(answer.info), ...numbers.read(answer.body) };
  },
  wire: { type: 'object', properties: { ...statusWire, ...propertiesOf(numbers.wire) } },
};

/**
 * "True or false" (§4.12): alone, as text, or as the status of an envelope. An info that says the opposite of the
 * status shows that the status is not the answer, and then there is none.
 */
export const authenticationLink: ReplyReader<AuthenticationLink> = {
  read(answer) {
    if (!isRecord(answer.body)) return { linked: truth.read(answer.body), info: '' };
    const linked = statusOf(answer);
    if (answer.info.toLowerCase() === String(!linked)) throw new Misfit('status', `contradicts the info`);
    return { linked, info: excerptOf(answer.info) };
  },
  wire: { oneOf: [{ type: 'boolean' }, { type: 'object', properties: statusWire }] },
};

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

/** Lines, a list of lines or anything else; what it says is read later and elsewhere. */
const events: Shape<string> = {
  read: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join('\n') : textOf(value),
  wire: { type: 'string' },
};

export const applianceVersion: ReplyReader<ApplianceVersion> = whole(
  mapped(
    answered(
      record({
        major: optional('major', text),
        version: optional('version', text),
        servicePack: optional('service_pack', text),
        latestUpgrade: optional('latest_upgrade', events),
      }),
    ),
    ({ major = '', version = '', servicePack = '', latestUpgrade = '' }): ApplianceVersion => ({
      major,
      version,
      servicePack,
      ...(latestUpgrade === '' ? {} : { latestUpgrade }),
    }),
  ),
);
