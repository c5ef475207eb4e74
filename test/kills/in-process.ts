import type { Button, Card, Said } from '../../src/action/base/chat.ts';
import type { Input } from '../../src/action/base/form.ts';
import { plainText } from '../../src/handlers/reply.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { channel, type Life, type Lives, personOf } from '../lives.ts';
import { wordsOf } from '../remembering-chat.ts';
import { type Name, visitor } from './kind.ts';
import { asksAgain, isAbout, type Sight, type Stage } from './story.ts';

/** The typed lines, and how much each person had been told before. */
export type Typed = {
  readonly by: Name;
  readonly line: string;
  readonly heard: number;
  /** Their form was accepted and has closed: a person who sent one does not type the line again. */
  isSent?: boolean;
  isLost?: boolean;
}[];

/** People before a bot of this process. `pages`: the sites whose requests somebody before a block page sees. */
export function stageOf(
  { chat, clock }: Lives,
  life: Life,
  typed: Typed,
  pages: Set<string>,
  turn: Stage['turn'],
): Stage {
  const { actions } = life;
  const { track } = actions.work;
  const heardBy = (by: Name) =>
    [...chat.whispers, ...chat.notes].filter(({ person }) => person === personOf(by));
  const isOfTyped = (card: Card | undefined) =>
    card !== undefined && typed.some(({ line }) => isAbout(card.line, line));
  const cardsOf = (line: string): readonly [string, Card][] =>
    [...chat.cards].filter(([, card]) => isAbout(card.line, line));

  return {
    isDead: life.isDead,
    rest: life.rest,
    turn,

    look: (by, line): Sight => {
      const last = typed.findLast((one) => one.by === by && one.line === line);
      if (last === undefined) return 'nothing';
      if (chat.forms.some((form) => form.by === personOf(by))) return 'open';
      const [, card] = cardsOf(line).at(-1) ?? [];
      const heard = heardBy(by).slice(last.heard).at(-1);
      if (heard !== undefined && card === undefined)
        return asksAgain(wordsOf(heard.said)) ? 'again' : 'answered';
      if (card === undefined) {
        if (last.isSent) last.isLost = true;
        return 'nothing';
      }
      if (card.question !== undefined || card.state === 'running') return 'open';
      return asksAgain(plainText(card.headline)) ? 'again' : 'answered';
    },

    type: async (by, line) => {
      clock.at += 1;
      typed.push({ by, line, heard: heardBy(by).length });
      const invocation = { team: 'T', channel, person: personOf(by), line, trigger: personOf(by) };
      track(() => actions.ask(invocation), invocation);
    },

    press: async (by, label) => {
      const person = personOf(by);
      const places = [
        ...chat.whispers
          .filter((one) => one.person === person)
          .map(({ said }) => ({ card: '', whispered: true, ...buttonsIn(said) })),
        ...chat.notes
          .filter((one) => one.person === person || one.person === channel)
          .map(({ said }) => ({ card: '', whispered: false, ...buttonsIn(said) })),
        ...chat.thread
          .filter(({ below }) => isOfTyped(chat.cards.get(below)))
          .map(({ ts, said }) => ({ card: ts, whispered: false, ...buttonsIn(said) })),
        ...[...chat.cards]
          // Not that of an undo, which can be undone as well.
          .filter(([, card]) => card.question !== undefined || isOfTyped(card))
          .map(([ts, card]) => ({ card: ts, whispered: false, ...buttonsOn(card) })),
      ];
      const found = places.findLast(({ buttons }) => buttons.some((button) => button.label === label));
      const button = found?.buttons.find((one) => one.label === label);
      if (found === undefined || button === undefined) return false;
      // Two events at the same moment would have no order.
      clock.at += 1;
      const press = {
        team: 'T',
        channel,
        person,
        card: found.card,
        whispered: found.whispered,
        button: button.press,
        token: button.token,
        detail: button.detail,
      };
      track(() => actions.press({ ...press, trigger: person }), press);
      return true;
    },

    fill: async (by, values) => {
      const open = chat.forms.find((form) => form.by === personOf(by));
      if (open === undefined) return false;
      const { form } = open;
      const words = Object.fromEntries(
        form.inputs.map(({ name, label, kind }) => {
          const given = values[label];
          return [name, given === undefined ? standingIn(kind) : [given]];
        }),
      );
      track(async () => {
        const submission = {
          team: 'T',
          person: personOf(by),
          token: form.token,
          entered: { words, files: {} },
        };
        const settled = await actions.submit(submission);
        await life.acknowledge(() => {
          if (settled.kind !== 'problems') chat.forms.splice(chat.forms.indexOf(open), 1);
          const last = typed.findLast((one) => one.by === by);
          if (last !== undefined && settled.kind === 'accepted') last.isSent = true;
        });
        if (settled.kind === 'closed') track(settled.follow, settled.listener);
        if (settled.kind === 'accepted') track(() => actions.ask(settled.invocation), settled.invocation);
      });
      return true;
    },

    send: async (site) => {
      if (pages.has(site)) return;
      track(async () => {
        const opened = await actions.siteRequests.open({
          ...{ site, lasts: 2 * 60 * 60_000, reason: 'booking for customer' },
          from: { kind: 'block_page', ...visitor },
        });
        await life.acknowledge(() => {
          if (opened.kind === 'opened' || opened.kind === 'joined') pages.add(site);
        });
      });
    },

    pass: async (minutes) => {
      for (const part of [minutes / 2, minutes / 2]) {
        if (life.isDead()) return;
        clock.at += part * 60_000;
        life.tick();
        await life.rest();
      }
    },
  };
}

type Pressable = Pick<Button, 'label' | 'press' | 'token' | 'detail'>;

const buttonsIn = ({ details = [] }: Pick<Said, 'details'>): { readonly buttons: readonly Pressable[] } => ({
  buttons: details.flatMap((part) => (part.kind === 'buttons' ? part.buttons : [])),
});

function buttonsOn({ parts, question }: Card): { readonly buttons: readonly Pressable[] } {
  const { buttons } = buttonsIn({ details: parts });
  if (question === undefined) return { buttons };
  const { token, verb, approval } = question;
  const asked: readonly Pressable[] = approval
    ? [
        { label: 'Approve', press: 'approve', token },
        { label: 'Deny…', press: 'deny', token },
        { label: 'Withdraw', press: 'cancel', token },
      ]
    : [
        { label: verb, press: 'confirm', token },
        { label: 'Cancel', press: 'cancel', token },
      ];
  return { buttons: [...asked, ...buttons] };
}

/** Messages that stand in the chat twice, and lines that were left without an end. */
export async function seenBy({ chat }: Lives, stage: Stage, journal: Journal, typed: Typed) {
  const actions = await journal.recent(1_000);
  const texts = [
    ...chat.thread.map(({ below, said }) => `below ${below}: ${JSON.stringify(said)}`),
    ...[...chat.cards.values()].map(({ action }) => `the card of ${action}`),
  ];
  const sights = await Promise.all(
    typed.map(async ({ by, line }) => ({ by, line, sight: await stage.look(by, line) })),
  );
  return {
    twice: [
      ...chat.twice.map((key) => `the message ${key}`),
      ...texts.filter((text, index) => texts.indexOf(text) !== index),
    ],
    untold: [
      ...typed.flatMap(({ isLost, line }) =>
        isLost ? [`of the form of ${line} nothing was heard again`] : [],
      ),
      ...sights
        .filter(({ sight }) => sight !== 'answered')
        .map(({ by, line, sight }) => `${by} of ${line}: ${sight}`),
      ...[...chat.cards.values()].flatMap((card) => {
        const state = actions.find(({ id }) => id === card.action)?.state;
        return state === card.state
          ? []
          : [`the card of ${card.line} says ${card.state}, and it is ${state}`];
      }),
    ],
  };
}

/** The preset value of an untouched input. */
function standingIn(kind: Input['kind']): readonly string[] {
  if (kind.is === 'search') return kind.initial.map(({ word }) => word);
  return 'initial' in kind && typeof kind.initial === 'string' ? [kind.initial] : [];
}
