import { expect, expectTypeOf, test } from 'vitest';
import type { Effect } from '../api/index.ts';
import { domain, identifier, word } from './argument.ts';
import type { AnyCommand } from './command.ts';
import type { AskingAppliance, OnAppliance } from './context.ts';
import { change, lookup } from './declare.ts';

const answer = async () => ({ headline: [] });
const common = { summary: '', example: '', answer } as const;

test('the arguments of a command follow from its phrase', () => {
  lookup({
    summary: '',
    example: '',
    phrase: 'move <domain> <session>…',
    args: { domain, session: identifier('a session number', '12') },
    answer: async (context) => {
      expectTypeOf(context).toEqualTypeOf<
        AskingAppliance<{ readonly domain: string; readonly session: readonly number[] }>
      >();
      return { headline: [] };
    },
  });
  lookup({
    summary: '',
    example: '',
    phrase: 'tail [log]',
    args: { log: word('a log', 'audit') },
    answer: async ({ args }) => {
      expectTypeOf(args).toEqualTypeOf<{ readonly log: string | undefined }>();
      return { headline: [] };
    },
  });
  lookup({
    summary: '',
    example: '',
    phrase: 'rdp sessions',
    args: {},
    answer: async ({ args }) => {
      expectTypeOf<keyof typeof args>().toEqualTypeOf<never>();
      return { headline: [] };
    },
  });
  // @ts-expect-error the phrase has arguments, and the declaration has none
  lookup({ ...common, phrase: 'rdp disconnect <session>' });
  // @ts-expect-error a phrase with slots is no example
  lookup({ summary: '', answer, phrase: 'move <domain>', args: { domain } });
  // @ts-expect-error the declaration lacks an argument of the phrase
  lookup({ ...common, phrase: 'rdp disconnect <session>', args: {} });
  expectTypeOf<AnyCommand['effect']>().toEqualTypeOf<Effect>();
});

test('only code that runs after the click can change anything', () => {
  change({
    effect: 'destructive',
    summary: '',
    example: '',
    phrase: 'rdp disconnect <session>',
    args: { session: identifier('a session number', '12') },
    verb: '',
    doing: () => [],
    done: () => [],
    preview: async (context) => {
      // @ts-expect-error a preview must not disconnect anybody
      context.appliance.rdp.disconnectSession;
      return { kind: 'nothing', why: [] };
    },
    run: async (context) => {
      expectTypeOf(context).toEqualTypeOf<OnAppliance<{ readonly session: number }>>();
      return context.appliance.rdp.disconnectSession({ id: context.args.session });
    },
    verify: async (context) => {
      // @ts-expect-error nor must reading back
      context.appliance.rdp.disconnectSession;
      return { kind: 'happened', evidence: [] };
    },
  });
  lookup({
    summary: '',
    example: '',
    phrase: 'rdp sessions',
    args: {},
    answer: async (context) => {
      // @ts-expect-error nor must a lookup
      context.appliance.rdp.disconnectSession;
      return { headline: [] };
    },
  });
});

test('a phrase without slots takes nothing and is its own example', () => {
  const declared = lookup({ phrase: 'rdp sessions', summary: '', answer });
  expect(declared).toMatchObject({ kind: 'lookup', effect: 'read', args: {}, example: 'rdp sessions' });
});
