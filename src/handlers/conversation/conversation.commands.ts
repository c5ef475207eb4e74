import { info } from '../declare.ts';
import { code, messageLink, moment, person, type Reply, say, type Text } from '../reply.ts';
import type { Waiting } from './standing.ts';

export const undo = info({
  anywhere: false,
  phrase: 'undo',
  also: [
    'undo that',
    'undo last',
    'undo last change',
    'undo it',
    'rollback',
    'roll back',
    'revert',
    'revert that',
    'revert last change',
    'take it back',
  ],
  says: `
    undo my change / undo what i did / revert my last change / roll back the last change /
    i made a mistake / put it back as it was / undo the last thing / oops / oops undo / that was wrong /
    that was a mistake, take it back / wrong one, undo / reverse that / reverse the last change /
    rückgängig / zurück / restore what i changed / back out my change / put it back / make it as before
  `,
  summary: 'Take back your last change in this channel, where it can be taken back',
  answer: async ({ standing, channel }): Promise<Reply> => {
    const last = await standing.lastChange();
    if (last === undefined) {
      return { headline: say`You changed nothing in this channel lately, so there is nothing to undo.` };
    }
    const what = say`${code(last.line)} (${moment(last.at)})`;
    if (last.undoneBy !== undefined) {
      return {
        headline: say`Your last change here was undone already by ${person(last.undoneBy)}: ${what}.${seeCard(channel, last.card)}`,
      };
    }
    if (last.undo.length === 0) {
      return {
        headline: say`Your last change here cannot be undone: ${what}.`,
        details: [
          {
            kind: 'text',
            text: say`Undo stands on a card for ten minutes, where a change has an opposite.${seeCard(channel, last.card)}`,
          },
        ],
      };
    }
    const { later } = last;
    return {
      headline: say`This would undo your last change here: ${what}.`,
      details: [
        ...(later === undefined
          ? []
          : [
              {
                kind: 'text',
                text: say`It is not the newest change in this channel: after it ${person(later.person)} ran ${code(later.line)}, which stays.`,
              } as const,
            ]),
        {
          kind: 'offers',
          offers: last.undo.map(({ token, where }) => ({
            label: where === undefined ? 'Undo' : `Undo on ${where}`,
            line: last.line,
            standing: { press: 'offer', token },
          })),
        },
      ],
    };
  },
});

export const cancel = info({
  anywhere: false,
  phrase: 'cancel',
  also: ['cancel that', 'cancel it', 'never mind', 'nevermind', 'abort', 'forget it'],
  says: `
    cancel my request / cancel my card / do not do it / stop that / i changed my mind /
    withdraw my request / cancel everything i asked / drop my request / do not run it / stop my request /
    no do not / wait, no / leave it / nevermind / abbrechen / take my request back / withdraw that
  `,
  summary: 'Cancel what you asked for in this channel and what still waits for a click',
  answer: async ({ standing, channel }): Promise<Reply> => {
    const waiting = await standing.waiting();
    if (waiting.length === 0) return nothingWaits;
    return {
      headline: waiting.length === 1 ? say`This waits for a click:` : say`These wait for a click:`,
      details: [
        { kind: 'list', items: waiting.map((one) => described(one, channel)) },
        {
          kind: 'offers',
          offers: waiting.map(({ line, token }) => ({
            label: waiting.length === 1 ? 'Cancel' : `Cancel ${line}`,
            line,
            standing: { press: 'cancel', token },
          })),
        },
      ],
    };
  },
});

export const yes = info({
  anywhere: false,
  phrase: 'yes',
  also: ['yes please', 'confirm', 'confirmed', 'do it', 'ok do it', 'go ahead', 'proceed'],
  says: `
    yes do it / i confirm / please confirm my card / i approve that / approve / approved / deny / no / yep /
    yeah / sure / ok / agreed / confirm it / ja / go for it / i agree / approve it / approve the request /
    deny the request / do it now
  `,
  summary: 'Show where the button is: a typed yes confirms nothing',
  answer: async ({ standing, channel }): Promise<Reply> => {
    const waiting = await standing.waiting();
    if (waiting.length === 0) return nothingWaits;
    return {
      headline: say`A typed answer confirms nothing. Press the button on the card:`,
      details: [{ kind: 'list', items: waiting.map((one) => described(one, channel)) }],
    };
  },
});

export const again = info({
  anywhere: false,
  phrase: 'again',
  also: ['repeat', 'repeat that', 'same again', 'rerun', 'retry', 'try again', 'once more'],
  says: `
    do that again / run the last command again / repeat my last command / do it again / one more time /
    same as before / the same once more / run that again / nochmal / repeat the last one
  `,
  summary: 'Offer your last line in this channel once more',
  answer: async ({ standing }): Promise<Reply> => {
    const line = await standing.lastLine();
    return line === undefined
      ? { headline: say`You asked nothing in this channel lately, so there is nothing to repeat.` }
      : {
          headline: say`Your last line here was ${code(`/appliance ${line}`)}.`,
          details: [{ kind: 'offers', offers: [{ label: line, line, guess: true }] }],
        };
  },
});

const nothingWaits: Reply = {
  headline: say`Nothing of yours waits for a click in this channel. No changes were made.`,
};

const described = ({ line, asked, card }: Waiting, channel: string): Text =>
  say`${code(line)}, asked ${moment(asked)}.${seeCard(channel, card)}`;

const seeCard = (channel: string, card: string | undefined): Text =>
  card === undefined ? [] : say` ${messageLink('See its card', channel, card)}.`;
