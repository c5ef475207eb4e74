import type { ApplianceFailure } from '../../api/index.ts';
import { code, type Part, say, strong } from '../../handlers/reply.ts';

/** In characters: what fits into a line. */
const longest = 200;

/**
 * What an appliance itself said, in one quoted line; where that is not all of it, all of it goes along as a file.
 * @param replies each in lines, as the client gives them (`OrderReply`)
 */
export function saidParts(appliance: string, replies: readonly string[]): readonly Part[] {
  const [first] = replies;
  if (first === undefined) return [];
  const all = [...new Set(replies.filter((one) => one !== ''))].join('\n');
  if (all === '') return [{ kind: 'text', text: say`${strong(appliance)} said nothing in reply.` }];
  const line = all.replaceAll('\n', ' · ');
  const isAll = line.length <= longest;
  const quoted = isAll ? line : `${Array.from(line.slice(0, longest)).slice(0, -1).join('')}…`;
  const text = say`${strong(appliance)} said: ${code(quoted)}`;
  return [
    { kind: 'text', text },
    ...(isAll ? [] : [{ kind: 'log', name: `${appliance}.txt`, text: all } as const]),
  ];
}

/** The same of a failed question, where its sentence does not quote it all. */
export function saidIn(appliance: string, failure: ApplianceFailure): readonly Part[] {
  const { words, excerpt } = failure;
  const isQuoted =
    failure.code === 'refused'
      ? words === failure.reason
      : words === excerpt && !('obstacle' in failure && failure.obstacle !== undefined);
  return words === '' || isQuoted ? [] : saidParts(appliance, [words]);
}
