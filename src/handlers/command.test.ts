import { expectTypeOf, test } from 'vitest';
import type { Effect } from '../api/index.ts';
import { domain, identifier, word } from './argument.ts';
import { type AnyCommand, command } from './command.ts';
import type { AskingAppliance, OnAppliance } from './context.ts';

const answer = async () => ({ headline: [] });
const lookup = { kind: 'lookup', effect: 'read', summary: '', example: '', answer } as const;

test('the arguments of a command follow from its phrase', () => {
  command({
    kind: 'lookup',
    effect: 'read',
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
  command({
    kind: 'lookup',
    effect: 'read',
    summary: '',
    example: '',
    phrase: 'tail [log]',
    args: { log: word('a log', 'audit') },
    answer: async ({ args }) => {
      expectTypeOf(args).toEqualTypeOf<{ readonly log: string | undefined }>();
      return { headline: [] };
    },
  });
  command({
    kind: 'lookup',
    effect: 'read',
    summary: '',
    example: '',
    phrase: 'rdp sessions',
    args: {},
    answer: async ({ args }) => {
      expectTypeOf<keyof typeof args>().toEqualTypeOf<never>();
      return { headline: [] };
    },
  });
  // @ts-expect-error an argument that the phrase has and the declaration forgets
  command({ ...lookup, phrase: 'rdp disconnect <session>', args: {} });
  expectTypeOf<AnyCommand['effect']>().toEqualTypeOf<Effect>();
});

test('only what runs after the click can change anything', () => {
  command({
    kind: 'change',
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
  command({
    kind: 'lookup',
    effect: 'read',
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
