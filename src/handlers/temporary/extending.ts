import type { AnyChange } from '../command.ts';
import type { ActiveTimedChange } from '../context.ts';
import { code, person, say, type Text } from '../reply.ts';
import { type Fingerprint, happened, notHappened, nothing, ready, type Verification } from '../results.ts';
import { when } from '../wording/when.ts';

/** An active temporary change, and the requested change of its end. */
interface EndToMove {
  readonly of: string;
  /** The fingerprint that was confirmed at its start; it supplies its name. */
  readonly shown: Fingerprint;
  /** The new end: milliseconds since the epoch. Undefined: it becomes permanent. */
  readonly until: number | undefined;
  /** It ends now, early. */
  readonly early?: boolean | undefined;
  /** The named end is earlier than the current one. */
  readonly shortens?: boolean | undefined;
}

/**
 * The same command, requested again while its effect is active: only the end moves, and the appliance gets
 * nothing. It is authorized like the command itself, with its roles and approvals.
 */
export function extending(command: AnyChange, move: EndToMove): AnyChange {
  const { of, shown, until, early = false } = move;
  const done = (args: never) => command.done(args, shown);
  const words = wordsFor(move);
  const asks = (args: never) => words.asks(asThing(command.doing(args, shown)));
  return {
    ...sendingNothing(command),
    verb: words.verb,
    doing: (args) => say`${words.doing}: ${done(args)}`,
    done: (args) => say`${words.done}: ${done(args)}`,
    preview: async ({ args, timedChange, now }) => {
      const known = await timedChange(of);
      if (known === undefined)
        return nothing`This is no longer temporary: ${done(args)}. It is over by now, or was kept for good.`;
      const ends = when(known.until, now);
      if (known.state === 'ending' && until !== undefined)
        return nothing`This was temporary until ${ends}, and is not undone yet: ${done(args)}. ${code('/appliance temporary')} has the buttons to undo it now or to keep it.`;
      if (until !== undefined && !isMoved(move, known.until))
        return nothing`This is temporary already, until ${ends}: ${done(args)}.`;
      return ready({
        question: say`${asks(args)}?`,
        fields: {
          'Now ends':
            known.state === 'ending'
              ? say`it was until ${ends}, and is not undone yet`
              : say`${ends}, and is undone then`,
        },
        // Ending now, or never, does not depend on the current end.
        fingerprint: early || until === undefined ? shown : { ...shown, end: known.until },
      });
    },
    run: async ({ extend, keep, timedChange }, { end }) => {
      if (until === undefined) return { confirmed: await keep(of) };
      const from = early ? (await timedChange(of))?.until : Number(end);
      return { confirmed: from !== undefined && (await extend(from, until, of)) };
    },
    verify: async ({ timedChange, now }) => {
      const known = await timedChange(of);
      if (early)
        return known === undefined || known.state === 'ending' || known.until <= (until ?? 0)
          ? happened`Its time is over: it is undone now.`
          : notHappened`Its end was not moved.`;
      if (until === undefined)
        return known === undefined
          ? happened`It stays, and no longer ends by itself.`
          : notHappened`It still has an end.`;
      const isThere = known !== undefined && (move.shortens ? known.until <= until : known.until >= until);
      return isThere || (move.shortens && known === undefined)
        ? happened`It ends ${when(known?.until ?? until, now)}.`
        : notMoved(known);
    },
  };
}

/** Whether the request changes this end. */
const isMoved = ({ until = 0, early, shortens }: EndToMove, ends: number): boolean =>
  early === true || (shortens ? until < ends : until > ends);

/** Words for the change of an end: the beginnings of its button, question and result. */
function wordsFor({ until, early, shortens }: EndToMove): Readonly<Record<'doing' | 'done', Text>> & {
  readonly verb: string;
  readonly asks: (thing: Text) => Text;
} {
  if (early)
    return {
      verb: 'End now',
      asks: (thing) => say`End ${thing} now`,
      doing: say`Ending early`,
      done: say`Ended early`,
    };
  if (until === undefined)
    return {
      verb: 'Keep',
      asks: (thing) => say`Keep ${thing} for good`,
      doing: say`Keeping for good`,
      done: say`Kept for good`,
    };
  // Always with the day, because a card may be read much later.
  const end = when(until, 0);
  return shortens
    ? {
        verb: 'Shorten',
        asks: (thing) => say`Shorten ${thing}, to end ${end}`,
        doing: say`Shortening, to end ${end}`,
        done: say`Shortened, ends ${end}`,
      }
    : {
        verb: 'Extend',
        asks: (thing) => say`Extend ${thing} until ${end}`,
        doing: say`Extending until ${end}`,
        done: say`Extended until ${end}`,
      };
}

/**
 * A change as a noun: "the removal of bob from Contractors" for "Removing bob from Contractors". Somebody who
 * extends a change must see whether it adds or removes something.
 */
export function asThing(text: Text): Text {
  const marked = text.findIndex((span) => typeof span !== 'string');
  const rest = marked === -1 ? [] : text.slice(marked);
  // A template puts each value into a span of its own, also the verb.
  const first = text.slice(0, text.length - rest.length).join('');
  const [said, doing = '', off = '', before = ''] =
    /^([A-Z]\w*ing)( off| on)? ((?:to|from) )?/.exec(first) ?? [];
  if (said === undefined) return text;
  const noun = nouns[doing] ?? doing.toLowerCase();
  return [`the ${noun}${off} ${before === '' ? 'of ' : before}${first.slice(said.length)}`, ...rest];
}

/** Common nouns; otherwise "the disabling of". */
const nouns: Readonly<Record<string, string>> = {
  Adding: 'addition',
  Removing: 'removal',
  Deleting: 'deletion',
  Creating: 'creation',
  Moving: 'move',
  Changing: 'change',
  Granting: 'grant',
  Revoking: 'revocation',
  Starting: 'start',
  Stopping: 'stop',
  Linking: 'addition',
  Unlinking: 'removal',
  Connecting: 'connection',
  Disconnecting: 'disconnection',
  Exempting: 'exemption',
};

/** Somebody else was first. */
function notMoved(known: ActiveTimedChange | undefined): Verification {
  if (known === undefined) return notHappened`It was ended meanwhile.`;
  const by = known.movedBy === undefined ? say`Somebody` : say`${person(known.movedBy)}`;
  return known.state === 'ending'
    ? notHappened`${by} ended it meanwhile.`
    : notHappened`${by} moved its end meanwhile.`;
}

/** Makes a command send nothing: without survey, undo, compile or waiting. */
function sendingNothing(command: AnyChange): AnyChange {
  const {
    undo: _,
    undoAsks: __,
    requires: ___,
    satisfies: ____,
    lasts: _____,
    survey: ______,
    ...rest
  } = command;
  return { ...rest, urgent: true, sendsNothing: true };
}
