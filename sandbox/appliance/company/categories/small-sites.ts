import type { KnownCategory } from './known.ts';

const firstWords =
  'north south east west lake river hill harbour bridge garden silver golden green blue red white old new royal ' +
  'happy quick bright little grand city country island valley forest mountain sunny central united open first daily';
const words = firstWords.split(' ');

/**
 * The many small sites of a category, from 60 to 139 of them, always the same ones. Their names end in `.example`, so
 * that no one's real site can be called malware.
 */
export function smallSites({ id, topics }: KnownCategory): string[] {
  return Array.from({ length: 60 + ((id * 37) % 80) }, (_, index) => {
    const topic = topics[index % topics.length] ?? '';
    const round = Math.floor(index / topics.length);
    // 7 has no divisor in common with the number of words, so that a round meets a word only once.
    const word = words[(id + round * 7) % words.length] ?? '';
    return round % 2 === 0 ? `${word}-${topic}.example` : `${topic}${word}.example`;
  });
}
