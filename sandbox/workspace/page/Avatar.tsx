import { lettersOf } from '../../../src/graphemes.ts';
import type { Person } from '../protocol.ts';
import { BotIcon } from './icons.tsx';

const initials = (person: Person) =>
  (person.realName || person.name)
    .split(/[\s._-]+/)
    .map((word) => lettersOf(word).next().value ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();

/** A person's initials on their colour. Only decoration: the name always stands beside it. */
export function Avatar({ person, size = 36 }: { readonly person: Person; readonly size?: number }) {
  const style = { width: size, height: size, fontSize: size * 0.4, backgroundColor: person.color };
  return (
    <span className={`avatar${person.isBot ? ' avatar-bot' : ''}`} style={style} aria-hidden="true">
      {person.isBot ? <BotIcon /> : initials(person)}
    </span>
  );
}
