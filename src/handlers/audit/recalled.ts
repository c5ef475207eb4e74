import { channel, group, moment, person, type Span, type Text } from '../text.ts';

/**
 * What a record says in plain words (`plainText`), with its moments in each reader's zone again, and with whoever and whatever of the
 * chat is known by name. A record may repeat what an appliance wrote, which must mention nobody: `isKnown` tells which IDs are ours.
 */
export function recalled(words: string, isKnown: (id: string) => boolean): Text {
  return words.split(marked).flatMap((part, at): readonly Span[] => {
    if (part === '') return [];
    // What was split by stands at every other place.
    if (at % 2 === 0) return [part];
    if (/^\d/.test(part)) return [Number.isNaN(Date.parse(part)) ? part : moment(Date.parse(part))];
    if (!isKnown(part)) return [part];
    return [part.startsWith('S') ? group(part) : /^[UW]/.test(part) ? person(part) : channel(part)];
  });
}

/** A moment as `plainText` or an appliance writes it, or an ID of the chat. */
const marked = /(\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z|\b[CGSUW](?=[A-Z]*\d)[A-Z0-9]{5,}\b)/;
