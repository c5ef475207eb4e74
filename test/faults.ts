import type { Fault } from '../src/action/wording/faults.ts';
import {
  Aborted,
  type ApplianceFailure,
  BadArgument,
  ConnectionLost,
  DefectiveBuild,
  Empty,
  HttpStatus,
  IncompleteList,
  NotAvailable,
  NotConfigured,
  NotJson,
  type Obstacle,
  Redirected,
  Refused,
  TimedOut,
  TooLarge,
  UnexpectedReply,
  Unreachable,
  UploadFailed,
  Withheld,
} from '../src/api/index.ts';
import type { Denial } from '../src/auth/decide.ts';
import type { ApprovalRule } from '../src/auth/policy.ts';
import { commands, match } from '../src/handlers/registry.ts';
import { say } from '../src/handlers/reply.ts';
import type { State } from '../src/journal/actions/states.ts';
import type { Action } from '../src/journal/journal.ts';
import { type JournalTrouble, journalTroubles } from '../src/journal/unavailable.ts';

const rule = {
  by: ['approver'],
  count: 1,
  requester: false,
  notNeeded: [],
  notPossible: [],
} as never as ApprovalRule;
const way = {
  command: 'rdp disconnect',
  needed: [{ role: 'operator', holders: new Set(['U2']) }],
  elsewhere: ['C2'],
};
const cornered = { command: 'rdp disconnect', needed: [], elsewhere: [] };
const held = ['viewer'];
const limits = [{ where: { category: [252] } }] as never;

export const denials: readonly Denial[] = [
  { code: 'channel_not_served', elsewhere: ['C2'] },
  ...(['bot', 'deactivated'] as const).map((code): Denial => ({ code })),
  ...(['person', 'group', 'channel'] as const).map((lookup): Denial => ({ code: 'lookup_failed', lookup })),
  ...(['off', 'person', 'place', 'appliance', 'longest', 'for_good'] as const).map(
    (why): Denial => ({ code: 'self_service', why, longest: 3_600_000 }),
  ),
  ...[way, cornered].flatMap((out): Denial[] => [
    { code: 'guest', ...out },
    { code: 'other_organisation', ...out },
    { code: 'shared_channel', ...out },
    { code: 'role_missing', held, ...out },
    { code: 'role_missing', held: [], ...out },
    { code: 'argument', held, limits, ...out },
    { code: 'appliance', held, limits, counted: true, ...out },
  ]),
];

const obstacles: Readonly<Record<Obstacle, true>> = {
  ...{ certificate_expired: true, certificate_early: true, certificate_name: true },
  ...{ certificate_authority: true, certificate_pin: true, client_certificate_missing: true },
  ...{ client_certificate_refused: true, proxy_login: true, proxy_refused: true, proxy_away: true },
  ...{ tls_wanted: true, tls_unknown: true, tls_refused: true, other_protocol: true },
  ...{ malformed_http: true, long_headers: true, compressed: true, address: true, key_missing: true },
  ...{ key_not_sent: true, key_refused: true, login: true, login_refused: true, login_page: true },
  ...{ mirror_address: true, service_off: true, feature_off: true, emergency: true },
  ...{ global_emergency: true, crashed: true, access_check: true, unknown_call: true },
  ...{ index_corrupted: true, shell_off: true, shell_password_unset: true },
  ...{ shell_password_wrong: true, method: true, in_between: true },
};

const asked = { operation: 'rdp.state', sent: 'yes', excerpt: '<html>' } as const;
const failures: readonly ApplianceFailure[] = [
  new ConnectionLost('ECONNRESET', asked),
  new HttpStatus(502, asked),
  new Redirected(302, asked),
  new TooLarge(4 * 1024 * 1024, asked),
  new NotJson(asked, true),
  new NotJson(asked, false),
  new Empty(asked),
  new UnexpectedReply('', 'has no list', asked),
  new UnexpectedReply('', 'has more than 50000 things', asked, true),
  new IncompleteList('listed only 5 of 12 members', asked),
  new Refused('', asked),
  new DefectiveBuild({ problem: 'counts backwards', remedy: 'install SP4' }, asked),
  new NotAvailable('4.50 SP4', '4.60', asked),
  new NotConfigured('url', asked),
  new NotConfigured('shellPassword', asked),
  new BadArgument('name', 'is empty', asked),
  new UploadFailed('it ended early', asked),
  new Aborted(asked),
  new Withheld(asked),
  new TimedOut('read', 10_000, { operation: 'rdp.state', sent: 'maybe' }),
  new Refused('no licence', { operation: 'rdp.state', sent: 'yes' }),
  new Unreachable('ECONNREFUSED', { operation: 'rdp.state' }),
  ...Object.keys(obstacles).map(
    (obstacle) => new Unreachable('seen', { operation: 'rdp.state' }, obstacle as Obstacle),
  ),
];

const misread = [
  ...[
    'foo bar baz',
    'x'.repeat(3_000),
    'make coffee',
    'rdp',
    'acl object',
    'acl object frobnicate',
    'vlan stop',
  ],
  ...['rdp disconnect', 'rdp disconnect abc', 'rdp disconnect 12 --nope', 'status --at 22:00'],
  ...['sql user create crm --password geheim123', 'rdp restart now', 'example.com', 'move', 'category add'],
].flatMap((line) => {
  const found = match(line);
  return found.kind === 'command' ? [] : [{ line, match: found, may: () => true }];
});

const states: readonly State[] = [
  'waiting',
  'cancelled',
  'expired',
  'planned',
  'approved',
  'running',
  'done',
];
const actions = states.map(
  (state) =>
    ({
      ...{ state, id: 'a', line: 'rdp disconnect 12', person: 'U1', channel: 'C1', card: '1.2' },
      ...{ createdAt: 0, changedAt: 0, runAt: 5, outcome: { code: 'done', says: 'It is done.' } },
    }) as Action,
);
const thing = { appliance: 'hq', what: 'a session', word: '12' };
const choice = { word: '13', name: 'thirteen', hint: undefined, line: 'rdp disconnect 13' };
const taken = { takenBy: 'U2' } as never;
const kinds = ['line', 'lookup', 'history', 'change', 'click', 'decision', 'form', 'search', 'home'] as const;
const window = { name: 'closing', reason: 'month end', until: 9, except: ['admin'], followedBy: ['night'] };

/** Facts of every fault, so that each of its sentences is seen at least once. A fault without any does not compile. */
const samples: {
  readonly [Code in Fault['code']]: readonly Omit<Extract<Fault, { code: Code }>, 'code'>[];
} = {
  not_understood: misread,
  denied: denials.flatMap((denial) => ['C1', 'D1'].map((channel) => ({ channel, denial, capable: [] }))),
  appliance: failures.flatMap((failure) =>
    (['lookup', 'preview'] as const).map((stakes) => ({ appliance: 'hq', failure, stakes })),
  ),
  nothing_to_act_on: [{ why: say`It is off already.` }],
  no_such_thing: [
    { ...thing, choices: [] },
    { ...thing, choices: [choice] },
  ],
  which_one: [
    { ...thing, choices: [choice, choice] },
    { ...thing, choices: [] },
  ],
  no_such_person: [true, false].map((isAsked) => ({ word: 'bob', isAsked })),
  which_person: [
    { word: 'bob', choices: ['bob', 'bobby'].map((name) => ({ label: name, line: `can @${name} status` })) },
  ],
  no_such_target: [
    { problem: { code: 'none_named', allowed: ['hq'] } },
    { problem: { code: 'appliance_unknown', name: 'hw', nearest: ['hq'], allowed: ['hq'] } },
    { problem: { code: 'appliance_not_allowed', name: 'branch', allowed: ['hq'] } },
    { problem: { code: 'tag_unknown', tag: 'prod', tags: [] } },
    { problem: { code: 'tag_unknown', tag: 'prod', tags: ['test'] } },
  ] as never,
  on_no_appliance: [
    { faults: ['hq', 'branch'].map((appliance) => ({ appliance, fault: { code: 'stopping' } as const })) },
  ],
  file: [{ why: 'The file is empty.' }],
  lines_refused: [
    {
      asked: { command: commands[0], typed: {} } as never,
      argument: 'site',
      lines: [{ file: 'a.txt', line: 1, word: 'x', problem: { code: 'not_a_domain' } }] as never,
    },
  ],
  plan_refused: (['typed', 'rest', 'undos'] as const).flatMap((gathers) =>
    [true, false].map((forOthers) => ({
      ...{ gathers, forOthers, of: 2 },
      lines: [{ number: 1, text: 'status', fault: { code: 'stopping' } as const }],
    })),
  ),
  not_in_a_plan: [{ why: say`This only looks something up.` }],
  offer_gone: [{ taken: undefined }, { taken }],
  not_your_offer: [{}],
  result_gone: [{}],
  no_thread: [{}],
  not_yours: [{ asker: 'U1', verb: 'Disconnect' }],
  not_yours_to_withdraw: [{ asker: 'U1' }],
  not_yours_to_cancel: [{ asker: 'U1' }],
  not_yours_to_move: [{ asker: 'U1' }],
  already: actions.map((action) => ({ action, clicker: 'U2' })),
  card_gone: [{}],
  not_in_journal: [{ knownUntil: 0, now: 5 }],
  already_running: actions.map((action) => ({ action })),
  stopping: [{}],
  edited: [{}],
  own_request: (['asker', 'other_account', 'for_site'] as const).map((as) => ({ as })),
  not_an_approver: [
    { roles: ['approver'], people: [] },
    { roles: ['approver'], people: ['U2'] },
  ],
  asker_denied: denials.map((denial) => ({ asker: 'U1', denial, channel: 'C1' })),
  approved_already: [true, false].map((other) => ({ other })),
  approver_unknown: [{ approver: 'U1' }],
  approver_gone: [{ people: ['U1'] }],
  approval_gone: [{ people: [] }, { people: [{ person: 'U1', why: say`it is gone` }] }],
  approval_changed: [{}],
  approval_not_possible: [
    { rule: { ...rule, notPossible: [{ days: [5, 6], from: 0, to: 60 }] }, timeZone: 'UTC' },
  ],
  reason_wanted: [undefined, 'no', 'x'.repeat(600)].map((given) => ({ given, rule, line: 'status' })),
  no_approver: [
    { rule, elsewhere: [] },
    { rule, elsewhere: ['C2'] },
  ],
  approved_for_another: [{ line: 'status' }],
  break_glass_off: [{}],
  break_glass_planned: [{}],
  break_glass_role: [{ role: 'admin', people: [] }],
  form_not_opened: [{}, { button: 'Deny' }],
  ticket_wanted: [undefined, 'moved' as const, 'due' as const].map((planned) => ({
    ...{ tickets: undefined, line: 'rdp disconnect 12', planned, given: planned && 'x' },
  })),
  only_asking: [{}],
  not_member: [{}],
  not_enabled: [{}],
  lookup_failed: [{}],
  frozen: [undefined, 7].map((ends) => ({ frozen: window, ends, timeZone: 'UTC' })),
  no_such_window: [[], ['night']].map((windows) => ({ name: 'nigth', windows })),
  window_never: [{ name: 'night' }],
  start_past: [{ typed: '8:00', at: 0, nearest: '9:00', now: 5 }],
  time_unclear: [[], ['fri 8:00'], ['fri 8:00', 'sat 8:00']].map((choices) => ({
    ...{ typed: { option: 'at', text: 'friday' }, count: 2, choices },
  })),
  start_far: [{ typed: 'in 200d' }],
  ends_first: [{ starts: 5, ends: 3, now: 1 }],
  too_many: kinds.flatMap((kind) =>
    [
      { kind, most: 2 },
      { kind, most: 2, again: 5 },
    ].map((excess) => ({
      ...{ excess: excess as never, lines: ['status', undefined] },
    })),
  ),
  click_under_way: [{}],
  too_many_requests: (['open', 'asked'] as const).flatMap((kind) =>
    [undefined, 'C1'].map((ofWorkflowsIn) => ({
      ...{ excess: { kind, most: 2, again: 5, ofWorkflowsIn } as never, line: 'status' },
    })),
  ),
  cannot_post: [
    ...['busy_channel', 'slack_away', 'is_archived', 'not_in_channel', 'access_denied', 'msg_too_long'],
    ...['invalid_blocks', 'restricted_action_x', 'fatal_error'],
  ].flatMap((reason) => [
    { reason },
    { reason, isOrder: true as const },
    { reason, waits: { mayStand: true, until: undefined, isToken: false } },
    { reason, waits: { mayStand: false, until: 5, isToken: false } },
    { reason, waits: { mayStand: false, until: undefined, isToken: true } },
    { reason, waits: { mayStand: false, until: undefined, isToken: false } },
  ]),
  journal_unavailable: Object.keys(journalTroubles).map((trouble) => ({
    trouble: trouble as JournalTrouble,
  })),
  internal: [{ reference: 'a1' }, {}],
  form_over: [{}],
  form_sent: [{ at: 5 }],
  form_not_yours: [{}],
  form_outdated: [{ command: 'rdp restart' }],
  unreadable: [{}],
  no_appliance: [{ appliance: 'hq' }],
  secret_forgotten: [{}],
  ended: [{ until: 5, now: 5 }],
  too_late: [
    { at: 5, cause: [] },
    { at: 5, cause: say`It did not answer.` },
  ],
  window_changed: [{ window: 'night' }],
  preview_changed: [undefined, 'clicker' as const, 'approvers' as const].map((asks) => ({
    ...(asks && { asks }),
  })),
  interrupted: (
    ['answering', 'running', 'clicked', 'sending', 'typed', 'pressed', 'submitted'] as const
  ).flatMap((moment) => ['status', ''].map((line) => ({ while: moment, line, form: line, at: 5 }))),
  step_incomplete: [{ missing: ['website'] }],
  step_changes_nothing: [{ line: 'status' }],
  step_for_people: [{ line: 'status' }],
  step_too_many: [{ most: 5, channel: 'C1' }],
  step_waited: [{}],
  step_lost: [{}],
  step_stopping: [{}],
  no_such_plan: [{ plan: 'P-1' }],
};

/** Every fault of the catalogue, with facts that show each of its sentences. */
export const everyFault: readonly Fault[] = Object.entries(samples).flatMap(([code, facts]) =>
  (facts as readonly object[]).map((one) => ({ ...one, code }) as Fault),
);
