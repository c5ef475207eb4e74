import { readSince, sinceWanted } from '../language/since.ts';
import { moment, person, say, type Text } from '../reply.ts';
import type { HistoryFilter } from './history.ts';

/** The period and the people of a search in the past. */

export const most = 500;

export const since = {
  what: 'a time',
  example: '7d',
  words: 4,
  read: (typed: string) => {
    const value = readSince(typed);
    return value === undefined
      ? ({ ok: false, problem: { code: 'malformed', wanted: sinceWanted } } as const)
      : ({ ok: true, value } as const);
  },
};

export const untilIn = ({ until }: HistoryFilter): Text =>
  until === undefined ? [] : say` until ${moment(until)}`;

export const byIn = ({ by }: HistoryFilter): Text => (by === undefined ? [] : say` by ${person(by)}`);
