import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { actionables } from '../../sandbox/workspace/actionables.ts';
import { allBlocks } from '../../sandbox/workspace/attachment.ts';
import { readingOf } from '../../sandbox/workspace/plain/reading.ts';
import type { Message } from '../../sandbox/workspace/protocol.ts';
import { words } from '../../sandbox/workspace/seen/usables.ts';
import { bodyLines } from '../../sandbox/workspace/transcript.ts';
import { formIn } from '../../src/action/showing/form-buttons.ts';
import { offerIn } from '../../src/action/showing/kept-offer.ts';
import { readButton } from '../../src/bot/rendering/render.ts';
import { nameOf } from '../../src/handlers/command-name.ts';
import { lineOf } from '../../src/handlers/language/asked.ts';
import { commandByPhrase } from '../../src/handlers/registry.ts';
import { type Conversation, converse } from '../conversation.ts';
import { ordersTo } from '../orders.ts';
import type { Line } from './lines.ts';
import { commandIn, type Shown } from './polarity.ts';

/** The result of a line. */
export interface Heard {
  /** The bot's answer to the person, without the addresses in it and without the typed line. */
  readonly text: string;
  /** The kind of line that the bot took it for. */
  readonly kind: string;
  /** Commands that were run, whatever came of them. */
  readonly ran: readonly Shown[];
  /** Its card, or its form. */
  readonly asked: readonly Shown[];
  /** Behind buttons, or as lines to type. The first is what is offered first. */
  readonly offered: readonly Shown[];
  /** The texts of the buttons. */
  readonly labels: readonly string[];
  /** Whether somebody can agree to what waits. */
  readonly canApprove: boolean;
  /** The changes, in the words of `Line.becomes`; `order:…` where those have none. */
  readonly changed: readonly string[];
}

/** Types lines, each into a bot where nothing has happened but its situation. */
export interface Stage {
  readonly hear: (line: Line) => Promise<Heard>;
  readonly close: () => Promise<void>;
}

export function openStage(): Stage {
  /** Conversations that no line has changed since, by situation. */
  const houses = new Map<Line['situation'], Conversation>();
  return {
    hear: async (line) => {
      const house = houses.get(line.situation) ?? (await begin(line.situation));
      houses.set(line.situation, house);
      const { heard, isStained } = await typeInto(house, line);
      if (isStained) {
        houses.delete(line.situation);
        await house.stop();
      }
      return heard;
    },
    close: async () => {
      await Promise.all([...houses.values()].map((house) => house.stop()));
    },
  };
}

/** A Thursday at 2:00 in the bot's time zone: every time that a situation names is still to come. */
const night = Date.UTC(2026, 10, 19, 2);

/** Lines that bob has typed before, and their channel. */
const situations = {
  temporary: {
    channel: 'helpdesk',
    lines: [
      'acl object disable google_sni --for 2h',
      'category add canva.com to personal_allowed --for 4h',
      'rdp policy unlink member contractor.acme from Contractors --for 1h',
      'rdp policy enable "Legacy access" --for 3h',
      'rdp target disable srv-web-02 --at 23:00',
      'watch status',
      'watch disk',
      'plan rdp target disable srv-cad-01; rdp target disable srv-cad-02',
    ],
  },
  // Emergency mode waits for carol's approval.
  emergency: {
    channel: 'incident',
    lines: ['emergency enable --for 30m --reason "directory down"'],
  },
} as const;

/** @throws Error when a line of the situation did not do what it is there for */
async function begin(situation: Line['situation']): Promise<Conversation> {
  const house = await converse({ from: night });
  if (situation === undefined) return house;
  const { channel, lines } = situations[situation];
  for (const line of lines) {
    await house.type(`/appliance ${line}`, 'bob', channel);
    const state = standing(house).actions.at(-1)?.state ?? 'unknown';
    if (!['done', 'waiting', 'planned'].includes(state)) throw new Error(`${line} is ${state}`);
  }
  return house;
}

async function typeInto(
  house: Conversation,
  line: Line,
): Promise<{ readonly heard: Heard; readonly isStained: boolean }> {
  const { workspace } = house;
  const person = workspace.people.find(({ name }) => name === line.as);
  if (person === undefined) throw new TypeError(`There is no ${line.as}`);
  const look = () => workspace.snapshot(person.id);
  const seen = new Map(look().messages.map((one) => [keyOf(one), contentOf(one)]));
  const views = look().views.length;
  const before = standing(house);
  const channel = line.in === 'direct' ? workspace.direct(person.id).id : placeOf(house, line);
  const read = await house.bot.read(line.line, { person: person.id, channel });

  if (line.in === 'direct') await house.write(line.line, line.as, 'appliance-bot');
  else if (line.in === 'thread') {
    // The first message there.
    const card = look().messages.find((one) => one.channel === channel && one.user === look().app.botUser);
    await house.write(`<@${look().app.botUser}> ${line.line}`, line.as, channel, card?.ts);
  } else await house.type(`/appliance ${line.line}`, line.as, line.in);

  const after = standing(house);
  const snapshot = look();
  const said = snapshot.messages.filter(
    (one) => one.user === snapshot.app.botUser && seen.get(keyOf(one)) !== contentOf(one),
  );
  const reading = readingOf(snapshot, { timeZone: 'UTC' });
  const text = said.flatMap((one) => bodyLines(one, reading)).join('\n');
  const began = after.actions.slice(before.actions.length).map((one) => ({
    ...one,
    // The journal records a moved end as the change that it belongs to.
    name: read.kind === 'command' && one.line === line.line ? nameOf(read.command) : one.name,
  }));
  const shown = await shownIn(house, said);
  const opened = snapshot.views.length > views ? await formsSince(house, before.tokens) : [];
  const changed = differencesOf(before, after);
  const waits = began.filter(({ state }) => state === 'waiting' || state === 'planned');
  const heard: Heard = {
    text: withoutAddresses(text.replaceAll(line.line, '…')),
    kind: read.kind,
    ran: began.filter(({ state }) => ['running', 'done', 'failed', 'unknown'].includes(state)),
    asked: [...waits, ...opened],
    offered: [...shown.offered, ...typeable(text)],
    labels: shown.labels,
    canApprove: shown.presses.includes('approve'),
    changed,
  };
  // An approver also reads earlier lines.
  const isStained =
    changed.length > 0 || waits.length > 0 || opened.length > 0 || line.situation === 'emergency';
  return { heard, isStained };
}

/** Without what others do with it: replies and reactions. */
const contentOf = ({ text: said, blocks, attachments, files }: Message): string =>
  JSON.stringify([said, blocks, attachments, files]);

const keyOf = ({ channel, ts, ephemeral_to }: Message): string => `${channel} ${ts} ${ephemeral_to}`;

const placeOf = ({ workspace }: Conversation, { in: name }: Line): string => {
  const wanted = name === 'thread' ? 'incident' : name;
  const channel = workspace.channels.find((one) => one.name === wanted);
  if (channel === undefined) throw new TypeError(`There is no channel ${name}`);
  return channel.id;
};

/** An address that was typed says nothing of what it was taken for: the answer only repeats it. */
const withoutAddresses = (text: string): string => text.replace(/\S*(?:%2F|:\/\/|https-3A)\S*/gi, '…');

/** The lines that it says one could type. */
const typeable = (text: string): readonly Shown[] =>
  [...text.matchAll(/^\W*\/appliance (.+?)(?: …)? – /gm)].flatMap(([, line = '']) => shownAs(line));

function shownAs(line: string, phrase?: string): readonly Shown[] {
  const name = phrase === undefined ? commandIn(line) : nameOf({ phrase });
  return name === undefined ? [] : [{ name, line }];
}

async function shownIn({ bot: { journal } }: Conversation, said: readonly Message[]) {
  const offered: Shown[] = [];
  const labels: string[] = [];
  const presses: string[] = [];
  for (const message of said) {
    for (const { element } of actionables(allBlocks(message), '')) {
      const button = readButton(String(element.action_id ?? ''), text(element.value));
      if (button === undefined) continue;
      const label = words(element.text) ?? '';
      labels.push(label);
      presses.push(button.button);
      const kept = await journal.kept(button.token);
      const offer = kept?.kind === 'offer' ? offerIn(kept) : undefined;
      const form = kept?.kind === 'form' ? formIn(kept) : undefined;
      if (offer !== undefined) {
        const found = shownAs(offer.line, offer.asked?.phrase);
        offered.push(...found);
        if (/^(?:Allow|Ask for the site)/.test(label)) offered.push({ name: 'ask', line: label });
      }
      if (form !== undefined) offered.push(...formShown(form));
    }
  }
  return { offered, labels, presses };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function formShown({ phrase, typed }: NonNullable<ReturnType<typeof formIn>>): readonly Shown[] {
  const command = commandByPhrase.get(phrase);
  return command === undefined ? [] : [{ name: nameOf(command), line: lineOf({ command, typed }) }];
}

async function formsSince(house: Conversation, tokens: number): Promise<readonly Shown[]> {
  const rows = query(house, `select token from tokens where kind = 'form' and id > ${tokens} order by id`);
  const kept = await Promise.all(rows.map(({ token }) => house.bot.journal.kept(String(token))));
  return kept.flatMap((one) => {
    const form = one === undefined ? undefined : formIn(one);
    return form === undefined ? [] : formShown(form);
  });
}

/** The bot's own journal, only read. */
function query({ data }: Conversation, sql: string): readonly Readonly<Record<string, unknown>>[] {
  const journal = new DatabaseSync(join(data, 'journal.sqlite'), { readOnly: true });
  try {
    return journal.prepare(sql).all();
  } finally {
    journal.close();
  }
}

/** All that a line might change. */
function standing(house: Conversation) {
  const { categories, acl } = house.appliance.state;
  const actions = query(
    house,
    'select id, phrase, line, understood_as, state from actions where request_json is null order by rowid',
  );
  return {
    actions: actions.map(({ id, phrase, line, understood_as, state }) => ({
      id: String(id),
      name: phrase === null ? '' : nameOf({ phrase: String(phrase) }),
      line: String(understood_as ?? line),
      state: String(state),
    })),
    tokens: Number(query(house, 'select coalesce(max(id), 0) as last from tokens')[0]?.last),
    bot: {
      temporary: JSON.stringify(query(house, 'select id, state, ends_at from timed_changes order by id')),
      watch: JSON.stringify(query(house, 'select id, terms_json from watches order by id')),
      request: JSON.stringify(
        query(house, 'select id from actions where request_json is not null order by id'),
      ),
    },
    orders: ordersTo(house.appliance),
    things: new Set([
      ...[...categories.all.values()].flatMap(({ id, sites }) => [...sites].map((site) => `${id}+${site}`)),
      ...[...categories.all.values()].map(({ name }) => `create:${name}`),
      ...[...acl.objects.values()].flatMap(({ id, records }) =>
        [...records.values()].map(({ pattern }) => `acl${id}+${pattern}`),
      ),
    ]),
  };
}

function differencesOf(
  before: ReturnType<typeof standing>,
  after: ReturnType<typeof standing>,
): readonly string[] {
  const added = [...after.things].filter((one) => !before.things.has(one));
  const gone = [...before.things].filter((one) => !after.things.has(one)).map((one) => `no ${one}`);
  const states = new Map(after.actions.map(({ id, state }) => [id, state]));
  const moved = before.actions.filter(({ id, state }) => states.get(id) !== state);
  const ordered = after.orders.slice(before.orders.length);
  const things = [...added, ...gone];
  return [
    ...things,
    // Orders whose effects are not among those things.
    ...(things.length === 0 ? ordered.map((one) => `order:${one}`) : []),
    ...Object.keys(before.bot).filter(
      (key) => before.bot[key as keyof typeof before.bot] !== after.bot[key as keyof typeof after.bot],
    ),
    ...moved.map(({ name }) => `moved:${name}`),
  ];
}
