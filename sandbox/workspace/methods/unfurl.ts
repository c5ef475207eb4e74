import { parseJson, readContent, readMetadata } from '../content.ts';
import type { WorkObject } from '../entities/entity.ts';
import { linksIn, readUnfurlId } from '../entities/links.ts';
import { Refusal } from '../refusal.ts';
import { optional } from './arguments.ts';
import type { Answering, Arguments, Call } from './method.ts';

/**
 * Shows more of the links in a person's message: attachments by URL, or entities that say which URL they are of. A link
 * that is shown already is shown anew. Only links that the app was told of.
 */
export const unfurl: Answering = (call) => {
  const { world, args } = call;
  const { channel, ts } = target(call);
  if (world.roster.room(channel) === undefined) throw new Refusal('cannot_find_channel');
  const message = world.messages.find(channel, ts);
  if (message === undefined) throw new Refusal('cannot_find_message');
  if (args.unfurls === undefined && args.metadata === undefined) throw new Refusal('missing_unfurls');
  const shown = [...unfurlsIn(args), ...entitiesIn(args)];
  const urls = new Set(linksIn(world, message).map(({ url }) => url));
  for (const { app_unfurl_url } of shown)
    if (!urls.has(app_unfurl_url)) throw new Refusal('cannot_unfurl_url');
  const fresh = new Set(shown.map(({ app_unfurl_url }) => app_unfurl_url));
  const kept = (message.attachments ?? []).filter(
    (one) => !fresh.has((one as Partial<Unfurled>).app_unfurl_url ?? ''),
  );
  world.messages.rewrite(message, { attachments: [...kept, ...shown] });
  return {};
};

interface Unfurled {
  readonly app_unfurl_url: string;
  readonly is_app_unfurl: true;
  readonly entity?: WorkObject;
  readonly [field: string]: unknown;
}

function target({ args }: Call): { readonly channel: string; readonly ts: string } {
  const given = (name: string): string => {
    const value = optional(args, name);
    if (value === undefined) throw new Refusal(`missing_${name}`);
    return value;
  };
  if (args.unfurl_id === undefined && args.source === undefined)
    return { channel: given('channel'), ts: given('ts') };
  if (!['composer', 'conversations_history'].includes(given('source'))) throw new Refusal('invalid_source');
  return readUnfurlId(given('unfurl_id'));
}

function unfurlsIn({ unfurls }: Arguments): readonly Unfurled[] {
  const given = parseJson(unfurls ?? {}, 'invalid_unfurls_format');
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Refusal('invalid_unfurls_format');
  return Object.entries(given as Readonly<Record<string, unknown>>).map(([url, attachment]) => {
    if (typeof attachment !== 'object' || attachment === null) throw new Refusal('cannot_parse_attachment');
    const { blocks } = readContent({ blocks: Reflect.get(attachment, 'blocks') });
    return {
      ...attachment,
      ...(blocks === undefined ? {} : { blocks }),
      from_url: url,
      app_unfurl_url: url,
      is_app_unfurl: true,
    };
  });
}

function entitiesIn({ metadata }: Arguments): readonly Unfurled[] {
  const { entities = [] } = (readMetadata(metadata) ?? {}) as { readonly entities?: readonly WorkObject[] };
  return entities.map((entity) => {
    const app_unfurl_url = entity.app_unfurl_url ?? '';
    return { from_url: app_unfurl_url, app_unfurl_url, is_app_unfurl: true, entity };
  });
}
