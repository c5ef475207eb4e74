import type { Roster } from './roster.ts';

/** Top-level domains that make a word without a scheme a link. Slack knows them all; these are enough to meet the effect. */
const linkedDomains =
  'com|org|net|edu|gov|int|info|biz|io|dev|app|ai|co|eu|de|fr|uk|us|nl|se|no|dk|fi|pl|it|es|ch|at|be|cz|ru|jp|cn|in|br|au|ca';

const url = /\bhttps?:\/\/[^\s<>|]+/;
/** A name before the @ has at most 64 characters. */
const mail = /\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b/;
const domain = new RegExp(`(?<![\\w-]\\.|[\\w-])(?:[\\w-]+\\.)+(?:${linkedDomains})\\b(?:[:/?#][^\\s<>|]*)?`);
const mention = /(?<![\w@#])[@#][\w.-]*[\w-]/;
const entity = /[&<>]/;
const token = new RegExp(
  `${url.source}|${mail.source}|${domain.source}|${mention.source}|${entity.source}`,
  'giu',
);

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Slack changes typed text before an app gets it, in messages and in commands with `should_escape` (slack-facts.md §1):
 * `@bob` → `<@U…>`, `#incident` → `<#C…|incident>` (a private one `<#C…|>`), `https://a.example` → `<https://a.example>`,
 * `example.com` → `<http://example.com|example.com>`, and `&`, `<`, `>` become entities. Mentions that are already
 * written as `<@U…>`, `<#C…>` or `<!…>` (a page's composer may complete names) stay.
 */
export function escapeTyped(text: string, roster: Roster): string {
  return text
    .split(/(<[@#!][^<>\s]+>)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(token, (found) => replace(found, roster))))
    .join('');
}

function replace(found: string, roster: Roster): string {
  const entityFound = entities[found];
  if (entityFound !== undefined) return entityFound;
  if (found.startsWith('@')) {
    const name = found.slice(1);
    const person = roster.personNamed(name);
    if (person !== undefined) return `<@${person.id}>`;
    const group = roster.groups.find((candidate) => candidate.handle === name);
    return group === undefined ? found : `<!subteam^${group.id}>`;
  }
  if (found.startsWith('#')) {
    const room = roster.roomNamed(found.slice(1));
    if (room === undefined) return found;
    return `<#${room.id}|${room.isPrivate ? '' : room.name}>`;
  }
  const address = found.replaceAll('&', '&amp;');
  if (/^https?:/i.test(found)) return `<${address}>`;
  if (found.includes('@')) return `<mailto:${address}|${address}>`;
  return `<http://${address}|${address}>`;
}
