import type { Insertable } from 'kysely';
import { consentToStore } from '../../src/action/base/consent.ts';
import { shownToStore } from '../../src/action/base/stored.ts';
import { commands } from '../../src/handlers/registry.ts';
import { say } from '../../src/handlers/reply.ts';
import type { Outcome } from '../../src/journal/actions/action.ts';
import { newRow } from '../../src/journal/actions/action-row.ts';
import type { ActionEvent } from '../../src/journal/actions/events.ts';
import type { State } from '../../src/journal/actions/states.ts';
import { newId } from '../../src/journal/id.ts';
import type { Tables } from '../../src/journal/tables.ts';
import { channelId, typist } from '../contestant.ts';

/** Builds the rows of an action (author, place, outcome) as the bot leaves them behind. */

/** People and channels. The first people are everywhere, the last hardly anywhere. */
export interface House {
  readonly people: readonly string[];
  readonly channels: readonly string[];
  readonly appliances: readonly string[];
}

export const house: House = {
  people: Array.from({ length: 400 }, (_, index) => typist(index)),
  channels: Array.from({ length: 60 }, (_, index) => channelId(index)),
  appliances: ['hq', ...Array.from({ length: 24 }, (_, index) => `branch-${index + 2}`)],
};
export const asked = commands.filter(({ kind }) => kind !== 'info');
const [lookups, orders] = ['lookup', 'change'].map((kind) =>
  asked.filter((command) => command.kind === kind),
);

/** The rows of an action that is over, or waits. */
export interface Life {
  readonly action: ReturnType<typeof newRow>;
  readonly events: readonly (ActionEvent & { readonly at: number })[];
  readonly approvals: readonly Row<'approvals'>[];
  readonly timed: readonly Row<'timed_changes'>[];
  readonly tokens: readonly Row<'tokens'>[];
}

type Row<Table extends keyof Tables> = Insertable<Tables[Table]>;
type Chance = () => number;

const minute = 60_000;
const day = 24 * 60 * minute;
/** A change can be undone for so long. */
const undoable = 180 * day;

/** Actions that end one after the other, by changing people. Some changes refer to others: undone ones, and their plans. */
export function lives(
  chance: Chance,
  within: House,
): {
  readonly over: (endsAt: number, until: number) => Life;
  readonly open: (state: 'waiting' | 'planned', at: number) => Life;
} {
  const changes: string[] = [];
  const earlier = () => changes[Math.floor(chance() * changes.length)];

  return {
    over: (endsAt, until) => {
      const isDenied = chance() < 0.03;
      const state: State = isDenied ? 'refused' : chance() < 0.02 ? 'failed' : 'done';
      const code = isDenied ? 'role_missing' : state === 'failed' ? 'unreachable' : 'answered';
      const life = begun(within, chance, endsAt, { state, code, isChange: chance() < 0.2 });
      if (state === 'refused' || life.action.effect === 'read') return life;
      const changed = change(life, chance, earlier, within.people);
      changes[Math.floor(chance() * 1_000)] = changed.action.id;
      return state === 'done' && chance() < 0.1 ? forATime(changed, chance, until) : changed;
    },

    open: (state, at) => {
      const life = agreed(
        begun(within, chance, at, { state: 'done', code: 'answered', isChange: true }),
        chance,
        within.people,
      );
      const action = addition(life.action);
      const open = { state, outcome_json: null, decided_by: null, changed_at: at, recorded: null };
      return {
        ...life,
        approvals: [],
        action: {
          ...{ ...action, ...open, expires_at: at + 30 * day },
          ...(state === 'planned' && { run_at: at + 30 * day, consent_json: null }),
        },
      };
    },
  };
}

function begun(
  { people, channels, appliances }: House,
  chance: Chance,
  at: number,
  { state, code, isChange }: { readonly state: State; readonly code: string; readonly isChange: boolean },
): Life {
  const command = pickEarly((isChange ? orders : lookups) ?? [], chance);
  const appliance = pickEarly(appliances, chance);
  const outcome = { code, says: `${command.summary}: this is how it ended, and so it was told.` };
  const begunAt = at - 400;
  const row = newRow(
    {
      ...{ state: 'done', outcome, team: 'T0BENCH', channel: pickEarly(channels, chance) },
      ...{ person: pickEarly(people, chance), line: command.example, phrase: command.phrase },
      ...{ effect: command.effect, appliance, policy: '9f3ab0c4d511', allowedBy: ['viewer', 'operator'] },
      ...(chance() < 0.05 && { understoodAs: command.example }),
      ...(chance() < 0.05 && { direct: `D0BENCH${Math.floor(chance() * people.length)}` }),
      delivery: `${newId()}${newId()}`.slice(0, 43),
      // Somebody has asked for a site.
      ...(chance() < 0.02 && { request: { site: 'shop.example.net' } }),
    },
    null,
    'bench-1-abcdef',
    begunAt,
  );
  const action = { ...row, state, changed_at: at, card: (begunAt / 1_000).toFixed(6) };
  const events = state === 'refused' ? [] : [requestTo(appliance, at)];
  return { action, events, approvals: [], timed: [], tokens: [] };
}

/** Adds a change's preview, the appliance's answer, its ticket, and what it undoes or is a step of. */
function change(
  life: Life,
  chance: Chance,
  earlier: () => string | undefined,
  people: readonly string[],
): Life {
  const { action } = life;
  const at = action.changed_at;
  const how = chance();
  const more = {
    ...(chance() < 0.1 && { ticket: `CHG-${Math.floor(chance() * 20_000)}` }),
    ...(chance() < 0.05 && { undoes: earlier() ?? null }),
    ...(chance() < 0.03 && { plan: earlier() ?? null, step: 1 }),
    ...(chance() < 0.05 && { run_at: at - 500 }),
    preview_json: JSON.stringify(shown(action)),
  };
  const answered: Life['events'][number] = {
    ...{ kind: 'answered', at },
    content: { appliance: action.appliance, learned: {}, replies: ['It is so now.'], order: 'accepted' },
  };
  const changed: Life = {
    ...life,
    action: { ...action, ...more },
    events: [...life.events, requestTo(action.appliance ?? '', at), answered],
    tokens: action.state === 'done' ? [undoOf(action, at + 60 * minute)] : [],
  };
  if (how < 0.03)
    return { ...changed, action: { ...changed.action, ...notRun('expired') }, events: [], tokens: [] };
  if (how < 0.06)
    return { ...changed, action: { ...changed.action, ...notRun('cancelled') }, events: [], tokens: [] };
  return how < 0.2 ? agreed(changed, chance, people) : changed;
}

/** Adds approvals: the action was asked some minutes before, and others approved it. */
function agreed(life: Life, chance: Chance, people: readonly string[]): Life {
  const { action } = life;
  const token = newId();
  const approver = pickEarly(people, chance);
  const consent = {
    needs: [{ by: ['approver'], count: 1, delegates: false, holders: [approver] }],
    ...{
      requester: false,
      open: 60 * minute,
      reason: 'It has to be so, and here is why.',
      unattended: false,
    },
  };
  const created_at = action.changed_at - 400 - Math.floor(chance() * 30 * minute);
  const given = { action: action.id, question: token, human: approver, person: approver };
  return {
    ...life,
    action: {
      ...{ ...action, token, created_at, decided_by: approver, expires_at: created_at + 60 * minute },
      ...{
        consent_json: JSON.stringify(consentToStore(consent)),
        preview_json: JSON.stringify(shown(action)),
      },
    },
    approvals: [{ ...given, at: action.changed_at - 200 }],
  };
}

/** Adds an end: the change was on for some hours or days, and is on still if it ends after `until`. */
function forATime(life: Life, chance: Chance, until: number): Life {
  const action = addition(life.action);
  const { id, appliance, channel, person, changed_at: at } = action;
  const ends = at + Math.ceil(chance() ** 2 * 3 * day);
  const ended = { at: ends, how: 'ended', says: 'Read back: it is as it was before.' };
  const isOver = ends < until;
  const row: Row<'timed_changes'> = {
    ...{ action: id, appliance: appliance ?? '', subject: id, channel, person, reason: 'for a fair' },
    ...{ started_at: at, ends_at: ends, set_at: at, next_try_at: ends, extensions_json: '[]' },
    ...{ undo_line: `category delete ${siteOf(action)} from 252`, left_json: null },
    ...{ reminded: null, reminder: null, held_by: null, held_since: null },
    ...{ seen: 1, orders: isOver ? 1 : 0, tries: 0, last_problem: null, report: null },
    ...{ state: isOver ? 'over' : 'on', reported: isOver ? 1 : 0, ended_by: null },
    ended_json: isOver ? JSON.stringify(ended) : null,
  };
  return { ...life, action, timed: [row], tokens: [undoOf(action, at + undoable)] };
}

function undoOf({ id, channel, appliance }: Life['action'], until: number): Row<'tokens'> {
  const content = { line: `acl object enable 3 --on ${appliance}`, undo: true, agreed: true };
  return {
    ...{ token: newId(), kind: 'offer', content_json: JSON.stringify(content), person: null, channel },
    ...{ action: id, until, taken_by: null, taken_at: null, became: null, opened: null, searches: 0 },
    ...{ held_by: null, held_since: null },
  };
}

function notRun(state: 'expired' | 'cancelled'): Pick<Life['action'], 'state' | 'outcome_json'> {
  const outcome: Outcome = { code: state, says: 'Nobody agreed in time. No changes were made.' };
  return { state, outcome_json: JSON.stringify(outcome) };
}

const siteOf = ({ id }: Life['action']): string => `${id.toLowerCase().replace(/[^a-z\d]/g, '')}.example.net`;

/** A temporary or planned change is drawn and undone, so it is always the same command, with a site of its own. */
function addition(action: Life['action']): Life['action'] {
  const site = siteOf(action);
  const preview = shownToStore({
    question: say`Add ${site} to category shopping?`,
    fields: [{ name: 'Sites', value: say`${site}` }],
    targets: [
      {
        appliance: action.appliance ?? '',
        args: { site: [site], category: { id: 252, name: 'shopping' } },
        fingerprint: { category: 252, fresh: site, elsewhere: '' },
      },
    ],
  });
  return {
    ...{ ...action, effect: 'write', phrase: 'category add <site>… to <category> [--now]' },
    ...{ line: `category add ${site} to 252`, understood_as: null, preview_json: JSON.stringify(preview) },
    args_json: JSON.stringify({ site: [site], category: '252' }),
  };
}

const shown = ({ appliance, phrase }: Life['action']) =>
  shownToStore({
    question: say`Is this to be done: ${phrase ?? ''}?`,
    fields: [
      { name: 'State', value: say`enabled` },
      { name: 'Used by', value: say`rule Google services are not cached` },
    ],
    targets: [
      { appliance: appliance ?? '', args: { object: { id: 3, name: 'google_sni' } }, fingerprint: { id: 3 } },
    ],
  });

const requestTo = (appliance: string, at: number): Life['events'][number] => ({
  ...{ kind: 'request', at },
  content: {
    ...{ appliance, operation: 'acl.listObjects', effect: 'read', method: 'GET', path: '/acl/objects' },
    ...{ attempt: 1, status: 200, durationMs: 12 },
  },
});

/** The earlier, the likelier: the first twentieth of a list is picked in a good third of all cases. */
const pickEarly = <Item>(items: readonly Item[], chance: Chance): Item => at(items, chance() ** 3);

export const any = <Item>(items: readonly Item[], chance: Chance): Item => at(items, chance());

function at<Item>(items: readonly Item[], share: number): Item {
  const item = items[Math.floor(share * items.length)];
  if (item === undefined) throw new RangeError('There is nothing to pick.');
  return item;
}
