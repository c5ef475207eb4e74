import type { Members } from '../../auth/members.ts';
import { type PolicyInForce, versionOf } from '../../auth/policy.ts';
import { code, plainText, plural, say, strong, type Text } from '../../handlers/reply.ts';
import type { Beat, Journal, Peer } from '../../journal/journal.ts';
import { tolerable } from '../../journal/replicas/shared-clock.ts';
import { policiesAgree, policiesDiffer } from '../../telemetry/events/policy.ts';
import {
  clockOff,
  clockRight,
  evicted,
  replicaCame,
  replicaGone,
  replicaLeft,
} from '../../telemetry/events/replicas.ts';
import type { Log } from '../../telemetry/log.ts';
import { createTellAdmins } from '../authority/admins.ts';
import type { Chat } from '../base/chat.ts';
import type { WorkInFlight } from '../base/work-in-flight.ts';

/** Shows the others that this replica lives, and tells whoever runs the bot what is wrong among them. */
export interface ReplicaWatch {
  /** Resolves to whether this one does what is due by the clock. */
  readonly heartbeat: () => Promise<boolean>;
}

export interface ReplicaWatchParts {
  readonly journal: Pick<Journal, 'heartbeat' | 'others' | 'replica' | 'writeReload'>;
  readonly policy: PolicyInForce;
  readonly members: Pick<Members, 'openGroups'>;
  readonly chat: Pick<Chat, 'notify'>;
  readonly log: Log;
  readonly now: () => number;
  readonly later: WorkInFlight['later'];
}

/** With a clock that is off by more milliseconds than this, a replica leaves to others what is due by it. */
const far = 10_000;
/** So near it must come before it is called right again, in milliseconds: one on the edge is told of once. */
const near = 1_000;
/** A changed policy file reaches one replica after the other: so long they may differ, in milliseconds. */
const arriving = 30_000;

export function createReplicaWatch({
  journal,
  policy,
  members,
  chat,
  log,
  now,
  later,
}: ReplicaWatchParts): ReplicaWatch {
  const tellAdmins = createTellAdmins({ policy, members, chat, log });
  const tell = (headline: Text, items: readonly Text[] = []) =>
    tellAdmins({
      headline,
      ...(items.length > 0 && { details: [{ kind: 'list', items }] }),
    });
  let clock: 'right' | 'off' | 'far' = 'right';
  let differingSince: number | undefined;
  /** What the admins know of the policies; undefined where they are taken for the same. */
  let known: string | undefined;
  /** The others, and whether each was taking what comes when it was seen last. */
  let peers: ReadonlyMap<string, boolean> = new Map();

  return {
    heartbeat: async () => {
      const beat = await journal.heartbeat({ policy: versionOf(policy.current()) });
      const others = await journal.others();
      if (beat.wasEvicted) {
        log.tell(evicted);
      }
      watchOthers(others);
      watchClock(beat);
      watchPolicies(others);
      return isTimely(beat, others);
    },
  };

  /** One that stops says before that it takes nothing more. */
  function watchOthers(others: readonly Peer[]): void {
    const before = peers;
    peers = new Map(others.map(({ id, isTaking }) => [id, isTaking]));
    for (const replica of peers.keys()) if (!before.has(replica)) log.tell(replicaCame, { peer: replica });
    for (const [replica, wasTaking] of before)
      if (!peers.has(replica)) log.tell(wasTaking ? replicaGone : replicaLeft, { peer: replica });
  }

  function watchClock({ clockAhead }: Beat): void {
    if (clockAhead === undefined) return;
    const off = Math.abs(clockAhead);
    const isOff = off > (clock === 'right' ? tolerable : near);
    const is = !isOff ? 'right' : off > far ? 'far' : 'off';
    if (is === clock) return;
    const before = clock;
    clock = is;
    if (is === 'right') {
      log.tell(clockRight);
      later(() => tell(say`The clock of ${strong(journal.replica)} is right again.`));
      return;
    }
    log.tell(clockOff, { aheadMs: Math.round(clockAhead) });
    // On its way back it is told when it has arrived.
    if (before === 'far') return;
    const seconds = plural(Math.round(off / 1_000), 'second');
    const side = clockAhead > 0 ? 'ahead of' : 'behind';
    const consequence =
      is === 'far'
        ? ' Reminders, ends and whatever else is due by the clock it leaves to other replicas.'
        : '';
    later(() =>
      tell(
        say`The clock of ${strong(journal.replica)} is ${seconds} ${side} the database’s. It uses the database’s clock until this is fixed; synchronize both with NTP.${consequence}`,
      ),
    );
  }

  function watchPolicies(others: readonly Peer[]): void {
    const all = [{ id: journal.replica, policy: versionOf(policy.current()) }, ...others].flatMap((one) =>
      one.policy === undefined ? [] : [{ id: one.id, policy: one.policy }],
    );
    if (new Set(all.map((one) => one.policy)).size === 1) {
      differingSince = undefined;
      if (known !== undefined) later(() => sayThatTheyAgree(all));
      known = undefined;
      return;
    }
    differingSince ??= now();
    const lines = all
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map((one) => say`${strong(one.id)} has ${code(one.policy)}`);
    const which = lines.map(plainText).join('\n');
    if (which === known || now() - differingSince < arriving) return;
    known = which;
    later(() => sayThatTheyDiffer(lines));
  }

  /** By one of them: all see the same. */
  async function sayThatTheyDiffer(lines: readonly Text[]): Promise<void> {
    const told = lines.map(plainText);
    log.tell(policiesDiffer, { policies: told });
    if (!(await journal.writeReload({ outcome: 'differing', told }))) return;
    await tell(
      say`Replicas of the bot decide by different policies, so the same line may be allowed at one and refused at another. Give all of them the same policy file.`,
      lines,
    );
  }

  async function sayThatTheyAgree([first]: readonly { readonly policy: string }[]): Promise<void> {
    const told = [`All replicas decide by policy ${first?.policy}.`];
    log.tell(policiesAgree);
    if (!(await journal.writeReload({ outcome: 'agreed', told }))) return;
    await tell(say`All replicas of the bot decide by the same policy again.`);
  }
}

/** Where no clock is right, the one that is least off counts: what must end would not end otherwise. */
function isTimely({ clockAhead = 0 }: Beat, others: readonly Peer[]): boolean {
  const off = Math.abs(clockAhead);
  return off <= far || others.every((other) => Math.abs(other.clockAhead ?? 0) >= off);
}
