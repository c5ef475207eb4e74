/** Refusals that real appliances send in `info`, with HTTP 200; they say nothing about the thing that was asked. */
const fieldRefusals = [
  'Your IP address [203.0.113.9] is not allowed to perform this operation',
  'Category service disabled on this server',
  'Proxy Service is not enabled',
  'Fatal error while checking security accesses ( see syslog messages ).',
  'Process crashed! size:0 bytes',
  'Feature not enabled, Aborting',
  'Unable to understand foo command',
] as const;

/**
 * Every way to misbehave, one entry a kind. The types, the accepted input and the words on the page follow from this
 * table. The module imports nothing, so that the page can hold it too.
 */
export const kinds = {
  slow: {
    group: 'Late, or never',
    label: 'Slow',
    says: 'Nothing happens for a while; then everything does.',
    happens: true,
    options: { ms: number('Milliseconds', 3000, 0, 600_000, { unit: 'ms' }) },
  },
  hang: {
    group: 'Late, or never',
    label: 'No answer',
    says: 'The connection stays open and silent.',
    happens: true,
    options: {},
  },
  later: {
    group: 'Late, or never',
    label: 'Done later',
    says: 'Answers success at once, and carries the order out so much later by its clock.',
    happens: true,
    options: { ms: number('Milliseconds', 60_000, 0, 3_600_000, { unit: 'ms' }) },
  },
  stale: {
    group: 'Late, or never',
    label: 'Old answer',
    says: 'Answers for so long from a copy of what was so when this was set.',
    happens: true,
    options: {
      ms: number('Milliseconds', 60_000, 0, 3_600_000, {
        unit: 'ms',
        offered: [4_000, 10_000, 60_000, 300_000],
      }),
    },
  },
  reset: {
    group: 'Late, or never',
    label: 'Broken connection',
    says: 'The connection breaks in the middle of the answer.',
    happens: true,
    options: {},
  },
  empty: {
    group: 'A damaged answer',
    label: 'Empty answer',
    says: 'HTTP 200 with nothing in it, or with no more than two braces.',
    happens: true,
    options: { body: text('Body', '', ['', '{}']) },
  },
  broken_json: {
    group: 'A damaged answer',
    label: 'JSON cut off',
    says: 'The answer ends before its last brace.',
    happens: true,
    options: {},
  },
  huge: {
    group: 'A damaged answer',
    label: 'Huge answer',
    says: 'The answer goes on and on, without a length given before.',
    happens: true,
    options: { bytes: number('Bytes', 10_000_000, 1, 2_000_000_000, { unit: 'bytes' }) },
  },
  text: {
    group: 'A damaged answer',
    label: 'Plain text',
    says: 'A few words as text/plain, no JSON.',
    happens: true,
    options: { text: text('Text', 'Command executed') },
  },
  html: {
    group: 'A damaged answer',
    label: 'A page instead of JSON',
    says: 'The page of the web console, with HTTP 200.',
    happens: true,
    options: {},
  },
  content_type: {
    group: 'A damaged answer',
    label: 'Wrong content type',
    says: 'The right JSON, sent as text/html.',
    happens: true,
    options: {},
  },
  casing: {
    group: 'Another shape than the document says',
    label: 'Wrong casing',
    says: 'Status comes as status and status as STATUS, and so with every key, nested ones too.',
    happens: true,
    options: {},
  },
  stringly: {
    group: 'Another shape than the document says',
    label: 'Everything is a string',
    says: 'Numbers and booleans come as strings: "12", "True".',
    happens: true,
    options: {},
  },
  nulls: {
    group: 'Another shape than the document says',
    label: 'Null instead of lists',
    says: 'null stands where an array belongs, or what is keyed by number.',
    happens: true,
    options: {},
  },
  empty_lists: {
    group: 'Another shape than the document says',
    label: 'Empty lists',
    says: 'Every list comes without its entries.',
    happens: true,
    options: {},
  },
  cut_lists: {
    group: 'Another shape than the document says',
    label: 'Lists cut off',
    says: 'Of a long list come the first entries, with Total and Next; the others cannot be had.',
    happens: true,
    options: { entries: number('Entries', 5, 1, 100_000, { unit: 'entries' }) },
  },
  paged: {
    group: 'Another shape than the document says',
    label: 'Lists in pages',
    says: 'A long list comes in pages, with Total, Page, and Next for the address of the next.',
    happens: true,
    options: { entries: number('Entries', 5, 1, 100_000, { unit: 'entries' }) },
  },
  twice: {
    group: 'Another shape than the document says',
    label: 'Every entry twice',
    says: 'Every entry of a list comes twice.',
    happens: true,
    options: {},
  },
  missing_status: {
    group: 'Another shape than the document says',
    label: 'No status key',
    says: 'The answer does not say whether it is a success.',
    happens: true,
    options: {},
  },
  extra_keys: {
    group: 'Another shape than the document says',
    label: 'Extra keys',
    says: 'Every object has keys that no document names.',
    happens: true,
    options: {},
  },
  status: {
    group: 'Refused',
    label: 'HTTP error',
    says: 'This HTTP status, with a page in HTML, or with these words in plain text.',
    happens: false,
    options: {
      status: number('HTTP status', 500, 400, 599, {
        offered: [400, 401, 403, 404, 405, 500, 502, 503, 504],
      }),
      text: text('Plain text', '', ['', 'Forbidden', 'Method Not Allowed']),
    },
  },
  redirect: {
    group: 'Refused',
    label: 'Redirect to the login page',
    says: 'HTTP 302 with the address of the login page.',
    happens: false,
    options: { to: text('Location', '/login') },
  },
  refuse: {
    group: 'Refused',
    label: 'Refused with a reason',
    says: 'HTTP 200 and Status false, with this reason.',
    happens: false,
    options: {
      error: text('Error text', 'operation not permitted', fieldRefusals),
      key: text('Key of the reason', '', ['', 'info', 'Info']),
    },
  },
  licence: {
    group: 'Refused',
    label: 'Licence expired',
    says: 'Status false, because the enterprise licence has expired.',
    happens: 'never',
    options: {},
  },
  zdate: {
    group: 'Refused',
    label: 'Fails near zdate',
    says: 'Status false with a syntax error near zdate, as the builds before 2026-09-23 answer.',
    happens: 'never',
    options: {},
    // appliance-api.md §4.1 rule 3: only these ever failed like this.
    only: ['GET /proxy/acls/record/enable/{itemId}', 'GET /proxy/acls/record/disable/{itemId}'],
  },
  clock: {
    group: 'A lie',
    label: 'Wrong clock',
    says: 'Every time of day in the answer is off by so many hours.',
    happens: true,
    options: { hours: number('Hours', 5, -1_000, 1_000, { unit: 'hours' }) },
  },
  identity: {
    group: 'A lie',
    label: 'Another appliance',
    says: 'The answer names another host, serial number or service pack.',
    happens: true,
    options: {
      hostname: text('Host name', 'gw-2.corp.example'),
      serial: text('Serial number', ''),
      service_pack: text('Service pack', ''),
    },
  },
  forget: {
    group: 'A lie',
    label: 'Forgets the change',
    says: 'Answers success and changes nothing.',
    happens: 'never',
    options: {},
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** The description of a kind. */
export interface Kind {
  /** The heading of its group in a list. */
  readonly group: string;
  readonly label: string;
  /** One sentence about the effect. */
  readonly says: string;
  /**
   * Whether the order is carried out although its answer is faulty, unless the fault's `happens` says otherwise. A
   * careful client must survive that case. 'never': the order is not carried out, and no fault can change that.
   */
  readonly happens: boolean | 'never';
  readonly options: Readonly<Record<string, NumberOption | TextOption>>;
  /** The only operations that can fail so; without it, all can. */
  readonly only?: readonly string[];
}

export interface NumberOption {
  readonly type: 'number';
  readonly label: string;
  readonly default: number;
  readonly from: number;
  readonly to: number;
  /** The unit behind the number; absent for a number that is a name, such as an HTTP status. */
  readonly unit?: string;
  /** The values that matter; others are possible. */
  readonly offered?: readonly number[];
}

export interface TextOption {
  readonly type: 'text';
  readonly label: string;
  readonly default: string;
  /** The values that matter; others are possible, unless it says that these are all. */
  readonly offered?: readonly string[];
  readonly isClosed?: true;
}

export type FaultKind = keyof typeof kinds;

type Options<Name extends FaultKind> = (typeof kinds)[Name]['options'];

/** A way to misbehave, with its options: `{ kind: 'slow', ms: 200, times: 1 }`. See `kinds`. */
export type Fault = {
  [Name in FaultKind]: {
    readonly kind: Name;
    /** For how many requests; without it, until it is cleared. */
    readonly times?: number;
  } & {
    readonly [Option in keyof Options<Name>]?: Options<Name>[Option] extends NumberOption ? number : string;
  } & ((typeof kinds)[Name]['happens'] extends boolean
      ? /** Whether the order is carried out. The default is that of the kind. */ {
          readonly happens?: boolean;
        }
      : unknown);
}[FaultKind];

/** Whether an order that meets the fault is carried out. */
export function happensUnder(fault: Fault): boolean {
  const { happens }: Kind = kinds[fault.kind];
  if (happens === 'never') return false;
  return ('happens' in fault ? fault.happens : undefined) ?? happens;
}

/** A fault in a few words: `Slow, 3,000 ms`. */
export function wordsFor(fault: Fault): string {
  const { label, options, happens }: Kind = kinds[fault.kind];
  const given = new Map<string, unknown>(Object.entries(fault));
  const values = Object.entries(options).flatMap(([name, option]) => {
    const value = given.get(name) ?? option.default;
    if (option.type === 'text') return value === '' ? [] : [`“${value}”`];
    return option.unit === undefined ? String(value) : `${Number(value).toLocaleString('en')} ${option.unit}`;
  });
  const carriedOut = happensUnder(fault);
  const unusual = happens !== 'never' && carriedOut !== happens;
  return [
    label,
    ...values,
    ...(unusual ? [carriedOut ? 'order carried out' : 'order not carried out'] : []),
  ].join(', ');
}

function number(
  label: string,
  standard: number,
  from: number,
  to: number,
  more: Pick<NumberOption, 'unit' | 'offered'> = {},
): NumberOption {
  return { type: 'number', label, default: standard, from, to, ...more };
}

function text(label: string, standard: string, offered?: readonly string[]): TextOption {
  return { type: 'text', label, default: standard, ...(offered && { offered }) };
}

/** Faults of single calls by their names in the field; made of the kinds above, for tests that try all of them. */
export const fieldFaults = {
  /** The appliance refuses the question: without effect, and without a word on the object. */
  refusal: { kind: 'refuse', error: fieldRefusals[1], key: 'info', times: 1 },
  crash: { kind: 'refuse', error: fieldRefusals[4], key: 'info', times: 1 },
  html: { kind: 'status', status: 500, times: 1 },
  html404: { kind: 'status', status: 404, times: 1 },
  empty: { kind: 'empty', times: 1 },
  braces: { kind: 'empty', body: '{}', times: 1 },
  /** With an `ms` beyond the client's timeout, the order is carried out after the client has left. */
  late: { kind: 'slow', times: 1 },
  'done-but-false': { kind: 'refuse', error: fieldRefusals[4], key: 'info', happens: true, times: 1 },
  cut: { kind: 'reset', times: 1 },
  /** True, and nothing is done. */
  forgets: { kind: 'forget', times: 1 },
  /** True, and done a minute later. */
  'done-later': { kind: 'later', ms: 60_000, times: 1 },
  /** Questions are answered from a cache; orders are carried out at once. */
  'stale-4': { kind: 'stale', ms: 4_000 },
  'stale-10': { kind: 'stale', ms: 10_000 },
  'stale-60': { kind: 'stale', ms: 60_000 },
  'stale-300': { kind: 'stale', ms: 300_000 },
  'lists-empty': { kind: 'empty_lists' },
  'lists-null': { kind: 'nulls' },
  'lists-cut': { kind: 'cut_lists', entries: 5 },
  'lists-paged': { kind: 'paged', entries: 5 },
  'lists-twice': { kind: 'twice' },
  'clock-ahead': { kind: 'clock', hours: 5 },
  'clock-behind': { kind: 'clock', hours: -5 },
  'other-host': { kind: 'identity', hostname: 'gw-2.corp.example' },
  'other-serial': { kind: 'identity', hostname: '', serial: 'SN-4711-02' },
  'other-service-pack': { kind: 'identity', hostname: '', service_pack: '206' },
} as const satisfies Readonly<Record<string, Fault>>;
