import { type Appliance, isApplianceFailure } from '../../api/index.ts';
import type { Arguments } from '../../auth/request.ts';
import type { Listed } from '../../handlers/argument.ts';
import type { Asked } from '../../handlers/language/asked.ts';
import { readAsked } from '../../handlers/language/reading.ts';
import type { GivenValue } from '../../handlers/lists/posted-file.ts';
import { pickerFailed, pickerShortened } from '../../telemetry/events/forms.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Choosable } from '../base/form.ts';
import { resolve, type Sight, search, withValue } from '../target/resolve.ts';
import { argumentOf, type FormSlot, slotsOf } from './inputs.ts';

/** Answers a picker of a form from what the appliance lists. */
export interface FormSearch {
  /** Never rejects: what the appliance does not tell cannot be picked, and the log says why. */
  readonly find: (asked: Asked, input: string, typed: string, within: Within) => Promise<Found>;
}

interface Within {
  readonly appliance: Appliance;
  /** Whether the form is for others as well: then names are picked, because an ID means something on one of them only. */
  readonly others: boolean;
  /** Whether somebody may have it with these arguments: what they may not is not offered to them. */
  readonly may: (args: Arguments) => boolean;
}

type Found = readonly Choosable[];

/** What an appliance lists for an input, and what it made of those before it. */
interface Listing {
  readonly list: readonly Listed<unknown>[];
  readonly known: Arguments;
}

/** So that not every key press asks the appliance, in milliseconds. */
const remembered = 20_000;
/** What a picker can carry as a value (slack-facts.md §2). */
const longestWord = 75;

interface SearchParts {
  readonly log: Log;
  readonly now: () => number;
}

export function createFormSearch({ log, now }: SearchParts): FormSearch {
  const lists = new Map<string, { readonly list: Promise<Listing>; readonly until: number }>();

  return {
    find: async (asked, input, typed, { appliance, others, may }) => {
      const argument = asked.command.args[input];
      if (argument?.list === undefined) return [];
      const about = { command: asked.command.phrase, input, appliance: appliance.name };
      try {
        const { list, known } = await listIn(asked, input, appliance);
        const listed = list.filter(({ value }) => may(withValue(asked.command, known, input, value)));
        const words = others ? listed.map(byName) : listed;
        const pickable = words.filter(({ word }) => word !== '' && word.length <= longestWord);
        if (pickable.length < listed.length) {
          log.tell(pickerShortened, { ...about, left: listed.length - pickable.length });
        }
        return search(argument, pickable, typed).map(({ word, name, hint }) => ({
          word,
          label: [
            name === word || name === '' ? word : `${name} (${word})`,
            ...(hint === undefined ? [] : [hint]),
          ].join(', '),
        }));
      } catch (error) {
        const reason = isApplianceFailure(error) ? error.code : error;
        log.tell(pickerFailed, { ...about, err: reason });
        return [];
      }
    },
  };

  function listIn(asked: Asked, input: string, appliance: Appliance): Promise<Listing> {
    const earlier = earlierThan(asked, input);
    const key = JSON.stringify([appliance.name, asked.command.phrase, input, earlier]);
    for (const [other, { until }] of lists) if (until <= now()) lists.delete(other);
    const asking = lists.get(key)?.list ?? ask(asked, input, earlier, appliance);
    if (!lists.has(key)) lists.set(key, { list: asking, until: now() + remembered });
    // The next key press asks again.
    asking.catch(() => lists.delete(key));
    return asking;
  }

  async function ask(
    asked: Asked,
    input: string,
    earlier: Asked['typed'],
    appliance: Appliance,
  ): Promise<Listing> {
    const before = { ...asked, typed: earlier };
    const found = await resolve(before, readEach(asked, earlier), appliance, everybodys);
    // What names nothing is told apart from what somebody may not have only by those who may have both.
    const { list } = argumentOf(asked.command, input);
    const listed = (await list?.(appliance, found.ok ? found.args : {})) ?? [];
    return { known: found.ok ? found.args : found.known, list: listed };
  }
}

/** A list is remembered for whoever asks next, and what somebody may have of it is decided then. Nobody reads suggestions here. */
const everybodys: Sight = { may: () => false, isWhole: true, isExact: false };

/** Under its name alone. */
const byName = ({ name, value, word }: Listed<unknown>): Listed<unknown> => ({
  word: name === '' ? word : name,
  name: '',
  value,
});

/** What stands in the form before this input: a list may depend on it. */
function earlierThan({ command, typed }: Asked, input: string): Asked['typed'] {
  const slots = slotsOf(command);
  const before = slots.slice(
    0,
    slots.findIndex(({ name }) => name === input),
  );
  const told = before.flatMap(({ name }): [string, readonly GivenValue[]][] => {
    const words = typed[name] ?? [];
    return words.length === 0 || command.args[name]?.input !== undefined ? [] : [[name, words]];
  });
  return Object.fromEntries(told);
}

/** As far as it can be read. */
function readEach(asked: Asked, typed: Asked['typed']): Readonly<Record<string, unknown>> {
  const read = slotsOf(asked.command)
    .filter(({ name }) => typed[name] !== undefined)
    .map((slot) => readAlone({ ...asked, typed }, slot));
  return Object.assign({}, ...read.map((found) => (found.kind === 'command' ? found.args : {})));
}

/** One slot by itself, as though the command took nothing else. */
export function readAlone(asked: Asked, { name, several, optional }: FormSlot) {
  const [open, close] = optional ? ['[', ']'] : ['<', '>'];
  const phrase = `${asked.command.phrase.split(' ', 1)[0]} ${open}${name}${close}${several ? '…' : ''}`;
  const { [name]: words } = asked.typed;
  return readAsked({
    ...asked,
    command: { ...asked.command, phrase },
    typed: words === undefined ? {} : { [name]: words },
    reason: undefined,
  });
}
