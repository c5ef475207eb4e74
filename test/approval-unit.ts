import { createAlarm } from '../src/action/approval/alarm.ts';
import { plannedFor } from '../src/action/authority/asked-of.ts';
import { askerOf, termsFor } from '../src/action/authority/terms.ts';
import type { Button, Card } from '../src/action/base/chat.ts';
import type { After } from '../src/action/base/timeout.ts';
import { type Confirmation, createConfirmation } from '../src/action/change/confirmation.ts';
import { createPlannedChanges, createRunAtItsTime } from '../src/action/due/due.ts';
import { createParts } from '../src/action/ground/ground.ts';
import { createDryRuns } from '../src/action/lookup/dry-run.ts';
import { createLookups, targetsAmong } from '../src/action/lookup/lookup.ts';
import { createEndNotRun } from '../src/action/planned/not-run.ts';
import { explain } from '../src/action/wording/faults.ts';
import { type Appliance, Unreachable } from '../src/api/index.ts';
import { flag, identifier } from '../src/handlers/argument.ts';
import type { AnyCommand } from '../src/handlers/command.ts';
import { change, lookup } from '../src/handlers/declare.ts';
import { plainText, say } from '../src/handlers/reply.ts';
import type { Action, Journal } from '../src/journal/journal.ts';
import { channel, everybody, idOf, minute, policyFor, rule, type Setting } from './approval-policy.ts';
import { type InMemory, inMemory, withoutInfos, withoutPlans } from './in-memory.ts';

/** The command that is asked for: drop session 12, unless the test says otherwise. */
interface Wish {
  readonly sessions?: readonly number[];
  readonly look?: boolean;
  readonly reason?: string;
  readonly accessRequest?: boolean;
  readonly breakGlass?: boolean;
  readonly on?: readonly string[];
  /** Milliseconds until its planned time; it may run for ten minutes. */
  readonly planned?: number;
}

/**
 * A request from the asking to the run, with journal, people and chat in memory. The test stands in for the appliance,
 * which names the session's user, and only notes what would run.
 */
export interface ApprovalUnit extends InMemory {
  /** Session 12: its preview, and hooks for its previews and its end. */
  readonly session: {
    owner: string | undefined;
    isReachable: boolean;
    whileLooking: () => unknown;
    whileDropping: () => unknown;
  };
  /** All that waits for a time hears that it is over. */
  readonly timeOut: () => void;
  readonly confirmation: Confirmation;
  readonly journal: Journal;
  /** The actions that ran, with the requester of each. */
  readonly ran: Action[];
  /** Replaces a part of the policy. */
  readonly change: (part: Partial<Setting>) => void;
  /** Resolves to the state of the new action, or to its obstacle. All other calls are about this action. */
  readonly ask: (by: string, wish?: Wish) => Promise<string>;
  /** Its card, as everybody sees it now, and what its buttons carry. */
  readonly card: () => Card;
  readonly token: () => string;
  readonly action: () => Promise<Action>;
  /** The people who have approved the current question. */
  readonly approvers: () => Promise<readonly string[]>;
  /** A click, without a look at the clock. `token` belongs to an earlier version of the card. */
  readonly click: (by: string, button: Button['press'], token?: string) => Promise<void>;
  /** Resolves to the reason of a click without effect, or to the state of the action. */
  readonly press: (by: string, button: Button['press'], token?: string) => Promise<string>;
  readonly approve: (by: string, token?: string) => Promise<string>;
  /** Presses Deny and gives this reason; resolves like a click, or to what becomes of the form. */
  readonly deny: (by: string, reason: string, meanwhile?: () => unknown, token?: string) => Promise<string>;
  readonly withdraw: (by: string) => Promise<string>;
  /** Ends what is overdue, as every look at the clock does. */
  readonly tick: () => Promise<void>;
  /** Runs what is planned and due, as every look at the clock does. */
  readonly runPlanned: () => Promise<void>;
  /** The newest private message to this person. */
  readonly toldLast: (person: string) => string;
}

export async function approvalUnit(given: Partial<Setting> = {}): Promise<ApprovalUnit> {
  let setting: Setting = { rules: [rule()], lists: everybody, more: {}, ...given };
  const session: ApprovalUnit['session'] = {
    ...{ owner: 'bob.miller', isReachable: true },
    whileLooking: () => undefined,
    whileDropping: () => undefined,
  };
  const { drop, list } = commandsAbout(session);
  // These commands want no more of it than its name, and its release has everything.
  const appliances = ['hq', 'branch'].map(
    (name) => ({ name, identity: async () => undefined, probe: () => ({ name }) }) as unknown as Appliance,
  );
  const edges = await inMemory({ policy: policyFor(setting), commands: [drop, list], appliances });
  const { policy, seen } = edges;
  const parts = createParts(await edges.ground('one'));
  const { authority, journal } = parts;
  const timers = new Set<() => void>();
  const after: After = (_, callback) => {
    timers.add(callback);
    return () => timers.delete(callback);
  };
  const ran: Action[] = [];
  const lookups = createLookups({ ...parts, after });
  const confirmation = createConfirmation({
    ...{ ...parts, after, alarm: createAlarm(parts), lookups, dryRuns: createDryRuns(parts) },
    infos: withoutInfos,
    gathering: withoutPlans,
    run: async (_, running) => {
      ran.push(running);
      await session.whileDropping();
      await journal.move(running, 'done', { outcome: { code: 'checked', says: 'It is dropped.' } });
    },
  });
  const endNotRun = createEndNotRun(parts);
  const { obstacle, begin } = confirmation;
  const runAtItsTime = createRunAtItsTime({ gathering: withoutPlans, ...parts, obstacle, begin, endNotRun });
  const underWay: Promise<void>[] = [];
  const plannedChanges = createPlannedChanges({ ...parts, runAtItsTime, endNotRun }, (task) => {
    underWay.push(task());
  });
  let asked = '';
  const action = async (): Promise<Action> => {
    const found = await journal.byId(asked);
    if (found === undefined) throw new Error('Nothing was asked');
    return found;
  };
  const card = (): Card => {
    const found = [...seen.cards.values()].findLast((one) => one.action === asked);
    if (found === undefined) throw new Error('There is no card');
    return found;
  };

  const refusalsOf = async (person: string): Promise<readonly string[]> =>
    (await journal.eventsOf(asked)).flatMap(({ kind, content }) => {
      const { person: by, code } = Object(content);
      return kind === 'click_refused' && by === person ? [String(code)] : [];
    });

  const token = () => card().question?.token ?? 'There are no buttons';

  const click: ApprovalUnit['click'] = (by, button, buffered = token()) => {
    const of = { team: 'T1', channel, person: idOf(by), card: card().card ?? '1' };
    // With the approver's private preview on their screen.
    return confirmation.press({
      ...of,
      button,
      token: buffered,
      trigger: by,
      ...(button === 'approve' && { whispered: true, detail: 'seen' }),
    });
  };

  const press: ApprovalUnit['press'] = async (by, button, buffered) => {
    const person = idOf(by);
    const before = await refusalsOf(person);
    const told = seen.whispers.length;
    await click(by, button, buffered);
    const refused = (await refusalsOf(person))[before.length];
    const isUnknown = seen.whispers
      .slice(told)
      .some(({ said }) => plainText(said.headline) === unknownButtons);
    return refused ?? (isUnknown ? 'card_gone' : (await action()).state);
  };

  return {
    ...edges,
    timeOut: () => {
      for (const callback of timers) callback();
    },
    ...{ session, confirmation, journal, ran, card, token, action, click, press },
    change: (part) => {
      setting = { ...setting, ...part };
      policy.replace(policyFor(setting));
    },

    ask: async (by, wish = {}) => {
      const {
        look = false,
        sessions = [12],
        reason,
        accessRequest = false,
        breakGlass = false,
        on = ['hq'],
        planned,
      } = wish;
      const at = edges.clock.at + (planned ?? 0);
      const start = planned === undefined ? undefined : { at, latest: at + 10 * minute };
      const about: AnyCommand = look ? list : drop;
      const args = look ? {} : { session: sessions, ...(breakGlass && { 'break-glass': true }) };
      const line = look ? 'session list' : `session drop ${sessions.join(' ')}`;
      const of = { team: 'T1', channel, person: idOf(by), line };
      const written = await journal.write({
        ...{ ...of, args, state: 'asked', phrase: about.phrase, effect: about.effect },
        appliance: on.join(),
      });
      asked = written.id;
      const terms = await termsFor(
        authority,
        {
          ...askerOf({ ...of, ...(accessRequest && { accessRequest }) }),
          ...{ access: 'run', reason, line, ticket: undefined, takesBack: false, ends: undefined },
        },
        on.map((name) => ({
          command: about,
          args,
          appliances: [name],
          lasts: 'forGood',
          planned: plannedFor(start),
        })),
      );
      if (terms.kind === 'fault') {
        await parts.whisper(of, explain(terms.fault));
        return terms.fault.code;
      }
      const resolutions = appliances
        .filter(({ name }) => on.includes(name))
        // Each command takes the arguments that were put together above.
        .map(
          (appliance) =>
            ({ appliance, result: { ok: true, resolved: { appliance, args: args as never } } }) as const,
        );
      const consent = terms.kind === 'consent' ? terms.consent : undefined;
      if (about.kind === 'change')
        await confirmation.propose(of, written, about, {
          resolutions,
          consent,
          term: undefined,
          lasts: () => 'forGood',
          start,
        });
      else if (about.kind === 'lookup' && consent !== undefined) {
        const { targets, left } = targetsAmong(about, resolutions);
        await confirmation.request(of, written, about, targets, left, consent);
      }
      return (await action()).state;
    },

    approvers: async () => {
      const { id, token = '' } = await action();
      return (await journal.approvalsOf(id, token)).map(({ person }) => person.slice(2).toLowerCase());
    },

    approve: (by, buffered) => press(by, 'approve', buffered),
    withdraw: (by) => press(by, 'cancel'),

    deny: async (by, reason, meanwhile, buffered) => {
      const forms = [...seen.forms];
      const pressed = await press(by, 'deny', buffered);
      const opened = seen.forms.find((one) => one.by === by && !forms.includes(one));
      if (opened === undefined) return pressed;
      await meanwhile?.();
      const entered = { words: { reason: [reason] }, files: {} };
      const form = { team: 'T1', person: idOf(by), token: opened.form.token, entered };
      const settled = await confirmation.submit(form);
      if (settled?.kind !== 'closed') return settled?.kind ?? 'another form';
      await settled.follow();
      return (await action()).state;
    },

    tick: async () => {
      await confirmation.expireOverdue(100);
      await parts.outbox.tick();
    },

    runPlanned: async () => {
      await plannedChanges.tick();
      // A task may add another one while it finishes.
      while (underWay.length > 0) await Promise.all(underWay.splice(0));
    },

    toldLast: (person) => {
      const told = seen.whispers.findLast((one) => one.person === idOf(person));
      return told === undefined ? '' : plainText(told.said.headline);
    },
  };
}

const unknownButtons = plainText(explain({ code: 'card_gone' }).headline);

function commandsAbout(session: ApprovalUnit['session']) {
  const drop = change({
    ...{ kind: 'change', effect: 'destructive', verb: 'Drop' },
    phrase: 'session drop <session>… [--break-glass]',
    args: { session: identifier('a session', '12'), 'break-glass': flag('alone') },
    ...{ summary: '', example: '' },
    doing: () => say`Dropping it`,
    done: () => say`It is dropped`,
    preview: async () => {
      await session.whileLooking();
      const { owner, isReachable } = session;
      if (!isReachable) throw new Unreachable('ECONNREFUSED', { operation: 'test' });
      if (owner === undefined) return { kind: 'nothing', why: say`There is no session 12.` };
      return {
        kind: 'ready',
        question: say`Drop session 12 of ${owner}?`,
        fields: [],
        fingerprint: { owner },
      };
    },
    run: () => Promise.reject(new Error('It is only noted here')),
    verify: { notCheckable: 'it is not run' },
  });
  const list = lookup({
    ...{ kind: 'lookup', effect: 'read', phrase: 'session list', args: {}, summary: '', example: '' },
    answer: async () => ({ headline: say`One session, of ${session.owner ?? 'nobody'}` }),
  });
  return { drop, list };
}
