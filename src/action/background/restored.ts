import type { Members } from '../../auth/members.ts';
import { plainText } from '../../handlers/reply.ts';
import { leadsTo, type State } from '../../journal/actions/states.ts';
import type { Generation, Lost } from '../../journal/journal.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
import { journalRestored, nobodyToldOfRestore } from '../../telemetry/events/journal.ts';
import type { Log } from '../../telemetry/log.ts';
import { adminsOf } from '../authority/admins.ts';
import { ChatRefused, type Press, type Stamped } from '../base/chat.ts';
import { changeOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { endWithRecord } from '../history/end-record.ts';
import { recordIn } from '../history/recorder.ts';
import { notifyPerson, postOnce } from '../showing/messages.ts';
import { lookAt } from '../timed/look.ts';
import type { Fault } from '../wording/faults.ts';
import { type Reread, restoredLine, restoredNotice } from '../wording/restored.ts';

/**
 * Whether the journal knows all that was said: after a restore from a backup it does not, and cannot tell that by itself.
 * What the bot has said tells it, each time that it starts and before it changes a message from before that.
 */
export interface RestoreCheck {
  /**
   * Resolves to whether that is known by now, and what was lost is told. While the chat does not answer it is not known; what ends or
   * records anything waits for it.
   */
  readonly isDone: () => Promise<boolean>;
  /** The same, as far as it was found out. */
  readonly isKnown: () => boolean;
  /** Why a click does nothing: its message was said by a journal that is no more, and nobody knows what its button stands for. */
  readonly isLost: (press: Press) => Promise<Fault | undefined>;
}

/** So many channels are looked through, and so many cards that wait. */
const most = { channels: 5, cards: 10 };

export function createRestoreCheck(
  parts: Parts & { readonly members: Pick<Members, 'openGroups'>; readonly log: Log },
): RestoreCheck {
  const { journal, chat, generations, ahead, authority, members, outbox, log, now } = parts;
  /** What the journal knew when it was opened. Whatever is said from now on is later. */
  let known: number | undefined;
  let isChecked = false;
  let checking: Promise<boolean> | undefined;

  return {
    isKnown: () => isChecked,

    isLost: async ({ channel, direct, card, thread, token, whispered }) => {
      const knownUntil = await generations.restoredUntil();
      if (knownUntil === 0 && (await generations.current()).number === 1) return undefined;
      if (whispered || (await journal.byToken(token)) !== undefined) return undefined;
      if ((await journal.kept(token)) !== undefined) return undefined;
      const seen = await chat.stamps({ channel: direct ?? channel, card: thread }, card);
      const stamp = seen.kind === 'read' ? seen.messages[0]?.stamp : undefined;
      const isLost = stamp !== undefined && (await generations.standing(stamp)) === 'lost';
      return isLost ? { code: 'not_in_journal', knownUntil, now: now() } : undefined;
    },

    isDone: async () => {
      if (isChecked && ahead.found() === undefined) return true;
      checking ??= check().finally(() => {
        checking = undefined;
      });
      return checking;
    },
  };

  async function check(): Promise<boolean> {
    generations.refresh();
    known ??= await journal.newestMoment();
    const lost = await look(known);
    if (lost === 'try_later') return false;
    if (lost !== undefined) await begin(lost);
    isChecked = true;
    return true;
  }

  /** What was said and is not known; undefined where that is nothing. */
  async function look(knownUntil: number): Promise<Lost | undefined | 'try_later'> {
    const recent = await journal.recent(100);
    const { channels, audit } = authority.policy();
    const used = recent.filter(({ effect }) => effect !== 'read').map(({ channel }) => channel);
    const spoken = [...new Set([...used, ...Object.keys(channels)])].slice(0, most.channels);
    const places = [...new Set([...(audit?.channel === undefined ? [] : [audit.channel]), ...spoken])];
    const seen = await Promise.all(places.map((channel) => chat.stamps({ channel })));
    if (seen.some(({ kind }) => kind === 'try_later')) return 'try_later';
    const messages = seen.flatMap((one) => (one.kind === 'read' ? one.messages : []));
    const there = new Set(messages.map(({ ts }) => ts));
    try {
      for (const { channel, card, ...action } of recent
        .filter(({ state, card }) => state === 'waiting' && card !== undefined && !there.has(card))
        .slice(0, most.cards)) {
        if (card !== undefined) await ahead.isAhead({ channel }, card, { ...action, action: action.id });
      }
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      return 'try_later';
    }
    const record = await lostRecordIn(messages);
    const found = ahead.take();
    const later = [
      ...(found === undefined ? [] : [found.at ?? knownUntil]),
      ...(record === undefined ? [] : [record.at]),
      ...(await Promise.all(messages.map((one) => laterThan(knownUntil, one)))).flat(),
    ];
    return later.length === 0 ? undefined : { knownUntil, saidUntil: Math.max(...later), record };
  }

  /** When it was said, where the journal should know of it and does not. A lookup that a power cut has taken back proves nothing. */
  async function laterThan(knownUntil: number, { stamp }: Stamped): Promise<readonly number[]> {
    const { action, at = 0, isChange, state } = stamp;
    const standing = await generations.standing(stamp);
    if (standing === 'foreign') return [at];
    if (standing !== 'own' || !isChange || at <= knownUntil) return [];
    // Another replica may have written it down and said it since.
    const current = action === undefined ? undefined : await journal.byId(action);
    if (current === undefined) return [at];
    // Where the clock was set back, what is known of it since bears an earlier hour.
    return current.changedAt >= at || isPast(state, current.state) ? [] : [at];
  }

  /** The newest record that the audit channel was told of, where the journal does not have it. */
  async function lostRecordIn(
    messages: readonly Stamped[],
  ): Promise<(NonNullable<Lost['record']> & { readonly at: number }) | undefined> {
    for (const { stamp } of messages) {
      const record = recordIn(stamp.key);
      if (record === undefined) continue;
      const standing = await generations.standing(stamp);
      const isThere =
        standing === 'lost' ||
        (standing !== 'foreign' && (await journal.hasRecord(record.seq, record.digest)));
      return isThere ? undefined : record;
    }
    return undefined;
  }

  async function begin(lost: Lost): Promise<void> {
    const generation = await generations.begin(lost);
    // Another replica has noticed it, too, and tells it.
    if (generation === undefined) return;
    const timed = await reread(parts);
    const { headline, points } = restoredNotice({ generation, timed }, now());
    log.tell(journalRestored, { ...lost, generation, told: [headline, ...points].map(plainText) });
    await tell(generation, { headline, details: [{ kind: 'list', items: points }] });
  }

  async function tell(generation: Generation, said: Parameters<typeof notifyPerson>[1]): Promise<void> {
    const { audit } = authority.policy();
    const admins = await members.openGroups([...adminsOf(authority.policy())]);
    if (admins.length === 0) log.tell(nobodyToldOfRestore);
    const anchor =
      audit?.channel === undefined
        ? []
        : [
            postOnce(`restored-${generation.id}`, audit.channel, {
              headline: restoredLine(generation, now()),
            }),
          ];
    await outbox.send(...admins.map((one) => notifyPerson(one, said)), ...anchor);
  }
}

/** Whether what stood so has moved on since: a clock that was set back has given what came then an earlier hour. */
const isPast = (said: State | undefined, current: State): boolean =>
  said !== undefined && said !== current && leadsTo(said, current);

/** Nobody asks for it: it is only looked. */
const nobody = { id: '', person: '', channel: '' };

/**
 * Reads anew what the journal believes to be on for a time, and whether there is more of the kind than it knows: for when it
 * has slept through something. What is seen to be over is over.
 */
async function reread(
  parts: Pick<Parts, 'appliances' | 'commandByPhrase' | 'contexts' | 'journal'>,
): Promise<readonly Reread[]> {
  const { appliances, commandByPhrase, journal } = parts;
  const found: Reread[] = [];
  const known = await journal.timedChanges();
  for (const row of known) {
    const { appliance: name, endsAt, seen } = row;
    const action = await journal.byId(row.action);
    const timed = action && changeOf(commandByPhrase, action)?.timed;
    const appliance = appliances.get(name);
    if (action === undefined || timed === undefined || appliance === undefined) continue;
    const looked = await lookAt(parts, appliance, action, timed, seen);
    if (looked?.kind === 'over') {
      const ended = { how: 'found', says: plainText(looked.evidence) } as const;
      await endWithRecord(parts, action, row, ended);
    }
    const state = looked?.kind === 'lasts' ? 'on' : looked?.kind === 'over' ? 'over' : 'unclear';
    found.push({ appliance: name, name: timed.name, state, endsAt });
  }
  for (const [name, appliance] of appliances) {
    if (known.some((one) => one.appliance === name && !isPutBack(one))) continue;
    for (const command of commandByPhrase.values()) {
      const timed = command.kind === 'change' ? command.timed : undefined;
      if (timed === undefined) continue;
      const looked = await lookAt(parts, appliance, nobody, timed, false);
      if (looked?.kind === 'lasts') {
        found.push({ appliance: name, name: timed.name, state: 'unknown', endsAt: undefined });
      }
    }
  }
  return found;
}
