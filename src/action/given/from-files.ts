import { Readable } from 'node:stream';
import type { Files } from '../../handlers/context.ts';
import { type Asked, lineOf } from '../../handlers/language/asked.ts';
import type { Match } from '../../handlers/language/match.ts';
import { readAsked } from '../../handlers/language/reading.ts';
import { readPosted } from '../../handlers/lists/posted-file.ts';
import { say } from '../../handlers/reply.ts';
import { wantedWith } from '../authority/asked-of.ts';
import type { Invocation } from '../base/chat.ts';
import { type After, saidWhenSlow } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import type { Fault } from '../wording/faults.ts';
import { leftOut } from '../wording/misread/misfits.ts';
import type { AboutGiven } from './attached.ts';
import { filesIn, readFiles, withoutFiles } from './given.ts';

/** What is asked once the files in it are read, or why it cannot be. */
type Taken =
  | {
      readonly kind: 'found';
      readonly invocation: Invocation;
      readonly line: string;
      readonly found: Match;
    }
  | { readonly kind: 'refused'; readonly line: string; readonly fault: Fault; readonly found: Match };

/** Puts what stands in files in their place. Nothing is fetched for somebody who may not run it, and nothing that would not do anyway. */
export type FromFiles = (invocation: Invocation, about: AboutGiven) => Promise<Taken>;

export function createFromFiles(parts: Parts & { readonly after: After }): FromFiles {
  const { authority, files, whisper, after } = parts;

  return async (to, { asked, isGuess, pasted }) => {
    const source = pasted === undefined ? files : { open: async () => Readable.from([Buffer.from(pasted)]) };
    const line = lineOf(asked);
    const invocation: Invocation = { ...to, ...(isGuess && { guess: true }) };
    const found = (one: Match): Taken => ({ kind: 'found', invocation, line, found: one });
    const probe = withoutFiles(asked);
    const wanted: Match = { ...asked, kind: 'missing', argument: filesIn(asked)[0]?.[0] ?? '' };
    if (probe.kind === 'missing') {
      const { argument } = probe;
      return found({ ...wanted, ...(pasted !== undefined && (await withEntries(asked, source))), argument });
    }
    if (probe.kind !== 'command') return found(probe);
    const { person, channel } = to;
    const access = asked.dryRun ? 'dryRun' : 'run';
    const { allow } = await authority.decide({
      person,
      channel,
      ...wantedWith(asked, channel, parts),
      access,
    });
    if (!allow) return found(wanted);
    const words = say`Still reading what is in the file. No changes were made so far.`;
    const given = await saidWhenSlow(after, () => whisper(to, { headline: words }), readFiles(source, asked));
    if (given.kind === 'fault') return { kind: 'refused', line, fault: given.fault, found: wanted };
    const { slot: argument, refused: lines, asked: rest, label, of } = given;
    if (lines.length > 0 && rest.typed[argument]?.length === 0) {
      const fault: Fault = { code: 'lines_refused', asked: rest, argument, lines };
      return { kind: 'refused', line, fault, found: wanted };
    }
    const sources = [...given.sources, ...(lines.length === 0 ? [] : [leftOut(rest, argument, lines, of)])];
    return {
      kind: 'found',
      // Whoever asks agrees to what is left of the list.
      invocation: { ...invocation, sources, ...(lines.length > 0 && { guess: true }) },
      // What was pasted is told as it would be typed; what is in a file is not.
      line: lineOf(pasted === undefined ? label : rest),
      found: readAsked(rest),
    };
  };
}

/** A form keeps no pasted list: it opens with all entries, so that what is none is refused there and not lost. */
async function withEntries(asked: Asked, source: Pick<Files, 'open'>): Promise<Asked> {
  const given = await readFiles(source, asked);
  if (given.kind === 'fault') return asked;
  const none = given.refused.map(({ word }) => word).filter((word) => readPosted(word) === undefined);
  const words = given.asked.typed[given.slot] ?? [];
  return { ...given.asked, typed: { ...given.asked.typed, [given.slot]: [...words, ...none] } };
}
