import { NoSuchButton, NotThere, personIn } from '../../../sandbox/person.ts';
import type { Message } from '../../../sandbox/workspace/protocol.ts';
import { usablesOf } from '../../../sandbox/workspace/seen/usables.ts';
import { type LineKind, type LineKindName, lineKinds } from './lines.ts';
import type { Click, Reading, TypedLine } from './testimony.ts';
import type { RandomWorld } from './world.ts';

/** People who type lines, press what they are shown and fill in what they are asked, and who remember all that they could read. */
export interface Load {
  /** Somebody types the next line. */
  readonly type: () => void;
  /** Everybody presses the buttons that they still wait for. */
  readonly press: () => void;
  readonly typed: readonly TypedLine[];
  readonly clicks: readonly Click[];
  readonly read: readonly Reading[];
  /** Whether somebody would still press something that is there. */
  readonly hasClicksLeft: () => boolean;
  readonly stop: () => void;
}

/** A person's plan for a line. */
interface Wish {
  readonly number: number;
  readonly channel: string;
  readonly labels: readonly { readonly label: string; readonly person: string }[];
  /** Pressed by two at once. */
  readonly isDouble: boolean;
  /** Messages with buttons. */
  readonly cards: Map<string, Message>;
  done: number;
  /** The message on which it was pressed, how often, and when last. */
  pressed: { readonly ts: string; readonly tries: number; readonly at: number } | undefined;
}

const firstNumber = 1_000_000;
const numberIn = /(?<!\d)1\d{6}(?!\d)/;
/** When somebody presses again what has not gone away, in milliseconds, and how often. */
const again = { after: 2_500, most: 6 };

export function createLoad(world: RandomWorld, random: () => number, takesMinutes: boolean): Load {
  const { workspace, askers, approvers, guests, channels } = world;
  const typed: TypedLine[] = [];
  let next = firstNumber;
  const clicks: Click[] = [];
  const read: Reading[] = [];
  const wishes = new Map<number, Wish>();
  const pick = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)] as One;
  /** People who have a form open: they do nothing else. */
  const busy = new Set<string>();
  const everybody = [...askers, ...approvers, ...guests];
  const personOf = new Map(everybody.map((id) => [workspace.direct(id).id, id]));

  const note = (reading: Omit<Reading, 'at'>) => read.push({ at: Date.now(), ...reading });
  const stop = workspace.onChange((change) => {
    if (change.type === 'view') {
      const view = workspace.snapshot(change.user).views.at(-1);
      if (view !== undefined) note({ id: view.id, channel: '', to: change.user, text: textOf(view.view) });
    }
    if (change.type === 'deleted') note({ id: change.ts, channel: change.channel, text: '' });
    if (change.type !== 'message' && change.type !== 'changed' && change.type !== 'ephemeral') return;
    const { message } = change;
    if (message.user !== workspace.botUserId) return;
    const to = message.ephemeral_to ?? personOf.get(message.channel);
    const text = `${message.text}\n${textOf(message.blocks ?? [])}`;
    const thread = message.thread_ts;
    note({
      ...{ id: message.ts, channel: message.channel, text },
      ...(thread !== undefined && { thread }),
      ...(to !== undefined && { to }),
      labels: usablesOf(message.blocks ?? []).flatMap(({ names }) => names[0] ?? []),
    });
    wishes.get(Number(numberIn.exec(text)?.[0]))?.cards.set(message.ts, message);
  });

  async function type(): Promise<void> {
    const number = next;
    next += 1;
    const drawn = kindAt(random() * 100);
    const isTooLong = 'takesMinutes' in lineKinds[drawn] && !takesMinutes;
    const kind = isTooLong ? 'lookup' : drawn;
    const declared: LineKind = lineKinds[kind];
    seedAppliance(world, kind, number);
    const operator = pick(askers.filter((one) => declared.form === undefined || !busy.has(one)));
    const guest = pick(guests);
    const person = declared.by === 'guest' ? guest : operator;
    const channel = pick(channels);
    const pressers = { approver: pick(approvers), operator };
    const chance = random();
    const labels =
      chance < 0.1
        ? [{ label: 'Cancel', person }]
        : chance < 0.2
          ? []
          : (declared.clicks ?? []).map(({ label, by }) => ({
              label,
              person: by === undefined ? person : pressers[by],
            }));
    const isDouble = random() < 0.2;
    const isSent = random() < 0.8;
    wishes.set(number, {
      ...{ number, channel, labels, isDouble, cards: new Map() },
      ...{ done: 0, pressed: undefined },
    });
    const index = typed.length;
    const line = declared.line(number);
    const one = { number, person, channel, line, at: Date.now(), isAcknowledged: false };
    typed.push(one);
    if (declared.form !== undefined) busy.add(person);
    const text = `${declared.isMention ? '@appliance-bot' : '/appliance'} ${line}`;
    const acted = await workspace.act({ act: 'type', as: person, channel, text });
    // A message that nobody acknowledges comes again.
    typed[index] = { ...one, isAcknowledged: acted.ok };
    if (declared.form !== undefined) {
      if (acted.ok) await fillIn(person, one, declared.form, isSent);
      busy.delete(person);
    }
  }

  /** Waits for the form, fills it in and sends it, or closes it. */
  async function fillIn(
    person: string,
    { number, channel }: TypedLine,
    values: Readonly<Record<string, string>>,
    isSent: boolean,
  ): Promise<void> {
    const opened = () =>
      read.some(({ to, channel, text }) => to === person && channel === '' && text.includes(`${number}`));
    for (let tries = 0; tries < 20 && !opened(); tries += 1) await sleepShortly();
    const who = personIn(workspace, { idle: async () => undefined }, person);
    try {
      if (isSent) {
        await who.fill(values);
        const sent = typed.length;
        const one = { number, person, channel, line: `the form of ${number}`, at: Date.now() };
        typed.push({ ...one, isAcknowledged: false });
        const acted = await who.submit();
        // A form with an error has answered.
        typed[sent] = { ...one, isAcknowledged: acted.ok && who.form() === undefined };
      }
      if (who.form() !== undefined) await who.dismiss();
    } catch (error) {
      // No form came, or it went.
      if (!(error instanceof NotThere || error instanceof NoSuchButton)) throw error;
    }
  }

  const sleepShortly = () => new Promise((resolve) => setTimeout(resolve, 100));

  const isOver = ({ labels, done, pressed }: Wish) =>
    done >= labels.length || (pressed?.tries ?? 0) >= again.most;

  /** On the newest message that has it; once it was pressed, on that one only. */
  function buttonFor({ cards, labels, done, pressed }: Wish) {
    const wanted = labels[done];
    if (wanted === undefined) return undefined;
    for (const message of [...cards.values()].toReversed()) {
      const usable = usablesOf(message.blocks ?? []).find(({ names }) => names[0] === wanted.label);
      const isThere = pressed === undefined || pressed.ts === message.ts;
      if (usable !== undefined && isThere) return { message, usable, ...wanted };
    }
    return undefined;
  }

  function press(): void {
    for (const wish of wishes.values()) {
      if (isOver(wish)) continue;
      const found = buttonFor(wish);
      const { pressed } = wish;
      if (found === undefined) {
        // The pressed button has gone, so the click has worked.
        if (pressed !== undefined) Object.assign(wish, { done: wish.done + 1, pressed: undefined });
        continue;
      }
      if (Date.now() - (pressed?.at ?? 0) < again.after) continue;
      const { message, usable, label, person } = found;
      wish.pressed = { ts: message.ts, tries: (pressed?.tries ?? 0) + 1, at: Date.now() };
      const click = () => {
        clicks.push({ number: wish.number, person, label, at: Date.now() });
        return workspace.act({
          ...{ act: 'use', as: person, block_id: usable.blockId, action_id: usable.actionId, value: {} },
          container: { kind: 'message', channel: message.channel, ts: message.ts },
        });
      };
      void click();
      if (wish.isDouble) void click();
    }
  }

  return {
    ...{ typed, clicks, read, press, stop },
    type: () => void type(),
    hasClicksLeft: () => [...wishes.values()].some((wish) => !isOver(wish) && buttonFor(wish) !== undefined),
  };
}

function kindAt(percent: number): LineKindName {
  let sum = 0;
  for (const [name, { share }] of Object.entries(lineKinds)) {
    sum += share;
    if (percent < sum) return name as LineKindName;
  }
  return 'lookup';
}

/** Puts the object of the line on the appliance before somebody types it. */
function seedAppliance({ appliance: { state } }: RandomWorld, kind: LineKindName, number: number): void {
  const first = <Kept>(all: ReadonlyMap<number, Kept>): Kept => [...all.values()][0] as Kept;
  const { sessions, policies, members } = state.rdp;
  if (kind === 'disconnect' || kind === 'rehearsed' || kind === 'planned')
    sessions.set(number, { ...first(sessions), id: number });
  if (kind === 'disable' || kind === 'remove' || kind === 'temporary' || kind === 'plan')
    policies.set(number, { ...first(policies), id: number, name: `Policy-${number}`, enabled: 1 });
  if (kind === 'password') members.set(number, { ...first(members), id: number, username: `user-${number}` });
  if (kind === 'request') state.analysis.troubles.set(`host-${number}.example`, 'proxy_denies');
  if (kind === 'object' || kind === 'plan') {
    const one = { ...first(state.acl.objects), id: number, name: `object-${number}`, enabled: true };
    state.acl.objects.set(number, one);
  }
}

/** Everything that can be read in it, in its order; not what programs read. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('\n');
  if (typeof value !== 'object' || value === null) return '';
  const all = Object.entries(value).flatMap(([name, part]) =>
    typeof part === 'string' ? (name === 'text' || name === 'alt_text' ? [part] : []) : [textOf(part)],
  );
  return all.filter(Boolean).join('\n');
}
