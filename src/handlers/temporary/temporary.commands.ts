import { word } from '../argument.ts';
import { info } from '../declare.ts';
import { endOf, readTerm } from '../language/term.ts';
import { code, type Offer, person, plural, say, strong, type Text, tableOf } from '../reply.ts';
import { when } from '../wording/when.ts';
import { isOn, thingsMeant } from './called.ts';
import { namesOf, type TemporaryThing } from './list.ts';

export const temporary = info({
  anywhere: false,
  posted: true,
  phrase: 'temporary [thing]…',
  says: `
    what is temporary / what ends / what is on for a time / which changes end by themselves / what ends today /
    list temporary changes / show temporary changes / what will be undone / what is allowed for a time /
    which exceptions are active / list exceptions / what expires / what expires today / when does it end /
    until when is <thing> on / until when is <thing> allowed / how long is <thing> on / when does <thing> end /
    how long is <thing> allowed / when is <thing> undone / when does the exception for <thing> end /
    what is temporary of mine / which of mine are temporary / when will <thing> end / when will <thing> be undone
  `,
  also: ['temporary list [thing]…', 'what ends [thing]…', 'temporary changes [thing]…'],
  summary: 'List what is on for a time here, by whom and until when',
  example: 'temporary',
  args: { thing: { ...word('what is temporary', 'shop.example.net'), isLine: 'words' } },
  answer: async ({ args, temporary: list, called, calendar, on, person: asker, now }) => {
    const there = await list();
    const typed = args.thing.join(' ');
    const ends = endSaid(typed, now, calendar().timeZone);
    const {
      found: all,
      words,
      whose,
    } = await thingsMeant(
      there.filter((one) => isOn(one, on) && (ends === undefined || one.until <= ends)),
      ends === undefined ? typed : '',
      asker,
      called,
    );
    if (there.length > 0 && all.length === 0)
      return {
        headline:
          ends === undefined
            ? say`Nothing ${whose ?? say`called ${code(words)}`} is temporary in this channel. ${code('/appliance temporary')} lists what is.`
            : say`Nothing ends in this channel until ${when(ends, now)}. ${code('/appliance temporary')} lists what ends later.`,
      };
    if (all.length === 0) {
      return {
        headline: say`Nothing is temporary in this channel. ${code('--for 2h')} or ${code('--until 18:00')} behind a change that can be undone undoes it then.`,
      };
    }
    const told = namesOf(all);
    const names = new Map(all.map((one, index) => [one, told[index]]));
    return {
      headline: say`${strong(plural(all.length, 'temporary change'))} in this channel`,
      details: [
        ...tableOf(all, {
          // Its buttons stand below all pages and use this number.
          No: all.length > 1 ? (one) => say`${all.indexOf(one) + 1}` : undefined,
          What: (one) => names.get(one) ?? one.what,
          On: ({ appliance }) => say`${appliance}`,
          Until: (one) => untilOf(one, now),
          By: (one) => person(one.person),
          Reason: all.some(({ reason }) => reason !== '') ? ({ reason }) => say`${reason}` : undefined,
        }),
        { kind: 'offers', offers: offersOf(all) },
        ...(all.flatMap(({ offers }) => offers).length <= mostButtons
          ? []
          : [
              {
                kind: 'text',
                text: say`There is room for ${mostButtons} buttons. The others stand on the cards; ${code('end …')}, ${code('extend … by 1h')} and ${code('keep …')} with a word of what is meant do the same.`,
              } as const,
            ]),
      ],
    };
  },
});

/** The end in "today", "before 18:00". Undefined for words without a time. */
function endSaid(typed: string, now: number, timeZone: string): number | undefined {
  const term = readTerm({ option: 'until', text: typed.replace(/^(?:by|before|until|till?) /i, '') });
  return term && endOf(term, now, timeZone);
}

/** More buttons would fill the screen; each card has its own. */
const mostButtons = 10;

const offersOf = (all: readonly TemporaryThing[]): readonly Offer[] =>
  all
    .flatMap(({ offers }, index) =>
      offers.map((offer) => (all.length === 1 ? offer : { ...offer, label: `${index + 1}: ${offer.label}` })),
    )
    .slice(0, mostButtons);

const untilOf = ({ state, until }: TemporaryThing, now: number): Text =>
  state === 'on' ? say`${when(until, now)}` : say`${when(until, now)}, not undone yet`;
