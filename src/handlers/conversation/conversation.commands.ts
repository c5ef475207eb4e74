import { info } from '../declare.ts';
import {
  capital,
  code,
  type InfoReply,
  messageLink,
  moment,
  type Offer,
  person,
  type Reply,
  say,
  strong,
  type Text,
} from '../reply.ts';
import { when } from '../wording/when.ts';
import { isAboutApproving } from './approving.ts';
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
    rückgängig / zurück / restore what i changed / back out my change / put it back / make it as before /
    take back the last change / take the last change back / that was wrong, take it back
  `,
  summary: 'Undo your last change in this channel',
  before: ['acl object disable google_sni'],
  answer: async ({ standing, temporary, channel, now }): Promise<InfoReply> => {
    const [planned] = (await standing.waiting()).filter(({ isMeant }) => isMeant);
    if (planned !== undefined)
      return {
        headline: say`This has not run yet: ${described(planned, channel)} Canceling it changes nothing.`,
        details: [{ kind: 'offers', offers: [cancelOf(planned, 'Cancel')] }],
      };
    const last = await standing.lastChange();
    if (last === undefined) {
      return { headline: say`You made no change in this channel lately, so there is nothing to undo.` };
    }
    const what = say`${code(last.line)} (${moment(last.at)})`;
    const which = last.isOwn ? 'your last change here' : 'this change';
    if (last.isOnItsWay) {
      return {
        headline: say`${capital(which)} is not verified yet: ${what}. It can be undone once it is. Nothing was undone.${seeCard(channel, last.card)}`,
      };
    }
    if (last.taken !== undefined) {
      const { by, isDone, card } = last.taken;
      return {
        headline: isDone
          ? say`${capital(which)} was already undone by ${person(by)}: ${what}.${seeCard(channel, card)}`
          : say`Undo of ${which} was pressed by ${person(by)}: ${what}. It is not verified yet.${seeCard(channel, card)}`,
      };
    }
    if (last.gone !== undefined) {
      return {
        headline: say`Nothing is left to undo of ${which}: ${what}. ${last.gone} No changes were made.${seeCard(channel, last.card)}`,
      };
    }
    const on = last.undo.length > 0 ? [] : (await temporary()).filter(({ action }) => action === last.action);
    const [first] = on;
    if (first !== undefined)
      return {
        headline: say`${capital(which)} is on for a time, until ${when(first.until, now)}: ${what}. ${strong('End now')} ends it before that. No changes were made.`,
        details: [
          {
            kind: 'offers',
            offers: on.map(({ end, appliance }) =>
              on.length === 1 ? end : { ...end, label: `${end.label}: ${appliance}` },
            ),
          },
        ],
      };
    if (last.undo.length === 0) {
      return {
        headline: say`No Undo is available for ${which}: ${what}.`,
        details: [
          {
            kind: 'text',
            text: say`A change that can be reversed has an Undo for ten minutes.${seeCard(channel, last.card)}`,
          },
        ],
      };
    }
    const { later } = last;
    const [only, ...others] = last.undo;
    return {
      // The newest of all needs no question, because everybody means that one.
      ...(only !== undefined &&
        others.length === 0 &&
        last.isMeant &&
        later === undefined && { next: { offer: only.token } }),
      headline: say`This would undo ${which}: ${what}.`,
      details: [
        ...(later === undefined
          ? []
          : [
              {
                kind: 'text',
                text: say`A later change in this channel stays as it is: ${person(later.person)} ran ${code(later.line)}.`,
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
  also: [
    'cancel my request',
    'cancel my requests',
    'cancel request',
    'withdraw my request',
    'withdraw my requests',
    'withdraw request',
    'cancel that',
    'cancel it',
    'never mind',
    'nevermind',
    'abort',
    'forget it',
  ],
  says: `
    cancel my request / cancel my card / do not do it / stop that / i changed my mind /
    cancel everything i asked / drop my request / do not run it / stop my request /
    no do not / wait, no / leave it / nevermind / abbrechen / take my request back / withdraw that /
    no stop / stop it / forget it / vergiss es / nein doch nicht / doch nicht / nicht ausführen / abort /
    abort that / never mind / leave it as it is / wait / hold on / hold on, not yet
  `,
  summary: 'Cancel your pending requests in this channel',
  answer: async ({ standing, channel, waits }): Promise<Reply> => {
    const waiting = await standing.waiting();
    if (waiting.length === 0) {
      // An approver who types "hold on" means somebody else's request.
      const others = await waits();
      return others.isAny ? others.reply : nothingWaits;
    }
    return {
      headline: waiting.some(({ runsAt }) => runsAt !== undefined)
        ? say`Planned, or waiting for confirmation or approval:`
        : say`Waiting for confirmation or approval:`,
      details: [
        { kind: 'list', items: waiting.map((one) => described(one, channel)) },
        {
          kind: 'offers',
          offers: waiting.map((one) => cancelOf(one, waiting.length === 1 ? 'Cancel' : `Cancel ${one.line}`)),
        },
      ],
    };
  },
});

export const approvals = info({
  anywhere: true,
  phrase: 'approvals',
  also: ['yes', 'no', 'approve', 'deny', 'confirm', 'what waits for me', 'what needs my approval'],
  says: `
    anything to approve / which requests wait for my approval / am i holding anybody up / who waits for me /
    i approve that / i confirm / deny the request / reject it / is my approval needed / what do i have to confirm
  `,
  hears: isAboutApproving,
  summary: 'Show what waits for your approval or confirmation, with its buttons',
  answer: async ({ waits }) => (await waits()).reply,
});

export const again = info({
  anywhere: false,
  phrase: 'again',
  also: ['repeat', 'repeat that', 'same again', 'rerun', 'retry', 'try again', 'once more'],
  says: `
    do that again / run the last command again / repeat my last command / do it again / one more time /
    same as before / the same once more / run that again / nochmal / repeat the last one / do the same /
    the same there / same there please / repeat that there / run that there too
  `,
  summary: 'Repeat your last command in this channel',
  answer: async ({ standing, person: asker }): Promise<InfoReply> => {
    const last = await standing.lastLine();
    if (last === undefined) return { headline: say`You have no recent command in this channel to repeat.` };
    const { line, whole = line, isLookup, by } = last;
    return {
      ...(isLookup && { next: { line } }),
      headline:
        by === asker
          ? say`Your last command here: ${code(`/appliance ${line}`)}.`
          : say`This thread is about a command of ${person(by)}: ${code(`/appliance ${line}`)}.`,
      details: [{ kind: 'offers', offers: [{ label: line, line: whole, guess: true }] }],
    };
  },
});

export const more = info({
  anywhere: false,
  phrase: 'more',
  also: ['show more', 'next', 'next page'],
  says: `
    show me more / more rows / the rest of it / show the rest / what else / continue the list / weiter /
    mehr / page 2 / turn the page / next rows / are there more
  `,
  summary: 'Show the next page of your last answer',
  answer: async ({ standing }): Promise<InfoReply> => {
    const last = await standing.nextPage();
    if (last === undefined) return { headline: say`You have no recent answer in this channel.` };
    const { line, result, page } = last;
    const all = say`Your last answer here (${code(`/appliance ${line}`)}) has no further page.`;
    return { headline: all, ...(result !== undefined && page !== undefined && { next: { result, page } }) };
  },
});

export const hello = info({
  anywhere: true,
  unlisted: true,
  phrase: 'hello',
  summary: 'Say hello: a short answer says whether Appliance Bot is there',
  answer: ({ guide: { obstacle } }): Reply => ({
    headline: say`Hello, Appliance Bot is here. ${code('/appliance help')} shows what you can do.`,
    ...(obstacle !== undefined && { details: [{ kind: 'text', text: obstacle }] }),
  }),
});

export const thanks = info({
  anywhere: true,
  unlisted: true,
  phrase: 'thanks',
  summary: 'Say thank you',
  answer: (): Reply => ({ headline: say`You’re welcome.` }),
});

export const bye = info({
  anywhere: true,
  unlisted: true,
  phrase: 'bye',
  summary: 'Say goodbye, or anything else that asks for nothing',
  answer: (): Reply => ({
    headline: say`OK. Nothing was run. ${code('/appliance help')} shows what you can do.`,
  }),
});

const nothingWaits: Reply = {
  headline: say`None of your requests is planned or waiting for confirmation or approval in this channel. No changes were made.`,
};

const cancelOf = ({ line, token }: Waiting, label: string): Offer => ({
  label,
  line,
  standing: { press: 'cancel', token },
});

const described = ({ line, asked, card, runsAt }: Waiting, channel: string): Text =>
  say`${code(line)}, ${runsAt === undefined ? say`requested ${moment(asked)}` : say`planned for ${moment(runsAt)}`}.${seeCard(channel, card)}`;

const seeCard = (channel: string, card: string | undefined): Text =>
  card === undefined ? [] : say` ${messageLink('See its card', channel, card)}.`;
