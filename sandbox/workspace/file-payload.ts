import { isText } from './file-types.ts';
import { previewOf, type StoredFile } from './files.ts';
import { botUserId, team } from './people.ts';
import type { World } from './world.ts';

/** A file as Slack's answers and payloads carry it (slack-facts.md §7), in messages, forms and files.info. */
export function filePayload(world: World, file: StoredFile): Record<string, unknown> {
  const preview = previewOf(file);
  const address = `${world.url()}/files-pri/${team.id}-${file.id}`;
  const name = encodeURIComponent(file.name);
  const rooms = file.shares.flatMap(({ channel }) => world.roster.room(channel) ?? []);
  const idsOf = (wanted: (room: (typeof rooms)[number]) => boolean): string[] => [
    ...new Set(rooms.filter(wanted).map(({ id }) => id)),
  ];
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    mimetype: file.type.mimetype,
    filetype: file.type.filetype,
    pretty_type: file.type.prettyType,
    user: file.user,
    user_team: world.roster.person(file.user)?.teamId ?? team.id,
    editable: isText(file.type),
    size: file.content.length,
    mode: isText(file.type) ? 'snippet' : 'hosted',
    is_external: false,
    external_type: '',
    is_public: rooms.some(({ isPrivate }) => !isPrivate),
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: `${address}/${name}`,
    url_private_download: `${address}/download/${name}`,
    permalink: `${world.url()}/files/${file.user}/${file.id}/${name}`,
    has_rich_preview: false,
    file_access: 'visible',
    channels: idsOf(({ isPrivate, isIm }) => !isPrivate && !isIm),
    groups: idsOf(({ isPrivate, isIm }) => isPrivate && !isIm),
    ims: idsOf(({ isIm }) => isIm),
    ...(file.altText === undefined ? {} : { alt_txt: file.altText }),
    ...(preview === undefined ? {} : { preview: preview.text, preview_is_truncated: preview.isTruncated }),
    ...file.said,
  };
}

/** Whether the app may read a file: its own, one from its form, or one in a channel that it is in; with `files:read`. */
export function appMayRead(world: World, file: StoredFile): boolean {
  if (!world.conditions.scopes.has('files:read')) return false;
  if (file.user === botUserId || file.givenToApp) return true;
  return file.shares.some(({ channel }) => world.roster.isMember(channel, botUserId));
}
