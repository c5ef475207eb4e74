import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import type { ChatRefused } from '../action/base/chat.ts';

/** What Slack answers when the trouble is its own: the same call may be taken in a moment. */
const slackInTrouble: ReadonlySet<string> = new Set([
  ...['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'ratelimited'],
]);

/**
 * What Slack answers to any call of a token that it does not know, or of an app that is not there any more. It says nothing
 * about what was to be done: with another token, or when the app is back, it is taken (slack-facts.md §11).
 */
const tokenRefused: ReadonlySet<string> = new Set([
  ...['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked', 'token_expired'],
  ...['not_allowed_token_type', 'user_removed_from_team', 'team_disabled', 'team_added_to_org'],
]);

type RefusedFor = Exclude<ChatRefused['about'], 'unknown' | undefined>;

/** What Slack answers about the place that a message is for, the thread that it was to stand in, or what it says. */
const aboutPlace = [
  ...['channel_not_found', 'not_in_channel', 'is_archived', 'is_inactive', 'invalid_channel'],
  ...['user_not_in_channel', 'user_not_found', 'cannot_dm_bot', 'messages_tab_disabled'],
  ...['restricted_action', 'restricted_action_read_only_channel', 'restricted_action_thread_only_channel'],
  'posting_to_channel_denied',
];
const aboutThread = [
  ...['thread_not_found', 'message_not_found', 'cannot_reply_to_message'],
  ...['restricted_action_thread_locked', 'restricted_action_non_threadable_channel'],
];
const aboutContent = [
  ...['no_text', 'msg_too_long', 'msg_blocks_too_long', 'too_many_attachments', 'block_mismatch'],
  ...['invalid_blocks', 'invalid_blocks_format', 'invalid_attachments', 'invalid_arguments'],
  ...['metadata_too_large', 'invalid_metadata_format', 'invalid_metadata_schema'],
];
const aboutChange = ['edit_window_closed', 'cant_update_message'];
const aboutFile = [
  ...['file_not_found', 'file_uploads_disabled', 'file_upload_size_restricted', 'blocked_file_type'],
  'storage_limit_reached',
];

/**
 * What Slack answers about one message, or the place that it is for: sent again, it is refused again (slack-facts.md §1).
 * Whatever else it answers, also a code that nobody has seen so far, is no verdict on the message.
 */
const aboutMessage: ReadonlyMap<string, RefusedFor> = new Map(
  Object.entries({
    place: aboutPlace,
    thread: aboutThread,
    content: aboutContent,
    other: [...aboutChange, ...aboutFile],
  } satisfies Readonly<Record<RefusedFor, readonly string[]>>).flatMap(([what, codes]) =>
    codes.map((code) => [code, what as RefusedFor]),
  ),
);

/** A page of a proxy where an answer should be, which the SDK takes for a code. */
const noCode = 'not_an_answer_of_slack';

/** What Slack calls it, or what went wrong before it could: a short name for logs and sentences, and never a page. */
export function codeOf(error: unknown): string {
  if (error instanceof WebAPIPlatformError) {
    const { error: code } = error.data;
    return /^[\w.:-]{1,80}$/.test(code) ? code : noCode;
  }
  if (error instanceof WebAPIHTTPError) return `http_${error.statusCode}`;
  if (error instanceof WebAPIRateLimitedError) return 'ratelimited';
  return error instanceof Error ? error.name : 'unknown_error';
}

export const isTokenRefused = (error: unknown): boolean =>
  error instanceof WebAPIPlatformError && tokenRefused.has(error.data.error);

/** What of it Slack does not take, where that is its verdict on this very message. */
export const refusedFor = (error: unknown): RefusedFor | undefined =>
  error instanceof WebAPIPlatformError ? aboutMessage.get(error.data.error) : undefined;

/** Slack has answered, by a code that nobody has seen so far. */
export const isUnknownCode = (error: unknown): boolean =>
  error instanceof WebAPIPlatformError &&
  !(isTrouble(error) || isTokenRefused(error)) &&
  refusedFor(error) === undefined;

/** Slack's own trouble, or that of the network or of what stands between: the same call may be taken in a moment. */
export const isTrouble = (error: unknown): boolean =>
  error instanceof WebAPIRequestError ||
  (error instanceof WebAPIHTTPError && error.statusCode >= 500) ||
  (error instanceof WebAPIPlatformError &&
    (slackInTrouble.has(error.data.error) || codeOf(error) === noCode));
