import { z } from 'zod';
import { codec, optional, type Stored } from '../../codec.ts';
import type { Asked } from '../../handlers/language/asked.ts';
import { type Manner, mannerOf } from '../../handlers/language/manner.ts';
import type { GivenSlots } from '../../handlers/lists/posted-file.ts';
import type { Offer } from '../../handlers/reply.ts';
import type { Journal, Kept } from '../../journal/journal.ts';
import type { AskedIn, Button, Invocation } from '../base/chat.ts';
import { askedInShape, typedShape } from '../base/chat.ts';

/** What is kept of a form, open or still behind a button, and never a secret. */
export interface KeptForm {
  readonly phrase: string;
  readonly typed: GivenSlots;
  readonly manner: Manner;
  /** What its sending counts as (`Offer.form`). */
  readonly delivery?: string;
  /** Where it was asked for, and is answered. */
  readonly askedIn?: AskedIn;
  /** Its inputs ask when it is to run and for how long: what is left empty there is not meant. */
  readonly asksTimes?: true;
}

/** All that a line says of how it is run is kept with its form. Earlier versions wrote null and false for what was not said. */
const mannerShape = {
  on: z.string().nullish(),
  dryRun: z.union([z.literal(true), z.literal(false)]).nullish(),
  reason: z.string().nullish(),
  term: z.object({ option: z.enum(['for', 'until']), text: z.string() }).nullish(),
  ticket: z.string().nullish(),
  start: z.object({ option: z.enum(['at', 'window']), text: z.string() }).nullish(),
} satisfies Record<keyof Manner, z.ZodType>;

const forms = codec(
  z.object({
    phrase: z.string(),
    typed: typedShape,
    ...mannerShape,
    delivery: optional(z.string()),
    askedIn: optional(askedInShape),
    asksTimes: optional(z.literal(true)),
  }),
);

/** Undefined where it can no longer be read, or is none of a command. */
export function formIn({ content }: Pick<Kept, 'content'>): KeptForm | undefined {
  const kept = forms.read(content);
  if (kept === undefined) return undefined;
  const { phrase, typed, askedIn, delivery, asksTimes, ...said } = kept;
  const given = Object.entries(said).filter(([, value]) => value !== null && value !== false);
  const manner = mannerOf(Object.fromEntries(given) as Manner);
  return {
    phrase,
    typed,
    manner,
    ...(askedIn !== undefined && { askedIn }),
    ...(delivery !== undefined && { delivery }),
    ...(asksTimes && { asksTimes }),
  };
}

/** How long a form may lie open, and its button be pressed, in milliseconds. */
const lifetime = 60 * 60_000;

export interface Keeping {
  readonly journal: Pick<Journal, 'keep'>;
  readonly now: () => number;
}

/** Keeps what a form is for, and answers its token. Only this person can open, send and search in it. */
export async function keepForm(
  { command, typed, ...manner }: Asked,
  { channel, person, askedIn, delivery }: Pick<Invocation, 'channel' | 'person' | 'askedIn' | 'delivery'>,
  { journal, now }: Keeping,
): Promise<string> {
  const kept = {
    phrase: command.phrase,
    // A line with a password in it never comes this far; what is not kept cannot be read.
    typed: Object.fromEntries(
      Object.entries(typed).filter(([name]) => command.args[name]?.input !== 'secret'),
    ),
    // An earlier version, to which somebody may go back, wants these three to be there.
    on: null,
    dryRun: false,
    reason: null,
    ...mannerOf(manner),
    ...(delivery !== undefined && { delivery }),
    ...(askedIn !== undefined && { askedIn }),
    asksTimes: true as const,
  };
  return journal.keep({ kind: 'form', content: forms.store(kept), person, channel, until: now() + lifetime });
}

/** The button that opens a form. None when nobody in particular is to fill it in, or its command is no more. */
export async function formButton(
  { label, form }: Offer,
  {
    channel,
    person,
    askedIn,
  }: Pick<Invocation, 'channel' | 'askedIn'> & { readonly person?: string | undefined },
  keeping: Keeping & { readonly commandByPhrase: ReadonlyMap<string, Asked['command']> },
): Promise<Button | undefined> {
  const command = keeping.commandByPhrase.get(form?.phrase ?? '');
  if (form === undefined || command === undefined || person === undefined) return undefined;
  const token = await keepForm(
    { ...form, command },
    { channel, person, askedIn, delivery: form.delivery },
    keeping,
  );
  return { press: 'form', label, token };
}

/** What is kept of the form in which a command is searched, and of its button. */
export type KeptBuilder = Stored<typeof builderShape>;
const builderShape = z.object({
  holds: z.literal('builder'),
  /**
   * What it is asked for now: the channel, which is the person's own ID meanwhile, or the command. The first version always
   * knew the channel.
   */
  step: z.enum(['channel', 'command']).default('command'),
  /** The channel was named in the form. Otherwise the person was in it. */
  named: z.boolean().default(false),
});

const builders = codec(builderShape);

/** Undefined where it is another form. */
export const builderIn = ({ kind, content }: Pick<Kept, 'kind' | 'content'>): KeptBuilder | undefined =>
  kind === 'form' ? builders.read(content) : undefined;

/** For one person, in one channel. */
export const keepBuilder = (
  { channel, person }: { readonly channel: string; readonly person: string },
  { journal, now }: Keeping,
  { step = 'command', named = false }: Partial<KeptBuilder> = {},
): Promise<string> => {
  const content = builders.store({ holds: 'builder', step, named });
  return journal.keep({ kind: 'form', content, person, channel, until: now() + lifetime });
};

/** None when nobody in particular is to press it. */
export async function builderButton(
  label: string,
  { channel, person }: { readonly channel: string; readonly person?: string | undefined },
  keeping: Keeping,
): Promise<Button | undefined> {
  if (person === undefined) return undefined;
  return { press: 'build', label, token: await keepBuilder({ channel, person }, keeping) };
}
