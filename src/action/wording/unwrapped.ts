import type { Asked } from '../../handlers/language/asked.ts';
import { readSite, showDomain } from '../../handlers/language/domain.ts';
import { wordsAmong } from '../../handlers/lists/posted-file.ts';
import { type Field, plural, say } from '../../handlers/reply.ts';
import { number } from '../../handlers/wording/quantities.ts';

/** So many are named. */
const few = 5;

/** Of the sites in what is asked, those that were read out of the addresses that mail gateways and others have put in their place. */
export function unwrappedIn({ command, typed }: Asked): readonly Field[] {
  const found = Object.entries(typed).flatMap(([slot, given]) =>
    command.args[slot]?.holdsSites === true
      ? wordsAmong(given).flatMap((word) => {
          const read = readSite(word);
          return read?.kind === 'site' && read.from !== undefined
            ? [say`${showDomain(read.site)}, from ${read.from}`]
            : [];
        })
      : [],
  );
  const more = found.length - few;
  const counted = more > 0 ? [say`${plural(more, 'other').replace(/^\d+/, number(more))}`] : [];
  const all = [...found.slice(0, few), ...counted];
  return all.length === 0
    ? []
    : [
        {
          name: 'Read as',
          value: all.flatMap((one, at) => (at === 0 ? one : ['; ', ...one])),
        },
      ];
}
