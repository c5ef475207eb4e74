import { newContent, parseJson } from '../content.ts';
import { appMayRead, filePayload } from '../file-payload.ts';
import { fileLimits, type StoredFile } from '../files.ts';
import { botUserId, type Room } from '../people.ts';
import { Refusal, refuseWith } from '../refusal.ts';
import { optional, required, writable } from './arguments.ts';
import type { Answering, Call } from './method.ts';

const info: Answering = ({ world, args }) => {
  const file = world.files.find(required(args, 'file'));
  // A file in a channel that the bot is not in does not exist for it (slack-facts.md §7).
  if (file === undefined || !appMayRead(world, file)) throw new Refusal('file_not_found');
  return { file: filePayload(world, file), comments: [], response_metadata: { next_cursor: '' } };
};

/** Announces an upload. The SDK says `alt_text`, Slack's page `alt_txt`: both are taken. */
const getUploadURLExternal: Answering = ({ world, args }) => {
  const name = required(args, 'filename');
  const length = Number(required(args, 'length'));
  if (!Number.isInteger(length) || length < 1) {
    throw refuseWith('invalid_arguments', ['must be greater than 0 [json-pointer:/length]']);
  }
  if (length > fileLimits.bytes) throw new Refusal('file_upload_size_restricted');
  const { id, path } = world.files.expect(
    name,
    length,
    optional(args, 'alt_txt') ?? optional(args, 'alt_text'),
  );
  return { upload_url: world.url() + path, file_id: id };
};

/**
 * Ends uploads and posts them as one message; without a channel they stay the app's own. As in Slack, the answer does not
 * name the message (slack-facts.md §7).
 */
const completeUploadExternal: Answering = (call) => {
  const { world, args } = call;
  const wanted = readFiles(args.files);
  const target = destination(call);
  const threadTs = optional(args, 'thread_ts');
  if (threadTs !== undefined && target === undefined) {
    throw refuseWith('invalid_arguments', ['thread_ts needs a channel_id [json-pointer:/thread_ts]']);
  }
  if (threadTs !== undefined && target && world.messages.find(target.id, threadTs) === undefined) {
    throw new Refusal('thread_not_found');
  }
  const comment = optional(args, 'initial_comment');
  // With a comment, blocks are ignored.
  const content =
    comment !== undefined || args.blocks !== undefined
      ? newContent(comment === undefined ? { blocks: args.blocks } : { text: comment })
      : { text: '' };
  if (!world.files.areComplete(wanted.map(({ id }) => id))) throw new Refusal('file_not_found');
  const files = wanted.map(({ id, title }) => world.files.complete(id, title));
  const answered = files.map((file) => filePayload(world, file));
  if (target !== undefined) post(call, target, files, content, threadTs);
  return { files: answered };
};

function post(
  { world }: Call,
  room: Room,
  files: readonly StoredFile[],
  content: ReturnType<typeof newContent>,
  threadTs: string | undefined,
): void {
  const draft = { ...content, channel: room.id, user: botUserId, isApp: true, files, threadTs };
  const message = world.messages.post(draft);
  for (const file of files) world.files.share(file, message);
}

function readFiles(given: unknown): readonly { readonly id: string; readonly title: string | undefined }[] {
  const list = parseJson(given ?? null, 'invalid_arguments');
  if (!Array.isArray(list) || list.length === 0) {
    throw refuseWith('invalid_arguments', ['missing required field: files']);
  }
  return list.map((entry: unknown, index) => {
    const { id, title } = (entry ?? {}) as { readonly id?: unknown; readonly title?: unknown };
    if (typeof id !== 'string') {
      throw refuseWith('invalid_arguments', [`missing required field: id [json-pointer:/files/${index}]`]);
    }
    return { id, title: typeof title === 'string' && title !== '' ? title : undefined };
  });
}

/** One channel by its ID; names are not taken here (slack-facts.md §7). */
function destination({ world, args }: Call): Room | undefined {
  const id = optional(args, 'channel_id');
  if (id === undefined) return undefined;
  if (world.roster.room(id) === undefined) throw new Refusal('channel_not_found');
  return writable(world, { channel: id });
}

export const files = { info, getUploadURLExternal, completeUploadExternal };
