import { info } from '../declare.ts';
import { code, type Offer, person, plural, say, strong, type Text, tableOf } from '../reply.ts';
import { when } from '../wording/when.ts';
import { namesOf, type TemporaryThing } from './list.ts';

export const temporary = info({
  anywhere: false,
  posted: true,
  phrase: 'temporary',
  says: `
    what is temporary / what ends / what is on for a time / which changes end by themselves / what ends today /
    list temporary changes / show temporary changes / what will be undone / what is allowed for a time /
    which exceptions are active / list exceptions / what expires / what expires today / when does it end
  `,
  also: ['temporary list', 'what ends', 'temporary changes'],
  summary: 'List what is on for a time here, by whom and until when',
  answer: async ({ temporary: list, now }) => {
    const all = await list();
    if (all.length === 0) {
      return {
        headline: say`Nothing is temporary in this channel. ${code('--for 2h')} or ${code('--until 18:00')} behind a change that can be undone undoes it then.`,
      };
    }
    const called = namesOf(all);
    const names = new Map(all.map((one, index) => [one, called[index]]));
    return {
      headline: say`${strong(plural(all.length, 'temporary change'))} in this channel`,
      details: [
        ...tableOf(all, {
          // Its buttons stand below all pages, and name their row by this.
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

/** More would be a wall of buttons; each stands on its card, too. */
const mostButtons = 10;

/** One after the other, each numbered as it stands in the table where there are several. */
const offersOf = (all: readonly TemporaryThing[]): readonly Offer[] =>
  all
    .flatMap(({ offers }, index) =>
      offers.map((offer) => (all.length === 1 ? offer : { ...offer, label: `${index + 1}: ${offer.label}` })),
    )
    .slice(0, mostButtons);

const untilOf = ({ state, until }: TemporaryThing, now: number): Text =>
  state === 'on' ? say`${when(until, now)}` : say`${when(until, now)}, not undone yet`;
