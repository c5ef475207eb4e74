import { parse } from 'yaml';
import { readDuration } from '../../src/duration.ts';

/**
 * A story of the guide, as its page tells it: a block of code in the language `story`, which a test plays
 * (`test/guide.test.ts`). Its lines, one after the other; a blank line says nothing:
 *
 *     @bob: /appliance category add shop.example.net to 252 --for 2h
 *     Bot: ✅ shop.example.net added to category shopping, until 16:00
 *          [End now] [Extend by 2 h]
 *     1 h 55 min later
 *     Bot: ⏳ Ends in 5 min, at 16:00. …
 *     @carol in #incident presses Extend by 2 h
 *     On the appliance: shop.example.net is removed from category 252
 *     Bot says nothing
 *
 * - `Bot:` stands for lines that nobody has seen before the last step; what stands indented under it are more of them, in
 *   any order. `…` is anything, spaces count once, and a time of day may be some minutes off, because a story takes time.
 *   `Bot to @carol:` is what she sees. Otherwise it is who acted last, in the channel where that was.
 * - It begins at 14:00 on a Wednesday, in #helpdesk.
 * - A block `yaml story` above it says what stands in the policy, for all stories after it on that page.
 */
export interface Story {
  readonly page: string;
  /** The heading that it stands under. */
  readonly heading: string;
  /** The number of its first line. */
  readonly line: number;
  readonly policy: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}

export interface Place {
  readonly person: string;
  readonly channel: string;
}

export type Step = { readonly line: number; readonly text: string } & (
  | ({ readonly kind: 'types'; readonly what: string } & Place)
  | ({ readonly kind: 'presses'; readonly label: string } & Place)
  | ({ readonly kind: 'fills'; readonly fields: Readonly<Record<string, string>> } & Place)
  | { readonly kind: 'later'; readonly milliseconds: number }
  | { readonly kind: 'by_hand'; readonly what: string }
  | ({ readonly kind: 'bot'; readonly lines: readonly string[] } & Place)
  | ({ readonly kind: 'silence' } & Place)
);

/** All stories of a page, in order. */
export function storiesIn(page: string, markdown: string): readonly Story[] {
  const stories: Story[] = [];
  let heading = page;
  let policy: Story['policy'] = {};
  let block: { readonly language: string; readonly at: number; readonly lines: string[] } | undefined;
  markdown.split('\n').forEach((line, index) => {
    if (block === undefined) {
      const language = /^```(.*)$/.exec(line)?.[1]?.trim();
      if (language !== undefined) block = { language, at: index + 2, lines: [] };
      else heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
    } else if (line !== '```') block.lines.push(line);
    else {
      const { language, at, lines } = block;
      if (language === 'yaml story') policy = { ...policy, ...parse(lines.join('\n')) };
      if (language === 'story') stories.push({ page, heading, line: at, policy, steps: stepsIn(lines, at) });
      block = undefined;
    }
  });
  return stories;
}

function stepsIn(lines: readonly string[], from: number): readonly Step[] {
  const steps: Step[] = [];
  let place: Place = { person: 'alice', channel: 'helpdesk' };
  lines.forEach((text, index) => {
    if (text.trim() === '') return;
    const last = steps.at(-1);
    if (/^\s/.test(text)) {
      if (last?.kind !== 'bot') throw new Error(`Line ${from + index} continues nothing: ${text.trim()}`);
      steps.splice(-1, 1, { ...last, lines: [...last.lines, text.trim()] });
      return;
    }
    const step = stepOf(text, place);
    if (step === undefined) throw new Error(`Line ${from + index} is no step of a story: ${text}`);
    if ('person' in step && step.kind !== 'bot' && step.kind !== 'silence') place = step;
    steps.push({ ...step, line: from + index, text });
  });
  return steps;
}

type Unplaced<One> = One extends unknown ? Omit<One, 'line' | 'text'> : never;

function stepOf(text: string, place: Place): Unplaced<Step> | undefined {
  const acted = /^@(\S+?)(?: in #(\S+?))?(?:: | (presses|fills) )(.+)$/.exec(text);
  if (acted !== null) {
    const [, person = '', channel = place.channel, how, what = ''] = acted;
    if (how === 'presses') return { kind: 'presses', person, channel, label: what };
    if (how === undefined) return { kind: 'types', person, channel, what };
    const fields = what.split('; ').map((one) => one.split(': ') as [string, string]);
    return { kind: 'fills', person, channel, fields: Object.fromEntries(fields) };
  }
  const said = /^Bot(?: to @(\S+?))?(?: in #(\S+?))?(?:: (.+)| says nothing)$/.exec(text);
  if (said !== null) {
    const [, person = place.person, channel = place.channel, what] = said;
    return what === undefined
      ? { kind: 'silence', person, channel }
      : { kind: 'bot', person, channel, lines: [what] };
  }
  const what = /^On the appliance: (.+)$/.exec(text)?.[1];
  if (what !== undefined) return { kind: 'by_hand', what };
  const milliseconds = readDuration(/^(.+) later$/.exec(text)?.[1] ?? '');
  return milliseconds === undefined ? undefined : { kind: 'later', milliseconds };
}
